import Platform
import Tiling

/// A measure of distances in metres near one latitude, by scale factors per degree of longitude and
/// of latitude.
///
/// Exact to about 0.1 % over a few hundred kilometres. Formulas: the radii of curvature of the WGS
/// 84 ellipsoid along the parallel and the meridian, as in mapbox/cheap-ruler.
struct CheapRuler: Sendable {
  /// Metres per degree of longitude and of latitude.
  private let scale: PlanarPoint

  init(latitude: Double) {
    let equatorialRadius = 6_378_137.0
    let flattening = 1 / 298.257223563
    let eccentricity = flattening * (2 - flattening)
    let cosine = cos(latitude * .pi / 180)
    let narrowing = 1 / (1 - eccentricity * (1 - cosine * cosine))
    let metersPerRadian = equatorialRadius * narrowing.squareRoot()
    scale =
      PlanarPoint(metersPerRadian * cosine, metersPerRadian * narrowing * (1 - eccentricity))
      * (.pi / 180)
  }

  /// Returns the length in metres of a vector in degrees.
  func length(_ way: PlanarPoint) -> Double {
    let meters = meters(way)
    return (meters.x * meters.x + meters.y * meters.y).squareRoot()
  }

  /// Returns the distance in metres from a position to the nearest point of a segment.
  func distance(_ position: PlanarPoint, to segment: PlanarEdge) -> Double {
    let along = meters(segment.to - segment.from)
    let toPosition = meters(position - segment.from)
    let squared = (along * along).sum()
    guard squared > 0 else { return length(position - segment.from) }
    let fraction = min(max((toPosition * along).sum() / squared, 0), 1)
    let rest = toPosition - along * fraction
    // The vector to the segment's start may wrap where the one to its nearest point does not.
    return length(rest / scale)
  }

  /// Returns the distance in metres between two segments that do not cross.
  func distance(_ first: PlanarEdge, _ second: PlanarEdge) -> Double {
    min(
      min(distance(first.from, to: second), distance(first.to, to: second)),
      min(distance(second.from, to: first), distance(second.to, to: first)))
  }

  /// Returns the smallest distance in metres between positions of two boxes.
  func distance(_ first: PlanarBox, _ second: PlanarBox) -> Double {
    length(first.gap(to: second))
  }

  /// Returns a vector of degrees in metres, the shorter way round the world.
  private func meters(_ way: PlanarPoint) -> PlanarPoint {
    PlanarPoint(Self.wrapped(way.x), way.y) * scale
  }

  private static func wrapped(_ degrees: Double) -> Double {
    guard degrees < -180 || degrees > 180 else { return degrees }
    let rest = degrees.remainder(dividingBy: 360)
    return rest.isNaN ? degrees : rest
  }
}
