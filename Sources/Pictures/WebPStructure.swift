/// The structure of a still WebP, read from its chunks.
///
/// Source: RFC 9649, 2 (container) and 3.4 (lossless header); RFC 6386, 9.1 (lossy header).
struct WebPStructure {
  let picture: PictureStructure

  /// Parses the chunks from the signature to the end.
  ///
  /// - Complexity: O(number of chunks).
  init(_ bytes: UnsafeRawBufferPointer) throws(PictureFault) {
    func word(_ offset: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    guard bytes.count >= 20, word(0) == Kind.riff, word(8) == Kind.webP else {
      throw PictureFault(message: "does not begin with the WebP signature")
    }
    guard word(4) == bytes.count - 8 else {
      throw PictureFault(message: "says that it has \(word(4) + 8) bytes and has \(bytes.count)")
    }
    var offset = 12
    var canvas: (width: Int, height: Int)?
    var found: PictureStructure?
    while offset < bytes.count {
      guard offset + 8 <= bytes.count, word(offset + 4) <= bytes.count - offset - 8 else {
        throw PictureFault(message: "is cut off in the chunk at byte \(offset)")
      }
      let data = UnsafeRawBufferPointer(
        rebasing: bytes[(offset + 8)..<(offset + 8 + word(offset + 4))])
      switch word(offset) {
      case Kind.extended: canvas = try Self.canvas(data)
      case Kind.lossless where found == nil: found = try Self.lossless(data)
      case Kind.lossy where found == nil: found = try Self.lossy(data)
      case Kind.lossless, Kind.lossy: throw PictureFault(message: "has two pictures")
      case Kind.frame: throw PictureFault(message: "is animated")
      default: break
      }
      offset += 8 + data.count + data.count & 1
    }
    guard offset == bytes.count else {
      throw PictureFault(message: "is cut off in its last chunk")
    }
    guard let found else { throw PictureFault(message: "has no picture") }
    if let canvas, canvas != (found.width, found.height) {
      throw PictureFault(message: "has a picture of another size than its canvas")
    }
    picture = found
  }

  /// The chunks that matter here, by their four letters.
  private enum Kind {
    static let riff = 0x4646_4952
    static let webP = 0x5042_4557
    static let lossless = 0x4C38_5056
    static let lossy = 0x2038_5056
    static let extended = 0x5838_5056
    static let frame = 0x464D_4E41
  }

  private static func canvas(
    _ data: UnsafeRawBufferPointer
  ) throws(PictureFault) -> (width: Int, height: Int) {
    guard data.count >= 10 else { throw PictureFault(message: "has a broken VP8X chunk") }
    func side(_ offset: Int) -> Int {
      1 + (Int(data[offset]) | Int(data[offset + 1]) << 8 | Int(data[offset + 2]) << 16)
    }
    return (side(4), side(7))
  }

  private static func lossy(
    _ data: UnsafeRawBufferPointer
  ) throws(PictureFault) -> PictureStructure {
    guard data.count > 10, data[0] & 1 == 0, data[3] == 0x9D, data[4] == 0x01, data[5] == 0x2A
    else { throw PictureFault(message: "has a broken VP8 chunk") }
    let width = (Int(data[6]) | Int(data[7]) << 8) & 0x3FFF
    let height = (Int(data[8]) | Int(data[9]) << 8) & 0x3FFF
    return PictureStructure(.webp, width: width, height: height, isBlank: false)
  }

  private static func lossless(
    _ data: UnsafeRawBufferPointer
  ) throws(PictureFault) -> PictureStructure {
    var bits = BitCursor(bytes: data)
    guard data.count > 5, bits.next(8) == 0x2F else {
      throw PictureFault(message: "has a broken VP8L chunk")
    }
    let width = bits.next(14) + 1
    let height = bits.next(14) + 1
    _ = bits.next(1)
    guard bits.next(3) == 0 else { throw PictureFault(message: "has an unknown version of VP8L") }
    return PictureStructure(
      .webp, width: width, height: height, isBlank: isBlank(&bits))
  }

  /// Whether the bits after the header say that every pixel is transparent, in the shortest way:
  /// without transforms, by codes that have one symbol each. The fourth code is for alpha.
  private static func isBlank(_ bits: inout BitCursor) -> Bool {
    guard bits.next(3) == 0 else { return false }
    for code in 0..<5 {
      // A simple code of one symbol, of 1 or 8 bits.
      guard bits.next(1) == 1, bits.next(1) == 0 else { return false }
      let symbol = bits.next(bits.next(1) == 0 ? 1 : 8)
      if code == 3, symbol != 0 { return false }
    }
    return bits.isInside
  }

  /// A reader of bits from the lowest of each byte on; after the end they are 0.
  private struct BitCursor {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    var isInside: Bool { position <= bytes.count * 8 }

    mutating func next(_ count: Int) -> Int {
      var value = 0
      for bit in 0..<count {
        let byte = position >> 3
        if byte < bytes.count { value |= Int(bytes[byte] >> UInt8(position & 7) & 1) << bit }
        position += 1
      }
      return value
    }
  }
}
