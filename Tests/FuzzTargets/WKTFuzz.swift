import Features
import Ingest
import Queries
import Tiling

/// Geometries in a column of a table: a byte of options, then the text.
enum WKTFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let order: GeometryText.Order = form.has(bit: 0) ? .lnglat : .latlng
    var limits = GeometryLimits()
    if form.has(bit: 1) { limits = GeometryLimits(positions: 5, parts: 2) }
    let text = input.rest
    guard let column = read(text, order, limits) else {
      try require(read(text, order, limits) == nil, "refused once, read again")
      return false
    }
    try require(column.count == 1, "\(column.count) records of one text")
    // A position takes two digits and a space; a ring may be closed by one more.
    try require(column.positions.count <= text.count, "more positions than bytes")
    try require(column.positions.count <= 2 * limits.positions, "more positions than the limit")
    let areFinite = column.positions.allSatisfy { $0.longitude.isFinite && $0.latitude.isFinite }
    try require(areFinite, "a coordinate is no number")
    guard column.kinds[0] != .none, !column.parts.isEmpty else { return true }
    // What is read and written is read again as it was, but that rings may run the other way round.
    var written: [UInt8] = []
    WellKnownText.append(column, 0, to: &written)
    guard let again = read(written, order, GeometryLimits()) else {
      throw FuzzFailure(description: "what was written cannot be read")
    }
    try require(again.parts == column.parts, "other parts")
    try require(again.kinds == column.kinds, "other kinds")
    try require(places(of: again) == places(of: column), "other places")
    return true
  }

  /// The geometry of a text as the only record of a column; `nil` where it is refused.
  private static func read(
    _ text: [UInt8], _ order: GeometryText.Order, _ limits: GeometryLimits
  ) -> GeometryColumn? {
    text.withUnsafeBytes { bytes in
      var reader = GeometryText(order: order, limits: limits)
      var column = GeometryColumn()
      do throws(GeometryRefusal) {
        column.endRecord(try reader.read(bytes, into: &column))
        return column
      } catch {
        return nil
      }
    }
  }

  /// The positions, part by part, in an order of their own.
  private static func places(of column: GeometryColumn) -> [[[Double]]] {
    column.parts.indices.map { part in
      let positions = column.positionRange(part).map { column.positions[$0] }
      return positions.map { [$0.longitude, $0.latitude] }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
  }
}
