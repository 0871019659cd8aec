import Files

/// The structure of a JPEG, read from its segments.
///
/// Source: ITU-T T.81, annex B.
struct JPEGStructure {
  let picture: PictureStructure

  /// Parses the segments and scans from the first marker to the last.
  ///
  /// - Complexity: O(bytes).
  init(_ bytes: UnsafeRawBufferPointer) throws(PictureFault) {
    guard FileSignature(bytes) == .jpeg else {
      throw PictureFault(message: "does not begin with the JPEG signature")
    }
    var size: (width: Int, height: Int)?
    var hasScan = false
    var offset = 2
    while true {
      // Any number of fill bytes stands before a marker.
      while offset + 1 < bytes.count, bytes[offset] == 0xFF, bytes[offset + 1] == 0xFF {
        offset += 1
      }
      guard offset + 2 <= bytes.count, bytes[offset] == 0xFF else {
        throw PictureFault(message: "is cut off or has no marker at byte \(offset)")
      }
      let marker = bytes[offset + 1]
      if marker == Marker.end { break }
      guard offset + 4 <= bytes.count else {
        throw PictureFault(message: "is cut off in the segment at byte \(offset)")
      }
      let length = Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])
      guard length >= 2, length <= bytes.count - offset - 2 else {
        throw PictureFault(message: "is cut off in the segment at byte \(offset)")
      }
      if Marker.isFrame(marker) {
        guard length >= 8, size == nil else { throw PictureFault(message: "has a broken frame") }
        size = (
          Int(bytes[offset + 7]) << 8 | Int(bytes[offset + 8]),
          Int(bytes[offset + 5]) << 8 | Int(bytes[offset + 6])
        )
      }
      offset += 2 + length
      if marker == Marker.scan {
        hasScan = true
        offset = Self.endOfScan(bytes, from: offset)
      }
    }
    guard offset + 2 == bytes.count else {
      throw PictureFault(message: "has \(bytes.count - offset - 2) bytes after its EOI marker")
    }
    guard let size, hasScan else { throw PictureFault(message: "has no scan") }
    picture = PictureStructure(.jpeg, width: size.width, height: size.height, isBlank: false)
  }

  private enum Marker {
    static let end: UInt8 = 0xD9
    static let scan: UInt8 = 0xDA

    static func isFrame(_ marker: UInt8) -> Bool {
      (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }
  }

  /// Returns the offset of the next marker that belongs to no scan: neither a stuffed byte nor a
  /// restart.
  private static func endOfScan(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var offset = start
    while offset + 1 < bytes.count {
      if bytes[offset] == 0xFF, bytes[offset + 1] != 0,
        !(0xD0...0xD7).contains(bytes[offset + 1]), bytes[offset + 1] != 0xFF
      {
        return offset
      }
      offset += 1
    }
    return bytes.count
  }
}
