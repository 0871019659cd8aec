import Platform

/// The Web Mercator plane in which `within` compares: x eastward, y southward, in worlds or in steps.
struct MercatorPlane: Sendable {
  /// The number of steps across the world to which positions are rounded, as MapLibre rounds to
  /// those of a tile; `nil` for exact positions in worlds.
  let steps: Double?

  /// The extent of the world in the plane's own unit.
  var worldSize: Double { steps ?? 1 }

  /// Projects a position. Formula: spherical Web Mercator (EPSG:3857); latitudes beyond the poles
  /// count as the poles.
  func project(_ degrees: PlanarPoint) -> PlanarPoint {
    let latitude = min(max(degrees.y, -90), 90)
    let y = (180 - 180 / .pi * log(tan(.pi / 4 + latitude * .pi / 360))) / 360
    let world = PlanarPoint((180 + degrees.x) / 360, y)
    guard let steps else { return world }
    // Halves round towards greater values, as in ECMAScript.
    return (world * steps + 0.5).rounded(.down)
  }

  /// Returns the rounded position, in degrees again; unchanged where the plane does not round.
  func snapped(_ degrees: PlanarPoint) -> PlanarPoint {
    guard let steps else { return degrees }
    let world = project(degrees) / steps
    let latitude = 360 / .pi * atan(exp((180 - world.y * 360) * .pi / 180)) - 90
    return PlanarPoint(world.x * 360 - 180, latitude)
  }
}
