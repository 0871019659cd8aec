/// A pattern of paths: `*` matches any part of a name, `?` one character, `[a-z]` one of a set
/// (`[!…]` or `[^…]` one outside it), `**` any folders on the way; `\` makes the next character
/// literal.
///
/// Names that begin with a dot match only where the pattern has the dot. Characters are Unicode
/// scalars; matching is case-sensitive.
package struct FileGlob: Hashable, Sendable, CustomStringConvertible {
  enum Component: Hashable, Sendable {
    /// A name without wildcards, or `.` and `..`.
    case name(String)
    case pattern([Symbol])
    /// `**`: any number of folders, including none.
    case folders
  }

  enum Symbol: Hashable, Sendable {
    case scalar(Unicode.Scalar)
    case anyScalar
    case anyRun
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  /// The glob as it was written.
  package let description: String

  let isAbsolute: Bool
  let components: [Component]

  /// - Throws: ``SeriesError`` if a bracket is not closed or a range runs backward.
  package init(_ text: String) throws(SeriesError) {
    description = text
    guard !text.isEmpty, text.utf8.count <= 4096, !text.utf8.contains(0) else {
      throw SeriesError(.badPattern, "a glob has 1 to 4096 bytes; write one such as 'rain/*.png'.")
    }
    isAbsolute = text.hasPrefix("/")
    var components: [Component] = []
    // A slash in brackets or behind a backslash also separates, since no name can contain one.
    for part in text.unicodeScalars.split(separator: "/").map(Array.init) {
      let component = try Self.component(part, of: text)
      // Two in a row mean the same as one, and would be searched twice.
      if component == .folders, components.last == .folders { continue }
      components.append(component)
    }
    if components.last == .folders { components.append(.pattern([.anyRun])) }
    self.components = components
  }

  /// Whether a path with steps divided by `/` matches.
  ///
  /// - Complexity: O(steps · components), as `**` may take any number of steps.
  package func matches(_ path: String) -> Bool {
    let steps = path.split(separator: "/").map(String.init)
    // reached[n]: whether the components so far match the first n steps.
    var reached = [true] + [Bool](repeating: false, count: steps.count)
    for component in components {
      var next = [Bool](repeating: false, count: reached.count)
      for (count, isReached) in reached.enumerated() {
        switch component {
        case .folders: next[count] = isReached || (count > 0 && next[count - 1])
        case .name(let name):
          if count > 0 { next[count] = reached[count - 1] && steps[count - 1] == name }
        case .pattern(let symbols):
          if count > 0 {
            next[count] = reached[count - 1] && GlobName.matches(symbols, steps[count - 1])
          }
        }
      }
      reached = next
    }
    return reached.last == true
  }

  private static func component(
    _ part: [Unicode.Scalar], of text: String
  ) throws(SeriesError) -> Component {
    if part == ["*", "*"] { return .folders }
    var symbols: [Symbol] = []
    var index = 0
    while index < part.count {
      switch part[index] {
      case "*":
        // Runs in a row mean the same as one.
        if symbols.last != .anyRun { symbols.append(.anyRun) }
      case "?": symbols.append(.anyScalar)
      case "[":
        let (set, end) = try GlobSet.read(part, from: index, of: text)
        symbols.append(set)
        index = end
      case "\\" where index + 1 < part.count:
        index += 1
        symbols.append(.scalar(part[index]))
      case let scalar: symbols.append(.scalar(scalar))
      }
      index += 1
    }
    var name = String.UnicodeScalarView()
    for symbol in symbols {
      guard case .scalar(let scalar) = symbol else { return .pattern(symbols) }
      name.append(scalar)
    }
    return .name(String(name))
  }
}

/// A reader of sets in brackets.
private enum GlobSet {
  /// - Returns: the set and the index of its closing bracket.
  static func read(
    _ part: [Unicode.Scalar], from open: Int, of text: String
  ) throws(SeriesError) -> (FileGlob.Symbol, Int) {
    var index = open + 1
    let isNegated = index < part.count && (part[index] == "!" || part[index] == "^")
    if isNegated { index += 1 }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    // A bracket that comes first is literal.
    while index < part.count, part[index] != "]" || ranges.isEmpty {
      let lower = scalar(part, &index)
      var upper = lower
      if index + 1 < part.count, part[index] == "-", part[index + 1] != "]" {
        index += 1
        upper = scalar(part, &index)
      }
      guard lower <= upper else {
        throw SeriesError(
          .badPattern, "the glob '\(text)' has the range '\(lower)-\(upper)', which runs backward.")
      }
      ranges.append(lower...upper)
    }
    guard index < part.count else {
      throw SeriesError(.badPattern, "the glob '\(text)' has a '[' that is not closed; add ']'.")
    }
    return (.set(ranges, isNegated: isNegated), index)
  }

  private static func scalar(
    _ part: [Unicode.Scalar], _ index: inout Int
  ) -> Unicode.Scalar {
    if part[index] == "\\", index + 1 < part.count { index += 1 }
    defer { index += 1 }
    return part[index]
  }
}

/// A matcher of one name against the symbols of one component.
enum GlobName {
  /// Whether a name matches the symbols.
  ///
  /// - Complexity: O(length of the name · symbols): after a mismatch the last `*` takes one more.
  static func matches(_ symbols: [FileGlob.Symbol], _ name: String) -> Bool {
    let scalars = Array(name.unicodeScalars)
    if scalars.first == ".", symbols.first != .scalar(".") { return false }
    var (symbol, position) = (0, 0)
    var retry: (symbol: Int, position: Int)?
    while position < scalars.count || symbol < symbols.count {
      if symbol < symbols.count, symbols[symbol] == .anyRun {
        retry = (symbol + 1, position)
        symbol += 1
      } else if position < scalars.count, symbol < symbols.count,
        accepts(symbols[symbol], scalars[position])
      {
        symbol += 1
        position += 1
      } else if let last = retry, last.position < scalars.count {
        retry = (last.symbol, last.position + 1)
        (symbol, position) = (last.symbol, last.position + 1)
      } else {
        return false
      }
    }
    return true
  }

  private static func accepts(_ symbol: FileGlob.Symbol, _ scalar: Unicode.Scalar) -> Bool {
    switch symbol {
    case .scalar(let wanted): wanted == scalar
    case .anyScalar, .anyRun: true
    case .set(let ranges, let isNegated): ranges.contains { $0.contains(scalar) } != isNegated
    }
  }
}
