import SQLite
package import TapBlocks
package import Tiling

extension ArchiveReader {
  /// Returns whether the archive has compact taps.
  package func hasTapBlocks() throws(ArchiveError) -> Bool {
    try reading { () throws(SQLiteError) in
      try database.integer(TapSchema.count) == 2
    }
  }

  /// Returns whether the archive answers taps in either form.
  package func answersTaps() throws(ArchiveError) -> Bool {
    if try hasGrids() { return true }
    return try hasTapBlocks()
  }

  /// Returns the block that contains a tile, `nil` where nothing in it answers taps.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if it is damaged.
  package func tapBlock(of tile: TileCoord) throws(ArchiveError) -> TapBlock? {
    guard tile.isValid else { return nil }
    guard let stream = try tapStream(of: TapBlockCoord(tile), as: .taps(of: tile)) else {
      return nil
    }
    let result = stream.withUnsafeBytes { bytes in
      Result { () throws(TapFault) in try TapBlock(TapInflater().inflate(bytes)) }
    }
    return try taps(result, of: "tile \(tile)")
  }

  /// Returns the data of a feature as JSON; `nil` where the archive has none.
  package func tapEntry(of feature: UInt64) throws(ArchiveError) -> [UInt8]? {
    let entries = TapEntryReader(self)
    return try entries.entry(of: feature).map { (entry) throws(ArchiveError) in
      try entries.json(entry)
    }
  }

  /// Returns the maximum number of features with data in the archive.
  package func tapEntryLimit() throws(ArchiveError) -> Int {
    try reading(.taps()) { () throws(SQLiteError) in
      let pages = try database.integer("SELECT count(*) FROM tap_entries") ?? 0
      return Int(clamping: pages) * TapEntryPage.countLimit
    }
  }

  /// Returns the page that may contain a feature.
  fileprivate func tapPage(of feature: UInt64) throws(ArchiveError) -> TapEntryPage? {
    let result: Result<TapEntryPage, TapFault>
    do throws(SQLiteError) {
      let statement = try database.prepare(
        "SELECT first_feature, entry_data FROM tap_entries WHERE first_feature <= ?1"
          + " ORDER BY first_feature DESC LIMIT 1")
      try statement.bind(Int64(clamping: feature), at: 1)
      guard try statement.step(), statement.kind(1) == .blob else { return nil }
      let first = statement.integer(0)
      result = statement.withBytes(1) { bytes in
        Result { () throws(TapFault) in
          try TapEntryPage(TapInflater().inflate(bytes), first: first)
        }
      }
    } catch {
      throw ArchiveError(error, reading: .taps(), of: path)
    }
    return try taps(result, of: "feature \(feature)")
  }

  private func taps<Value>(
    _ result: Result<Value, TapFault>, of what: String
  ) throws(ArchiveError) -> Value {
    switch result {
    case .success(let value): return value
    case .failure(let fault):
      throw ArchiveError(
        .content(.damagedTaps(of: what, fault: "the row \(fault.text)")), path: path)
    }
  }
}

/// A reader of the entries of an archive's features, which keeps the pages that it read last:
/// neighbouring features, and clusters and their members, share pages.
package final class TapEntryReader {
  private let archive: ArchiveReader

  /// The pages, the latest last.
  private var pages: [TapEntryPage] = []

  /// Maximum number of pages that are kept.
  private static let limit = 16

  package init(_ archive: ArchiveReader) {
    self.archive = archive
  }

  /// Returns the entry of a feature; `nil` where the archive has none.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if its page is damaged.
  package func entry(of feature: UInt64) throws(ArchiveError) -> TapEntry? {
    for page in pages.reversed() {
      if let first = page.identifiers.first, let last = page.identifiers.last,
        (first...last).contains(feature)
      {
        return page.entry(of: feature)
      }
    }
    guard let page = try archive.tapPage(of: feature) else { return nil }
    if pages.count == Self.limit { pages.removeFirst() }
    pages.append(page)
    return page.entry(of: feature)
  }

  /// Returns an entry as JSON, with the members of a cluster.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if a member has no entry, or its page is damaged.
  package func json(_ entry: TapEntry) throws(ArchiveError) -> [UInt8] {
    try entry.json { (member) throws(ArchiveError) in
      guard let entry = try self.entry(of: member) else {
        throw ArchiveError(
          .content(
            .damagedTaps(fault: "they name the feature \(member), which 'tap_entries' lacks")),
          path: archive.path)
      }
      return entry
    }
  }
}
