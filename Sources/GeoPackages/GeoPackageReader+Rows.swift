import Features
import Ingest
import SQLite
import Tiling

// One row of the table becomes one record of the batch.
extension GeoPackageReader {
  /// Reads the row's geometry, unless its envelope is outside the boxes.
  func geometry(
    into column: inout GeometryColumn
  ) throws(GeometryRefusal) -> GeometryColumn.Kind {
    closesRings = false
    guard table.geometry != nil, rows.statement.kind(1) != .null else { return .none }
    switch rows.statement.kind(2) {
    case .blob: break
    case .null:
      throw GeometryRefusal(
        "the geometry has \(rows.statement.integer(1)) bytes, and \(file.limits.valueBytes) are the "
          + "limit", .tooLarge)
    default: throw GeometryRefusal("the geometry is no blob")
    }
    return try rows.statement.withBytes(2) { blob throws(GeometryRefusal) in
      payloadBytes += blob.count
      let geometry = try GeoPackageGeometry(blob)
      if let envelope = geometry.envelope, !plan.native.allSatisfy({ $0.touches(envelope) }) {
        return .none
      }
      var reader = WKBReader(geometry.body, in: table.referenceSystem, limits: file.limits.geometry)
      defer { closesRings = reader.closesRings }
      return try reader.read(into: &column)
    }
  }

  /// Whether the positions of the record under construction touch all boxes.
  func isInside(
    _ column: GeometryColumn, from start: Int, _ kind: GeometryColumn.Kind
  ) -> Bool {
    if plan.degrees.isEmpty { return true }
    if kind == .none { return false }
    var box = NativeBox.empty
    for position in column.positions[start...] {
      box.include(x: position.longitude, y: position.latitude)
    }
    return plan.degrees.allSatisfy { $0.touches(box) }
  }

  /// The maximum number of bytes of ``foreignTexts``, from which their encoding is guessed.
  private static let foreignLimit = 32 << 10

  func checkTexts() throws(GeometryRefusal) {
    for place in plan.columns.indices {
      let column = GeoPackageRows.firstProperty + Int32(place)
      guard rows.statement.kind(column) == .text else { continue }
      let isText = rows.statement.withUTF8(column) { UTF8Validation.firstInvalid(in: $0) == nil }
      guard isText else {
        if foreignTexts.count < Self.foreignLimit {
          rows.statement.withUTF8(column) { foreignTexts += $0.prefix(1 << 10) }
          foreignTexts.append(UInt8(ascii: "\n"))
        }
        let name = GeoPackageFile.singleLine(plan.columns[place].name)
        throw GeometryRefusal("the text of '\(name)' is not UTF-8", .invalidEncoding)
      }
    }
  }

  func appendProperties(to batch: inout FeatureBatch) {
    for place in plan.columns.indices {
      let column = GeoPackageRows.firstProperty + Int32(place)
      switch rows.statement.kind(column) {
      case .null: batch.columns[place].append(.null)
      case .integer:
        let value = rows.statement.integer(column)
        if plan.columns[place].type == .boolean, value == 0 || value == 1 {
          batch.columns[place].append(value == 1 ? .true : .false)
        } else {
          append(value, to: &batch.columns[place])
        }
      case .real:
        let value = rows.statement.double(column)
        if value.isFinite {
          batch.columns[place].append(value)
        } else {
          batch.columns[place].append(.null)
        }
      case .text:
        rows.statement.withUTF8(column) {
          batch.columns[place].append(.string, bytes: $0)
          bytesRead += $0.count
          payloadBytes += $0.count
        }
      case .blob:
        blobs[place] += 1
        payloadBytes += rows.statement.withBytes(column) { $0.count }
        batch.columns[place].append(.null)
      }
      bytesRead += 8
    }
  }

  /// Appends an integer; one that a Double cannot hold keeps its digits beside the rounded value.
  func append(_ value: Int64?, to column: inout PropertyColumn) {
    guard let value else { return column.append(.missing) }
    if value.magnitude < 1 << 53 { return column.append(Double(value)) }
    var digits = String(value)
    digits.withUTF8 { column.append(.text, bytes: UnsafeRawBufferPointer($0)) }
  }
}
