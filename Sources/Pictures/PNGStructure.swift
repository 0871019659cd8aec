import Files

/// The structure of a PNG, read from its chunks without decoding its pixels.
package struct PNGStructure: Hashable, Sendable {
  /// Width in pixels.
  package let width: Int

  /// Height in pixels.
  package let height: Int

  /// Whether every colour of its palette is transparent: the shared tile of empty places.
  package let isBlank: Bool

  /// Parses the chunks from the signature to the end.
  ///
  /// - Throws: The end of a sentence that begins "the image …", if the bytes are not a whole PNG.
  /// - Complexity: O(number of chunks).
  package init(_ bytes: UnsafeRawBufferPointer) throws(PictureFault) {
    guard FileSignature(bytes) == .png else {
      throw PictureFault(message: "does not begin with the PNG signature")
    }
    func word(_ offset: Int) -> Int {
      Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    var size: (width: Int, height: Int)?
    var paletteCount = 0
    var transparentCount = 0
    var isPalette = false
    var hasPixels = false
    var offset = 8
    while true {
      guard offset + 12 <= bytes.count, word(offset) <= bytes.count - offset - 12 else {
        throw PictureFault(message: "is cut off in the chunk at byte \(offset)")
      }
      let length = word(offset)
      let data = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)..<(offset + 8 + length)])
      let kind = Kind(rawValue: UInt32(word(offset + 4)))
      guard size != nil || kind == .header else {
        throw PictureFault(message: "does not begin with an IHDR chunk")
      }
      switch kind {
      case .header:
        guard length == 13, size == nil else {
          throw PictureFault(message: "has a broken IHDR chunk")
        }
        size = (word(offset + 8), word(offset + 12))
        isPalette = data[9] == 3
      case .palette:
        paletteCount = length / 3
      case .transparency:
        transparentCount = data.prefix { $0 == 0 }.count
      case .pixels:
        hasPixels = true
      case .end, nil:
        break
      }
      offset += 12 + length
      if kind == .end { break }
    }
    guard offset == bytes.count else {
      throw PictureFault(message: "has \(bytes.count - offset) bytes after its IEND chunk")
    }
    guard let size, hasPixels else { throw PictureFault(message: "has no IDAT chunk") }
    width = size.width
    height = size.height
    isBlank = isPalette && paletteCount > 0 && transparentCount >= paletteCount
  }

  /// The chunks that matter here, by their four letters.
  private enum Kind: UInt32 {
    case header = 0x4948_4452
    case palette = 0x504C_5445
    case transparency = 0x7452_4E53
    case pixels = 0x4944_4154
    case end = 0x4945_4E44
  }
}
