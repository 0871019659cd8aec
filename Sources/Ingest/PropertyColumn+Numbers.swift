import Features
import JSON

extension PropertyColumn {
  /// Turns texts that another grammar reads as numbers into numbers: `+5`, `.5`, `5.` and `007` in
  /// a column declared as numbers, `1.234,5` in a file with decimal commas.
  ///
  /// - Parameter parse: returns the number that a text spells; `nil` if it spells none, and for the
  ///   plain numbers that may stay texts.
  /// - Complexity: O(bytes); a copy if there are such texts.
  mutating func readNumbers(_ parse: (UnsafeRawBufferPointer) -> Double?) {
    func number(_ row: Int) -> Double? { kinds[row] == .text ? withBytes(row, parse) : nil }
    guard (0..<count).contains(where: { number($0) != nil }) else { return }
    var read = PropertyColumn(name: name)
    for row in 0..<count {
      if let number = number(row) {
        read.append(number)
      } else {
        read.append(row, of: self)
      }
    }
    self = read
  }
}
