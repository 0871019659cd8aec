/// Line breaks of plain Latin texts, without ICU: most labels of the world's maps.
enum PlainText {
  /// Returns for each scalar whether a line may end after it; `nil` unless the text is made of
  /// letters, digits, quotes, stops, spaces and newlines which UAX 14 breaks only at spaces and
  /// newlines.
  ///
  /// - Complexity: O(scalars).
  static func lineBreaks(in scalars: [Unicode.Scalar]) -> [Bool]? {
    var breaks = [Bool](repeating: false, count: scalars.count)
    var last: Kind?
    for (index, scalar) in scalars.enumerated() {
      guard let kind = kind(of: scalar) else { return nil }
      switch (last, kind) {
      // Stops do not begin a line, wherever they stand.
      case (.space?, .stop), (nil, .stop), (.newline?, .stop): return nil
      case (.space?, .letter): breaks[index - 1] = true
      case (_, .newline): breaks[index] = true
      default: break
      }
      last = kind
    }
    if let end = breaks.indices.last { breaks[end] = true }
    return breaks
  }

  private enum Kind {
    case letter, stop, space, newline
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind? {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "\u{C0}"..."\u{D6}", "\u{D8}"..."\u{F6}",
      "\u{F8}"..."\u{17F}":
      .letter
    case ".", ",", ":", ";", "'", "\"": .stop
    case " ": .space
    case "\n": .newline
    default: nil
    }
  }
}
