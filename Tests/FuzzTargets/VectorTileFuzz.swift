import Features
import Tiling
import VectorTiles

/// Vector tiles: a byte of options, then the tile.
///
/// The lowest bit of the options sets small limits, the next takes layers without a version.
enum VectorTileFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    var limits = VectorTileLimits()
    if form.has(bit: 0) {
      (limits.layers, limits.features, limits.keys, limits.values) = (2, 4, 3, 3)
      (limits.properties, limits.vertices) = (2, 8)
    }
    let tile: VectorTile
    do {
      tile = try VectorTile(input.rest, limits: limits, assumesVersion1: form.has(bit: 1))
    } catch {
      try require(!error.sentence.contains("\n"), "an error of several lines")
      return false
    }
    try require(tile.layers.count <= limits.layers, "more layers than the limit")
    try require(
      tile.layers.reduce(0) { $0 + $1.count } <= limits.features, "more features than the limit")
    var isSound = true
    for layer in tile.layers {
      try checkRecords(layer)
      for index in 0..<layer.count {
        if try !check(layer, index, limits) { isSound = false }
      }
    }
    return isSound
  }

  /// Reads a feature, and again; returns false where it is refused.
  private static func check(
    _ layer: VectorTileLayer, _ index: Int, _ limits: VectorTileLimits
  ) throws -> Bool {
    var feature = VectorTileFeature()
    var again = VectorTileFeature()
    do {
      try layer.readFeature(index, into: &feature)
      try feature.decodeGeometry()
    } catch {
      try require(error.feature == index, "an error of another feature")
      return false
    }
    try layer.readFeature(index, into: &again)
    try again.decodeGeometry()
    try require(again.vertices == feature.vertices, "a second reading differs")
    try require(feature.vertices.count <= limits.vertices, "more vertices than the limit")
    try require(feature.parts.count == feature.ends.count, "parts without ends")
    try require((feature.ends.last ?? 0) == feature.vertices.count, "vertices beyond the parts")
    var column = PropertyColumn(name: "a")
    for tag in stride(from: 0, to: feature.tags.count, by: 2) {
      try require(Int(feature.tags[tag]) < layer.keys.count, "a key that is not there")
      layer.values[Int(feature.tags[tag + 1])].append(to: &column)
    }
    for part in feature.parts.indices {
      let range = feature.vertexRange(part)
      try require(range.count >= least(feature.parts[part]), "a part of too few vertices")
    }
    return true
  }

  /// Reads a layer as that of each of the four tiles of zoom 1.
  private static func checkRecords(_ layer: VectorTileLayer) throws {
    for key in UInt64(0)..<4 {
      for isPainted in [true, false] {
        try checkRecords(
          layer,
          VectorTileRecords(of: TileCoord(TileKey(rawValue: key), z: 1), isPainted: isPainted))
      }
    }
  }

  private static func checkRecords(_ layer: VectorTileLayer, _ records: VectorTileRecords) throws {
    var records = records
    records.add(layer)
    let counts = records.counts
    try require(counts.features == layer.count, "features are lost")
    let batch = records.records()
    try require(
      batch.count == counts.features - counts.outside - counts.rejected + counts.divided,
      "other records than are counted")
    try require(batch.geometry.count == batch.count, "records without a geometry")
    for column in batch.columns {
      try require(column.count == batch.count, "records without a property")
    }
    for position in batch.geometry.positions {
      try require(
        position.longitude.isFinite && abs(position.latitude) <= 90, "a place off the world")
    }
  }

  private static func least(_ part: GeometryColumn.Part) -> Int {
    switch part {
    case .point: 1
    case .line: 2
    case .outerRing, .innerRing: 3
    }
  }
}
