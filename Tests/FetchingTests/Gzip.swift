/// Writes gzip (RFC 1952) without a library: stored blocks, and runs of one byte that unpack to 158
/// times their size.
enum Gzip {
  /// The bytes in stored blocks.
  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    header + bare(bytes) + little(checksum(bytes), 4)
      + little(UInt32(truncatingIfNeeded: bytes.count), 4)
  }

  /// The same in the form of zlib (RFC 1950).
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1 as UInt32, 0 as UInt32)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65521
      high = (high + low) % 65521
    }
    return [0x78, 0x01] + bare(bytes) + little(high << 16 | low, 4).reversed()
  }

  /// The stored blocks alone (RFC 1951).
  static func bare(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start = 0
    repeat {
      let end = min(start + 65535, bytes.count)
      let count = UInt16(end - start)
      result.append(end == bytes.count ? 1 : 0)
      result += little(UInt32(count), 2) + little(UInt32(~count), 2) + bytes[start..<end]
      start = end
    } while start < bytes.count
    return result
  }

  /// One byte `258 × runs + 1` times. The checksum is wrong: whoever reads that far read too much.
  static func bomb(_ byte: UInt8, runs: Int) -> [UInt8] {
    var writer = BitWriter(bytes: header)
    writer.write(0b011, 3)  // The last block, with the fixed code of RFC 1951, section 3.2.6.
    writer.writeReversed(0x30 + UInt32(byte), 8)
    for _ in 0..<runs {
      writer.writeReversed(0b1100_0101, 8)  // Length 258,
      writer.writeReversed(0, 5)  // at distance 1.
    }
    writer.write(0, 7)
    writer.write(0, 7)
    return writer.bytes + [UInt8](repeating: 0, count: 8)
  }

  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private static func little(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
  }

  /// CRC-32 (RFC 1952, section 8), bit by bit.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }

  /// Bits, the lowest first.
  private struct BitWriter {
    var bytes: [UInt8]
    private var bits: UInt64 = 0
    private var count: UInt64 = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    mutating func write(_ value: UInt32, _ width: Int) {
      bits |= UInt64(value) << count
      count += UInt64(width)
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        count -= 8
      }
    }

    /// A Huffman code, whose highest bit comes first.
    mutating func writeReversed(_ code: UInt32, _ width: Int) {
      for bit in stride(from: width - 1, through: 0, by: -1) { write(code >> UInt32(bit) & 1, 1) }
    }
  }
}
