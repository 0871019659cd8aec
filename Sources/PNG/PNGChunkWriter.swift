import CDeflate

/// A writer of the chunks of one PNG into the caller's memory, which must be large enough.
///
/// PNG specification, section 5: length, type, data, CRC-32 of type and data, all big-endian.
struct PNGChunkWriter {
  /// The four letters of a chunk's type as the number in the file.
  enum Chunk: UInt32 {
    case header = 0x4948_4452  // IHDR
    case palette = 0x504C_5445  // PLTE
    case transparency = 0x7452_4E53  // tRNS
    case density = 0x7048_5973  // pHYs
    case animation = 0x6163_544C  // acTL
    case frameControl = 0x6663_544C  // fcTL
    case data = 0x4944_4154  // IDAT
    case frameData = 0x6664_4154  // fdAT
    case end = 0x4945_4E44  // IEND
  }

  /// The bytes of a chunk in addition to its data.
  static let overhead = 12

  /// The bytes of signature, header, the longest palette and transparency, density, and the end.
  static let maximumOverhead = 8 + (12 + 13) + (12 + 768) + (12 + 256) + (12 + 9) + 12 + 12

  private let bytes: UnsafeMutableRawBufferPointer

  /// The number of bytes written so far.
  private(set) var count = 0

  /// Begins a file with its signature.
  init(_ bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
    bytes.copyBytes(from: PNGInfo.signature)
    count = 8
  }

  /// Creates a writer of chunks that continue an existing file.
  init(continuing bytes: UnsafeMutableRawBufferPointer) {
    self.bytes = bytes
  }

  /// Appends one chunk; `fill` writes the data to the given memory and returns its length.
  mutating func append(_ type: Chunk, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[(count + 8)..<(bytes.count - 4)])
    let length = fill(room)
    precondition(length <= room.count)
    Self.store(UInt32(length), at: count, in: bytes)
    Self.store(type.rawValue, at: count + 4, in: bytes)
    let checked = UnsafeRawBufferPointer(rebasing: bytes[(count + 4)..<(count + 8 + length)])
    let checksum = UInt32(
      truncatingIfNeeded: libdeflate_crc32(0, checked.baseAddress, checked.count))
    Self.store(checksum, at: count + 8 + length, in: bytes)
    count += Self.overhead + length
  }

  /// Appends the density of both axes, in unit 1: pixels per metre (PNG specification, 11.3.4.3).
  mutating func appendDensity(_ pixelsPerMetre: Int) {
    append(.density) { data in
      for place in [0, 4] { Self.store(UInt32(clamping: pixelsPerMetre), at: place, in: data) }
      data[8] = 1
      return 9
    }
  }

  mutating func appendHeader(width: Int, height: Int, layout: PNGLayout) {
    append(.header) { data in
      Self.store(UInt32(width), at: 0, in: data)
      Self.store(UInt32(height), at: 4, in: data)
      data[8] = UInt8(layout.bitDepth)
      data[9] = layout.colorType.rawValue
      (data[10], data[11], data[12]) = (0, 0, 0)
      return 13
    }
  }

  /// Appends the palette of straight colours, and their alphas up to the last that is not opaque.
  mutating func appendPalette(_ colors: UnsafeBufferPointer<UInt32>) {
    append(.palette) { data in
      for (index, color) in colors.enumerated() {
        data[index * 3] = UInt8(truncatingIfNeeded: color)
        data[index * 3 + 1] = UInt8(truncatingIfNeeded: color >> 8)
        data[index * 3 + 2] = UInt8(truncatingIfNeeded: color >> 16)
      }
      return colors.count * 3
    }
    guard let last = colors.lastIndex(where: { $0 >> 24 != 255 }) else { return }
    append(.transparency) { data in
      for index in 0...last { data[index] = UInt8(truncatingIfNeeded: colors[index] >> 24) }
      return last + 1
    }
  }

  mutating func appendEnd() {
    append(.end) { _ in 0 }
  }

  static func store(_ value: UInt32, at offset: Int, in bytes: UnsafeMutableRawBufferPointer) {
    bytes.storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
  }
}
