import Runs
import Yams

/// A parser of YAML text on libyaml in which nothing grows before it is counted.
///
/// Yams expands aliases while it composes and hashes every key, both without a bound. Here it never
/// sees an alias: every `*` of the text is replaced by a private-use character of the same width,
/// which makes an alias a plain scalar; ``DocumentBuilder`` restores the stars and follows the
/// aliases, counting.
struct DocumentYAML {
  let text: String
  let file: String
  let limits: DocumentLimits

  /// Parses the text into a tree with places.
  func parse() throws(PipelineError) -> DocumentNode {
    var prescan = DocumentPrescan(text: text, file: file, limits: limits)
    try prescan.run()
    let masks = Self.unusedScalars(in: text)
    let masked = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0 == "*" ? masks.star : $0 }))
    let parser: Parser
    let root: Node?
    do {
      parser = try Parser(yaml: masked, resolver: .basic, encoding: .utf8)
      root = try parser.singleRoot()
    } catch {
      if case .duplicatedKeysInMapping(let keys, let context)? = error as? YamlError {
        throw duplicate(keys.first ?? "", at: context.mark, in: masked, masks: masks)
      }
      throw failure(error as? YamlError)
    }
    guard let root else {
      throw DocumentPlace(file: file, line: 1, column: 1).fault(
        "the file is empty. A pipeline begins with 'version: 1'.")
    }
    var builder = DocumentBuilder(file: file, star: masks.star, limits: limits)
    // The parser owns the anchors, which nodes reference weakly.
    let built = try withExtendedLifetime(parser) { () throws(PipelineError) in
      try builder.node(root, depth: 1)
    }
    if let comment = commentedValue(in: built) { throw Self.commentedColor(at: comment) }
    return built
  }

  func place(_ mark: Mark) -> DocumentPlace {
    DocumentPlace(file: file, line: mark.line, column: mark.column)
  }

  /// Returns two private-use characters that do not occur in the text.
  private static func unusedScalars(
    in text: String
  ) -> (star: Unicode.Scalar, key: Unicode.Scalar) {
    let used = Set(text.unicodeScalars.lazy.filter { $0.value >= 0xE000 && $0.value <= 0xF8FF })
    let free = (0xE000...0xF8FF).lazy.compactMap { Unicode.Scalar(UInt32($0)) }
      .filter { !used.contains($0) }.prefix(2)
    let pair = Array(free)
    return pair.count == 2 ? (pair[0], pair[1]) : ("\u{F8FE}", "\u{F8FF}")
  }

  /// Returns the error for a key that occurs twice in one object, with both places.
  ///
  /// Yams reports only the first place. The text is parsed again with a letter of that key
  /// replaced; the other key of this name is then found in the tree.
  private func duplicate(
    _ key: String, at mark: Mark, in masked: String,
    masks: (star: Unicode.Scalar, key: Unicode.Scalar)
  ) -> PipelineError {
    let name = key.replacing(String(masks.star), with: "*")
    var second: Mark?
    if let changed = Self.replacing(at: mark, in: masked, by: masks.key) {
      do {
        let parser = try Parser(yaml: changed, resolver: .basic, encoding: .utf8)
        second = try parser.singleRoot().flatMap { Self.sibling(of: mark, named: key, in: $0) }
      } catch {
        if case .duplicatedKeysInMapping(let keys, let context)? = error as? YamlError,
          keys.contains(key)
        {
          second = context.mark
        }
      }
    }
    return DocumentBuilder.duplicateKey(name, first: place(mark), second: second.map(place))
  }

  /// Returns the text with the first letter of the scalar at a mark replaced.
  private static func replacing(
    at mark: Mark, in text: String, by letter: Unicode.Scalar
  ) -> String? {
    var scalars = Array(text.unicodeScalars)
    var line = 1
    var index = 0
    while index < scalars.count, line < mark.line {
      if scalars[index] == "\n" { line += 1 }
      index += 1
    }
    index += mark.column - 1
    if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
    guard index < scalars.count else { return nil }
    scalars[index] = letter
    return String(String.UnicodeScalarView(scalars))
  }

  /// Returns the place of the key of this name in the mapping one of whose keys is at the mark.
  private static func sibling(of mark: Mark, named key: String, in node: Node) -> Mark? {
    switch node {
    case .sequence(let items):
      return items.lazy.compactMap { sibling(of: mark, named: key, in: $0) }.first
    case .mapping(let pairs):
      let keys = pairs.map(\.key)
      if keys.contains(where: { $0.mark?.line == mark.line && $0.mark?.column == mark.column }) {
        return keys.first { $0.scalar?.string == key }?.mark
      }
      return pairs.lazy.compactMap { sibling(of: mark, named: key, in: $0.value) }.first
    default: return nil
    }
  }
}
