/// A breaker of text into lines of about equal width, as in MapLibre.
///
/// The smallest number of lines that fit the maximum width determines a target width; among all
/// ways to break, the one with the smallest sum of squared deviations from it is chosen, with
/// penalties for ugly breaks (after Knuth and Plass; MapLibre's weights, for widths in 24ths of an
/// em). ICU decides where lines may break (UAX 14), and ``adjust(_:of:)`` changes some of its
/// answers. A word longer than the maximum width stays whole.
struct LineBreaker {
  /// A possible break, and the best way to reach it.
  private struct Break {
    var index: Int
    var position: Double
    var prior: Int?
    var badness: Double
  }

  /// The width in 24ths of an em at which lines should end; infinity to break at newlines only.
  let maxWidth: Double

  /// Whether lines are broken elsewhere than at newlines.
  var breaksWords: Bool { maxWidth > 0 && maxWidth < .infinity }

  /// Whether a text is no wider than one line, so that it is broken at newlines only.
  ///
  /// More lines than the widths ask for would only be less even.
  func fits(_ scalars: [Unicode.Scalar], advances: [Double]) -> Bool {
    advances.reduce(0, +) <= maxWidth && advances.allSatisfy { $0 >= 0 }
  }

  /// Returns the lines as ranges of scalars, without white space at their ends.
  ///
  /// - Parameters:
  ///   - advances: the advance of each scalar in 24ths of an em.
  ///   - opportunities: for each scalar whether a line may end after it; none for newlines only.
  /// - Complexity: O(scalars + breaks²).
  func lines(
    _ scalars: [Unicode.Scalar], advances: [Double], breaks opportunities: [Bool]
  ) -> [Range<Int>] {
    let total = advances.reduce(0, +)
    let lineCount = breaksWords ? max((total / maxWidth).rounded(.up), 1) : 1
    let target = total / lineCount
    // Zero width spaces in a text are explicit break opportunities.
    let hasHints = scalars.contains("\u{200B}")
    var breaks: [Break] = []
    var position = 0.0
    for index in scalars.indices {
      if !LineBreaker.isSpace(scalars[index]) { position += advances[index] }
      guard index + 1 < scalars.count,
        scalars[index] == "\n" || index < opportunities.count && opportunities[index]
      else { continue }
      let penalty = penalty(scalars[index], before: scalars[index + 1], hasHints: hasHints)
      breaks.append(
        best(index + 1, position, target, breaks, penalty: penalty, isLast: false))
    }
    var ends = [scalars.count]
    var prior = best(scalars.count, position, target, breaks, penalty: 0, isLast: true).prior
    while let at = prior {
      ends.append(breaks[at].index)
      prior = breaks[at].prior
    }
    var start = 0
    return ends.reversed().map { end in
      defer { start = end }
      return trimmed(start..<end, of: scalars)
    }
  }

  /// The characters after which MapLibre breaks a line in any context.
  private static let breakable: Set<Unicode.Scalar> = [
    "&", ")", "+", "-", "/", "\u{AD}", "\u{B7}", "\u{200B}", "\u{2010}", "\u{2013}", "\u{2027}",
  ]

  /// Adapts the places where lines may break to labels, as in MapLibre: more breaks in words with
  /// signs in them, and none inside a Korean word.
  ///
  /// - Parameter breaks: for each scalar whether a line may end after it.
  /// - Complexity: O(scalars).
  static func adjust(_ breaks: inout [Bool], of scalars: [Unicode.Scalar]) {
    for index in scalars.indices.dropLast() where index < breaks.count {
      let (scalar, next) = (scalars[index], scalars[index + 1])
      if isHangul(scalar) {
        breaks[index] = breaks[index] && isOpening(next)
      } else if isHangul(next), isLetter(scalar), !isIdeographic(scalar) {
        breaks[index] = false
      }
      let opens = next == "(" && index + 2 < scalars.count
      if breakable.contains(scalar) ? mayBegin(next) : opens && !isOpening(scalar) {
        breaks[index] = true
      }
    }
  }

  /// Whether a line may begin with a character: not with a mark on the character before, nor with a stop
  /// or a closing bracket.
  private static func mayBegin(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .format, .closePunctuation,
      .finalPunctuation, .otherPunctuation, .spaceSeparator:
      false
    default: true
    }
  }

  private static func isOpening(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .openPunctuation, .initialPunctuation: true
    default: false
    }
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Whether a scalar is a letter of the Korean script, or a syllable.
  private static func isHangul(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x3131...0x318E, 0xA960...0xA97C, 0xAC00...0xD7FB, 0xFFA0...0xFFDC: true
    default: false
    }
  }

  private func best(
    _ index: Int, _ position: Double, _ target: Double, _ priors: [Break], penalty: Double,
    isLast: Bool
  ) -> Break {
    var best = Break(
      index: index, position: position, prior: nil,
      badness: badness(position - target, penalty, isLast))
    for (number, prior) in priors.enumerated() {
      let badness =
        badness(position - prior.position - target, penalty, isLast) + prior.badness
      if badness <= best.badness {
        best.badness = badness
        best.prior = number
      }
    }
    return best
  }

  /// Returns the badness of a line; a last line is better short than long.
  private func badness(_ excess: Double, _ penalty: Double, _ isLast: Bool) -> Double {
    let raggedness = excess * excess
    if isLast { return excess < 0 ? raggedness / 2 : raggedness * 2 }
    return raggedness + abs(penalty) * penalty
  }

  /// - Parameter hasHints: whether the text marks its break opportunities by zero width spaces.
  private func penalty(
    _ scalar: Unicode.Scalar, before next: Unicode.Scalar, hasHints: Bool
  ) -> Double {
    if scalar == "\n" { return -10_000 }
    var penalty = 0.0
    if hasHints && LineBreaker.isIdeographic(scalar) { penalty += 150 }
    if scalar == "(" || scalar == "\u{FF08}" { penalty += 50 }
    if next == ")" || next == "\u{FF09}" { penalty += 50 }
    return penalty
  }

  /// Returns a range without white space at its ends.
  func trimmed(_ range: Range<Int>, of scalars: [Unicode.Scalar]) -> Range<Int> {
    guard let first = range.first(where: { !LineBreaker.isSpace(scalars[$0]) }),
      let last = range.last(where: { !LineBreaker.isSpace(scalars[$0]) })
    else { return range.lowerBound..<range.lowerBound }
    return first..<(last + 1)
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (0x09...0x0D).contains(scalar.value) || scalar == "\u{200B}"
  }

  /// Whether a scalar belongs to a script that may be broken after nearly any character.
  static func isIdeographic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2E80...0x2FDF, 0x3001...0x30FF, 0x3100...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xF900...0xFAFF, 0xFF01...0xFF9F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
