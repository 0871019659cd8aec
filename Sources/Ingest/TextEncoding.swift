import TextAnalysis

/// The character encoding of a text file.
package enum TextEncoding: Hashable, Sendable {
  case utf8
  /// UTF-16 whose byte order is given by the byte order mark; without one, by which half of the
  /// first code unit is zero (the first character of a CSV file is nearly always ASCII), otherwise
  /// little endian.
  case utf16
  case utf16LittleEndian
  case utf16BigEndian
  /// ISO 8859-1: every byte is the code point of its value.
  case latin1
  /// Latin-1 with curly quotes, dashes and € in 0x80 … 0x9F; the five bytes that the code page
  /// leaves free are the C1 controls, as in the WHATWG Encoding Standard.
  case windows1252
  /// Any other that ICU decodes, by a name that it knows.
  case named(String)

  /// The names of the usual ones, for messages.
  package static let names = [
    "utf-8", "utf-16", "latin1", "windows-1252", "windows-1250", "windows-1251", "koi8-r",
    "shift_jis",
    "euc-kr", "gb18030", "big5",
  ]

  /// Names that people use for encodings that hold all characters of the named one and more.
  private static let wider = [
    "euc-kr": "windows-949", "cp949": "windows-949", "uhc": "windows-949", "gbk": "gb18030",
    "gb2312": "gb18030", "cp936": "gb18030",
  ]

  /// Creates the encoding with a name, in any case; `nil` for one that ICU does not know.
  package init?(name: String) {
    switch name.lowercased() {
    case "utf-8", "utf8": self = .utf8
    case "utf-16": self = .utf16
    case "utf-16le": self = .utf16LittleEndian
    case "utf-16be": self = .utf16BigEndian
    case "latin1", "iso-8859-1": self = .latin1
    case "windows-1252", "cp1252": self = .windows1252
    case let name:
      guard TextDecoder(Self.wider[name] ?? name) != nil else { return nil }
      self = .named(name)
    }
  }

  /// The name that a pipeline file uses.
  package var name: String {
    switch self {
    case .utf8: "utf-8"
    case .utf16: "utf-16"
    case .utf16LittleEndian: "utf-16le"
    case .utf16BigEndian: "utf-16be"
    case .latin1: "latin1"
    case .windows1252: "windows-1252"
    case .named(let name): name
    }
  }

  /// Whether the encoding is one of Unicode, which its bytes prove.
  package var isUnicode: Bool {
    switch self {
    case .utf8, .utf16, .utf16LittleEndian, .utf16BigEndian: true
    case .latin1, .windows1252, .named: false
    }
  }

  /// Creates a decoder of an encoding that is not built in.
  func makeDecoder() -> TextDecoder? {
    guard case .named(let name) = self else { return nil }
    return TextDecoder(Self.wider[name] ?? name)
  }

  /// Returns the encoding of a file by its first bytes, and the length of the mark to skip.
  ///
  /// A mark decides only between the Unicode encodings: in a Latin-1 file the same bytes are text.
  package func detected(by head: UnsafeRawBufferPointer) -> (encoding: TextEncoding, mark: Int) {
    guard isUnicode else { return (self, 0) }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if head.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if head.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    guard self == .utf16 else { return (self, 0) }
    let isBig = head.count >= 2 && head[0] == 0 && head[1] != 0
    return (isBig ? .utf16BigEndian : .utf16LittleEndian, 0)
  }
}
