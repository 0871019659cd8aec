/// A node of an HTML document.
///
/// Text and attributes are escaped when they are written, and every opened element is closed, so
/// that values in the data can never become markup.
indirect enum HTMLNode {
  case text(String)
  case element(HTMLElement)
  /// A style sheet, which is not escaped: it must never contain values from the data.
  case styleSheet(String)

  /// Creates an element.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [HTMLNode] = []
  ) -> HTMLNode {
    .element(
      HTMLElement(
        name: name, attributes: attributes.map { ($0.key, $0.value) }, children: children))
  }

  /// Creates an element that only contains text.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) -> HTMLNode {
    tag(name, attributes, [.text(text)])
  }

  /// The document with this root element.
  var document: String {
    var text = "<!doctype html>\n"
    write(to: &text)
    return text
  }

  /// - Complexity: O(size of the text); recursion as deep as the elements.
  func write(to text: inout String) {
    switch self {
    case .text(let content): text += HTMLText.escaped(content)
    case .styleSheet(let sheet): text += "<style>\n\(sheet)</style>"
    case .element(let element): element.write(to: &text)
    }
  }
}

/// An element with its attributes in order.
struct HTMLElement {
  /// The elements without an end tag.
  private static let empty: Set<String> = ["meta", "img", "br", "link", "hr"]

  /// The elements after which a line ends, so that the file is readable.
  private static let blocks: Set<String> = [
    "html", "head", "title", "meta", "body", "main", "header", "article", "section", "nav", "table",
    "thead", "tbody", "tfoot", "tr", "h1", "h2", "h3", "p", "ul", "li", "figure", "div", "pre",
    "details", "summary", "dl", "footer", "caption",
  ]

  var name: String
  var attributes: [(name: String, value: String)]
  var children: [HTMLNode]

  func write(to text: inout String) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(HTMLText.escaped(value))\"" }
    text += ">"
    if !Self.empty.contains(name) {
      for child in children { child.write(to: &text) }
      text += "</\(name)>"
    }
    if Self.blocks.contains(name) { text += "\n" }
  }
}

/// A filter for text in HTML.
enum HTMLText {
  /// Returns the text with all markup escaped; control characters, and those that change the
  /// direction of the following text, become replacement characters.
  ///
  /// - Complexity: O(length).
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case _ where isControl(scalar): result.unicodeScalars.append("\u{FFFD}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0xFDD0...0xFDEF: true
    default: scalar.value & 0xFFFE == 0xFFFE
    }
  }
}
