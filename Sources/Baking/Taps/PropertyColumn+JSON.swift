package import Features
import Ingest
import JSON

extension PropertyColumn {
  /// Appends a row's value as JSON; `null` for a missing one.
  package func appendJSON(_ row: Int, to bytes: inout [UInt8]) {
    switch kinds[row] {
    case .missing, .null: bytes.append(contentsOf: "null".utf8)
    case .false: bytes.append(contentsOf: "false".utf8)
    case .true: bytes.append(contentsOf: "true".utf8)
    case .json: withBytes(row) { bytes.append(contentsOf: $0) }
    case .string: withBytes(row) { JSONWriter.append(utf8: $0, to: &bytes) }
    case .number, .text:
      if let number = number(row) {
        let keepsDigits =
          kinds[row] == .text
          && withBytes(row) { NumberGrammar.isLargeInteger($0, value: number) }
        if keepsDigits {
          withBytes(row) { bytes.append(contentsOf: $0) }
        } else {
          JSONWriter.append(number, to: &bytes)
        }
      } else {
        withBytes(row) { JSONWriter.append(utf8: $0, to: &bytes) }
      }
    }
  }
}
