import Features
import Ingest
import Tiling

/// Everything that a CSV reader said about a text.
struct CSVResult: Hashable {
  var names: [String] = []
  /// The fields of each record as text, `nil` for null.
  var fields: [[String?]] = []
  var lines: [Int] = []
  var points: [LngLat?] = []
  var ledger = SourceLedger()

  init(_ bytes: [UInt8], chunk: Int = 1 << 16, options: CSVOptions) throws {
    var reader = try CSVReader(
      ByteSource(bytes: bytes, name: "data/stores.csv", chunk: chunk), options: options)
    names = reader.propertyNames
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      for row in 0..<batch.count {
        fields.append(batch.columns.map { $0.text(row) })
        let parts = batch.geometry.partRange(row)
        points.append(
          parts.isEmpty
            ? nil : batch.geometry.positions[batch.geometry.positionRange(parts.lowerBound)].first)
      }
      lines += batch.lines
    }
    ledger = reader.ledger
  }

  init(_ text: String, chunk: Int = 1 << 16, options: CSVOptions = .plain) throws {
    try self.init(Array(text.utf8), chunk: chunk, options: options)
  }

  /// `line:column reason: message` of every example.
  var examples: [String] {
    ledger.examples.map { "\($0.line):\($0.column) \($0.reason.rawValue): \($0.message)" }
  }
}

extension CSVOptions {
  /// A line of names, no coordinates.
  static var plain: CSVOptions {
    var options = CSVOptions()
    options.hasGeometry = false
    return options
  }

  /// No line of names; the columns are called as given.
  static func headerless(_ names: String..., hasGeometry: Bool = false) -> CSVOptions {
    var options = CSVOptions()
    options.columns = names
    options.header = false
    options.hasGeometry = hasGeometry
    return options
  }

  /// These options changed.
  func with(_ change: (inout CSVOptions) -> Void) -> CSVOptions {
    var options = self
    change(&options)
    return options
  }
}
