import Features
import JSON
import Tiling

/// A writer of features as CSV (RFC 4180) with a header line.
///
/// The first columns are `source` where there are several, `id` where features have one that is not
/// a property, `lng` and `lat` where there are points, `wkt` where there are other geometries; then
/// the properties of all sources. A property with one of these names keeps its own, and the column
/// gets a number. Null is an empty field, an empty text is `""`; texts are as the file spells them.
final class CSVFeatureWriter: FeatureWriter {
  private let buffer: OutputBuffer
  private let sources: [String]?
  private let hasIDs: Bool
  private let hasPoints: Bool
  private let hasShapes: Bool
  private let names: [String]
  /// The column of each name in the batches of each source, looked up again when these change.
  private var columns: [(generation: Int, places: [Int?])]

  init(_ buffer: OutputBuffer, schema: QuerySchema) {
    self.buffer = buffer
    let layers = schema.layers
    let kinds = layers.reduce(into: Set<GeometryColumn.Kind>()) { $0.formUnion($1.kinds) }
    sources = layers.count > 1 ? layers.map(\.name) : nil
    hasIDs = layers.contains(where: \.hasIDs)
    hasShapes = !kinds.isSubset(of: [.none, .point])
    hasPoints = kinds.contains(.point) || !hasShapes
    names = schema.columnNames
    columns = Array(repeating: (-1, []), count: layers.count)
    appendHeader()
  }

  private func appendHeader() {
    var own: [String] = []
    if sources != nil { own.append("source") }
    if hasIDs { own.append("id") }
    if hasPoints { own += ["lng", "lat"] }
    if hasShapes { own.append("wkt") }
    var taken = Set(names)
    for (index, name) in (own.map { UniqueNames.make($0, among: &taken) } + names).enumerated() {
      if index > 0 { appendComma() }
      append(field: name)
    }
    endLine()
  }

  func write(_ view: RecordView) throws {
    let batch = view.batch
    var isFirst = true
    func begin() {
      if !isFirst { appendComma() }
      isFirst = false
    }
    if let sources {
      begin()
      append(field: sources[view.source])
    }
    if hasIDs {
      begin()
      append(batch.ids, view.row)
    }
    if hasPoints {
      begin()
      appendPosition(of: view)
    }
    if hasShapes {
      begin()
      if view.kind != .point, view.kind != .none {
        append("\"")
        WellKnownText.append(batch.geometry, view.row, to: &buffer.bytes)
        append("\"")
      }
    }
    appendProperties(of: view, begin)
    endLine()
    try buffer.flushIfLarge()
  }

  private func appendProperties(of view: RecordView, _ begin: () -> Void) {
    if columns[view.source].generation != view.generation {
      let places = names.map { name in
        view.columns.first { view.batch.columns[$0].name == name }
      }
      columns[view.source] = (view.generation, places)
    }
    for place in columns[view.source].places {
      begin()
      if let place { append(view.batch.columns[place], view.row) }
    }
  }

  func end() throws {
    try buffer.flush()
  }

  private func appendPosition(of view: RecordView) {
    guard view.kind == .point, let part = view.batch.geometry.partRange(view.row).first else {
      return appendComma()
    }
    let geometry = view.batch.geometry
    let position = geometry.positions[geometry.positionRange(part).lowerBound]
    JSONWriter.append(position.longitude, to: &buffer.bytes)
    appendComma()
    JSONWriter.append(position.latitude, to: &buffer.bytes)
  }

  private func append(_ column: PropertyColumn, _ row: Int) {
    switch column.kinds[row] {
    case .missing, .null: break
    case .string, .text, .json: column.withBytes(row) { append(field: $0) }
    default: append(field: column.text(row) ?? "")
    }
  }

  private func append(field: String) {
    var field = field
    field.withUTF8 { append(field: UnsafeRawBufferPointer($0)) }
  }

  /// Appends a field, in quotes where it would not be read back without.
  private func append(field: UnsafeRawBufferPointer) {
    let isSpaced = field.first.map(Self.isBlank) ?? true || field.last.map(Self.isBlank) ?? true
    let isPlain = !isSpaced && !field.contains { ",\"\r\n".utf8.contains($0) }
    if isPlain {
      buffer.bytes.append(contentsOf: field)
      return
    }
    append("\"")
    for byte in field {
      if byte == UInt8(ascii: "\"") { buffer.bytes.append(byte) }
      buffer.bytes.append(byte)
    }
    append("\"")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private func appendComma() { buffer.bytes.append(UInt8(ascii: ",")) }

  private func endLine() { append("\r\n") }

  private func append(_ text: String) {
    buffer.bytes.append(contentsOf: text.utf8)
  }
}
