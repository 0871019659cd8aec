import Features

/// A tokenizer of CQL2 text.
///
/// Source of the grammar: OGC 21-065, annex "BNF for CQL2 Text".
struct CQL2Tokenizer {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var place = CQL2Place()

  /// Maximum length of a filter: 64 kB, far above what is typed by hand and enough for a generated
  /// list or polygon.
  static let byteLimit = 65_536
  static let tokenLimit = 30_000

  /// Returns all tokens of a text, ending with one of kind `end`.
  ///
  /// - Complexity: O(length).
  static func tokens(of text: String) throws(CQL2Error) -> [CQL2Token] {
    guard text.utf8.count <= byteLimit else {
      throw CQL2Error(
        "a filter may be \(byteLimit) bytes long at most, but this one has \(text.utf8.count).",
        at: CQL2Place())
    }
    var tokenizer = CQL2Tokenizer(scalars: Array(text.unicodeScalars))
    var tokens: [CQL2Token] = []
    while true {
      let token = try tokenizer.next()
      tokens.append(token)
      if token.kind == .end { return tokens }
      guard tokens.count < tokenLimit else {
        throw CQL2Error("a filter may have \(tokenLimit) words and signs at most.", at: token.place)
      }
    }
  }

  private init(scalars: [Unicode.Scalar]) {
    self.scalars = scalars
  }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func ahead(_ distance: Int) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func advance() {
    if scalars[index] == "\n" {
      place.line += 1
      place.column = 1
    } else {
      place.column += 1
    }
    index += 1
  }

  private mutating func next() throws(CQL2Error) -> CQL2Token {
    let end = place
    while let scalar = current, scalar.isCQL2Space { advance() }
    // The text ends where its last word does, so that errors do not point at trailing blank lines.
    guard let scalar = current else { return CQL2Token(kind: .end, place: end) }
    let start = place
    let kind: CQL2Token.Kind
    if scalar == "'" {
      kind = .text(
        try quoted("'"))
    } else if scalar == "\"" {
      let name = try quoted("\"")
      guard !name.isEmpty else { throw CQL2Error("a name cannot be empty.", at: start) }
      kind = .quotedName(name)
    } else if scalar.isCQL2Digit || (scalar == "." && ahead(1)?.isCQL2Digit == true) {
      kind = try number()
    } else if scalar.isCQL2NameStart {
      kind = .word(word())
    } else {
      kind = .sign(try sign())
    }
    return CQL2Token(kind: kind, place: start)
  }

  /// Reads the text between two quotes; two quotes in a row stand for one.
  private mutating func quoted(_ quote: Unicode.Scalar) throws(CQL2Error) -> String {
    let start = place
    let first = index
    var text = String.UnicodeScalarView()
    advance()
    while let scalar = current {
      if scalar == quote {
        if ahead(1) != quote {
          advance()
          return String(text)
        }
        advance()
      }
      text.append(scalar)
      advance()
    }
    throw CQL2Error(
      quote == "'" ? unclosedText(from: first) : "this name has no closing quote.", at: start)
  }

  /// Returns what is wrong with a text that begins at an index and has no end, with what was meant.
  private func unclosedText(from index: Int) -> String {
    let line = scalars[..<index].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    let sign = scalars[line..<index].lastIndex { "=<>(,".unicodeScalars.contains($0) }
    let rest = scalars[(sign.map { $0 + 1 } ?? index)...].prefix { $0 != "\n" }.prefix(200)
    var text = String(String.UnicodeScalarView(rest))
    if let end = text.firstRange(of: " AND ") ?? text.firstRange(of: " OR ") {
      text = String(text[..<end.lowerBound])
    }
    while let last = text.last, last == " " || last == "'" { text.removeLast() }
    text = String(text.drop { $0 == " " || $0 == "'" }.prefix(60))
    return text.contains("'")
      ? "a quote inside a text is doubled; write '\(text.replacing("'", with: "''"))'."
      : "this text has no closing quote; write '\(text)'."
  }

  private mutating func word() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = current, scalar.isCQL2NamePart {
      text.append(scalar)
      advance()
    }
    return String(text)
  }

  /// Reads `digits [. [digits]] [E [sign] digits]` or `. digits …`.
  private mutating func number() throws(CQL2Error) -> CQL2Token.Kind {
    let start = place
    var text = digits()
    if current == "." {
      advance()
      let fraction = digits()
      text += "." + (fraction.isEmpty ? "0" : fraction)
    }
    if current == "e" || current == "E" {
      advance()
      text += "e"
      if let sign = current, sign == "+" || sign == "-" {
        text.unicodeScalars.append(sign)
        advance()
      }
      let power = digits()
      guard !power.isEmpty else { throw CQL2Error("this number lacks its exponent.", at: start) }
      text += power
    }
    if let scalar = current, scalar.isCQL2NamePart {
      throw CQL2Error(
        "a name cannot begin with a digit; put it in double quotes if it does.", at: start)
    }
    guard let number = Double(text.hasPrefix(".") ? "0" + text : text), number.isFinite else {
      throw CQL2Error("this number is too large.", at: start)
    }
    return WholeNumber(text).map { .whole($0) } ?? .number(number)
  }

  private mutating func digits() -> String {
    var text = String.UnicodeScalarView()
    while let scalar = current, scalar.isCQL2Digit {
      text.append(scalar)
      advance()
    }
    return String(text)
  }

  private mutating func sign() throws(CQL2Error) -> CQL2Token.Sign {
    let start = place
    let first = scalars[index]
    if let second = ahead(1) {
      let pair = String(String.UnicodeScalarView([first, second]))
      if let sign = CQL2Token.Sign(rawValue: pair) {
        advance()
        advance()
        return sign
      }
      let meant = ["!=": "<>", "==": "=", "&&": "AND", "||": "OR"][pair]
      if let meant { throw CQL2Error("'\(pair)' is no operator; write '\(meant)'.", at: start) }
    }
    guard let sign = CQL2Token.Sign(rawValue: String(first)) else {
      throw CQL2Error("the character '\(first)' means nothing here.", at: start)
    }
    advance()
    return sign
  }
}

extension Unicode.Scalar {
  fileprivate var isCQL2Space: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
  fileprivate var isCQL2Digit: Bool { self >= "0" && self <= "9" }

  /// Whether the scalar is a letter, `_`, `:` or one of those beyond ASCII in the grammar's rule
  /// `identifierStart`.
  fileprivate var isCQL2NameStart: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "_", ":": true
    case "\u{C0}"..."\u{2FF}": self != "\u{D7}" && self != "\u{F7}"
    case "\u{370}"..."\u{1FFE}": self != "\u{37E}"
    case "\u{200C}"..."\u{200D}", "\u{2070}"..."\u{218F}", "\u{2C00}"..."\u{2FEF}",
      "\u{3001}"..."\u{D7FF}", "\u{F900}"..."\u{FDCF}", "\u{FDF0}"..."\u{FFFD}",
      "\u{10000}"..."\u{EFFFF}":
      true
    default: false
    }
  }

  fileprivate var isCQL2NamePart: Bool {
    switch self {
    case ".", "0"..."9", "\u{300}"..."\u{36F}", "\u{203F}"..."\u{2040}": true
    default: isCQL2NameStart
    }
  }
}
