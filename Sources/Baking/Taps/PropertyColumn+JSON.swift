package import Features
import JSON

extension PropertyColumn {
  /// Appends a row's value as JSON; `null` for a missing one. A number of a field keeps its spelling:
  /// `5.10`, `12E3`, and every digit of an identifier.
  package func appendJSON(_ row: Int, to bytes: inout [UInt8]) {
    switch kinds[row] {
    case .missing, .null: bytes.append(contentsOf: "null".utf8)
    case .false: bytes.append(contentsOf: "false".utf8)
    case .true: bytes.append(contentsOf: "true".utf8)
    case .json: withBytes(row) { bytes.append(contentsOf: $0) }
    case .string: withBytes(row) { JSONWriter.append(utf8: $0, to: &bytes) }
    case .number: JSONWriter.append(number(row) ?? 0, to: &bytes)
    case .text:
      withBytes(row) {
        // The grammar of numbers is that of JSON.
        if NumberGrammar.parse($0) != nil {
          bytes.append(contentsOf: $0)
        } else {
          JSONWriter.append(utf8: $0, to: &bytes)
        }
      }
    }
  }
}
