/// The images that layers ask for and the style lacks, with the number of features that ask for
/// them.
package struct MissingImages: Hashable, Sendable {
  /// The maximum number of names that are kept: they may come from the data.
  private static let limit = 1000

  /// The greatest number of features of one zoom, by the image's name.
  private var counts: [String: Int] = [:]

  package init() {}

  package var isEmpty: Bool { counts.isEmpty }

  /// The names with their counts, most frequent first.
  package var entries: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted {
      ($1.count, $0.name) < ($0.count, $1.name)
    }
  }

  /// Counts features that ask for an image.
  package mutating func count(_ name: String, features: Int = 1) {
    guard counts[name] != nil || counts.count < Self.limit else { return }
    counts[name, default: 0] += features
  }

  /// Adds the missing images of another layer at the same zoom.
  package mutating func add(_ other: MissingImages) {
    for (name, count) in other.counts.sorted(by: { $0.key < $1.key }) {
      self.count(name, features: count)
    }
  }

  /// Joins the missing images of another zoom, at which the same features ask again: the greater
  /// count stays.
  package mutating func formUnion(_ other: MissingImages) {
    for (name, count) in other.counts.sorted(by: { $0.key < $1.key }) {
      guard counts[name] != nil || counts.count < Self.limit else { continue }
      counts[name] = max(counts[name] ?? 0, count)
    }
  }
}
