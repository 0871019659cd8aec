import Calendar
import Clustering
import Columns
import Features

/// The texts among the values of points, each stored once.
struct AggregateTexts {
  /// A text by its bytes: Swift's own comparison takes different spellings of a letter for equal.
  private struct Key: Hashable {
    let text: String

    static func == (left: Key, right: Key) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private var numbers: [Key: UInt32] = [:]

  /// Returns the value for a text; its row is the number of the text until ``sort(_:)``.
  mutating func value(_ text: String) -> AggregateValue {
    let next = UInt32(truncatingIfNeeded: numbers.count)
    let key = Key(text: text)
    if let number = numbers[key] { return .text(number) }
    numbers[key] = next
    return .text(next)
  }

  /// Sorts the texts, and sets the rows of the values.
  ///
  /// Texts that are all instants in a form of ISO 8601 are sorted by time, others by their bytes.
  /// - Complexity: O(values), and O(*d* log *d*) for *d* texts.
  func sort(_ values: inout Column<AggregateValue>) -> PropertyColumn {
    var texts = PropertyColumn(name: "", in: values.scratch)
    guard !numbers.isEmpty else { return texts }
    let sorted = sorted()
    var rows = [UInt32](repeating: 0, count: sorted.count)
    for (row, entry) in sorted.enumerated() {
      rows[Int(entry.number)] = UInt32(truncatingIfNeeded: row)
      var text = entry.text
      text.withUTF8 { texts.append(.string, bytes: UnsafeRawBufferPointer($0)) }
    }
    for index in values.indices {
      if case .text(let number) = values[index] { values[index] = .text(rows[Int(number)]) }
    }
    return texts
  }

  private func sorted() -> [(text: String, number: UInt32)] {
    let texts = numbers.map { (text: $0.key.text, number: $0.value) }.sorted {
      $0.text.utf8.lexicographicallyPrecedes($1.text.utf8)
    }
    var instants: [Instant] = []
    for entry in texts {
      guard let instant = Instant.parse(entry.text)?.instant else { return texts }
      instants.append(instant)
    }
    return texts.indices.sorted { (instants[$0], $0) < (instants[$1], $1) }.map { texts[$0] }
  }
}
