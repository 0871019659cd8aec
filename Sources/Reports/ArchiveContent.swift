package import Features
import Ingest
package import MBTiles
import OrderedCollections

/// The content of an archive that stays in place: the outcomes of the records of its sources, and
/// its number of tiles.
package struct ArchiveContent: Hashable, Sendable {
  /// The sources of records, in the order of the report or the archive.
  package var sources: [SourceReport] = []

  package var tiles = TileReport()

  /// The zooms, ascending; only read from the archive itself.
  package var zooms: [ZoomReport] = []

  package init() {}
}

extension ArchiveContent {
  /// Reads the content from the report of an archive.
  ///
  /// - Parameter report: the members of the report.
  package init(report: PropertyValue) {
    self.init()
    sources = Self.members(report, "sources").compactMap { name, counts in
      Self.source(name, counts)
    }
    let counts = Self.member(report, "tiles")
    tiles.planned = Self.count(counts, "planned")
    tiles.rendered = Self.count(counts, "rendered")
    tiles.reused = Self.count(counts, "reused")
    tiles.distinct = Self.count(counts, "distinct")
    tiles.bytes = Self.count(counts, "bytes")
  }

  /// Reads the content from an archive: its ledger, and its rows, which are counted. The archive
  /// does not record how many tiles were drawn and how many were reused.
  ///
  /// - Throws: ``ArchiveError`` where it cannot be read.
  /// - Complexity: O(tiles).
  package init(_ archive: ArchiveReader) throws(ArchiveError) {
    self.init()
    let text = archive.metadata[ArchiveMetadata.ledgerKey] ?? "{}"
    if case .object(let ledger)? = try? JSONValueParser.parse(Array(text.utf8)) {
      sources = ledger.compactMap { name, counts in Self.source(name, counts) }
    }
    let summary = try archive.summary()
    tiles.planned = summary.tiles
    tiles.distinct = summary.distinct
    tiles.bytes = summary.distinctBytes
    zooms = summary.zooms.map { ZoomReport($0) }
  }

  /// Returns the report of a source of records from its counts: rejected ones by reason or as one
  /// total; `nil` for an image.
  private static func source(_ name: String, _ counts: PropertyValue) -> SourceReport? {
    guard case .object(let members) = counts, members["read"] != nil else { return nil }
    var reasons: [RejectReason: Int] = [:]
    for (key, _) in Self.members(counts, "rejected") {
      guard let reason = RejectReason(rawValue: key) else { continue }
      reasons[reason] = count(member(counts, "rejected"), key)
    }
    var ledger = SourceLedger(rejected: reasons)
    ledger.rejectedUnexplained =
      count(counts, "rejected") + count(member(counts, "rejected"), "unknown")
    ledger.read = count(counts, "read")
    if members["matched"] != nil { ledger.matched = count(counts, "matched") }
    let repaired = member(counts, "repaired")
    ledger.restore(
      counts: { count(counts, $0.rawValue) }, repairs: { count(repaired, $0.rawValue) })
    return SourceReport(name: name, file: "", ledger: ledger)
  }

  private static func member(_ value: PropertyValue, _ key: String) -> PropertyValue {
    if case .object(let members) = value { members[key] ?? .null } else { .null }
  }

  private static func members(
    _ value: PropertyValue, _ key: String
  ) -> [(String, PropertyValue)] {
    if case .object(let members) = member(value, key) {
      members.map { ($0.key, $0.value) }
    } else {
      []
    }
  }

  /// Returns the count under a key, 0 where it is absent.
  private static func count(_ value: PropertyValue, _ key: String) -> Int {
    if case .number(let number) = member(value, key) { Int(exactly: number) ?? 0 } else { 0 }
  }
}
