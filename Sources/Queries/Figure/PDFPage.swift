import PNG
import Raster

/// A PDF document of one page that a picture fills (ISO 32000-1).
///
/// The picture is stored as in a PNG: a stream of FlateDecode with PNG's predictors (7.4.4.4).
struct PDFPage {
  let dotsPerInch: Double
  let title: String?

  /// Returns the document; transparent parts of the picture are white.
  func bytes(showing picture: Pixmap) -> [UInt8] {
    let page = Pixmap(width: picture.width, height: picture.height)
    page.clear(to: PremultipliedColor(.white))
    page.blend(picture, x: 0, y: 0)
    let image = StoredPNG(PNGEncoder().encode(page))
    let (width, height) = (points(picture.width), points(picture.height))
    var document = PDFDocument()
    document.add("<< /Type /Catalog /Pages 2 0 R >>")
    document.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
    document.add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(width) \(height)] /Contents 4 0 R "
        + "/Resources << /XObject << /Map 5 0 R >> >> >>")
    document.add("", stream: Array("q \(width) 0 0 \(height) 0 0 cm /Map Do Q".utf8))
    document.add(
      "/Type /XObject /Subtype /Image /Width \(picture.width) /Height \(picture.height) "
        + "/ColorSpace \(image.colorSpace) /BitsPerComponent \(image.bitDepth) /Filter /FlateDecode "
        + "/DecodeParms << /Predictor 15 /Colors \(image.components) /BitsPerComponent "
        + "\(image.bitDepth) /Columns \(picture.width) >>",
      stream: image.data)
    document.add("<< /Producer (Quadrille)\(title.map { " /Title \(Self.text($0))" } ?? "") >>")
    return document.finished(root: 1, info: 6)
  }

  /// Returns a length in points (1/72 in), to a thousandth.
  private func points(_ pixels: Int) -> String {
    let thousandths = Int((Double(pixels) * 72_000 / dotsPerInch).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }

  /// Returns a text string (7.9.2.2): UTF-16 with its mark, in hexadecimal digits.
  private static func text(_ text: String) -> String {
    let units = [0xFEFF] + text.utf16.map { Int($0) }
    return "<\(units.map { String(String($0 + 0x10000, radix: 16).dropFirst()) }.joined())>"
  }
}

/// The parts of a PNG of an opaque picture that a PDF takes.
private struct StoredPNG {
  private(set) var data: [UInt8] = []
  private(set) var bitDepth = 8
  private(set) var components = 1
  private(set) var colorSpace = "/DeviceGray"

  /// - Parameter file: a PNG of our own encoder without transparency.
  init(_ file: [UInt8]) {
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let content = file[place + 8..<min(place + 8 + length, file.count)]
      switch String(decoding: file[place + 4..<place + 8], as: UTF8.self) {
      case "IHDR":
        bitDepth = Int(file[place + 16])
        // Colour type 2 is RGB (PNG specification, 11.2.2).
        if file[place + 17] == 2 { (components, colorSpace) = (3, "/DeviceRGB") }
      case "PLTE":
        let digits = content.map { String(String(Int($0) + 256, radix: 16).dropFirst()) }
        colorSpace = "[/Indexed /DeviceRGB \(content.count / 3 - 1) <\(digits.joined())>]"
      case "IDAT": data += content
      default: break
      }
      place += 12 + length
    }
  }
}

/// The objects of a PDF document, numbered from 1 in the order in which they are added.
private struct PDFDocument {
  private var bytes = Array("%PDF-1.4\n%\u{E2}\u{E3}\u{CF}\u{D3}\n".utf8)
  private var places: [Int] = []

  mutating func add(_ object: String) {
    places.append(bytes.count)
    append("\(places.count) 0 obj\n\(object)\nendobj\n")
  }

  /// - Parameter entries: the stream's entries without its length.
  mutating func add(_ entries: String, stream: [UInt8]) {
    places.append(bytes.count)
    append("\(places.count) 0 obj\n<< \(entries) /Length \(stream.count) >>\nstream\n")
    bytes += stream
    append("\nendstream\nendobj\n")
  }

  private mutating func append(_ text: String) { bytes += text.utf8 }

  /// Returns the document with its table of objects (7.5.4).
  consuming func finished(root: Int, info: Int) -> [UInt8] {
    let start = bytes.count
    append("xref\n0 \(places.count + 1)\n0000000000 65535 f \n")
    for place in places { append("\(String(place + 10_000_000_000).dropFirst()) 00000 n \n") }
    append(
      "trailer\n<< /Size \(places.count + 1) /Root \(root) 0 R /Info \(info) 0 R >>\n"
        + "startxref\n\(start)\n%%EOF\n")
    return bytes
  }
}
