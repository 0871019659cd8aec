/// Files of images with the orientation of a picture in their Exif data.
package enum ExifSample {
  /// The Exif data of an orientation: a TIFF header and a directory of two entries.
  package static func data(_ orientation: Int, isBigEndian: Bool = false) -> [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      let little = (0..<bytes).map { UInt8(value >> ($0 * 8) & 0xFF) }
      return isBigEndian ? little.reversed() : little
    }
    func entry(_ tag: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(3, 2) + number(1, 4) + number(value, 2) + [0, 0]
    }
    return Array((isBigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
      + entry(0x0103, 6) + entry(0x0112, orientation) + number(0, 4)
  }

  /// Returns a PNG with Exif data behind its header.
  package static func png(_ file: [UInt8], _ exif: [UInt8]) -> [UInt8] {
    let content = Array("eXIf".utf8) + exif
    let chunk = bigEndian(exif.count) + content + bigEndian(Int(checksum(content)))
    return Array(file[..<33]) + chunk + Array(file[33...])
  }

  /// Returns a JPEG with Exif data behind its first marker.
  package static func jpeg(_ file: [UInt8], _ exif: [UInt8]) -> [UInt8] {
    let content = Array("Exif\0\0".utf8) + exif
    let length = bigEndian(content.count + 2).suffix(2)
    return Array(file[..<2]) + [0xFF, 0xE1] + length + content + Array(file[2...])
  }

  /// Returns a WebP of the simple form in the extended one, with Exif data at its end.
  package static func webP(_ file: [UInt8], width: Int, height: Int, _ exif: [UInt8]) -> [UInt8] {
    func little(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(value >> ($0 * 8) & 0xFF) }
    }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }
    // Exif data and an alpha channel are there.
    let head = chunk("VP8X", [0x18, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
    let body = Array("WEBP".utf8) + head + Array(file[12...]) + chunk("EXIF", exif)
    return Array("RIFF".utf8) + little(body.count, 4) + body
  }

  private static func bigEndian(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) }
  }

  /// The checksum of PNG's chunks (PNG, annex D).
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }
}
