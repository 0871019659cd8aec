import Columns
import SQLite
import TapBlocks

/// The check of an archive's compact taps: every page of entries, and every block with its
/// features.
struct TapScan {
  let database: Database

  private(set) var log = FindingLog()
  private(set) var summary = GridSummary()

  /// The feature numbers that have an entry, ascending.
  private var numbers: ContiguousArray<UInt32> = []

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
    var hash = TapsHash()
    try scanBlocks(&hash)
    let rows = try database.prepare(
      "SELECT first_feature, entry_data FROM tap_entries ORDER BY first_feature")
    while try rows.step() {
      rows.withBytes(1) { hash.add(first: rows.integer(0), $0) }
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
        if let last = numbers.last, let next = page.numbers.first, next <= last {
          throw TapFault("begins before the end of the one before")
        }
        numbers.append(contentsOf: page.numbers)
        summary.keys += page.numbers.count
      } catch {
        log.error(.grids, "the entries of taps from feature \(first) on: the page \(error.text).")
      }
      summary.keyBytes += rows.withBytes(1) { $0.count }
    }
  }

  private mutating func scanBlocks(_ hash: inout TapsHash) throws(SQLiteError) {
    let rows = try database.prepare(
      "SELECT zoom_level, block_column, block_row, block_data FROM taps"
        + " ORDER BY zoom_level, block_column, block_row")
    let inflater = TapInflater()
    while try rows.step() {
      let coord = TapBlockCoord(
        zoom: Int(rows.integer(0)), column: Int(rows.integer(1)), row: Int(rows.integer(2)))
      rows.withBytes(3) { hash.add(coord, $0) }
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

  private func hasEntry(_ number: UInt32) -> Bool {
    let index = numbers.bisectedIndex(notBefore: { $0 < number })
    return index < numbers.count && numbers[index] == number
  }
}
