import Files
import PNG
package import Raster
package import Runs
import TileCodecs

/// The format of a picture file, by the ending of its name.
package enum FigureFormat: String, CaseIterable, Sendable {
  case png
  case jpeg
  case webp
  case pdf

  /// The quality of JPEG, 0 … 100.
  private static let quality = 90

  /// - Parameter name: the file's name; PNG where it has no ending that names a format.
  /// - Throws: ``PipelineError`` with code `usage` for the ending of another file format.
  package init(ofFile name: String) throws(PipelineError) {
    guard let ending = FileEnding(name), ending.isOfFile else {
      self = .png
      return
    }
    guard let format = Self(rawValue: ending.text == "jpg" ? "jpeg" : ending.text) else {
      throw PipelineError(
        .usage,
        "'\(name)' ends in .\(ending.text), and pictures are written as PNG, JPEG, WebP or PDF. Name "
          + "it \(name.dropLast(ending.text.count))png, and convert it afterwards.")
    }
    self = format
  }

  /// Returns the bytes of a file that shows a picture; JPEG and PDF show it on white.
  ///
  /// - Parameters:
  ///   - dotsPerInch: the density that the file tells; `nil` for none, and for 96 in a PDF.
  ///   - title: the title of a PDF document.
  package func bytes(
    of picture: Pixmap, dotsPerInch: Double?, title: String?
  ) throws(PipelineError) -> [UInt8] {
    switch self {
    case .png:
      var options = PNGEncoder.Options()
      options.pixelsPerMetre = dotsPerInch.map { Int(($0 / 0.0254).rounded()) }
      return PNGEncoder(options: options).encode(picture)
    case .jpeg:
      let encoder = JPEGEncoder(quality: Self.quality, background: PremultipliedColor(.white))
      let bytes = try PipelineError.wrapping { try encoder.encode(picture) }
      return dotsPerInch.map { Self.density($0, in: bytes) } ?? bytes
    case .webp:
      return try PipelineError.wrapping {
        try WebPEncoder(quality: nil).encode(picture, showing: .drawing)
      }
    case .pdf:
      return PDFPage(dotsPerInch: dotsPerInch ?? 96, title: title).bytes(showing: picture)
    }
  }

  /// Writes a density into the header of JFIF (ITU-T T.871, 10.1): unit 1, dots per inch.
  private static func density(_ dotsPerInch: Double, in bytes: [UInt8]) -> [UInt8] {
    let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16, 0x4A, 0x46, 0x49, 0x46, 0]
    guard bytes.count > 20, bytes.starts(with: head) else { return bytes }
    let dots = UInt16(clamping: Int(dotsPerInch.rounded()))
    var bytes = bytes
    bytes[13] = 1
    for place in [14, 16] {
      bytes[place] = UInt8(dots >> 8)
      bytes[place + 1] = UInt8(dots & 255)
    }
    return bytes
  }
}
