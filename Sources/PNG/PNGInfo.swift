/// The description of a picture in the first 29 bytes of a PNG, read without decoding it.
package struct PNGInfo: Hashable, Sendable {
  /// The storage of pixels, with the code of the IHDR chunk.
  package enum ColorType: UInt8, Sendable {
    case gray = 0
    case rgb = 2
    case palette = 3
    case grayAlpha = 4
    case rgba = 6

    var samplesPerPixel: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }

    /// The bit depths that the PNG specification allows, table 11.1.
    var bitDepths: [Int] {
      switch self {
      case .gray: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb, .grayAlpha, .rgba: [8, 16]
      }
    }
  }

  /// Width in pixels, 1 … 2^31 − 1.
  package let width: Int

  /// Height in pixels, 1 … 2^31 − 1.
  package let height: Int

  /// The number of bits per sample, or per palette index.
  package let bitDepth: Int

  package let colorType: ColorType
  package let isInterlaced: Bool

  static let signature: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]

  /// Reads the signature and the IHDR chunk; its checksum is left to the decoder.
  ///
  /// - Throws: ``PNGError`` if the bytes are not a PNG, end too early or describe an impossible
  ///   picture.
  package init(_ bytes: Span<UInt8>) throws {
    guard bytes.count >= 8,
      Self.signature.indices.allSatisfy({ bytes[$0] == Self.signature[$0] })
    else {
      throw PNGError(.notPNG, "this is no PNG: the file does not begin with the PNG signature.")
    }
    guard bytes.count >= 29 else {
      throw PNGError(.truncated, "the PNG ends inside its header; copy the whole file again.")
    }
    func number(at offset: Int) -> Int {
      Int(bytes.bigEndianWord(at: offset))
    }
    guard number(at: 8) == 13, number(at: 12) == 0x4948_4452 else {
      throw PNGError(.badHeader, "the PNG does not begin with an IHDR chunk of 13 bytes.")
    }
    (width, height) = (number(at: 16), number(at: 20))
    guard width > 0, height > 0, width < 1 << 31, height < 1 << 31 else {
      throw PNGError(.badHeader, "the PNG's size of \(width) × \(height) pixels is not possible.")
    }
    bitDepth = Int(bytes[24])
    guard let type = ColorType(rawValue: bytes[25]), type.bitDepths.contains(bitDepth) else {
      throw PNGError(
        .badHeader, "the PNG has colour type \(bytes[25]) at \(bytes[24]) bits, which do not exist."
      )
    }
    colorType = type
    guard bytes[26] == 0, bytes[27] == 0, bytes[28] <= 1 else {
      throw PNGError(.badHeader, "the PNG uses a compression, filter or interlace unknown to PNG.")
    }
    isInterlaced = bytes[28] == 1
  }

  /// Reads the header at the start of `bytes`; see ``init(_:)-(Span)``.
  package init(_ bytes: [UInt8]) throws {
    try self.init(bytes.span)
  }

  /// The size of the picture before compression in bytes, including filter bytes; interlacing adds
  /// a few.
  ///
  /// `nil` beyond the range of `Int`, which no file can fill.
  var rawByteCount: Int? {
    let bits = width.multipliedReportingOverflow(by: bitDepth * colorType.samplesPerPixel)
    let row = bits.partialValue / 8 + 1
    let all = row.multipliedReportingOverflow(by: height)
    return bits.overflow || all.overflow ? nil : all.partialValue
  }
}

extension Span<UInt8> {
  /// The four bytes from an offset as a number, the highest byte first.
  func bigEndianWord(at offset: Int) -> UInt32 {
    UInt32(self[offset]) << 24 | UInt32(self[offset + 1]) << 16 | UInt32(self[offset + 2]) << 8
      | UInt32(self[offset + 3])
  }
}
