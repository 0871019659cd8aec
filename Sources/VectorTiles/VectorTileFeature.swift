package import Features

/// A position in a vector tile, in units of the layer's extent: x eastward from the tile's west edge,
/// y southward from its north edge. It may lie outside the tile, in its buffer.
package struct TilePosition: BitwiseCopyable, Hashable, Sendable {
  package var x: Int32
  package var y: Int32
}

/// One feature of a vector tile, whose memory is reused for the next.
package struct VectorTileFeature: Sendable {
  /// The geometry types of the format.
  package enum GeometryType: UInt8, Sendable {
    /// A type that the format does not know; such a feature has no geometry here.
    case unknown, point, line, polygon
  }

  /// The id, if it has one.
  package private(set) var id: UInt64?

  package private(set) var type = GeometryType.unknown

  /// The properties: valid indexes into the keys and values of the layer, in turn.
  package private(set) var tags = ContiguousArray<UInt32>()

  /// The geometry as commands and parameters, as the tile has it.
  package private(set) var commands = ContiguousArray<UInt32>()

  /// The vertices of all parts; rings do not repeat their first.
  package internal(set) var vertices = ContiguousArray<TilePosition>()

  /// The end of each part in ``vertices``.
  package internal(set) var ends = ContiguousArray<Int>()

  /// The kind of each part. An outer ring encloses a positive area, its holes a negative one, by the
  /// shoelace formula with y southward, so both have their inside on the right on the map.
  package internal(set) var parts = ContiguousArray<GeometryColumn.Part>()

  /// The number of the feature in its layer, from 0.
  package private(set) var index = 0

  /// The place of the geometry in the tile.
  private var geometryByte = 0
  private var layer = ""
  private var version = 2
  private var vertexLimit = 0

  package init() {}

  /// Returns the vertices of a part, as indexes into ``vertices``.
  package func vertexRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : ends[part - 1])..<ends[part]
  }

  /// Forgets everything, to become a feature of a layer.
  mutating func begin(_ index: Int, of layer: VectorTileLayer) {
    self.index = index
    self.layer = layer.name
    id = nil
    type = .unknown
    tags.removeAll(keepingCapacity: true)
    commands.removeAll(keepingCapacity: true)
    removeGeometry()
    version = layer.version
    vertexLimit = layer.limits.vertices
  }

  /// Reads a message `Feature`; its geometry is decoded by ``decodeGeometry()``.
  mutating func read(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, of layer: VectorTileLayer
  ) throws(VectorTileError) {
    var geometry: Range<Int>?
    var fields = ProtobufFields(bytes, range)
    while let head = try fields.next() {
      switch head.number {
      case 1:
        try ProtobufFields.require(head, .varint, "id")
        id = try fields.varint()
      case 2:
        try ProtobufFields.require(head, .run, "tags")
        try readTags(bytes, try fields.run(), of: layer)
      case 3:
        try ProtobufFields.require(head, .varint, "type")
        let number = try fields.varint()
        guard let type = UInt8(exactly: number).flatMap({ GeometryType(rawValue: $0) }) else {
          throw VectorTileError(.geometryType(number), byte: head.start)
        }
        self.type = type
      case 4:
        try ProtobufFields.require(head, .run, "geometry")
        // If a field is repeated, the last one counts, as in MapLibre.
        geometry = try fields.run()
      default: try fields.skip(head)
      }
    }
    guard let geometry, !geometry.isEmpty else {
      throw VectorTileError(.noGeometry, byte: range.lowerBound)
    }
    geometryByte = geometry.lowerBound
    var integers = ProtobufFields(bytes, geometry)
    while !integers.isAtEnd { commands.append(try integers.varint32()) }
  }

  private mutating func readTags(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, of layer: VectorTileLayer
  ) throws(VectorTileError) {
    var fields = ProtobufFields(bytes, range)
    while !fields.isAtEnd {
      let start = fields.position
      let key = try fields.varint32()
      guard Int(key) < layer.keys.count else {
        throw VectorTileError(.tag("key", index: key, count: layer.keys.count), byte: start)
      }
      guard !fields.isAtEnd else { throw VectorTileError(.oddTags, byte: start) }
      let value = try fields.varint32()
      guard Int(value) < layer.values.count else {
        throw VectorTileError(.tag("value", index: value, count: layer.values.count), byte: start)
      }
      guard !layer.brokenValues.contains(Int(value)) else {
        throw VectorTileError(.value, byte: start)
      }
      tags.append(key)
      tags.append(value)
      guard tags.count <= 2 * layer.limits.properties else {
        throw VectorTileError(.tooMany("properties", limit: layer.limits.properties), byte: start)
      }
    }
  }

  mutating func removeGeometry() {
    vertices.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
  }

  /// Decodes the commands into ``vertices``, ``ends`` and ``parts``.
  ///
  /// Rings without an area are left out. The first ring is an outer ring, and so is every ring of
  /// the same direction. This follows MapLibre, since tiles of version 1 may have outer rings of
  /// either direction.
  ///
  /// - Throws: a ``VectorTileError`` of the feature.
  /// - Complexity: O(commands).
  package mutating func decodeGeometry() throws(VectorTileError) {
    removeGeometry()
    guard type != .unknown else { return }
    var reader = GeometryCommands(version: version, byte: geometryByte, limit: vertexLimit)
    do throws(VectorTileError) {
      try reader.read(commands, of: type, into: &self)
    } catch {
      removeGeometry()
      throw error.of(feature: index, layer: layer)
    }
    if type == .polygon { classifyRings() }
  }

  /// Ends a part that begins after the end of the last.
  mutating func endPart(_ part: GeometryColumn.Part) {
    ends.append(vertices.count)
    parts.append(part)
  }
}
