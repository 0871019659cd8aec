import Features
import JSON

extension PropertyColumn {
  /// Turns texts that are numbers in a column declared so, and not in the grammar of others, into
  /// numbers: `+5`, `.5`, `5.`, `007`.
  ///
  /// - Complexity: O(bytes); a copy if there are such texts.
  mutating func readNumbers() {
    func isSpelledOtherwise(_ row: Int) -> Bool {
      kinds[row] == .text && withBytes(row) { NumberGrammar.parse($0) == nil }
    }
    guard (0..<count).contains(where: isSpelledOtherwise) else { return }
    var read = PropertyColumn(name: name)
    for row in 0..<count {
      if isSpelledOtherwise(row), let number = withBytes(row, NumberGrammar.parseCoordinate) {
        read.append(number)
      } else {
        read.append(row, of: self)
      }
    }
    self = read
  }
}
