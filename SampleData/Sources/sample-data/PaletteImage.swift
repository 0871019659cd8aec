/// A picture of palette indices as a PNG file, written without any library.
///
/// Runs of one byte become deflate matches at distance 1 in one block of fixed Huffman codes (RFC
/// 1951, section 3.2.6); classes of rain are long runs, so that is small enough.
struct PaletteImage {
  let width: Int
  let height: Int

  /// Straight red, green, blue and alpha; at most 256.
  let palette: [SIMD4<UInt8>]

  /// `width * height` places in the palette, top row first.
  let indices: [UInt8]

  /// The bytes of the file.
  func png() -> [UInt8] {
    var header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height))
    header += [8, 3, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for y in 0..<height {
      rows.append(0)
      rows += indices[(y * width)..<((y + 1) * width)]
    }
    return [137, 80, 78, 71, 13, 10, 26, 10] + Self.chunk("IHDR", header)
      + Self.chunk("PLTE", palette.flatMap { [$0.x, $0.y, $0.z] })
      + Self.chunk("tRNS", palette.map(\.w)) + Self.chunk("IDAT", Self.zlib(rows))
      + Self.chunk("IEND", [])
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    var crc = UInt32.max
    for byte in checked {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return bigEndian(UInt32(data.count)) + checked + bigEndian(~crc)
  }

  /// A zlib stream (RFC 1950).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var writer = FixedCodeWriter()
    var (low, high): (UInt32, UInt32) = (1, 0)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      var end = position + 1
      while end < bytes.count, bytes[end] == byte { end += 1 }
      for _ in position..<end {
        low = (low + UInt32(byte)) % 65_521
        high = (high + low) % 65_521
      }
      writer.run(byte, count: end - position)
      position = end
    }
    return [0x78, 0x01] + writer.finished() + bigEndian(high << 16 | low)
  }
}

/// Bits of one deflate block with fixed codes.
private struct FixedCodeWriter {
  private var bytes: [UInt8] = []
  private var bits: UInt64 = 0
  private var count: UInt64 = 0

  init() {
    append(1, 1)  // The last block,
    append(1, 2)  // with fixed codes.
  }

  /// Appends the lowest bits of a value, the lowest first.
  private mutating func append(_ value: UInt64, _ width: UInt64) {
    bits |= value << count
    count += width
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      count -= 8
    }
  }

  /// Appends the code of a literal or length symbol, its highest bit first.
  private mutating func symbol(_ symbol: UInt64) {
    let (code, width): (UInt64, UInt64) =
      switch symbol {
      case ..<144: (0x30 + symbol, 8)
      case ..<256: (0x190 + symbol - 144, 9)
      case ..<280: (symbol - 256, 7)
      default: (0xC0 + symbol - 280, 8)
      }
    for bit in 0..<width { append(code >> (width - 1 - bit) & 1, 1) }
  }

  /// Writes a byte and repeats it, by matches at distance 1.
  mutating func run(_ byte: UInt8, count: Int) {
    symbol(UInt64(byte))
    var left = count - 1
    while left >= 3 {
      left -= match(min(left, 258))
    }
    for _ in 0..<left { symbol(UInt64(byte)) }
  }

  /// Repeats the last byte up to `length` times, 3 … 258, and returns how often (RFC 1951, 3.2.5).
  private mutating func match(_ length: Int) -> Int {
    if length == 258 {
      symbol(285)
    } else if length < 11 {
      symbol(UInt64(254 + length))
    } else {
      // Four symbols for each number of extra bits: 11, 13, 15, 17 with 1 bit, 19, 23, … with 2.
      let offset = UInt64(length - 3)
      let extra = UInt64(63 - offset.leadingZeroBitCount - 2)
      symbol(257 + 4 * extra + (offset >> extra))
      append(offset & ((1 << extra) - 1), extra)
    }
    append(0, 5)
    return length
  }

  mutating func finished() -> [UInt8] {
    symbol(256)
    if count > 0 { append(0, 8 - count) }
    return bytes
  }
}
