/// A Mapbox Vector Tile of version 1 or 2, unpacked.
///
/// Names, keys and values of the wanted layers are read immediately; features are read in place,
/// one by one, by ``VectorTileLayer/readFeature(_:into:)``. The content is not trusted: counts and
/// sizes are limited, and no count in the bytes decides an allocation by itself.
///
/// The format is small and frozen: three messages and four wire types, so it is read without a
/// protobuf library, whose messages would hold every feature and every integer as an object.
///
/// Source: https://github.com/mapbox/vector-tile-spec/tree/master/2.1
package struct VectorTile: Sendable {
  /// The wanted layers in the order of the tile. Against the specification, several may have the
  /// same name: together they are one layer.
  package let layers: [VectorTileLayer]

  /// The faults of the layers that cannot be read.
  package let faults: [VectorTileError]

  /// The names that more than one layer has.
  package var repeatedNames: [String] {
    var names: Set<String> = []
    var repeated: [String] = []
    for layer in layers where !names.insert(layer.name).inserted && !repeated.contains(layer.name) {
      repeated.append(layer.name)
    }
    return repeated
  }

  /// Reads the layers of a tile.
  ///
  /// - Parameters:
  ///   - assumesVersion1: whether a layer without a version is one of version 1, as old tiles may be;
  ///     otherwise it is refused.
  ///   - sparesLayers: whether a layer that cannot be read is left out and its fault kept in
  ///     ``faults``; otherwise it ends the tile. A layer without a name counts as wanted.
  ///   - isWanted: whether a layer of this name is needed; only the head of other layers is
  ///     checked.
  /// - Throws: a ``VectorTileError`` without a feature.
  /// - Complexity: O(bytes).
  package init(
    _ bytes: [UInt8], limits: VectorTileLimits = VectorTileLimits(), assumesVersion1: Bool = false,
    sparesLayers: Bool = false, isWanted: (String) -> Bool = { _ in true }
  ) throws(VectorTileError) {
    guard bytes.count <= limits.bytes else {
      throw VectorTileError(.large(bytes: bytes.count, limit: limits.bytes), byte: limits.bytes)
    }
    var layers: [VectorTileLayer] = []
    var faults: [VectorTileError] = []
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
        do throws(VectorTileError) {
          let layer = try VectorTileLayer(
            bytes, buffer, range, limits: limits, defaultVersion: assumesVersion1 ? 1 : nil,
            features: &features, isWanted: isWanted)
          if let layer { layers.append(layer) }
        } catch {
          guard sparesLayers else { throw error }
          if error.layer.map(isWanted) ?? true { faults.append(error) }
        }
      }
    }
    self.layers = layers
    self.faults = faults
  }

  /// Returns the layers of a name: one, unless the tile repeats it.
  ///
  /// - Complexity: O(layers).
  package func layers(named name: String) -> [VectorTileLayer] {
    layers.filter { $0.name == name }
  }
}
