/// The visual order of a text's characters from left to right, for scripts of both directions.
///
/// The Unicode bidirectional algorithm (UAX 9) without explicit embeddings. Directions are
/// determined for whole paragraphs, which end at newlines; lines are reordered after that.
struct VisualOrder {
  private let scalars: [Unicode.Scalar]

  /// The levels of ``BidiParagraph/levels(of:)``; empty if all text runs rightward.
  private let levels: [UInt8]

  /// - Complexity: O(scalars) without right-to-left characters; otherwise O(scalars · pairs of
  ///   brackets).
  init(_ text: [Unicode.Scalar]) {
    scalars = text
    guard text.contains(where: BidiClass.turnsText) else {
      levels = []
      return
    }
    var levels: [UInt8] = []
    levels.reserveCapacity(text.count)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // The newline that ended the previous paragraph is not part of a line.
      if paragraph.startIndex > 0 { levels.append(0) }
      levels += BidiParagraph.levels(of: Array(paragraph))
    }
    self.levels = levels
  }

  /// Returns the scalars of a line in visual order, each with its index in the text; brackets in
  /// leftward text are mirrored.
  ///
  /// - Parameter line: the line without trailing white space, which would take the paragraph's
  ///   direction (L1).
  /// - Complexity: O(length of the line).
  func line(_ line: Range<Int>) -> [(index: Int, scalar: Unicode.Scalar)] {
    guard !levels.isEmpty else { return line.map { ($0, scalars[$0]) } }
    var order = Array(line)
    // L2: runs at a level or above are reversed, the highest level first.
    for level in [2, 1] as [UInt8] { reverse(&order) { levels[$0] >= level } }
    // L3: marks come behind their letter again.
    restoreMarks(&order)
    return order.map { ($0, levels[$0] == 1 ? BracketPairs.mirrored(scalars[$0]) : scalars[$0]) }
  }

  private func reverse(_ order: inout [Int], where belongs: (Int) -> Bool) {
    for run in order.runs(where: belongs) { order[run].reverse() }
  }

  private func restoreMarks(_ order: inout [Int]) {
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, isTurnedMark(order[end]) { end += 1 }
      if end > start, end < order.count, levels[order[end]] == 1 { order[start...end].reverse() }
      start = end + 1
    }
  }

  private func isTurnedMark(_ index: Int) -> Bool {
    levels[index] == 1 && BidiClass(scalars[index]) == .mark
  }
}
