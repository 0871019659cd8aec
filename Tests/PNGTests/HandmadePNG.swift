/// Builds PNG files byte by byte, with checksums and deflate blocks of its own, stored, not packed.
enum HandmadePNG {
  static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let checked = Array(type.utf8) + data
    return bigEndian(UInt32(data.count)) + checked + bigEndian(crc32(checked))
  }

  static func header(
    width: UInt32, height: UInt32, depth: UInt8, type: UInt8, interlace: UInt8 = 0
  ) -> [UInt8] {
    chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, type, 0, 0, interlace])
  }

  /// A zlib stream of one stored block, up to 65535 bytes.
  static func stored(_ raw: [UInt8]) -> [UInt8] {
    let count = UInt16(raw.count)
    func littleEndian(_ value: UInt16) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
    return [0x78, 1, 1] + littleEndian(count) + littleEndian(~count) + raw + bigEndian(adler32(raw))
  }

  /// A whole file; `rows` hold a filter byte each.
  static func file(
    width: UInt32, height: UInt32, depth: UInt8, type: UInt8, before: [UInt8] = [], rows: [UInt8]
  ) -> [UInt8] {
    signature + header(width: width, height: height, depth: depth, type: type) + before
      + chunk("IDAT", stored(rows)) + chunk("IEND", [])
  }
}
