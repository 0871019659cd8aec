import JSON
import Runs

/// The packs of an archive after a run.
package struct PackReport: Hashable, Sendable {
  /// The path of their list.
  package var list: String

  /// The number of packs, with the shared one.
  package var count: Int

  /// The size of all in bytes.
  package var bytes: Int

  /// The numbers of packs that were published, and removed since their region is gone.
  package var published: Int
  package var removed: Int

  /// The number of tiles in no pack.
  package var outside: Int

  package init(
    list: String, count: Int, bytes: Int, published: Int, removed: Int, outside: Int
  ) {
    self.list = list
    self.count = count
    self.bytes = bytes
    self.published = published
    self.removed = removed
    self.outside = outside
  }

  /// The packs in words: `201, 62.3 MB, 3 published, listed in world.packs.json`.
  var text: String {
    let rest = removed == 0 ? "" : ", \(ReportNumber.count(removed)) removed"
    return "\(ReportNumber.count(count)), \(ReportNumber.bytes(bytes)), "
      + "\(ReportNumber.count(published)) published\(rest), listed in \(list)"
  }

  var json: ReportJSON {
    .members([
      "count": .integer(count), "published": .integer(published), "removed": .integer(removed),
      "bytes": .integer(bytes), "outside": .integer(outside),
    ])
  }
}
