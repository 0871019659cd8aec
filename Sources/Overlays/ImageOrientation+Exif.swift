extension ImageOrientation {
  /// Reads the orientation in the Exif data of a PNG, JPEG or WebP; upright if there are none, or
  /// if they are damaged.
  ///
  /// - Complexity: O(parts of the file); no pixel is decoded.
  package init(of bytes: UnsafeRawBufferPointer) {
    let exif: UnsafeRawBufferPointer? =
      switch ImageFormat(bytes) {
      case .png: Self.chunk("eXIf", inPNG: bytes)
      case .jpeg: Self.segment(inJPEG: bytes)
      case .webp: Self.chunk("EXIF", inWebP: bytes)
      case nil: nil
      }
    self = exif.flatMap { Self.orientation(inTIFF: $0) } ?? .upright
  }

  /// The bytes before the TIFF header of Exif data in a JPEG; some programs write them in other
  /// formats, too.
  private static let mark = Array("Exif\0\0".utf8)

  private static func chunk(
    _ name: String, inPNG bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var place = 8
    while let length = bytes.number(at: place, as: UInt32.self, isBigEndian: true),
      let content = bytes.part(from: place + 8, count: Int(length))
    {
      if bytes[(place + 4)..<(place + 8)].elementsEqual(name.utf8) { return content }
      // The checksum follows the content.
      place += 12 + Int(length)
    }
    return nil
  }

  private static func chunk(
    _ name: String, inWebP bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var place = 12
    while let length = bytes.number(at: place + 4, as: UInt32.self, isBigEndian: false),
      let content = bytes.part(from: place + 8, count: Int(length))
    {
      if bytes[place..<(place + 4)].elementsEqual(name.utf8) { return content }
      // Chunks begin at even places.
      place += 8 + Int(length) + Int(length) % 2
    }
    return nil
  }

  /// Returns the first segment of Exif data, before the pixels.
  private static func segment(
    inJPEG bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    var place = 2
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      switch marker {
      case 0xFF: place += 1  // A filling byte.
      case 0x01, 0xD0...0xD8: place += 2  // Markers without content.
      case 0xD9, 0xDA: return nil  // The end, or the pixels.
      default:
        guard let length = bytes.number(at: place + 2, as: UInt16.self, isBigEndian: true),
          length >= 2, let content = bytes.part(from: place + 4, count: Int(length) - 2)
        else { return nil }
        if marker == 0xE1, content.starts(with: mark) { return content }
        place += 2 + Int(length)
      }
    }
    return nil
  }

  /// Returns the tag 0x0112 of the first directory (TIFF 6.0, section 2).
  private static func orientation(inTIFF bytes: UnsafeRawBufferPointer) -> ImageOrientation? {
    var tiff = bytes
    if bytes.starts(with: mark) {
      tiff = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(mark.count))
    }
    let isBigEndian = tiff.starts(with: "MM\0*".utf8)
    guard isBigEndian || tiff.starts(with: "II*\0".utf8) else { return nil }
    func short(_ place: Int) -> Int? {
      tiff.number(at: place, as: UInt16.self, isBigEndian: isBigEndian).map { Int($0) }
    }
    guard
      let first = tiff.number(at: 4, as: UInt32.self, isBigEndian: isBigEndian).map({ Int($0) }),
      let count = short(first)
    else { return nil }
    for index in 0..<count {
      let entry = first + 2 + index * 12
      guard let tag = short(entry) else { return nil }
      // Type 3 is a number of 16 bits.
      guard tag == 0x0112, short(entry + 2) == 3, let value = short(entry + 8) else { continue }
      return ImageOrientation(rawValue: value)
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Returns a part of the bytes; `nil` if they end before its end.
  fileprivate func part(from start: Int, count length: Int) -> UnsafeRawBufferPointer? {
    guard start >= 0, start <= count, length <= count - start else { return nil }
    return UnsafeRawBufferPointer(rebasing: self[start..<(start + length)])
  }

  /// Returns the number at a place; `nil` beyond the end.
  fileprivate func number<Number: FixedWidthInteger>(
    at place: Int, as type: Number.Type, isBigEndian: Bool
  ) -> Number? {
    guard let part = part(from: place, count: MemoryLayout<Number>.size) else { return nil }
    let number = part.loadUnaligned(as: Number.self)
    return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
  }
}
