import Expressions
package import Features
import SpatialIndex
import Synchronization
import Tiling

/// A position in the Mercator square as fractions of the world, x eastward from 180° W and not
/// wrapped: a shape that runs over the antimeridian goes on beyond 0 or 1.
package struct WorldPlace: BitwiseCopyable, Hashable, Sendable {
  package var x: Double
  package var y: Double

  /// The number of turns round the world that a shape may take; farther positions are moved by
  /// whole turns.
  private static let turnLimit = 4.0

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// Creates a place; latitudes beyond the square are clamped to its edge.
  init(_ position: LngLat) {
    let latitude = min(max(position.latitude, -WorldPoint.maxLatitude), WorldPoint.maxLatitude)
    guard
      let point = WorldPoint(LngLat(longitude: position.longitude, latitude: latitude))
    else {
      self.init(x: 0, y: 0)
      return
    }
    let turns = ((position.longitude - position.wrappedLongitude) / 360).rounded()
    self.init(
      x: Double(point.x) / 0x1p32 + min(max(turns, -Self.turnLimit), Self.turnLimit),
      y: Double(point.y) / 0x1p32)
  }

  /// The position on the globe, wrapped.
  var point: WorldPoint {
    WorldPoint(x: WorldPoint.fixed(x - x.rounded(.down)), y: WorldPoint.fixed(y))
  }
}

/// The lines and polygons of a source as circles and labels use them; made once for all zooms.
package struct SymbolShapes: Sendable {
  package let shapes: ShapeSet

  /// The positions of ``shapes``, in its order.
  private let places: ContiguousArray<WorldPlace>

  /// The pole of each polygon, and the end of each record's poles; empty if no layer needs them.
  package private(set) var poles = PolygonPoles()
  private var poleEnds = ContiguousArray<Int>()

  /// The number of poles that were not known before.
  package private(set) var foundPoles = 0

  /// Creates the shapes of a source, with the poles of its polygons if labels need them.
  ///
  /// - Parameters:
  ///   - findsPoles: whether labels are placed in polygons; see ``Style/labelsPolygons(of:)``.
  ///   - known: poles that were found before, of these or other polygons.
  /// - Complexity: O(vertices), and O(vertices · squares of the search) for each pole that is not
  ///   known.
  package init(
    _ shapes: ShapeSet, findsPoles: Bool, known: PolygonPoles = PolygonPoles(), threads: Int = 1
  ) {
    self.shapes = shapes
    places = ContiguousArray(shapes.geometry.positions.lazy.map { WorldPlace($0) })
    guard findsPoles else { return }
    let index = PolygonPoles.Index(known)
    let work = ChunkedWork(count: shapes.count, threads: threads, minimum: 64)
    let parts = Mutex([PolesOfRecords](repeating: PolesOfRecords(), count: work.chunks.count))
    work.forEach { chunk, records in
      let found = poles(of: records, index)
      parts.withLock { $0[chunk] = found }
    }
    for part in parts.withLock({ $0 }) {
      let before = poles.count
      poleEnds.append(contentsOf: part.ends.lazy.map { before + $0 })
      poles.append(part.poles)
      foundPoles += part.found
    }
  }

  /// The poles that one thread finds.
  private struct PolesOfRecords: Sendable {
    var poles = PolygonPoles()
    var ends = ContiguousArray<Int>()
    var found = 0
  }

  private func poles(of records: Range<Int>, _ known: PolygonPoles.Index) -> PolesOfRecords {
    var part = PolesOfRecords()
    for record in records {
      for rings in polygons(of: record) where !rings[0].isEmpty {
        if part.poles.append(rings.map { ArraySlice(places[$0]) }, known) { part.found += 1 }
      }
      part.ends.append(part.poles.count)
    }
    return part
  }

  /// The number of records.
  var count: Int { shapes.count }

  /// Returns the lines and rings of a record; rings end at the point where they begin.
  func lines(of record: Int) -> [[WorldPlace]] {
    let geometry = shapes.geometry
    return geometry.partRange(record).map { part in
      var line = Array(places[geometry.positionRange(part)])
      if geometry.parts[part] != .line, let first = line.first, first != line.last {
        line.append(first)
      }
      return line
    }
  }

  /// Returns the vertices of a record; the vertex at which a ring begins and ends occurs once.
  func vertices(of record: Int) -> [WorldPlace] {
    let geometry = shapes.geometry
    return geometry.partRange(record).flatMap { part -> ArraySlice<WorldPlace> in
      let range = geometry.positionRange(part)
      let isClosed =
        geometry.parts[part] != .line && range.count > 1
        && places[range.lowerBound] == places[range.upperBound - 1]
      return ArraySlice(places[isClosed ? range.dropLast() : range])
    }
  }

  /// Returns the places of labels at points: the first vertex of each line and the pole of each
  /// polygon.
  func labelPlaces(of record: Int) -> [WorldPlace] {
    let geometry = shapes.geometry
    var found = geometry.partRange(record).compactMap { part in
      geometry.parts[part] == .line ? geometry.positionRange(part).first.map { places[$0] } : nil
    }
    if record < poleEnds.count {
      found.append(
        contentsOf: poles.places[(record == 0 ? 0 : poleEnds[record - 1])..<poleEnds[record]])
    }
    return found
  }

  /// Returns the position ranges of each polygon's rings, the outer one first.
  private func polygons(of record: Int) -> [[Range<Int>]] {
    let geometry = shapes.geometry
    var polygons: [[Range<Int>]] = []
    for part in geometry.partRange(record) {
      let range = geometry.positionRange(part)
      switch geometry.parts[part] {
      case .outerRing: polygons.append([range])
      case .innerRing where !polygons.isEmpty: polygons[polygons.count - 1].append(range)
      default: break
      }
    }
    return polygons
  }
}
