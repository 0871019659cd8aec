package import MBTiles
package import Runs

/// The conditions that the result must meet to be published.
package struct Expectation: Hashable, Sendable {
  /// The range of the number of used records, all sources together.
  package var features = CountRange()

  /// The range of the number of tiles in the archive.
  package var tiles = CountRange()

  /// The range of the number of tiles that differ from the archive that is replaced.
  package var changedTiles = ChangeRange()

  /// Whether an archive without any tile is a valid result, as for a live feed that became empty.
  package var allowsNothing: Bool { features.minimum == 0 }
}

/// A range of counts with optional bounds, both inclusive.
package struct CountRange: Hashable, Sendable {
  package var minimum: Int?
  package var maximum: Int?

  package func contains(_ count: Int) -> Bool {
    count >= minimum ?? .min && count <= maximum ?? .max
  }
}

/// A range of changed tiles with optional bounds, both inclusive.
package struct ChangeRange: Hashable, Sendable {
  /// A bound of the range.
  package enum End: Hashable, Sendable {
    /// A number of tiles.
    case count(Int)
    /// A percentage of the replaced archive's tiles.
    case percent(Double)
  }

  package var minimum: End?
  package var maximum: End?

  /// Whether either bound is set.
  package var isLimited: Bool { minimum != nil || maximum != nil }

  /// Whether the number of differing tiles is within the range.
  package func contains(_ changes: TileChanges) -> Bool {
    (minimum?.isReached(by: changes) ?? true) && !(maximum?.isExceeded(by: changes) ?? false)
  }
}

extension ChangeRange.End {
  /// Decodes a count, or a text such as `20%`; `nil` for anything else.
  init?(_ node: DocumentNode) {
    if let count = node.integer {
      self = .count(count)
    } else if let text = node.text, let percent = Self.percent(text) {
      self = .percent(percent)
    } else {
      return nil
    }
  }

  /// Returns the number of a text such as `20%` or `0.5%`; `nil` for anything else.
  static func percent(_ text: String) -> Double? {
    guard text.last == "%", text.utf8.count <= 20 else { return nil }
    let parts = text.dropLast().split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    return isNumber && parts.count <= 2 ? Double(text.dropLast()) : nil
  }

  /// The bound as it is written in the file.
  var words: String {
    switch self {
    case .count(let count): "\(count)"
    case .percent(let percent): "\(ReportNumber.short(percent))%"
    }
  }

  fileprivate func isReached(by changes: TileChanges) -> Bool {
    switch self {
    case .count(let count): changes.differing >= count
    case .percent(let percent):
      Double(changes.differing) * 100 >= percent * Double(changes.oldTiles)
    }
  }

  fileprivate func isExceeded(by changes: TileChanges) -> Bool {
    switch self {
    case .count(let count): changes.differing > count
    case .percent(let percent):
      Double(changes.differing) * 100 > percent * Double(changes.oldTiles)
    }
  }
}

extension Expectation {
  /// Refuses a result that does not meet the conditions.
  ///
  /// - Throws: ``PipelineError`` with code `unexpected`.
  package func check(features: Int, tiles: Int) throws(PipelineError) {
    try check(features: features)
    try Self.check(tiles, self.tiles, "tiles")
  }

  /// Refuses a result that has too few records or too many.
  ///
  /// - Throws: ``PipelineError`` with code `unexpected`.
  package func check(features: Int) throws(PipelineError) {
    try Self.check(features, self.features, "features")
  }

  /// Refuses an archive that differs too much, or too little, from the one that it would replace.
  ///
  /// - Throws: ``PipelineError`` with code `unexpected`.
  package func check(_ changes: TileChanges) throws(PipelineError) {
    guard !changedTiles.contains(changes) else { return }
    let share = Double(changes.differing) * 100 / Double(max(changes.oldTiles, 1))
    let kinds =
      "\(changes.added) added, \(changes.changed) changed, \(changes.removed) removed"
    let wanted = Self.words(changedTiles.minimum?.words, changedTiles.maximum?.words)
    throw PipelineError(
      .unexpected,
      "\(changes.differing) tiles would change (\(kinds)), \(ReportNumber.short(share))% of the "
        + "last archive's \(changes.oldTiles), but 'expect' wants \(wanted). The last archive stays; "
        + "check the data, or publish it with --accept-changes.")
  }

  private static func check(
    _ count: Int, _ range: CountRange, _ noun: String
  ) throws(PipelineError) {
    guard !range.contains(count) else { return }
    throw PipelineError(
      .unexpected,
      "there are \(count) \(noun), but 'expect' wants "
        + words(range.minimum.map { "\($0)" }, range.maximum.map { "\($0)" })
        + ". The last archive stays; check the data or change 'expect'.")
  }

  private static func words(_ minimum: String?, _ maximum: String?) -> String {
    [minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" }].compactMap(\.self)
      .joined(separator: " and ")
  }
}
