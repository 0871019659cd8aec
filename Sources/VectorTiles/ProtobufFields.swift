/// The fields of one protobuf message, one after the other, in bytes that are not trusted.
///
/// Only the wire types of vector tiles are read: varints, four and eight bytes, and runs of bytes
/// with their length. Groups, which protobuf has deprecated, are refused. Nothing is allocated.
///
/// Source: https://protobuf.dev/programming-guides/encoding/
struct ProtobufFields {
  /// The form of a field's value.
  enum Wire: UInt8 {
    case varint = 0
    case eightBytes = 1
    case run = 2
    case fourBytes = 5
  }

  /// The head of a field.
  struct Head {
    /// The number of the field in its message.
    let number: UInt32
    let wire: Wire
    /// The place of its first byte.
    let start: Int
  }

  /// All bytes of the tile; ``position`` and ``end`` count in them.
  private let bytes: UnsafeRawBufferPointer

  /// The place of the next byte.
  private(set) var position: Int

  /// The end of the message.
  private let end: Int

  /// - Parameters:
  ///   - bytes: they must outlive the reading.
  ///   - range: the bytes of the message; must lie within them.
  init(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position == end }

  /// Reads the head of the next field; `nil` at the end of the message.
  mutating func next() throws(VectorTileError) -> Head? {
    guard position < end else { return nil }
    let start = position
    let key = try varint()
    guard let wire = Wire(rawValue: UInt8(truncatingIfNeeded: key & 7)),
      let number = UInt32(exactly: key >> 3), number > 0
    else { throw VectorTileError(.field, byte: start) }
    return Head(number: number, wire: wire, start: start)
  }

  /// Reads a varint of at most ten bytes.
  mutating func varint() throws(VectorTileError) -> UInt64 {
    let start = position
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while position < end {
      let byte = bytes[position]
      position += 1
      // Only one bit of the tenth byte fits.
      guard shift < 63 || byte <= 1 else { throw VectorTileError(.longInteger, byte: start) }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    throw VectorTileError(.truncated, byte: start)
  }

  /// Reads a varint whose upper half is ignored, as protobuf reads numbers of 32 bits.
  mutating func varint32() throws(VectorTileError) -> UInt32 {
    if position < end, bytes[position] < 0x80 {
      defer { position += 1 }
      return UInt32(bytes[position])
    }
    return UInt32(truncatingIfNeeded: try varint())
  }

  /// Reads the length of a run and moves past it.
  ///
  /// - Returns: the places of its bytes.
  mutating func run() throws(VectorTileError) -> Range<Int> {
    let start = position
    let length = try varint()
    guard length <= UInt64(end - position) else { throw VectorTileError(.truncated, byte: start) }
    defer { position += Int(length) }
    return position..<position + Int(length)
  }

  /// Reads a text; bytes that are not UTF-8 are replaced.
  mutating func text() throws(VectorTileError) -> String {
    let run = try run()
    return String(decoding: bytes[run], as: UTF8.self)
  }

  /// Reads a number of four or eight bytes, the lowest first.
  mutating func fixed<Value: FixedWidthInteger>(_: Value.Type) throws(VectorTileError) -> Value {
    let size = MemoryLayout<Value>.size
    guard end - position >= size else { throw VectorTileError(.truncated, byte: position) }
    defer { position += size }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
  }

  /// Moves past the value of a field.
  mutating func skip(_ head: Head) throws(VectorTileError) {
    switch head.wire {
    case .varint: _ = try varint()
    case .eightBytes: _ = try fixed(UInt64.self)
    case .run: _ = try run()
    case .fourBytes: _ = try fixed(UInt32.self)
    }
  }

  /// Checks that a field has the wire type that its number requires.
  static func require(
    _ head: Head, _ wire: Wire, _ name: StaticString
  ) throws(VectorTileError) {
    guard head.wire == wire else {
      throw VectorTileError(.form(field: "\(name)"), byte: head.start)
    }
  }
}
