package import VectorTiles

/// An encoder of vector tiles for tests, which can also write what no tile may have.
package struct TileSample {
  /// Bytes in the form of protobuf.
  package struct Message {
    package var bytes: [UInt8] = []

    package init() {}

    package mutating func varint(_ value: UInt64) {
      var rest = value
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    package mutating func integer(_ field: UInt64, _ value: UInt64) {
      varint(field << 3)
      varint(value)
    }

    package mutating func run(_ field: UInt64, _ content: [UInt8]) {
      varint(field << 3 | 2)
      varint(UInt64(content.count))
      bytes += content
    }

    package mutating func packed(_ field: UInt64, _ values: [UInt32]) {
      var content = Message()
      for value in values { content.varint(UInt64(value)) }
      run(field, content.bytes)
    }

    package mutating func fixed<Value: FixedWidthInteger>(_ field: UInt64, _ value: Value) {
      varint(field << 3 | (Value.bitWidth == 32 ? 5 : 1))
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
  }

  /// A feature whose parts are in units of the extent.
  package struct Feature {
    package var id: UInt64?
    package var type: VectorTileFeature.GeometryType
    package var parts: [[(Int, Int)]]
    package var properties: [(String, VectorTileValue)] = []

    package init(
      _ type: VectorTileFeature.GeometryType, _ parts: [[(Int, Int)]], id: UInt64? = nil,
      _ properties: [(String, VectorTileValue)] = []
    ) {
      self.type = type
      self.parts = parts
      self.id = id
      self.properties = properties
    }

    /// The commands of the parts; each ring is closed by ClosePath.
    package var commands: [UInt32] {
      var (x, y) = (0, 0)
      var commands: [UInt32] = []
      func move(to point: (Int, Int)) {
        for distance in [point.0 - x, point.1 - y] {
          let distance = Int32(truncatingIfNeeded: distance)
          commands.append(UInt32(bitPattern: distance << 1 ^ distance >> 31))
        }
        (x, y) = point
      }
      if type == .point {
        let points = parts.flatMap { $0 }
        commands.append(UInt32(points.count) << 3 | 1)
        for point in points { move(to: point) }
        return commands
      }
      for part in parts {
        guard let first = part.first else { continue }
        commands.append(1 << 3 | 1)
        move(to: first)
        commands.append(UInt32(part.count - 1) << 3 | 2)
        for point in part.dropFirst() { move(to: point) }
        if type == .polygon { commands.append(1 << 3 | 7) }
      }
      return commands
    }
  }

  /// A layer of features.
  package struct Layer {
    package var name: String
    package var features: [Feature]
    package var extent = 4096
    package var version: UInt64 = 2

    package init(_ name: String, extent: Int = 4096, version: UInt64 = 2, _ features: [Feature]) {
      self.name = name
      self.features = features
      self.extent = extent
      self.version = version
    }

    package var bytes: [UInt8] {
      var keys: [String] = []
      var values: [VectorTileValue] = []
      var layer = Message()
      layer.integer(15, version)
      layer.run(1, Array(name.utf8))
      for feature in features {
        var message = Message()
        if let id = feature.id { message.integer(1, id) }
        var tags: [UInt32] = []
        for (key, value) in feature.properties {
          tags.append(Self.index(of: key, in: &keys))
          tags.append(Self.index(of: value, in: &values))
        }
        if !tags.isEmpty { message.packed(2, tags) }
        message.integer(3, UInt64(feature.type.rawValue))
        message.packed(4, feature.commands)
        layer.run(2, message.bytes)
      }
      for key in keys { layer.run(3, Array(key.utf8)) }
      for value in values { layer.run(4, TileSample.bytes(of: value)) }
      layer.integer(5, UInt64(extent))
      return layer.bytes
    }

    private static func index<Item: Equatable>(of item: Item, in items: inout [Item]) -> UInt32 {
      if let index = items.firstIndex(of: item) { return UInt32(index) }
      items.append(item)
      return UInt32(items.count - 1)
    }
  }

  package static func bytes(of value: VectorTileValue) -> [UInt8] {
    var message = Message()
    switch value {
    case .string(let text): message.run(1, Array(text.utf8))
    case .float(let number): message.fixed(2, number.bitPattern)
    case .double(let number): message.fixed(3, number.bitPattern)
    case .int(let number): message.integer(4, UInt64(bitPattern: number))
    case .uint(let number): message.integer(5, number)
    case .sint(let number): message.integer(6, UInt64(bitPattern: number << 1 ^ number >> 63))
    case .bool(let bool): message.integer(7, bool ? 1 : 0)
    }
    return message.bytes
  }

  /// Returns a tile of layers.
  package static func tile(_ layers: [Layer]) -> [UInt8] { tile(layers.map(\.bytes)) }

  /// Returns a tile of layers that are encoded already.
  package static func tile(_ layers: [[UInt8]]) -> [UInt8] {
    var tile = Message()
    for layer in layers { tile.run(3, layer) }
    return tile.bytes
  }

  /// Returns a tile whose only layer has one feature with these commands.
  package static func tile(
    _ type: UInt64, commands: [UInt32], tags: [UInt32] = [], version: UInt64 = 2
  ) -> [UInt8] {
    var feature = Message()
    feature.packed(2, tags)
    feature.integer(3, type)
    feature.packed(4, commands)
    var layer = Message()
    layer.integer(15, version)
    layer.run(1, Array("layer".utf8))
    layer.run(2, feature.bytes)
    layer.run(3, Array("key".utf8))
    layer.run(4, bytes(of: .bool(true)))
    return tile([layer.bytes])
  }
}
