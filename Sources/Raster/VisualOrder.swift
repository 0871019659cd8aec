/// The order in which a text's characters stand from left to right, where scripts run both ways.
///
/// The Unicode bidirectional algorithm (UAX 9) without explicit embeddings. The direction is found
/// for whole paragraphs, which end at newlines; lines are put in order after that.
struct VisualOrder {
  private let scalars: [Unicode.Scalar]

  /// As ``BidiParagraph/levels(of:)`` gives them; empty where all runs rightward.
  private let levels: [UInt8]

  /// - Complexity: O(scalars) without right-to-left characters; else O(scalars · pairs of brackets).
  init(_ text: [Unicode.Scalar]) {
    scalars = text
    guard text.contains(where: BidiClass.turnsText) else {
      levels = []
      return
    }
    var levels: [UInt8] = []
    levels.reserveCapacity(text.count)
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      // The newline that ended the paragraph before is in no line.
      if paragraph.startIndex > 0 { levels.append(0) }
      levels += BidiParagraph.levels(of: Array(paragraph))
    }
    self.levels = levels
  }

  /// The scalars of a line in visual order, each with its index in the text; brackets that run
  /// leftward are turned around.
  ///
  /// - Parameter line: without white space at its end, which would go the paragraph's way (L1).
  /// - Complexity: O(length of the line).
  func line(_ line: Range<Int>) -> [(index: Int, scalar: Unicode.Scalar)] {
    guard !levels.isEmpty else { return line.map { ($0, scalars[$0]) } }
    var order = Array(line)
    // L2: what is at a level or above is turned around, the highest level first.
    for level in [2, 1] as [UInt8] { reverse(&order) { levels[$0] >= level } }
    // L3: marks stand behind their letter again.
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
