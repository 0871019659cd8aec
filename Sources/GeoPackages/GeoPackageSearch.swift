import Ingest
import Tiling

/// Bounds in degrees as boxes in the units of a table.
///
/// A file that writes −180 … 180 sees a box over the antimeridian as two, and files write the same
/// place as 190° or −170°: so the search covers the bounds at every whole turn within ±540°.
struct GeoPackageSearch {
  let boxes: [NativeBox]

  init(_ bounds: GeoBounds, in system: GeometrySystem) {
    let width =
      bounds.crossesAntimeridian ? bounds.east - bounds.west + 360 : bounds.east - bounds.west
    let south = Self.vertical(bounds.south, system)
    let north = Self.vertical(bounds.north, system)
    guard width < 360 else {
      boxes = [Self.box(-.infinity, .infinity, south, north)]
      return
    }
    boxes = [-720.0, -360, 0, 360, 720].compactMap { turn in
      let west = bounds.west + turn
      guard west + width >= -540, west <= 540 else { return nil }
      return Self.box(
        Self.horizontal(west, system), Self.horizontal(west + width, system), south, north)
    }
  }

  /// Whether a box touches one of the search's boxes.
  func touches(_ box: NativeBox) -> Bool {
    boxes.contains { $0.touches(box) }
  }

  /// Whether a box lies entirely within one of the search's boxes.
  func contains(_ box: NativeBox) -> Bool {
    boxes.contains { $0.contains(box) }
  }

  private static func horizontal(
    _ longitude: Double, _ system: GeometrySystem
  ) -> Double {
    system == .degrees
      ? longitude : MercatorMetres(LngLat(longitude: longitude, latitude: 0)).x
  }

  /// Returns the ordinate of a latitude; one at the end of the map reaches to the pole, since
  /// positions are clamped there.
  private static func vertical(_ latitude: Double, _ system: GeometrySystem) -> Double {
    if system == .degrees { return latitude }
    if abs(latitude) >= WorldPoint.maxLatitude { return latitude < 0 ? -.infinity : .infinity }
    return MercatorMetres(LngLat(longitude: 0, latitude: latitude)).y
  }

  /// Returns a box enlarged by slightly more than the rounding error of the formulas.
  private static func box(
    _ minX: Double, _ maxX: Double, _ minY: Double, _ maxY: Double
  ) -> NativeBox {
    func slack(_ value: Double) -> Double { value.isFinite ? abs(value) * 1e-12 + 1e-12 : 0 }
    return NativeBox(
      minX: minX - slack(minX), minY: minY - slack(minY), maxX: maxX + slack(maxX),
      maxY: maxY + slack(maxY))
  }
}
