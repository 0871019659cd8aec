/// The beginning of every sparse tile in lossless WebP: the container, the size, the palette as a
/// colour-indexing transform, and the codes of the tokens.
///
/// Source: RFC 9649, 2.6 (container), 3.4, 3.5.2.1 and 3.8 (header, transform, codes).
struct IndexedWebPBeginning: Sendable {
  /// The bytes of the container before the bits.
  static let containerSize = 20

  /// Maximum number of bytes of the container and of everything before the tokens.
  static let maximumSize = containerSize + (6 * WebPPrefixCode.maximumBitCount + 256 * 64) / 8 + 64

  /// The minimum number of colours: with fewer, several pixels would share a symbol.
  private static let leastColors = 17

  /// The number of colours of the first beginning that is kept.
  private static let firstCount = 24

  /// The step between the sizes of palette for which a beginning is kept.
  private static let step = 8

  /// The beginnings for the first 24, 32 … colours of the palette.
  private let heads: [BitString]

  /// The codes for a palette with extra colours of one tile: every symbol of every channel takes 8
  /// bits.
  private let flatCodes: BitString
  private let flat: [CodedBits]

  /// The codes of the tokens, which follow the palette.
  private let codes: BitString
  private let width: Int
  private let height: Int
  private let palette: [UInt32]
  private let isOpaque: Bool

  /// - Parameters:
  ///   - palette: straight colours with red in the lowest byte.
  ///   - codes: the codes of the tokens.
  init(width: Int, height: Int, palette: [UInt32], codes: BitString) {
    (self.width, self.height, self.palette, self.codes) = (width, height, palette, codes)
    isOpaque = palette.allSatisfy { $0 >> 24 == 255 }
    let ones = [UInt64](repeating: 1, count: 256)
    let even = DeflateCode(frequencies: ones, limit: 15)
    let green = DeflateCode(frequencies: Self.greens(ones), limit: 15)
    flat = even.codes
    flatCodes = BitString(capacity: 5 * WebPPrefixCode.maximumBitCount) { writer in
      writer.put(0, count: 1)  // no colour cache
      for code in [green, even, even, even] { _ = WebPPrefixCode.write(code, into: &writer) }
      WebPPrefixCode.writeSingle(0, into: &writer)
    }
    var heads: [BitString] = []
    let isOpaque = isOpaque
    for count in stride(
      from: Self.firstCount, to: max(palette.count + Self.step, Self.firstCount + 1), by: Self.step)
    {
      let colors = Self.colors(palette, count: min(count, max(palette.count, Self.leastColors)))
      heads.append(
        BitString(capacity: Self.maximumSize * 8) { writer in
          Self.putHeader(width, height, colors.count, isOpaque: isOpaque, into: &writer)
          Self.putFitted(colors, into: &writer)
          writer.put(codes)
        })
    }
    self.heads = heads
  }

