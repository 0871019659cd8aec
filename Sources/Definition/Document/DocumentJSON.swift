import Features
package import Runs

/// A parser of JSON text (RFC 8259) into a tree with places, for MapLibre styles as they are
/// exported.
///
/// YAML parsers accept most JSON, but not surrogate pairs, and keys only up to 1,024 characters.
package struct DocumentJSON {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private let limits: DocumentLimits
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var count = 0

  package init(text: String, file: String, limits: DocumentLimits) {
    scalars = Array(text.unicodeScalars)
    self.file = file
    self.limits = limits
  }

  /// Parses the one value of the text.
  package mutating func parse() throws(PipelineError) -> DocumentNode {
    let root = try value(depth: 1)
    skipBlanks()
    guard index == scalars.count else {
      throw failure("the value has ended, but \(found) follows. Remove it.")
    }
    return root
  }

  // MARK: Places and errors

  private var place: DocumentPlace {
    DocumentPlace(file: file, line: line, column: index - lineStart + 1)
  }

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private var found: String { current.map { "'\($0)'" } ?? "the end of the file" }

  private func failure(_ message: String) -> PipelineError {
    place.fault(message)
  }

  private mutating func skipBlanks() {
    while let scalar = current, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    {
      index += 1
      if scalar == "\n" {
        line += 1
        lineStart = index
      }
    }
  }

  private mutating func expect(
    _ scalar: Unicode.Scalar, _ what: String
  ) throws(PipelineError) {
    guard current == scalar else {
      throw failure("expected \(what), but found \(found).")
    }
    index += 1
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(PipelineError) -> DocumentNode {
    skipBlanks()
    let start = place
    guard depth <= limits.depth else { throw limits.tooDeep(at: start) }
    count += 1
    guard count <= limits.nodes else { throw limits.tooManyNodes(at: start) }
    switch current {
    case "{": return DocumentNode(.object(try members(depth: depth)), at: start)
    case "[": return DocumentNode(.array(try items(depth: depth)), at: start)
    case "\"": return DocumentNode(.string(try string()), at: start)
    default: return DocumentNode(try word(), at: start)
    }
  }

  private mutating func items(depth: Int) throws(PipelineError) -> [DocumentNode] {
    var items: [DocumentNode] = []
    index += 1
    skipBlanks()
    if current == "]" {
      index += 1
      return items
    }
    while true {
      items.append(try value(depth: depth + 1))
      skipBlanks()
      if current == "," {
        try comma(before: "]")
        continue
      }
      try expect("]", "',' or ']'")
      return items
    }
  }

  private mutating func members(depth: Int) throws(PipelineError) -> [DocumentMember] {
    var members: [DocumentMember] = []
    var places: [String: DocumentPlace] = [:]
    index += 1
    skipBlanks()
    if current == "}" {
      index += 1
      return members
    }
    while true {
      skipBlanks()
      let keyPlace = place
      guard current == "\"" else {
        throw failure("expected a key in double quotes, but found \(found).")
      }
      let key = try string()
      if let first = places.updateValue(keyPlace, forKey: key) {
        throw DocumentBuilder.duplicateKey(key, first: first, second: keyPlace)
      }
      skipBlanks()
      try expect(":", "':'")
      members.append(
        DocumentMember(key: key, keyPlace: keyPlace, node: try value(depth: depth + 1)))
      skipBlanks()
      if current == "," {
        try comma(before: "}")
        continue
      }
      try expect("}", "',' or '}'")
      return members
    }
  }

  /// Steps over a comma, which YAML and JavaScript allow before the end of a container and JSON
  /// does not.
  private mutating func comma(before end: Unicode.Scalar) throws(PipelineError) {
    let comma = place
    index += 1
    skipBlanks()
    guard current != end else {
      throw comma.fault("nothing follows this comma but '\(end)'. Remove the comma.")
    }
  }

  /// Parses `true`, `false`, `null` or a number.
  private mutating func word() throws(PipelineError) -> DocumentNode.Value {
    let start = index
    while let scalar = current, Self.isWordScalar(scalar) { index += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<index]))
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    default: break
    }
    if DocumentScalar.isDecimal(text.utf8, strict: true), let number = Double(text), number.isFinite
    {
      return WholeNumber(text).map { .whole($0) } ?? .number(number)
    }
    index = start
    throw failure(
      text.isEmpty
        ? "expected a value, but found \(found)."
        : "'\(text.prefix(60))' is not a JSON value. Put a text in double quotes.")
  }

  private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
      || "+-._".unicodeScalars.contains(scalar)
  }

  // MARK: Strings

  private mutating func string() throws(PipelineError) -> String {
    let opening = place
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = current {
      if scalar == "\"" {
        index += 1
        return String(text)
      }
      guard scalar.value >= 0x20 else {
        throw failure("a string contains a control character. Write it as an escape.")
      }
      if scalar == "\\" {
        text.append(try escape())
      } else {
        text.append(scalar)
        index += 1
      }
    }
    throw opening.fault("the string that begins here is never closed.")
  }

  private mutating func escape() throws(PipelineError) -> Unicode.Scalar {
    let start = index
    index += 1
    let letter = current
    index += 1
    switch letter {
    case "\"", "\\", "/": return letter ?? "/"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      if let scalar = unicodeEscape() { return scalar }
    default: break
    }
    index = min(start, scalars.count)
    throw failure(
      "this escape is not valid in JSON, or is half of a surrogate pair. A backslash is written twice, "
        + "\\\\; a path takes '/', too.")
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = fourDigits() else { return nil }
    guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
    guard index + 1 < scalars.count, scalars[index] == "\\", scalars[index + 1] == "u" else {
      return nil
    }
    index += 2
    guard let second = fourDigits(), (0xDC00..<0xE000).contains(second) else { return nil }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func fourDigits() -> UInt32? {
    guard index + 4 <= scalars.count else { return nil }
    let digits = scalars[index..<index + 4]
    guard digits.allSatisfy({ $0.isASCII && $0.properties.isASCIIHexDigit }) else { return nil }
    index += 4
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }
}
