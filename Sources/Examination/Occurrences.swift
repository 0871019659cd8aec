import Ingest

/// A count of an event, with the places where it happened first.
package struct Occurrences: Hashable, Sendable {
  /// The number of places that are kept.
  package static let sampleLimit = 3

  package private(set) var count = 0
  package private(set) var samples: [Finding.Sample] = []

  /// Counts one more; the text is evaluated only if the place is kept.
  @inline(__always)
  mutating func add(line: Int, column: Int = 0, _ text: @autoclosure () -> String = "") {
    count += 1
    if samples.count < Self.sampleLimit {
      let sample = Finding.Sample(line: line, column: column, text: text())
      // The rings of one feature stand on one line.
      if samples.last != sample { samples.append(sample) }
    }
  }

  /// Adds the occurrences from elsewhere in the same file.
  mutating func add(_ other: Occurrences) {
    count += other.count
    samples = Array(
      (samples + other.samples).sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        .prefix(Self.sampleLimit))
  }
}
