/// A layer of a vector tile: its head, and the places of its features.
package struct VectorTileLayer: Sendable {
  package let name: String

  /// The version of the format: 1 or 2.
  package let version: Int

  /// The side of the tile in the units of its positions, at least 1.
  package let extent: Int

  /// The names of properties, which features refer to by their index.
  package let keys: [String]

  /// The values of properties, which features refer to by their index.
  package let values: [VectorTileValue]

  /// The indexes of values that cannot be read; ``values`` has a placeholder there, and features
  /// that refer to one are rejected.
  let brokenValues: Set<Int>

  /// The bytes of each feature in ``bytes``.
  private let features: ContiguousArray<Range<Int>>

  /// All bytes of the tile.
  private let bytes: [UInt8]

  let limits: VectorTileLimits

  /// The number of features.
  package var count: Int { features.count }

  /// Reads a message `Layer`; `nil` for one that is not wanted.
  ///
  /// - Parameters:
  ///   - defaultVersion: the version of a layer that has none; `nil` to refuse it.
  ///   - features: the number of features of the tile so far.
  init?(
    _ tile: [UInt8], _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>,
    limits: VectorTileLimits, defaultVersion: UInt64?, features: inout Int,
    isWanted: (String) -> Bool
  ) throws(VectorTileError) {
    let head = try LayerHead(buffer, range, defaultVersion: defaultVersion)
    guard isWanted(head.name) else { return nil }
    do throws(VectorTileError) {
      let content = try LayerContent(buffer, range, limits: limits, features: &features)
      (keys, values, brokenValues) = (content.keys, content.values, content.brokenValues)
      self.features = content.features
    } catch {
      throw error.of(layer: head.name)
    }
    name = head.name
    version = head.version
    extent = head.extent
    bytes = tile
    self.limits = limits
  }

  /// Reads a feature with its commands, which ``VectorTileFeature/decodeGeometry()`` decodes.
  ///
  /// - Parameter feature: is overwritten, and keeps its memory.
  /// - Throws: a ``VectorTileError`` of the feature, which does not concern others.
  /// - Complexity: O(bytes of the feature).
  package func readFeature(
    _ index: Int, into feature: inout VectorTileFeature
  ) throws(VectorTileError) {
    feature.begin(index, of: self)
    do throws(VectorTileError) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(VectorTileError) in
        try feature.read(UnsafeRawBufferPointer(buffer), features[index], of: self)
      }
    } catch {
      throw error.of(feature: index, layer: name)
    }
  }
}

/// The fields of a layer that everything else in it depends on.
private struct LayerHead {
  var name = ""
  var version = 0
  var extent = 4096

  init(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, defaultVersion: UInt64?
  ) throws(VectorTileError) {
    var fields = ProtobufFields(bytes, range)
    var name: String?
    var version = defaultVersion
    do throws(VectorTileError) {
      while let head = try fields.next() {
        switch head.number {
        case 1:
          try ProtobufFields.require(head, .run, "name")
          name = try fields.text()
        case 5:
          try ProtobufFields.require(head, .varint, "extent")
          let extent = try fields.varint()
          guard (1...UInt64(Int32.max)).contains(extent) else {
            throw VectorTileError(.extent(extent), byte: head.start)
          }
          self.extent = Int(extent)
        case 15:
          try ProtobufFields.require(head, .varint, "version")
          version = try fields.varint()
        default: try fields.skip(head)
        }
      }
    } catch {
      throw error.of(layer: name)
    }
    guard let name, !name.isEmpty else {
      throw VectorTileError(.missing(field: "name"), byte: range.lowerBound)
    }
    guard let version else {
      throw VectorTileError(.missing(field: "version"), byte: range.lowerBound).of(layer: name)
    }
    guard version == 1 || version == 2 else {
      throw VectorTileError(.version(version), byte: range.lowerBound).of(layer: name)
    }
    self.name = name
    self.version = Int(version)
  }
}

/// The lists of a layer.
private struct LayerContent {
  var keys: [String] = []
  var values: [VectorTileValue] = []
  var brokenValues: Set<Int> = []
  var features = ContiguousArray<Range<Int>>()

  init(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, limits: VectorTileLimits,
    features count: inout Int
  ) throws(VectorTileError) {
    var fields = ProtobufFields(bytes, range)
    while let head = try fields.next() {
      switch head.number {
      case 2:
        try ProtobufFields.require(head, .run, "features")
        features.append(try fields.run())
        count += 1
        try Self.require(count, "features", limits.features, head)
      case 3:
        try ProtobufFields.require(head, .run, "keys")
        keys.append(try fields.text())
        try Self.require(keys.count, "keys", limits.keys, head)
      case 4:
        try ProtobufFields.require(head, .run, "values")
        let run = try fields.run()
        if let value = try? VectorTileValue(bytes, run) {
          values.append(value)
        } else {
          brokenValues.insert(values.count)
          values.append(.bool(false))
        }
        try Self.require(values.count, "values", limits.values, head)
      default: try fields.skip(head)
      }
    }
  }

  private static func require(
    _ count: Int, _ things: String, _ limit: Int, _ head: ProtobufFields.Head
  ) throws(VectorTileError) {
    guard count <= limit else {
      throw VectorTileError(.tooMany(things, limit: limit), byte: head.start)
    }
  }
}
