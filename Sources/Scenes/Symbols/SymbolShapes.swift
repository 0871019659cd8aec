package import Features
import SpatialIndex
import Styling
import Synchronization
import Tiling

/// The lines and polygons of a source as circles and labels use them; made once for all zooms.
package struct SymbolShapes: Sendable {
  package let shapes: ShapeSet

  /// The borders of the tiles that have the shapes; `nil` for shapes that no tile cuts.
  let borders: TileBorders?

  /// The positions of ``shapes``, in its order.
  private let places: ContiguousArray<WorldPlace>

  /// The pole of each polygon, and the end of each record's poles; empty if no layer needs them.
  package private(set) var poles = PolygonPoles()
  private var poleEnds = ContiguousArray<Int>()

  /// The largest part of each record; empty if no layer asks for it.
  private var largest = ContiguousArray<LargestPart>()

  /// The number of poles that were not known before.
  package private(set) var foundPoles = 0

  /// Creates the shapes of a source, with the poles of its polygons if labels need them.
  ///
  /// - Parameters:
  ///   - findsPoles: whether labels are placed in polygons; see ``Style/labelsPolygons(of:)``.
  ///   - findsLargest: whether symbols mark only the largest part of a record; see
  ///     ``Style/marksLargestParts(of:)``.
  ///   - borders: the borders of the tiles that have the shapes; `nil` for shapes that no tile cuts.
  ///   - known: poles that were found before, of these or other polygons.
  /// - Complexity: O(vertices), and O(vertices · squares of the search) for each pole that is not
  ///   known.
  package init(
    _ shapes: ShapeSet, findsPoles: Bool, findsLargest: Bool = false,
    borders: TileBorders? = nil, known: PolygonPoles = PolygonPoles(), threads: Int = 1
  ) {
    self.shapes = shapes
    self.borders = borders
    places = ContiguousArray(shapes.geometry.positions.lazy.map { WorldPlace($0) })
    if findsLargest {
      largest = ContiguousArray(
        (0..<shapes.count).lazy.map { [shapes, places] record in
          LargestPart(of: record, in: shapes.geometry, places: places)
        })
    }
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
        let slices = rings.map { ArraySlice(places[$0]) }
        if part.poles.append(slices, tileSide: borders?.side, known) { part.found += 1 }
      }
      part.ends.append(part.poles.count)
    }
    return part
  }

  /// The number of records.
  var count: Int { shapes.count }

  /// Returns the tile that a record comes from; `nil` if no tile cuts it.
  func tile(of record: Int) -> SourceTile? {
    guard let borders, let tile = shapes.geometry.tile(of: record) else { return nil }
    return SourceTile(TileKey(rawValue: tile), borders)
  }

  /// Returns the lines and rings of a record, including the parts that its tile has beyond its own
  /// borders; rings end at the point where they begin.
  ///
  /// - Parameter parts: if only the largest part counts, it is the outer ring of the largest
  ///   polygon, or the longest line.
  func lines(of record: Int, _ parts: SymbolParts = .all) -> [[WorldPlace]] {
    let geometry = shapes.geometry
    let range =
      switch parts {
      case .all: geometry.partRange(record)
      case .largest: largestPart(of: record)?.part.map { $0..<($0 + 1) } ?? 0..<0
      }
    return range.map { part in
      var line = Array(places[geometry.positionRange(part)])
      if geometry.parts[part] != .line, let first = line.first, first != line.last {
        line.append(first)
      }
      return line
    }
  }

  /// Returns the vertices of a record; for a record of a tile, only those in the tile's own
  /// square. The vertex at which a ring begins and ends occurs once.
  func vertices(of record: Int) -> [WorldPlace] {
    let geometry = shapes.geometry
    let vertices = geometry.partRange(record).flatMap { part -> ArraySlice<WorldPlace> in
      let range = geometry.positionRange(part)
      let isClosed =
        geometry.parts[part] != .line && range.count > 1
        && places[range.lowerBound] == places[range.upperBound - 1]
      return ArraySlice(places[isClosed ? range.dropLast() : range])
    }
    guard let tile = tile(of: record) else { return vertices }
    return vertices.compactMap { tile.anchor(at: $0) }
  }

  /// Returns the places of labels at points: the first vertex of each line and the pole of each
  /// polygon, or only the place of the largest part; for a record of a tile, only those in the
  /// tile's own square.
  func labelPlaces(of record: Int, _ parts: SymbolParts = .all) -> [WorldPlace] {
    let geometry = shapes.geometry
    let poles = record < poleEnds.count ? polePlaces(of: record) : []
    let tile = tile(of: record)
    func start(ofLine part: Int) -> WorldPlace? {
      guard let first = geometry.positionRange(part).first else { return nil }
      return tile.map { $0.anchor(at: places[first]) } ?? places[first]
    }
    func anchor(atPole pole: WorldPlace) -> WorldPlace? {
      tile.map { $0.anchor(atPole: pole) } ?? pole
    }
    if parts == .largest {
      guard let largest = largestPart(of: record), let part = largest.part else { return [] }
      guard let polygon = largest.polygon else { return [start(ofLine: part)].compactMap(\.self) }
      return polygon < poles.count ? [anchor(atPole: poles[polygon])].compactMap(\.self) : []
    }
    return geometry.partRange(record).compactMap { part in
      geometry.parts[part] == .line ? start(ofLine: part) : nil
    } + poles.compactMap(anchor)
  }

  /// Returns the shape that has the largest part, of some shapes of one record.
  ///
  /// - Complexity: O(shapes).
  func largest(of shapes: some Sequence<Int>) -> Int? {
    var found: Int?
    for shape in shapes {
      guard let best = found.flatMap(largestPart), let part = largestPart(of: shape) else {
        found = found ?? shape
        continue
      }
      if part.outweighs(best) { found = shape }
    }
    return found
  }

  private func largestPart(of record: Int) -> LargestPart? {
    record < largest.count ? largest[record] : nil
  }

  private func polePlaces(of record: Int) -> [WorldPlace] {
    Array(poles.places[(record == 0 ? 0 : poleEnds[record - 1])..<poleEnds[record]])
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
