/// A paragraph during the Unicode bidirectional algorithm (UAX 9), which finds the direction of its
/// characters.
///
/// Explicit embeddings and isolates are not supported, since labels do not keep their characters.
struct BidiParagraph {
  private let scalars: [Unicode.Scalar]

  /// The original classes of the characters.
  private let original: [BidiClass]

  /// The classes as the rules change them: in the end all are left, right or numbers.
  private var classes: [BidiClass]

  /// The direction of the whole paragraph, left or right, which counts as the class before and
  /// after it.
  private let base: BidiClass

  /// Maximum number of open brackets that are remembered (BD16).
  private static let bracketDepth = 63

  /// Returns the embedding levels: 1 for leftward text, 0 for rightward text, 2 for rightward text
  /// within leftward text.
  ///
  /// - Complexity: O(scalars · pairs of brackets).
  static func levels(of paragraph: [Unicode.Scalar]) -> [UInt8] {
    let all = paragraph.map(BidiClass.init)
    let members = all.indices.filter { all[$0] != .ignored }
    var resolved = BidiParagraph(members.map { paragraph[$0] }, members.map { all[$0] })
    resolved.resolveMarks()
    resolved.resolveNumbers()
    resolved.resolveBrackets()
    resolved.resolveNeutrals()
    var levels = [UInt8](repeating: resolved.base == .right ? 1 : 0, count: paragraph.count)
    var member = 0
    for index in levels.indices {
      if all[index] == .ignored {
        // It takes the direction of the character before (X9).
        if index > 0 { levels[index] = levels[index - 1] }
      } else {
        levels[index] = resolved.level(member)
        member += 1
      }
    }
    return levels
  }

  private init(_ scalars: [Unicode.Scalar], _ classes: [BidiClass]) {
    self.scalars = scalars
    self.original = classes
    self.classes = classes
    // P2 and P3: the first letter decides.
    let first = classes.first { $0 == .left || $0 == .right || $0 == .arabicLetter }
    base = first == nil || first == .left ? .left : .right
  }

  /// Returns the level of a character (I1 and I2).
  private func level(_ index: Int) -> UInt8 {
    switch classes[index] {
    case .right: 1
    case .left: base == .left ? 0 : 2
    default: 2
    }
  }

  /// Gives a mark the class of its letter (W1).
  private mutating func resolveMarks() {
    for index in classes.indices where classes[index] == .mark {
      classes[index] = index > 0 ? classes[index - 1] : base
    }
  }

  /// Resolves numbers and the symbols that belong to them (W2 to W7).
  private mutating func resolveNumbers() {
    var letter = base
    for index in classes.indices {
      switch classes[index] {
      case .left, .right, .arabicLetter: letter = classes[index]
      case .europeanNumber where letter == .arabicLetter: classes[index] = .arabicNumber
      default: break
      }
    }
    for index in classes.indices where classes[index] == .arabicLetter { classes[index] = .right }
    for index in classes.indices.dropFirst().dropLast() {
      let before = classes[index - 1]
      guard before == classes[index + 1] else { continue }
      switch (classes[index], before) {
      case (.europeanSeparator, .europeanNumber), (.commonSeparator, .europeanNumber),
        (.commonSeparator, .arabicNumber):
        classes[index] = before
      default: break
      }
    }
    resolveTerminators()
    for index in classes.indices {
      switch classes[index] {
      case .europeanSeparator, .europeanTerminator, .commonSeparator: classes[index] = .neutral
      default: break
      }
    }
    letter = base
    for index in classes.indices {
      switch classes[index] {
      case .left, .right: letter = classes[index]
      case .europeanNumber where letter == .left: classes[index] = .left
      default: break
      }
    }
  }

  /// Gives symbols such as % and $ the class of an adjacent number (W5).
  private mutating func resolveTerminators() {
    replaceRuns(of: { $0 == .europeanTerminator }) { before, after in
      before == .europeanNumber || after == .europeanNumber ? .europeanNumber : nil
    }
  }

  /// Gives both brackets of a pair the same direction (N0).
  private mutating func resolveBrackets() {
    for pair in bracketPairs() {
      let inside = classes[(pair.lowerBound + 1)..<pair.upperBound].lazy.compactMap(Self.way)
      let way: BidiClass
      if inside.contains(base) {
        way = base
      } else if !inside.isEmpty {
        // Everything inside runs against the paragraph; so do the brackets if the text before does.
        way = classes[..<pair.lowerBound].lazy.reversed().compactMap(Self.way).first ?? base
      } else {
        continue
      }
      for bracket in [pair.lowerBound, pair.upperBound] {
        classes[bracket] = way
        var mark = bracket + 1
        while mark < classes.count, original[mark] == .mark {
          classes[mark] = way
          mark += 1
        }
      }
    }
  }

  /// Returns the pairs of brackets, by their opening ones (BD16).
  private func bracketPairs() -> [Range<Int>] {
    var pairs: [Range<Int>] = []
    var open: [(closing: Unicode.Scalar, index: Int)] = []
    for index in scalars.indices where classes[index] == .neutral {
      if let closing = BracketPairs.closing(scalars[index]) {
        guard open.count < Self.bracketDepth else { return [] }
        open.append((closing, index))
      } else if let closing = BracketPairs.closed(by: scalars[index]),
        let last = open.lastIndex(where: { $0.closing == closing })
      {
        pairs.append(open[last].index..<index)
        open.removeSubrange(last...)
      }
    }
    return pairs.sorted { $0.lowerBound < $1.lowerBound }
  }

  /// Resolves neutrals: those between two of one direction take it; others take the paragraph's (N1
  /// and N2).
  private mutating func resolveNeutrals() {
    let base = base
    replaceRuns(of: { $0 == .neutral }) { before, after in
      let way = before.map { Self.way($0) ?? base } ?? base
      return way == (after.map { Self.way($0) ?? base } ?? base) ? way : base
    }
  }

  /// Returns the direction of a class for brackets and neutrals, for which numbers are leftward.
  private static func way(_ class: BidiClass) -> BidiClass? {
    switch `class` {
    case .left: .left
    case .right, .europeanNumber, .arabicNumber: .right
    default: nil
    }
  }

  /// Replaces the classes of each run of members, depending on the classes before and after it, if
  /// any.
  private mutating func replaceRuns(
    of isMember: (BidiClass) -> Bool,
    with new: (BidiClass?, BidiClass?) -> BidiClass?
  ) {
    for run in classes.runs(where: isMember) {
      let before = run.lowerBound > 0 ? classes[run.lowerBound - 1] : nil
      if let way = new(before, run.upperBound < classes.count ? classes[run.upperBound] : nil) {
        for index in run { classes[index] = way }
      }
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the maximal runs of members, in order.
  func runs(where isMember: (Element) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in indices where isMember(self[index]) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }
}
