import Features
import Runs
import Tiling

/// A record as bytes, to be stored while others are sorted. Written and read by one run only.
struct StoredRecord {
  /// The bytes of the last stored record.
  private(set) var bytes: [UInt8] = []

  /// Stores the view's row with all columns that are written or are the feature's id.
  ///
  /// - Complexity: O(bytes of the row).
  mutating func store(_ view: RecordView) {
    let batch = view.batch
    bytes.removeAll(keepingCapacity: true)
    append(count: view.source)
    append(count: view.key.map { $0.utf8.count + 1 } ?? 0)
    if let key = view.key { bytes += key.utf8 }
    append(batch.geometry, view.row)
    append(batch.ids, view.row)
    for column in batch.columns { append(column, view.row) }
  }

  private mutating func append(_ geometry: GeometryColumn, _ row: Int) {
    let parts = geometry.partRange(row)
    bytes.append(geometry.kinds[row].rawValue)
    append(count: parts.count)
    for part in parts {
      let positions = geometry.positionRange(part)
      bytes.append(geometry.parts[part].rawValue)
      append(count: positions.count)
      geometry.positions[positions].withUnsafeBytes { bytes += $0 }
    }
  }

  private mutating func append(_ column: PropertyColumn, _ row: Int) {
    bytes.append(column.kinds[row].rawValue)
    column.withBytes(row) {
      append(count: $0.count)
      bytes += $0
    }
  }

  private mutating func append(count: Int) {
    withUnsafeBytes(of: count) { bytes += $0 }
  }
}

/// A reader that converts stored records to batches of one record.
struct StoredRecordReader {
  /// The source and key of the last record.
  private(set) var source = 0
  private(set) var key: String?
  private(set) var batch = FeatureBatch()

  private var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  private var index = 0
  /// The names of the columns of each source, as the reader knew them at the end.
  private let names: [[String]]
  private var columnSource = -1

  init(names: [[String]]) {
    self.names = names
  }

  /// Reads a record into ``batch``.
  ///
  /// - Throws: ``PipelineError`` where the bytes were not written by ``StoredRecord``.
  mutating func read(_ record: UnsafeRawBufferPointer) throws {
    bytes = record
    index = 0
    source = try count()
    guard names.indices.contains(source) else { throw damaged }
    let length = try count()
    key = length == 0 ? nil : String(decoding: try take(length - 1), as: UTF8.self)
    if source != columnSource {
      columnSource = source
      batch = FeatureBatch()
      batch.columns = names[source].map { PropertyColumn(name: $0) }
    } else {
      batch.removeAll()
    }
    try readGeometry()
    try Self.append(try value(), to: &batch.ids)
    for place in batch.columns.indices {
      // Columns that the reader found later did not exist yet.
      guard index < bytes.count else {
        batch.columns[place].append(.missing)
        continue
      }
      try Self.append(try value(), to: &batch.columns[place])
    }
    batch.lines.append(0)
  }

  private mutating func readGeometry() throws {
    guard let kind = GeometryColumn.Kind(rawValue: try byte()) else { throw damaged }
    for _ in 0..<(try count()) {
      guard let part = GeometryColumn.Part(rawValue: try byte()) else { throw damaged }
      let positions = try take((try count()) &* MemoryLayout<LngLat>.stride)
      for offset in stride(from: 0, to: positions.count, by: MemoryLayout<LngLat>.stride) {
        batch.geometry.add(
          LngLat(
            longitude: positions.loadUnaligned(fromByteOffset: offset, as: Double.self),
            latitude: positions.loadUnaligned(fromByteOffset: offset + 8, as: Double.self)))
      }
      batch.geometry.endPart(part)
    }
    batch.geometry.endRecord(kind)
  }

  private mutating func value() throws -> (UInt8, UnsafeRawBufferPointer) {
    (try byte(), try take(try count()))
  }

  private static func append(
    _ value: (UInt8, UnsafeRawBufferPointer), to column: inout PropertyColumn
  ) throws {
    guard let kind = PropertyColumn.Kind(rawValue: value.0) else {
      throw PipelineError(.bug, "a record that was set aside for sorting is damaged.")
    }
    column.append(kind, bytes: value.1)
  }

  private mutating func byte() throws -> UInt8 { try take(1)[0] }

  private mutating func count() throws -> Int { try take(8).loadUnaligned(as: Int.self) }

  private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - index else { throw damaged }
    defer { index += count }
    return UnsafeRawBufferPointer(rebasing: bytes[index..<(index + count)])
  }

  private var damaged: PipelineError {
    PipelineError(.bug, "a record that was set aside for sorting is damaged.")
  }
}
