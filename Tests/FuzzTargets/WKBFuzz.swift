import Features
import GeoPackages
import Ingest
import Queries
import Tiling

/// Geometries of GeoPackage: a byte of options, then the blob.
enum WKBFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    let system: GeometrySystem = form.has(bit: 0) ? .mercator : .degrees
    var limits = GeometryLimits()
    if form.has(bit: 1) {
      limits.positions = 5
      limits.parts = 2
    }
    let blob = input.rest
    guard let column = decode(blob, in: system, limits) else {
      try require(decode(blob, in: system, limits) == nil, "refused once, read again")
      return false
    }
    try require(column.count == 1, "\(column.count) records of one blob")
    // A ring of one position, 20 bytes, is closed by a second one.
    try require(column.positions.count * 10 <= blob.count, "more positions than bytes")
    let areFinite = column.positions.allSatisfy { $0.longitude.isFinite && $0.latitude.isFinite }
    guard column.kinds[0] != .none, areFinite else { return true }
    // What is read and written in degrees is read again as it was, but that rings may run the other
    // way round.
    var writer = GeoPackageGeometryEncoder()
    _ = writer.encode(column, 0, promotes: false)
    guard let again = decode(writer.bytes, in: .degrees, GeometryLimits()) else {
      throw FuzzFailure(description: "what was written cannot be read")
    }
    try require(again.parts == column.parts, "other parts")
    try require(again.kinds == column.kinds, "other kinds")
    try require(places(of: again) == places(of: column), "other places")
    return true
  }

  /// The geometry of a blob as the only record of a column; `nil` where it is refused.
  private static func decode(
    _ blob: [UInt8], in system: GeometrySystem, _ limits: GeometryLimits
  ) -> GeometryColumn? {
    blob.withUnsafeBytes { bytes in
      do throws(GeometryRefusal) {
        let geometry = try GeoPackageGeometry(bytes)
        var reader = WKBReader(geometry.body, in: system, limits: limits)
        var column = GeometryColumn()
        column.endRecord(try reader.read(into: &column))
        return column
      } catch {
        return nil
      }
    }
  }

  /// The bits of the positions, part by part, in an order of their own.
  private static func places(of column: GeometryColumn) -> [[[UInt64]]] {
    column.parts.indices.map { part in
      let positions = column.positionRange(part).map { column.positions[$0] }
      return positions.map { [$0.longitude.bitPattern, $0.latitude.bitPattern] }
        .sorted { $0.lexicographicallyPrecedes($1) }
    }
  }
}
