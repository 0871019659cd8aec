import Files
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
    if kind == .part { return nil }
    if opening.isEmpty { return kind == .tile ? nil : "the answer is empty" + remedy }
    let text = Self.withoutMark(opening)
    let found = Self.form(of: text)
    guard !isExpected(found) else { return nil }
    guard found == .markup || found == .xml else {
      return "the answer is \(found.words), not \(kind.words)" + remedy
    }
    let words = firstWords(opening)
    return "the answer is \(found == .xml ? "XML" : "a web page"), not \(kind.words)"
      + (words.isEmpty ? "" : ": “\(words)”") + remedy
  }

  /// Returns the fault that the last bytes reveal: a truncated body.
  ///
  /// - Parameters:
  ///   - end: the last bytes, at most ``endLength``.
  ///   - opening: the first bytes.
  ///   - count: the size of the whole in bytes.
  func faultOfEnd(_ end: [UInt8], opening: [UInt8], count: Int64) -> String? {
    if kind == .part { return nil }
    let last = end.last { !Self.isSpace($0) && $0 != 0x1E }
    let isWhole: Bool
    switch Self.form(of: Self.withoutMark(opening)) {
    case .object where kind == .geojson || kind == .json || kind == .geojsonseq:
      isWhole = last == UInt8(ascii: "}")
    case .xml: isWhole = last == UInt8(ascii: ">")
    case .array where kind == .json: isWhole = last == UInt8(ascii: "]")
    case .file(.png): isWhole = Self.position(of: Array("IEND".utf8), in: end) != nil
    case .file(.sqlite): isWhole = Self.isWholeDatabase(opening, count: count)
    default: isWhole = true
    }
    return isWhole ? nil : "the answer ends in the middle of \(kind.words)" + remedy
  }

  private var remedy: String { ". Check the address, and the key if it has one." }

  /// The form of a body, recognized by its first bytes.
  private enum Form: Equatable {
    case file(FileSignature)
    case markup, xml, object, array, sequence, text, binary

    var words: String {
      switch self {
      case .file(let signature): signature.words
      case .markup: "markup"
      case .xml: "XML"
      case .object: "a JSON object"
      case .array: "a JSON array"
      case .sequence: "a JSON text sequence"
      case .text: "plain text"
      case .binary: "binary data"
      }
    }
  }

  private func isExpected(_ form: Form) -> Bool {
    if case .file(let signature) = form { return isExpected(signature) }
    return switch kind {
    case .csv: form == .text
    case .geojson: form == .object
    case .geojsonseq: form == .object || form == .sequence
    case .json: form == .object || form == .array
    case .gpkg, .png, .jpeg, .image: false
    case .tile: form != .markup && form != .xml
    case .part: true
    case .any: form != .markup
    }
  }

  /// Returns the form of markup: XML unless it is a page or the report of an error.
  private static func form(ofMarkup bytes: ArraySlice<UInt8>) -> Form {
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while true {
      rest = rest.drop { $0.isWhitespace }
      guard let end = rest.hasPrefix("<?") ? "?>" : rest.hasPrefix("<!--") ? "-->" : nil else {
        break
      }
      guard let closing = rest.firstRange(of: end) else { return .markup }
      rest = rest[closing.upperBound...]
    }
    let root = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
    let name = root.split(separator: ":").last ?? ""
    // A document type, as pages have one, does not begin with a letter.
    return name.first?.isLetter == true && !foreignRoots.contains(name) ? .xml : .markup
  }

  /// Root elements of pages and of reports of errors.
  private static let foreignRoots: Set<Substring> = [
    "html", "head", "body", "script", "div", "p", "h1", "title", "center", "exceptionreport",
    "serviceexceptionreport", "exception", "error", "errors", "fault", "envelope",
  ]

  private func isExpected(_ signature: FileSignature) -> Bool {
    // What is in a packed file is checked where it is unpacked.
    if PackedFormat(signature) != nil { return kind.mayBePacked }
    return switch kind {
    case .csv, .geojson, .geojsonseq, .json: false
    case .gpkg: signature == .sqlite
    case .png: signature == .png
    case .jpeg: signature == .jpeg
    case .image: [.png, .jpeg, .webp].contains(signature) || signature.isWarped
    case .tile, .part, .any: true
    }
  }

  private static func form(of bytes: ArraySlice<UInt8>) -> Form {
    if let signature = FileSignature(bytes) { return .file(signature) }
    if bytes.first == 0x1E { return .sequence }
    // UTF-16 text, which only CSV may be.
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return .text }
    if bytes.contains(0) { return .binary }
    switch bytes.first(where: { !isSpace($0) }) {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "<"): return form(ofMarkup: bytes)
    default: return .text
    }
  }

  /// Whether a SQLite file has the length in its header: whole pages, and as many as counted if the
  /// count is valid.
  private static func isWholeDatabase(_ opening: [UInt8], count: Int64) -> Bool {
    guard let header = SQLiteHeader(opening), header.pageSize >= 512,
      count % Int64(header.pageSize) == 0
    else { return false }
    return Int64(header.pageCount ?? 0) * Int64(header.pageSize) <= count
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
