/// A Mapbox Vector Tile of version 1 or 2, unpacked.
///
/// Names, keys and values of the wanted layers are read at once and their features where they lie,
/// one after the other, by ``VectorTileLayer/readFeature(_:into:)``. The content is not trusted: counts
/// and sizes are limited, and nothing is allocated by a count that the bytes only claim.
///
/// The format is small and frozen: three messages and four wire types, so it is read without a
/// protobuf library, whose messages would hold every feature and every integer as an object.
///
/// Source: https://github.com/mapbox/vector-tile-spec/tree/master/2.1
package struct VectorTile: Sendable {
  /// The wanted layers in the order of the tile. Names are unique: of several layers with one name
  /// the last is read, as MapLibre does.
  package let layers: [VectorTileLayer]

  /// The names that more than one layer has, against the specification.
  package let repeatedNames: [String]

  /// Reads the layers of a tile.
  ///
  /// - Parameters:
  ///   - assumesVersion1: whether a layer without a version is one of version 1, as old tiles may be;
  ///     otherwise it is refused.
  ///   - isWanted: whether a layer of this name is needed; others are checked no further than their
  ///     head.
  /// - Throws: a ``VectorTileError`` without a feature.
  /// - Complexity: O(bytes).
  package init(
    _ bytes: [UInt8], limits: VectorTileLimits = VectorTileLimits(), assumesVersion1: Bool = false,
    isWanted: (String) -> Bool = { _ in true }
  ) throws(VectorTileError) {
    guard bytes.count <= limits.bytes else {
      throw VectorTileError(.large(bytes: bytes.count, limit: limits.bytes), byte: limits.bytes)
    }
    var layers: [VectorTileLayer] = []
    var repeated: [String] = []
    var places: [String: Int] = [:]
    var features = 0
    var count = 0
    try bytes.withUnsafeBufferPointer { (buffer) throws(VectorTileError) in
      let buffer = UnsafeRawBufferPointer(buffer)
      var fields = ProtobufFields(buffer, 0..<buffer.count)
      while let head = try fields.next() {
        guard head.number == 3 else {
          try fields.skip(head)
          continue
        }
        try ProtobufFields.require(head, .run, "layers")
        let range = try fields.run()
        count += 1
        guard count <= limits.layers else {
          throw VectorTileError(.tooMany("layers", limit: limits.layers), byte: head.start)
        }
        let layer = try VectorTileLayer(
          bytes, buffer, range, limits: limits, defaultVersion: assumesVersion1 ? 1 : nil,
          features: &features, isWanted: isWanted)
        guard let layer else { continue }
        if let place = places[layer.name] {
          if !repeated.contains(layer.name) { repeated.append(layer.name) }
          layers[place] = layer
        } else {
          places[layer.name] = layers.count
          layers.append(layer)
        }
      }
    }
    self.layers = layers
    repeatedNames = repeated
  }

  /// Returns the layer of a name.
  ///
  /// - Complexity: O(layers).
  package func layer(_ name: String) -> VectorTileLayer? {
    layers.first { $0.name == name }
  }
}
