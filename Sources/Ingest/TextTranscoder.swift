import TextAnalysis

/// A converter from one encoding to UTF-8, a run at a time.
///
/// Input that is malformed in its encoding (half a surrogate pair, half a code unit) becomes
/// malformed UTF-8, so that validating the result finds it at its place.
package struct TextTranscoder {
  /// Maximum number of UTF-8 bytes per byte of input: a byte of some encodings of ICU is a letter and
  /// its mark.
  package var growth: Int { decoder == nil ? 3 : 12 }

  /// Room for what an earlier run left behind.
  package static let slack = 64

  package let encoding: TextEncoding
  private let decoder: TextDecoder?

  package init(encoding: TextEncoding) {
    self.encoding = encoding
    decoder = encoding.makeDecoder()
  }

  /// Writes the UTF-8 of `input` to `output`, which has room for ``growth`` times as many bytes and
  /// ``slack`` more.
  ///
  /// - Parameter isLast: whether nothing follows, so that an incomplete end is an error.
  /// - Returns: the number of bytes consumed and written. Up to three bytes stay unconsumed until
  ///   more come.
  /// - Complexity: O(n).
  package func transcode(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, isLast: Bool
  ) -> (used: Int, written: Int) {
    var writer = UTF8Writer(output: output)
    switch encoding {
    case .utf8:
      output.copyMemory(from: input)
      return (input.count, input.count)
    case .latin1:
      for byte in input { writer.write(UInt32(byte)) }
      return (input.count, writer.count)
    case .windows1252:
      for byte in input { writer.write(UInt32(Self.windows1252(byte))) }
      return (input.count, writer.count)
    case .utf16, .utf16LittleEndian:
      let used = transcodeUTF16(input, high: 1, low: 0, isLast: isLast, to: &writer)
      return (used, writer.count)
    case .utf16BigEndian:
      let used = transcodeUTF16(input, high: 0, low: 1, isLast: isLast, to: &writer)
      return (used, writer.count)
    case .named:
      decoder?.decode(input, isLast: isLast) { units in
        // No encoding grows more.
        guard units.count * 3 <= output.count - writer.count else { return }
        let isLittle = UInt16(1).littleEndian == 1
        _ = transcodeUTF16(
          UnsafeRawBufferPointer(units), high: isLittle ? 1 : 0, low: isLittle ? 0 : 1,
          isLast: true, to: &writer)
      }
      return (input.count, writer.count)
    }
  }

  /// Returns a text as UTF-8.
  package func text(_ input: UnsafeRawBufferPointer, isLast: Bool) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: input.count * growth + Self.slack) { output, count in
      count = transcode(input, into: UnsafeMutableRawBufferPointer(output), isLast: isLast).written
    }
  }

  private func transcodeUTF16(
    _ input: UnsafeRawBufferPointer, high: Int, low: Int, isLast: Bool, to writer: inout UTF8Writer
  ) -> Int {
    func unit(_ index: Int) -> UInt32 {
      UInt32(input[index + high]) << 8 | UInt32(input[index + low])
    }
    var index = 0
    while index + 2 <= input.count {
      let first = unit(index)
      if first & 0xFC00 == 0xD800 {
        if index + 4 > input.count, !isLast { return index }
        if index + 4 <= input.count, case let second = unit(index + 2), second & 0xFC00 == 0xDC00 {
          writer.write(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
          index += 4
          continue
        }
      }
      // A lone surrogate passes through as three bytes, which UTF-8 forbids.
      writer.write(first)
      index += 2
    }
    if isLast, index < input.count {
      writer.writeByte(0xFF)
      index = input.count
    }
    return index
  }

  private static func windows1252(_ byte: UInt8) -> UInt16 {
    byte & 0xE0 == 0x80 ? windows1252Upper[Int(byte & 0x1F)] : UInt16(byte)
  }

  /// Code points of 0x80 … 0x9F (WHATWG Encoding Standard, index windows-1252).
  private static let windows1252Upper: [UInt16] = [
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
  ]
}

/// A writer of code points to a buffer that is known to be large enough.
private struct UTF8Writer {
  let output: UnsafeMutableRawBufferPointer
  var count = 0

  init(output: UnsafeMutableRawBufferPointer) { self.output = output }

  mutating func writeByte(_ byte: UInt8) {
    output[count] = byte
    count += 1
  }

  /// Writes a code point below 0x110000 in its shortest form.
  mutating func write(_ point: UInt32) {
    func low(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: point >> shift & 0x3F | 0x80) }
    switch point {
    case ..<0x80:
      writeByte(UInt8(truncatingIfNeeded: point))
    case ..<0x800:
      writeByte(UInt8(truncatingIfNeeded: 0xC0 | point >> 6))
      writeByte(low(0))
    case ..<0x10000:
      writeByte(UInt8(truncatingIfNeeded: 0xE0 | point >> 12))
      writeByte(low(6))
      writeByte(low(0))
    default:
      writeByte(UInt8(truncatingIfNeeded: 0xF0 | point >> 18))
      writeByte(low(12))
      writeByte(low(6))
      writeByte(low(0))
    }
  }
}
