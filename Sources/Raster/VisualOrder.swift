/// The order in which a line's characters stand from left to right, where scripts run both ways.
///
/// The core of the Unicode bidirectional algorithm (UAX 9: runs of right-to-left letters, numbers
/// within them, neutral characters, mirrored brackets) without explicit embeddings. Letters are not
/// joined: Arabic is drawn in its isolated forms.
struct VisualOrder {
  private enum Direction {
    case left, right, number, neutral, mark
  }

  /// The scalars of a line in visual order.
  static func reordered(_ line: [Unicode.Scalar]) -> [Unicode.Scalar] {
    ordered(line).map(\.scalar)
  }

  /// The scalars of a line in visual order, each with its index in the line.
  ///
  /// - Complexity: O(scalars) without right-to-left letters; else O(scalars · runs).
  static func ordered(_ line: [Unicode.Scalar]) -> [(index: Int, scalar: Unicode.Scalar)] {
    let directions = line.map(direction)
    guard directions.contains(.right) else {
      return line.enumerated().map { ($0.offset, $0.element) }
    }
    var levels = levels(of: line, directions)
    var order = Array(line.indices)
    for level in [2, 1] {
      var start = 0
      while start < order.count {
        guard levels[start] >= level else {
          start += 1
          continue
        }
        let end = levels[start...].firstIndex { $0 < level } ?? order.count
        order[start..<end].reverse()
        levels[start..<end].reverse()
        start = end
      }
    }
    restoreMarks(&order, directions, levels)
    return zip(order, levels).map { ($0, $1 == 1 ? mirrored(line[$0]) : line[$0]) }
  }

  /// 1 for what runs leftward, 0 for what runs rightward, 2 for that within leftward text.
  private static func levels(of line: [Unicode.Scalar], _ directions: [Direction]) -> [Int] {
    let base = directions.first { $0 == .left || $0 == .right } == .right ? 1 : 0
    var levels = [Int](repeating: base, count: line.count)
    var strong = base
    var pendingFrom = 0
    for index in line.indices {
      let level: Int
      switch directions[index] {
      case .left: level = base == 1 ? 2 : 0
      case .right: level = 1
      case .number: level = strong == 1 ? 2 : 0
      case .mark: level = index > 0 ? levels[index - 1] : base
      case .neutral:
        guard isWithinNumber(index, line, directions) else { continue }
        level = levels[index - 1]
      }
      // Neutrals between two of one direction join them; others keep the line's own.
      let before = pendingFrom > 0 ? levels[pendingFrom - 1] : base
      let joined = (before > 0) == (level > 0) && pendingFrom > 0
      for neutral in pendingFrom..<index {
        levels[neutral] = joined ? min(before, level) : base
      }
      levels[index] = level
      pendingFrom = index + 1
      if directions[index] == .left { strong = 0 }
      if directions[index] == .right { strong = 1 }
    }
    return levels
  }

  /// Puts marks behind their letter again where a run was turned around.
  private static func restoreMarks(
    _ order: inout [Int], _ directions: [Direction], _ levels: [Int]
  ) {
    var start = 0
    while start < order.count {
      var end = start
      while end < order.count, directions[order[end]] == .mark, levels[end] == 1 { end += 1 }
      if end > start && end < order.count { order[start...end].reverse() }
      start = end + 1
    }
  }

  private static func isWithinNumber(
    _ index: Int, _ line: [Unicode.Scalar], _ directions: [Direction]
  ) -> Bool {
    guard index > 0, index + 1 < line.count, directions[index - 1] == .number,
      directions[index + 1] == .number
    else { return false }
    return [".", ",", ":", "/"].contains(line[index])
  }

  private static func direction(_ scalar: Unicode.Scalar) -> Direction {
    if scalar.value < 0x300 {
      if (0x30...0x39).contains(scalar.value) { return .number }
      return scalar.properties.isAlphabetic ? .left : .neutral
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark: return .mark
    case .decimalNumber: return .number
    default: break
    }
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      return .right
    default:
      return scalar.properties.isAlphabetic ? .left : .neutral
    }
  }

  private static func mirrored(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "(": ")"
    case ")": "("
    case "[": "]"
    case "]": "["
    case "{": "}"
    case "}": "{"
    case "<": ">"
    case ">": "<"
    case "«": "»"
    case "»": "«"
    default: scalar
    }
  }
}
