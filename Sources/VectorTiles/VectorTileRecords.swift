package import Features
import SpatialIndex
package import Tiling

/// A collector of the features that one tile has in a layer, as records.
///
/// Lines and areas stay as the tile has them, with what lies in its buffer: they are cut to the
/// tile's square when they are drawn, as in MapLibre, and keep the tile for that
/// (``GeometryColumn/tile(of:)``). So each pixel shows one tile. Of the points of the buffer none is
/// kept; points on the north and west border belong to the tile.
package struct VectorTileRecords {
  /// The counts of what was read.
  package struct Counts: Hashable, Sendable {
    /// The features of the layer.
    package var features = 0
    /// Features without any part in the tile's own square, and features without a known type.
    package var outside = 0
    /// The number of areas that were added by dividing areas with overlapping outer rings.
    package var divided = 0
    /// Features that cannot be read.
    package var rejected = 0
    /// The errors of the first rejected features.
    package var examples: [VectorTileError] = []
  }

  package private(set) var counts = Counts()

  /// The records; columns are in the order in which their names first occur.
  private var batch = FeatureBatch()

  private let tile: TileCoord
  private let isPainted: Bool
  private let isWanted: @Sendable (String) -> Bool

  /// The index of each column of the batch.
  private var columns: [String: Int] = [:]

  /// The feature being read.
  private var feature = VectorTileFeature()

  /// - Parameters:
  ///   - isPainted: whether the features are filled and stroked. Those that lie in the tile's buffer
  ///     alone are then kept, since their strokes reach into the tile, and areas with overlapping
  ///     outer rings are divided, since the even-odd rule would leave the overlap empty. Otherwise
  ///     such a feature belongs to the neighbouring tile, and each feature is one record.
  ///   - isWanted: whether a property is needed; other properties are not kept.
  package init(
    of tile: TileCoord, isPainted: Bool,
    isWanted: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    precondition(tile.isValid, "the tile is not on the map")
    self.tile = tile
    self.isPainted = isPainted
    self.isWanted = isWanted
  }

  /// Adds a layer of the tile; a tile may have several layers with the same name.
  ///
  /// - Complexity: O(vertices + properties).
  package mutating func add(_ layer: VectorTileLayer) {
    let place = TilePlacement(tile, extent: layer.extent)
    let isKept = layer.keys.map(isWanted)
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
      let areas = isPainted ? feature.dividedAtOverlaps() : nil
      let records = areas.map { $0.count { appendGeometry(of: $0, place) } }
      let count = records ?? (appendGeometry(of: feature, place) ? 1 : 0)
      if count == 0 { counts.outside += 1 } else { counts.divided += count - 1 }
      for _ in 0..<count { appendProperties(of: layer, where: isKept) }
    }
  }

  /// Returns the records, each with its number as `line`, from 1.
  package consuming func records() -> FeatureBatch {
    batch.lines = ContiguousArray(batch.geometry.count == 0 ? 1..<1 : 1..<batch.geometry.count + 1)
    for place in batch.columns.indices { batch.columns[place].pad(to: batch.geometry.count) }
    return batch
  }

  // MARK: Properties

  private mutating func appendProperties(of layer: VectorTileLayer, where isKept: [Bool]) {
    let row = batch.ids.count
    if let id = feature.id {
      VectorTileValue.uint(id).append(to: &batch.ids)
    } else {
      batch.ids.append(.missing)
    }
    // If a name occurs twice, the last value counts.
    for tag in stride(from: feature.tags.count - 2, through: 0, by: -2) {
      let key = Int(feature.tags[tag])
      guard isKept[key] else { continue }
      let name = layer.keys[key]
      let place = columns[name] ?? batch.columns.count
      if place == batch.columns.count {
        columns[name] = place
        batch.columns.append(PropertyColumn(name: name))
      }
      guard batch.columns[place].count <= row else { continue }
      batch.columns[place].pad(to: row)
      layer.values[Int(feature.tags[tag + 1])].append(to: &batch.columns[place])
    }
  }

  // MARK: Geometry

  /// Appends the geometry of a feature as a record; returns `false` if the tile has none of it.
  private mutating func appendGeometry(
    of feature: VectorTileFeature, _ place: TilePlacement
  ) -> Bool {
    let first = batch.geometry.parts.count
    let single: GeometryColumn.Kind
    let multiple: GeometryColumn.Kind
    switch feature.type {
    case .unknown: return false
    case .point:
      for position in feature.vertices where place.owns(position) {
        batch.geometry.add(LngLat(place.vertex(position)))
        batch.geometry.endPart(.point)
      }
      (single, multiple) = (.point, .multiPoint)
    case .line, .polygon:
      guard isPainted || place.touches(feature) else { return false }
      for part in feature.parts.indices { append(part, of: feature, place) }
      (single, multiple) =
        feature.type == .line ? (.lineString, .multiLineString) : (.polygon, .multiPolygon)
    }
    let count = batch.geometry.parts[first...].count { $0 != .innerRing }
    guard count > 0 else { return false }
    batch.geometry.endRecord(count == 1 ? single : multiple, tile: TileKey(tile).rawValue)
    return true
  }

  /// Appends a line or ring; a line whose vertices are all the same is left out.
  private mutating func append(
    _ part: Int, of feature: VectorTileFeature, _ place: TilePlacement
  ) {
    let isRing = feature.type == .polygon
    var ends: (first: WorldVertex, last: WorldVertex)?
    var isLine = false
    for index in feature.vertexRange(part) {
      let vertex = place.vertex(feature.vertices[index])
      if let ends {
        guard vertex != ends.last else { continue }
        isLine = true
        addBetween(ends.last, vertex)
      }
      batch.geometry.add(LngLat(vertex))
      ends = (ends?.first ?? vertex, vertex)
    }
    guard isLine, let ends else { return batch.geometry.abandonPart() }
    if isRing { addBetween(ends.last, ends.first) }
    batch.geometry.endPart(feature.parts[part])
  }

  /// Divides an edge that is as long as half the world: as degrees, it would go the other way
  /// around.
  private mutating func addBetween(_ a: WorldVertex, _ b: WorldVertex) {
    let (width, height) = (b.x - a.x, b.y - a.y)
    guard abs(width) >= WorldVertex.turn / 2 else { return }
    for third in 1...2 {
      batch.geometry.add(
        LngLat(WorldVertex(x: a.x + width / 3 * third, y: a.y + height / 3 * third)))
    }
  }
}

extension PropertyColumn {
  /// Appends missing values up to a number of records.
  fileprivate mutating func pad(to count: Int) { append(.missing, count: count - self.count) }
}
