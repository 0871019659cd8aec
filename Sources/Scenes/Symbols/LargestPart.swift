import Features
import Platform

/// The part of a record that carries its symbols if the record has only one: the polygon with the
/// largest area, or the longest line if there is no polygon; of equal parts, the first.
///
/// Areas and lengths are those on a sphere, so a polygon near a pole, which Web Mercator enlarges,
/// does not outweigh a larger one near the equator.
struct LargestPart: BitwiseCopyable, Hashable, Sendable {
  /// The index in ``GeometryColumn/parts`` of the line or of the polygon's outer ring; `nil` if the
  /// record has no positions.
  private(set) var part: Int?

  /// The index of the polygon among those of the record that have positions; `nil` for a line.
  private(set) var polygon: Int?

  /// The area of the polygon or the length of the line, on a sphere of radius 1.
  private var size = -Double.infinity

  /// Finds the largest part of a record.
  ///
  /// - Parameter places: the positions of the geometries.
  /// - Complexity: O(vertices).
  init(of record: Int, in geometry: GeometryColumn, places: ContiguousArray<WorldPlace>) {
    var polygons = 0
    // The polygon that the following holes belong to.
    var open: (part: Int, area: Double)?
    func close() {
      guard let polygon = open else { return }
      if self.polygon == nil || polygon.area > size {
        (size, part, self.polygon) = (polygon.area, polygon.part, polygons)
      }
      polygons += 1
      open = nil
    }
    for part in geometry.partRange(record) {
      let positions = places[geometry.positionRange(part)]
      switch geometry.parts[part] {
      case .outerRing:
        close()
        if !positions.isEmpty { open = (part, positions.sphericalArea) }
      case .innerRing: open?.area -= positions.sphericalArea
      case .line where !positions.isEmpty:
        let length = positions.sphericalLength
        guard polygon == nil, open == nil, length > size else { continue }
        (size, self.part) = (length, part)
      default: break
      }
    }
    close()
  }

  /// Whether this part carries the symbols of a record rather than an earlier part.
  func outweighs(_ earlier: LargestPart) -> Bool {
    guard part != nil, earlier.part != nil else { return part != nil }
    return (polygon == nil) == (earlier.polygon == nil)
      ? size > earlier.size : polygon != nil
  }
}

extension ArraySlice<WorldPlace> {
  /// The area within a ring, on a sphere of radius 1.
  ///
  /// Formula: ½ |Σ (λ₂ − λ₁)(sin φ₁ + sin φ₂)|, exact for edges along meridians and circles of
  /// latitude and otherwise near enough to compare the parts of a feature (Chamberlain and
  /// Duquette, "Some algorithms for polygons on a sphere", 2007). Sines are relative to that of the
  /// first vertex, since small rings would lose their area to rounding.
  fileprivate var sphericalArea: Double {
    guard let first, let last else { return 0 }
    let base = first.latitudeSine
    var before = last
    var sum = 0.0
    for place in self {
      let sines = (before.latitudeSine - base) + (place.latitudeSine - base)
      sum += (place.x - before.x) * sines
      before = place
    }
    return abs(sum) * .pi
  }

  /// The length of a line, on a sphere of radius 1; its segments are straight on the map, so they
  /// are rhumb lines.
  fileprivate var sphericalLength: Double {
    zip(self, dropFirst()).reduce(0) { sum, ends in
      let (from, to) = ends
      let north = to.latitude - from.latitude
      let rise = (from.y - to.y) * 2 * .pi
      // Along a circle of latitude the quotient is 0 / 0; its limit is the cosine.
      let scale = abs(rise) < 1e-9 ? cos(from.latitude) : north / rise
      let east = (to.x - from.x) * 2 * .pi * scale
      return sum + (north * north + east * east).squareRoot()
    }
  }
}

extension WorldPlace {
  /// The latitude in radians. Formula: inverse spherical Mercator (EPSG:3857).
  fileprivate var latitude: Double { atan(sinh((1 - 2 * y) * .pi)) }

  /// The sine of the latitude.
  fileprivate var latitudeSine: Double { tanh((1 - 2 * y) * .pi) }
}
