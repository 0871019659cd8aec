import Features
import Files
import Ingest
import JSON

/// The first bytes of a file, and what they reveal about its type, whatever its name.
struct SourceHead {
  /// The number of bytes that are examined.
  static let limit = 256 << 10

  /// The kind of a file by its beginning.
  enum Signature: Hashable {
    /// A binary format that no reader reads.
    case foreign(FileSignature)
    case html
    case xml
    /// `{` or `[`, possibly after a byte order mark or space.
    case object
    case array
    /// JavaScript that contains JSON.
    case script
    /// No text in any encoding.
    case binary
    case text
    case empty
  }

  let bytes: [UInt8]
  /// Whether these are all bytes of the file.
  let isWhole: Bool
  let guess: EncodingGuess

  /// Reads the beginning of a source.
  init(_ source: ByteSource) throws(SourceError) {
    while source.buffer.count < Self.limit {
      if try source.fill(keeping: source.buffer.count) == 0 { break }
    }
    bytes = Array(source.buffer.prefix(Self.limit))
    isWhole = source.buffer.count < Self.limit
    var guess = EncodingGuess()
    bytes.withUnsafeBytes { guess.add($0) }
    if isWhole { guess.finish() }
    self.guess = guess
  }

  var signature: Signature {
    if bytes.isEmpty { return .empty }
    if let format = FileSignature(bytes) { return .foreign(format) }
    let text = text(as: guess.encoding)
    if Self.isBinary(text) { return .binary }
    guard let start = text.firstIndex(where: { !JSONByte.isSpace($0) && $0 != 0x1E }) else {
      return .empty
    }
    let rest = text[start...].prefix(64)
    let word = String(decoding: rest, as: UTF8.self).lowercased()
    if word.hasPrefix("<!doctype html") || word.hasPrefix("<html") { return .html }
    if word.hasPrefix("<") { return .xml }
    if text[start] == JSONByte.openBrace { return .object }
    if text[start] == JSONByte.openBracket { return .array }
    let starts = ["//", "/*", "var ", "let ", "const ", "export ", "window.", "module."]
    return starts.contains { word.hasPrefix($0) } ? .script : .text
  }

  /// Whether a twentieth of the first bytes are control characters that no text has.
  private static func isBinary(_ text: [UInt8]) -> Bool {
    let start = text.prefix(4096)
    let controls = start.count { $0 < 0x20 && !(0x09...0x0D).contains($0) || $0 == 0x7F }
    return controls >= 4 && controls * 20 > start.count
  }

  /// Returns the bytes as UTF-8, without a byte order mark.
  func text(as encoding: TextEncoding) -> [UInt8] {
    bytes.withUnsafeBytes { bytes in
      let (encoding, mark) = encoding.detected(by: bytes)
      let input = UnsafeRawBufferPointer(rebasing: bytes[mark...])
      guard encoding != .utf8 else { return Array(input) }
      return TextTranscoder(encoding: encoding).text(input, isLast: false)
    }
  }

  /// The number of lines that begin with a brace, up to a limit: the file is a sequence of texts if
  /// there are several.
  ///
  /// - Complexity: O(bytes).
  var objectLines: Int {
    bytes.split(separator: 10, maxSplits: 64, omittingEmptySubsequences: true).prefix(64)
      .count { $0.first == JSONByte.openBrace }
  }

  /// Whether a text occurs in the bytes.
  func contains(_ text: String) -> Bool { bytes.contains(text.utf8) }
}
