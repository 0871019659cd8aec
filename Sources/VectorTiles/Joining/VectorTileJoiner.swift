package import Features
import SpatialIndex
package import Tiling

/// A joiner of one layer of neighbouring tiles of one zoom to features in the world, without the cuts
/// that the tiles have made.
///
/// The rule, for each feature of each tile:
///
/// 1. It is cut to the tile's own square, exactly: what lies in the buffer is the neighbour's. Of
///    points, those on the north and west border belong to the tile, so that each is there once. At the
///    world's north and south edge nothing is cut.
/// 2. Areas go on where a neighbour has cut a feature with the same type, id and properties along the
///    same stretch of their border: the stretch vanishes. Ends of stretches that differ by at most
///    1/1024 of the tile's side (4 units of an extent of 4096, a quarter of a pixel of 256) meet
///    halfway; of others, what overlaps vanishes and the rest stays as an edge along the border.
/// 3. Lines go on where one ends on a border and one with the same type, id and properties begins, in
///    the neighbour or at the same point, at most the same distance apart, which counts across the
///    line. Where nothing begins, but another such line ends, one of the two is turned.
///    Where lines are not to be joined, each stays as its tile has it, for whoever draws it to cut.
/// 4. Features that go on in one another are one feature. It has the properties of its first piece,
///    and its lines and rings are whole; a feature of one tile is never divided.
/// 5. Features are ordered so that those of each tile keep the tile's order.
///
/// So neither an edge nor a cap shows where the source was cut, and no place is covered twice. What
/// was one feature in the source moves by no more than the tolerance, and only where its tiles differ:
/// where they were rounded or simplified on their own.
///
/// Bounds: nothing is joined across the antimeridian, nor at a side whose neighbour was not given; an
/// area has an edge there. Features whose id or properties differ from tile to tile are not joined.
/// An area whose outer rings overlap becomes several features, all of which are filled. Overlapping
/// areas of one tile that go on in one area of the next become one feature, of which the overlap is
/// left out by the even-odd rule. If the tiles that are given change, features far from
/// the change may be other ones (more or less is joined); within a tile and its eight neighbours
/// what is covered, stroked or a point stays the same, except for the phase of dashes.
package struct VectorTileJoiner: Sendable {
  /// The counts of what was read.
  package struct Counts: Hashable, Sendable {
    /// The features of all tiles.
    package var features = 0
    /// Those of which nothing lies in their tile's own square, and those without a known type.
    package var outside = 0
    /// The areas by which there are more, since some have outer rings that overlap.
    package var divided = 0
    /// Those that cannot be read.
    package var rejected = 0
    /// The errors of the first of these.
    package var examples: [VectorTileError] = []
  }

  /// The properties of a layer of one tile, for as long as its features may need them.
  private struct Content {
    let keys: [String]
    let values: [VectorTileValue]
  }

  /// The zoom of the tiles.
  package let zoom: Int

  package private(set) var counts = Counts()

  /// Whether features are cut to their tile's square and joined; otherwise those of each tile are kept
  /// whole.
  private let isJoining: Bool

  private let isWanted: @Sendable (String) -> Bool

  private var pieces: TilePieces
  private var places: [TilePlacement] = []
  private var contents: [Content] = []

  /// The id of each piece, and the end of its properties in ``tags``.
  private var ids = ContiguousArray<UInt64?>()
  private var tagEnds = ContiguousArray<Int>()

  /// The wanted properties of each piece: indexes of keys and values by turns.
  private var tags = ContiguousArray<UInt32>()

  /// The feature being read.
  private var feature = VectorTileFeature()

  /// - Parameters:
  ///   - zoom: the zoom of the tiles, 0 to 22.
  ///   - joining: the features that are joined. A line that is not stays as its tile has it, with a
  ///     `GeometryColumn.Part.tile` before it; without any, each feature has its tile
  ///     (``GeometryColumn/tile(of:)``) and what it has in the tile's buffer, too.
  ///   - isWanted: whether a property is needed; others neither are kept nor keep features apart.
  package init(
    zoom: Int, joining: TileJoining = .all,
    isWanted: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    precondition((0...TileCoord.maxZoom).contains(zoom), "zooms are 0 to 22")
    self.zoom = zoom
    pieces = TilePieces(keepsLines: joining == .areas)
    isJoining = joining != .none
    self.isWanted = isWanted
  }

  /// Adds the layer of a tile. Tiles must come in the order of their ``TileKey``; one that comes again
  /// has several layers of a name.
  ///
  /// - Complexity: O(vertices + properties).
  package mutating func add(_ tile: TileCoord, _ layer: VectorTileLayer) {
    precondition(tile.isValid && tile.z == zoom, "the tile is of another zoom")
    precondition(
      places.last.map { TileKey($0.tile) <= TileKey(tile) } ?? true, "the tiles are out of order")
    let place = TilePlacement(tile, extent: layer.extent)
    let keys = layer.keys.map { isWanted($0) ? StableHash(of: $0) : nil }
    let values = layer.values.map { StableHash(of: $0) }
    for index in 0..<layer.count {
      counts.features += 1
      do throws(VectorTileError) {
        try layer.readFeature(index, into: &feature)
        try feature.decodeGeometry()
      } catch {
        counts.rejected += 1
        if counts.examples.count < SourceLedger.exampleLimit {
          var error = error
          error.tile = tile
          counts.examples.append(error)
        }
        continue
      }
      let key = key(keys, values)
      // Labels and circles of an area have their place in each of its polygons.
      guard isJoining, let areas = feature.dividedAtOverlaps() else {
        if !append(feature, place, key, keys) { counts.outside += 1 }
        continue
      }
      let inside = areas.count { append($0, place, key, keys) }
      if inside == 0 { counts.outside += 1 } else { counts.divided += inside - 1 }
    }
    places.append(place)
    contents.append(Content(keys: layer.keys, values: layer.values))
  }

  /// Appends a feature with its id and its wanted properties.
  ///
  /// - Returns: whether anything of it lies in the tile's square.
  private mutating func append(
    _ feature: VectorTileFeature, _ place: TilePlacement, _ key: StableHash,
    _ keys: [StableHash?]
  ) -> Bool {
    let isInside =
      isJoining
      ? pieces.append(feature, place, tile: places.count, key: key)
      : pieces.appendWhole(feature, place, tile: places.count, key: key)
    guard isInside else { return false }
    ids.append(feature.id)
    for tag in stride(from: 0, to: feature.tags.count, by: 2)
    where keys[Int(feature.tags[tag])] != nil {
      tags.append(feature.tags[tag])
      tags.append(feature.tags[tag + 1])
    }
    tagEnds.append(tags.count)
    return true
  }

  /// Returns what features must have in common to be one, as a hash.
  private func key(_ keys: [StableHash?], _ values: [StableHash]) -> StableHash {
    var sum = (high: UInt64(0), low: UInt64(0))
    for tag in stride(from: 0, to: feature.tags.count, by: 2) {
      guard var hash = keys[Int(feature.tags[tag])] else { continue }
      hash.combine(values[Int(feature.tags[tag + 1])])
      // Sums do not depend on the order of the properties.
      sum.high &+= hash.high
      sum.low &+= hash.low
    }
    var key = StableHash()
    key.combine(Int(feature.type.rawValue))
    key.combine(feature.id == nil ? 0 : 1)
    key.combine(feature.id ?? 0)
    key.combine(sum.high)
    key.combine(sum.low)
    return key
  }

  /// Joins the features of all tiles.
  ///
  /// - Returns: a record for each feature, whose `line` is its number, from 1.
  /// - Throws: a ``VectorTileError`` for more names of properties than the limit.
  /// - Complexity: O(n log n) for n vertices.
  package consuming func joined() throws(VectorTileError) -> FeatureBatch {
    var tiles: [TileCoord] = []
    return try joined(firstTiles: &tiles)
  }

  /// Joins the features of all tiles.
  ///
  /// - Parameter tiles: is set to the first tile of each feature, whose properties it has.
  package consuming func joined(
    firstTiles tiles: inout [TileCoord]
  ) throws(VectorTileError) -> FeatureBatch {
    var batch = FeatureBatch()
    let features = joinedFeatures()
    // Computed from all features, so once.
    let firsts = features.firstPieces
    tiles = firsts.map { places[pieces.pieces[$0].tile].tile }
    for index in features.indices {
      features.append(
        index, to: &batch.geometry, tile: isJoining ? nil : TileKey(tiles[index]).rawValue)
      batch.lines.append(index + 1)
    }
    try appendProperties(of: firsts, to: &batch)
    return batch
  }

  private mutating func joinedFeatures() -> JoinedFeatures {
    let tolerance = max((WorldVertex.turn >> zoom) / 1024, 1)
    var sets = DisjointSets(count: pieces.pieces.count)
    var areas = AreaJoiner(tolerance: tolerance)
    var lines = LineJoiner(pieces, tolerance: tolerance)
    if isJoining {
      areas.join(pieces, &sets)
      lines.join(&pieces, places: places, &sets)
    }
    return JoinedFeatures(pieces, areas: areas, lines: lines, &sets)
  }

  /// Maximum number of names of properties.
  private static let nameLimit = 1 << 12

  /// Appends ids and properties of pieces; columns come in the order in which their names do.
  private func appendProperties(
    of pieces: ContiguousArray<Int>, to batch: inout FeatureBatch
  ) throws(VectorTileError) {
    var columns: [String: Int] = [:]
    for (row, piece) in pieces.enumerated() {
      Self.append(id: ids[piece], to: &batch.ids)
      let content = contents[self.pieces.pieces[piece].tile]
      let range = (piece == 0 ? 0 : tagEnds[piece - 1])..<tagEnds[piece]
      // Of a name that occurs twice the last value counts.
      for tag in stride(from: range.upperBound - 2, through: range.lowerBound, by: -2) {
        let name = content.keys[Int(tags[tag])]
        let place = columns[name] ?? batch.columns.count
        if place == batch.columns.count {
          guard place < Self.nameLimit else {
            throw VectorTileError(
              .tooMany("names of properties", limit: Self.nameLimit), byte: 0)
          }
          columns[name] = place
          batch.columns.append(PropertyColumn(name: name))
        }
        guard batch.columns[place].count <= row else { continue }
        batch.columns[place].append(.missing, count: row - batch.columns[place].count)
        content.values[Int(tags[tag + 1])].append(to: &batch.columns[place])
      }
    }
    for place in batch.columns.indices {
      batch.columns[place].append(.missing, count: pieces.count - batch.columns[place].count)
    }
  }

  private static func append(id: UInt64?, to column: inout PropertyColumn) {
    if let id {
      VectorTileValue.uint(id).append(to: &column)
    } else {
      column.append(.missing)
    }
  }
}

extension StableHash {
  /// Creates the hash of a name.
  fileprivate init(of name: String) {
    self.init()
    combine(name)
  }

  /// Creates the hash of a value, the same for one number in any encoding.
  fileprivate init(of value: VectorTileValue) {
    self.init()
    switch value.property {
    case .string(let text):
      combine(1)
      combine(text)
    case .number(let number):
      combine(2)
      combine(number)
    case .whole(let number):
      combine(3)
      combine(number.text)
    case .bool(let bool):
      combine(4)
      combine(bool ? 1 : 0)
    default: combine(0)
    }
  }
}
