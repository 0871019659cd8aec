import Unpacking

/// A check of the first and last bytes of a response.
///
/// A server may send a login page with status 200, and a proxy may truncate a body and its length
/// alike.
struct ContentCheck {
  /// The number of first bytes that are checked.
  static let openingLength = 4096

  /// The number of last bytes that are checked.
  static let endLength = 1024

  let kind: ContentKind
  let secrets: SecretValues

  /// Returns the fault that the first bytes reveal, as a sentence, or `nil`.
  ///
  /// - Parameter opening: at most ``openingLength`` bytes.
  func faultOfOpening(_ opening: [UInt8]) -> String? {
    if opening.isEmpty { return "the answer is empty" + remedy }
    let text = Self.withoutMark(opening)
    let found = Self.form(of: text)
    guard !isExpected(found) else { return nil }
    guard found == .markup else {
      return "the answer is \(found.rawValue), not \(kind.words)" + remedy
    }
    let words = firstWords(opening)
    return "the answer is a web page, not \(kind.words)"
      + (words.isEmpty ? "" : ": “\(words)”") + remedy
  }

  /// Returns the fault that the last bytes reveal: a truncated body.
  ///
  /// - Parameters:
  ///   - end: the last bytes, at most ``endLength``.
  ///   - opening: the first bytes.
  ///   - count: the size of the whole in bytes.
  func faultOfEnd(_ end: [UInt8], opening: [UInt8], count: Int64) -> String? {
    let last = end.last { !Self.isSpace($0) && $0 != 0x1E }
    let isWhole: Bool
    switch Self.form(of: Self.withoutMark(opening)) {
    case .object where kind == .geojson || kind == .json || kind == .geojsonseq:
      isWhole = last == UInt8(ascii: "}")
    case .array where kind == .json: isWhole = last == UInt8(ascii: "]")
    case .png: isWhole = Self.position(of: Array("IEND".utf8), in: end) != nil
    case .sqlite: isWhole = Self.isWholeDatabase(opening, count: count)
    default: isWhole = true
    }
    return isWhole ? nil : "the answer ends in the middle of \(kind.words)" + remedy
  }

  private var remedy: String { ". Check the address, and the key if it has one." }

  /// The form of a body, recognized by its first bytes.
  private enum Form: String {
    case markup = "markup"
    case object = "a JSON object"
    case array = "a JSON array"
    case png = "a PNG image"
    case jpeg = "a JPEG image"
    case webp = "a WebP image"
    case raster = "a GeoTIFF or another raster"
    case sqlite = "an SQLite database"
    case packed = "a packed file"
    case binary = "binary data"
    case sequence = "a JSON text sequence"
    case text = "plain text"
  }

  private func isExpected(_ form: Form) -> Bool {
    // What is in it is checked where it is unpacked.
    if form == .packed { return kind.mayBePacked }
    return switch kind {
    case .csv: form == .text
    case .geojson: form == .object
    case .geojsonseq: form == .object || form == .sequence
    case .json: form == .object || form == .array
    case .gpkg: form == .sqlite
    case .png: form == .png
    case .jpeg: form == .jpeg
    case .image: [.png, .jpeg, .webp, .raster].contains(form)
    case .any: form != .markup
    }
  }

  /// The beginnings of TIFF, BigTIFF, NetCDF, HDF5, GRIB, JPEG 2000 and Arc/Info grids in text.
  private static let rasterMagics: [[UInt8]] = [
    [0x49, 0x49, 0x2A, 0], [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2B],
    Array("CDF\u{1}".utf8), Array("CDF\u{2}".utf8), Array("CDF\u{5}".utf8),
    [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], Array("GRIB".utf8),
    [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], Array("ncols ".utf8),
  ]

  private static func form(of bytes: ArraySlice<UInt8>) -> Form {
    let magics: [([UInt8], Form)] = [
      ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
      (Array("SQLite format 3\0".utf8), .sqlite), ([0x1E], .sequence),
      // UTF-16 text, which only CSV may be.
      ([0xFF, 0xFE], .text), ([0xFE, 0xFF], .text),
    ]
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return .webp
    }
    if rasterMagics.contains(where: { bytes.starts(with: $0) }) { return .raster }
    if let (_, form) = magics.first(where: { bytes.starts(with: $0.0) }) { return form }
    if PackedFormat(bytes) != nil { return .packed }
    if bytes.contains(0) { return .binary }
    switch bytes.first(where: { !isSpace($0) }) {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "<"): return .markup
    default: return .text
    }
  }

  /// Whether a SQLite file has the length in its header: whole pages, and as many as counted if the
  /// count is valid (https://www.sqlite.org/fileformat2.html, section 1.3).
  private static func isWholeDatabase(_ header: [UInt8], count: Int64) -> Bool {
    guard header.count >= 100 else { return false }
    func number(_ offset: Int) -> Int64 {
      header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
    let stored = Int64(header[16]) << 8 | Int64(header[17])
    let pageSize = stored == 1 ? 65536 : stored
    guard pageSize >= 512, count % pageSize == 0 else { return false }
    let isCounted = number(24) == number(92) && number(28) > 0
    return !isCounted || number(28) * pageSize <= count
  }

  /// Returns the title of a page, otherwise its first words, without secrets and control
  /// characters.
  func firstWords(_ opening: [UInt8]) -> String {
    var text = String(decoding: opening, as: UTF8.self)
    let lower = text.lowercased()
    // Lower-casing may change lengths; then the whole text is used.
    if lower.utf8.count == text.utf8.count, let open = lower.firstRange(of: "<title"),
      let start = lower[open.upperBound...].firstIndex(of: ">"),
      let end = lower[start...].firstRange(of: "</title")
    {
      let bytes = Array(text.utf8)
      let from = lower.utf8.distance(from: lower.startIndex, to: start) + 1
      let to = lower.utf8.distance(from: lower.startIndex, to: end.lowerBound)
      text = String(decoding: bytes[from..<max(from, to)], as: UTF8.self)
    } else if opening.count >= Self.openingLength {
      // The window may have truncated a secret, whose rest would not be recognized.
      text = String(text.dropLast(secrets.longest))
    }
    return ServerWords.shown(Self.withoutTags(text), without: secrets, limit: 120)
  }

  private static func withoutTags(_ text: String) -> String {
    var result = ""
    var isTag = false
    for character in text {
      if character == "<" {
        isTag = true
        result.append(" ")
      } else if character == ">" {
        isTag = false
      } else if !isTag {
        result.append(character)
      }
    }
    return result
  }

  /// Returns the bytes after a UTF-8 byte order mark.
  private static func withoutMark(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func position(of needle: [UInt8], in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0...].starts(with: needle) }
  }
}
