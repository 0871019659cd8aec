import Features
import JSON
import Tiling

@testable import Ingest

/// Everything that a reader hands out, as one line a record, and what it refused.
struct GeoJSONDump: Equatable {
  var names: [String] = []
  /// `LINE[#ID] KIND PART(X Y, X Y)… {NAME: VALUE, …}`; missing properties are left out.
  var records: [String] = []
  /// `LINE:COLUMN REASON MESSAGE` of the first of each reason.
  var examples: [String] = []
  var rejected: [RejectReason: Int] = [:]
  var repaired: [RecordRepair: Int] = [:]
  /// The error that ended reading.
  var error: String?

  /// Reads to the end.
  init(_ reader: some FeatureReader) {
    var reader = reader
    var batch = FeatureBatch()
    do {
      while try reader.read(into: &batch) {
        for record in 0..<batch.count { records.append(Self.line(batch, record)) }
      }
    } catch {
      self.error = error.description
    }
    names = reader.propertyNames
    rejected = reader.ledger.rejected
    repaired = reader.ledger.repaired
    examples = reader.ledger.examples.map {
      "\($0.line):\($0.column) \($0.reason.rawValue) \($0.message)"
    }
  }

  /// Reads a GeoJSON text that comes in chunks.
  init(
    _ text: String, chunk: Int = ByteSource.defaultChunk,
    options: GeoJSONOptions = GeoJSONOptions()
  ) {
    self.init(bytes: Array(text.utf8), chunk: chunk, options: options)
  }

  init(
    bytes: [UInt8], chunk: Int = ByteSource.defaultChunk,
    options: GeoJSONOptions = GeoJSONOptions()
  ) {
    let source = ByteSource(bytes: bytes, name: "a.geojson", chunk: chunk)
    self.init(GeoJSONReader(source: source, options: options))
  }

  /// Reads a sequence of GeoJSON texts that comes in chunks.
  init(
    sequence bytes: [UInt8], chunk: Int = ByteSource.defaultChunk,
    options: GeoJSONOptions = GeoJSONOptions()
  ) {
    let source = ByteSource(bytes: bytes, name: "a.geojsonl", chunk: chunk)
    self.init(GeoJSONSequenceReader(source: source, options: options))
  }

  /// How many records were read, used or not.
  var count: Int { records.count + rejected.values.reduce(0, +) }

  private static func line(_ batch: FeatureBatch, _ record: Int) -> String {
    var text = "\(batch.lines[record])"
    if let id = value(batch.ids, record) { text += "#\(id)" }
    text += " \(batch.geometry.kinds[record])"
    for part in batch.geometry.partRange(record) {
      let positions = batch.geometry.positionRange(part).map {
        let position = batch.geometry.positions[$0]
        return "\(number(position.longitude)) \(number(position.latitude))"
      }
      text += " \(batch.geometry.parts[part])(\(positions.joined(separator: ", ")))"
    }
    let properties = batch.columns.compactMap { column in
      value(column, record).map { "\(column.name): \($0)" }
    }
    return properties.isEmpty ? text : text + " {\(properties.joined(separator: ", "))}"
  }

  private static func value(_ column: PropertyColumn, _ record: Int) -> String? {
    column.withBytes(record) { bytes in
      let text = String(decoding: bytes, as: UTF8.self)
      return switch column.kinds[record] {
      case .missing: nil
      case .null: "null"
      case .false: "false"
      case .true: "true"
      case .number: number(bytes.loadUnaligned(as: Double.self))
      case .string: "\"\(text)\""
      case .text: "text \(text)"
      case .json: "json \(text)"
      }
    }
  }

  private static func number(_ value: Double) -> String { JSONWriter.text(.number(value)) }
}