  /// Everything that determines the beginning of a file.
  var identity: [UInt8] {
    Array("webp \(width) \(height)".utf8)
      + ((heads.last?.words ?? []) + codes.words).flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
      }
  }

  /// Writes the beginning of a tile whose largest index is given, and returns a writer after it.
  ///
  /// - Parameter extras: the colours of this tile alone, whose indexes follow those of the palette.
  func begin(
    at start: UnsafeMutableRawPointer, largest: UInt8, extras: [UInt32]
  ) -> BitWriter {
    var writer = BitWriter(start + Self.containerSize)
    if extras.isEmpty {
      let step = max(Int(largest) + Self.step - Self.firstCount, 0) / Self.step
      writer.put(heads[min(step, heads.count - 1)])
      return writer
    }
    let colors = Self.colors(palette + extras, count: palette.count + extras.count)
    Self.putHeader(
      width, height, colors.count,
      isOpaque: isOpaque && extras.allSatisfy { $0 >> 24 == 255 }, into: &writer)
    writer.put(flatCodes)
    var last: UInt32 = 0
    for color in colors {
      for channel in Self.channels(of: Self.difference(color, last)) {
        writer.put(flat[Int(channel)])
      }
      last = color
    }
    writer.put(codes)
    return writer
  }

  /// Completes the container around the bits that end at `end`, and returns the file's length.
  @inline(__always)
  static func finish(
    from start: UnsafeMutableRawPointer, to end: UnsafeMutableRawPointer
  ) -> Int {
    let length = end - start - containerSize
    let padding = length & 1
    if padding == 1 { end.storeBytes(of: 0, as: UInt8.self) }
    // RIFF, WEBP and VP8L, with their sizes between.
    start.storeBytes(of: UInt32(0x4646_4952).littleEndian, as: UInt32.self)
    (start + 4).storeBytes(
      of: UInt32(truncatingIfNeeded: length &+ padding &+ 12).littleEndian, as: UInt32.self)
    (start + 8).storeBytes(of: UInt64(0x4C38_5056_5042_4557).littleEndian, as: UInt64.self)
    (start + 16).storeBytes(of: UInt32(truncatingIfNeeded: length).littleEndian, as: UInt32.self)
    return containerSize &+ length &+ padding
  }

  // MARK: Parts

  static func putSize(_ width: Int, _ height: Int, isOpaque: Bool, into writer: inout BitWriter) {
    writer.put(0x2F, count: 8)
    writer.put(UInt64(width - 1), count: 14)
    writer.put(UInt64(height - 1), count: 14)
    writer.put(isOpaque ? 0 : 1, count: 1)
    writer.put(0, count: 3)  // version
  }

  private static func putHeader(
    _ width: Int, _ height: Int, _ count: Int, isOpaque: Bool, into writer: inout BitWriter
  ) {
    putSize(width, height, isOpaque: isOpaque, into: &writer)
    writer.put(0b111, count: 3)  // a transform: colour indexing
    writer.put(UInt64(count - 1), count: 8)
  }

  /// Writes colours with the codes that suit them best.
  private static func putFitted(_ colors: [UInt32], into writer: inout BitWriter) {
    var channels = [[UInt8]](repeating: [], count: 4)
    var last: UInt32 = 0
    for color in colors {
      for (index, channel) in Self.channels(of: difference(color, last)).enumerated() {
        channels[index].append(channel)
      }
      last = color
    }
    writer.put(0, count: 1)  // no colour cache
    let codes = channels.enumerated().map { index, values in
      var counts = [UInt64](repeating: 0, count: 256)
      for value in values { counts[Int(value)] += 1 }
      let code = DeflateCode(frequencies: index == 0 ? greens(counts) : counts, limit: 15)
      return WebPPrefixCode.write(code, into: &writer)
    }
    WebPPrefixCode.writeSingle(0, into: &writer)
    for color in colors.indices {
      for (channel, code) in zip(channels, codes) { writer.put(code[Int(channel[color])]) }
    }
  }

  /// Adds the symbols of lengths, which are not used, to the counts of literals.
  private static func greens(_ counts: [UInt64]) -> [UInt64] {
    counts + [UInt64](repeating: 0, count: WebPSymbol.lengthCount)
  }

  /// Returns the first colours; after a short palette, its last one again.
  private static func colors(_ palette: [UInt32], count: Int) -> [UInt32] {
    let colors = Array(palette.prefix(count))
    return colors
      + [UInt32](repeating: colors.last ?? 0, count: max(0, leastColors - colors.count))
  }

  /// Returns the difference of each channel modulo 256.
  private static func difference(_ one: UInt32, _ other: UInt32) -> UInt32 {
    var difference: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      difference |= (((one >> shift & 0xFF) &- (other >> shift & 0xFF)) & 0xFF) << shift
    }
    return difference
  }

  /// The channels in the order of the codes: green, red, blue, alpha.
  private static func channels(of color: UInt32) -> [UInt8] {
    [8, 0, 16, 24].map { UInt8(truncatingIfNeeded: color >> $0) }
  }
}
