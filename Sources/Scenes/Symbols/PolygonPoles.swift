package import Features

/// The poles of a source's polygons, and the polygons that they belong to.
///
/// Finding a pole takes about 20 µs. A caller that keeps the poles needs to find only the poles of
/// changed polygons: a pole depends on its polygon's rings alone.
package struct PolygonPoles: Sendable {
  /// A hash of the rings of each polygon, in the order of the source.
  package private(set) var polygons: Column<StableHash>

  /// The pole of each polygon.
  package private(set) var places: Column<WorldPlace>

  package init() {
    (polygons, places) = ([], [])
  }

  /// Creates the poles from ones that were found before; `nil` if the columns do not fit together.
  package init?(polygons: Column<StableHash>, places: Column<WorldPlace>) {
    guard polygons.count == places.count else { return nil }
    self.polygons = polygons
    self.places = places
  }

  /// The number of polygons.
  package var count: Int { polygons.count }

  /// Appends the poles of other polygons.
  mutating func append(_ other: PolygonPoles) {
    polygons.append(contentsOf: other.polygons)
    places.append(contentsOf: other.places)
  }

  /// Appends the pole of one more polygon, taken from `known` if it is there.
  ///
  /// - Parameters:
  ///   - rings: the outer ring, which is not empty, and the holes.
  ///   - tileSide: see ``PoleOfInaccessibility``.
  /// - Returns: whether the pole had to be computed.
  mutating func append(
    _ rings: [ArraySlice<WorldPlace>], tileSide: Double? = nil, _ known: Index
  ) -> Bool {
    let polygon = Self.hash(of: rings, tileSide: tileSide)
    if let place = known[polygon] {
      polygons.append(polygon)
      places.append(place)
      return false
    }
    guard let place = PoleOfInaccessibility(rings: rings, tileSide: tileSide).pole else {
      return false
    }
    polygons.append(polygon)
    places.append(place)
    return true
  }

  /// Returns a hash of all vertices to the last bit, and of the ends of the rings.
  private static func hash(
    of rings: [ArraySlice<WorldPlace>], tileSide: Double?
  ) -> StableHash {
    var hash = StableHash()
    if let tileSide { hash.combine(tileSide.bitPattern) }
    for ring in rings {
      hash.combine(ring.count)
      for place in ring {
        hash.combine(place.x.bitPattern)
        hash.combine(place.y.bitPattern)
      }
    }
    return hash
  }

  /// An index of poles by their polygons.
  struct Index: Sendable {
    private let table: SceneTable
    private let places: Column<WorldPlace>

    /// Creates an index of poles.
    ///
    /// - Complexity: O(polygons).
    init(_ poles: PolygonPoles) {
      table = SceneTable(poles.polygons)
      places = poles.places
    }

    /// The pole of a polygon; `nil` if it is not known.
    ///
    /// - Complexity: O(1) on average.
    subscript(polygon: StableHash) -> WorldPlace? {
      table.number(of: polygon).map { places[$0] }
    }
  }
}
