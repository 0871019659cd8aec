import Features
import JSON

/// A word, literal or symbol of CQL2 text, and the place where it begins.
struct CQL2Token: Sendable {
  enum Kind: Hashable, Sendable {
    /// An unquoted name or a keyword; the parser decides which.
    case word(String)
    /// A name in double quotes.
    case quotedName(String)
    /// A character literal.
    case text(String)
    /// A number without its sign.
    case number(Double)
    /// A whole number beyond 2⁵³.
    case whole(WholeNumber)
    case sign(Sign)
    case end
  }

  /// The symbols of the language.
  enum Sign: String, Sendable {
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case equal = "="
    case notEqual = "<>"
    case less = "<"
    case greater = ">"
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case remainder = "%"
    case power = "^"
  }

  var kind: Kind
  var place: CQL2Place

  /// The keyword that the token may be: a word in capitals, `nil` for anything else.
  var keyword: String? {
    if case .word(let word) = kind { word.uppercased() } else { nil }
  }

  /// Whether the token may be a part of a text that lacks its quotes.
  var isPlainText: Bool {
    switch kind {
    case .word, .number, .whole, .sign(.minus): true
    default: false
    }
  }

  /// The token in words, for messages.
  var words: String {
    switch kind {
    case .word(let word): "'\(word.prefix(60))'"
    case .quotedName(let name): "\"\(name.prefix(60))\""
    case .text(let text): "the text '\(text.prefix(60))'"
    case .number(let number): "the number \(NumberText.format(number))"
    case .whole(let whole): "the number \(whole.text)"
    case .sign(let sign): "'\(sign.rawValue)'"
    case .end: "the end"
    }
  }
}
