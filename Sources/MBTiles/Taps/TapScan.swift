import Columns
import SQLite
import TapBlocks

/// The check of an archive's compact taps: every page of entries, and every block with its
/// features.
package struct TapScan {
  let database: Database

  private(set) var log = FindingLog()
  private(set) var summary = GridSummary()

  /// The identifiers of features that have an entry, ascending.
  private var identifiers: ContiguousArray<UInt64> = []

  /// The members that entries name.
  private var members: Set<UInt64> = []

  init(_ database: Database) {
    self.database = database
    summary.isCompact = true
  }

  /// Runs the check.
  ///
  /// - Returns: the digest of the rows, the value of ``ArchiveMetadata/tapsKey``.
  /// - Complexity: O(bytes, n log n) for the features that blocks name.
  mutating func run() throws(SQLiteError) -> String {
    try scanPages()
    if let member = members.filter({ !hasEntry($0) }).min() {
      log.error(
        .grids,
        "the entries of taps: a cluster names the member \(member), which 'tap_entries' lacks.")
    }
    members = []
    try scanBlocks()
    return try digest()
  }

  /// Returns the digest of the rows, whatever they hold.
  ///
  /// - Complexity: O(bytes).
  func digest() throws(SQLiteError) -> String {
    var hash = TapsHash()
    let blocks = try database.prepare(
      "SELECT zoom_level, block_column, block_row, block_data FROM taps"
        + " ORDER BY zoom_level, block_column, block_row")
    while try blocks.step() {
      let coord = TapBlockCoord(
        zoom: Int(blocks.integer(0)), column: Int(blocks.integer(1)), row: Int(blocks.integer(2)))
      blocks.withBytes(3) { hash.add(coord, $0) }
    }
    let pages = try database.prepare(
      "SELECT first_feature, entry_data FROM tap_entries ORDER BY first_feature")
    while try pages.step() {
      pages.withBytes(1) { hash.add(first: pages.integer(0), $0) }
    }
    return hash.digest
  }

  private mutating func scanPages() throws(SQLiteError) {
    let rows = try database.prepare(
      "SELECT first_feature, entry_data FROM tap_entries ORDER BY first_feature")
    let inflater = TapInflater()
    while try rows.step() {
      let first = rows.integer(0)
      guard rows.kind(0) == .integer, rows.kind(1) == .blob else {
        log.error(.grids, "a row of 'tap_entries' has no number or no bytes.")
        continue
      }
      do throws(TapFault) {
        let page = try rows.withBytes(1) { (bytes) throws(TapFault) in
          try TapEntryPage(inflater.inflate(bytes), first: first)
        }
        if let last = identifiers.last, let next = page.identifiers.first, next <= last {
          throw TapFault("begins before the end of the one before")
        }
        identifiers.append(contentsOf: page.identifiers)
        for entry in page.entries { members.formUnion(entry.members ?? []) }
        summary.keys += page.entries.count
      } catch {
        log.error(.grids, "the entries of taps from feature \(first) on: the page \(error.text).")
      }
      summary.keyBytes += rows.withBytes(1) { $0.count }
    }
  }

  private mutating func scanBlocks() throws(SQLiteError) {
    let rows = try database.prepare(
      "SELECT zoom_level, block_column, block_row, block_data FROM taps"
        + " ORDER BY zoom_level, block_column, block_row")
    let inflater = TapInflater()
    while try rows.step() {
      let coord = TapBlockCoord(
        zoom: Int(rows.integer(0)), column: Int(rows.integer(1)), row: Int(rows.integer(2)))
      guard (0..<3).allSatisfy({ rows.kind($0) == .integer }), coord.isValid,
        rows.kind(3) == .blob
      else {
        log.error(.grids, "a row of 'taps' is of no block, or has no bytes.")
        continue
      }
      summary.distinct += 1
      summary.bytes += rows.withBytes(3) { $0.count }
      do throws(TapFault) {
        let block = try rows.withBytes(3) { (bytes) throws(TapFault) in
          try TapBlock(inflater.inflate(bytes))
        }
        summary.tiles += block.tiles.nonzeroBitCount
        if let feature = block.features.first(where: { !hasEntry($0) }) {
          throw TapFault("names the feature \(feature), which 'tap_entries' lacks")
        }
      } catch {
        log.error(
          .grids,
          "the taps of zoom \(coord.zoom), block \(coord.column), \(coord.row): the block "
            + "\(error.text).")
      }
    }
  }

  private func hasEntry(_ feature: UInt64) -> Bool {
    let index = identifiers.bisectedIndex(notBefore: { $0 < feature })
    return index < identifiers.count && identifiers[index] == feature
  }
}
