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

  /// Calls `body` with the data of features as JSON, in the requested order; `nil` where the
  /// archive has none. Neighbouring features share a row, which is read once if they ascend.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if a page of entries is damaged; any error of
  ///   `body`.
  package func forEachTapEntry(
    of features: [UInt32], _ body: (UInt32, [UInt8]?) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    var page: TapEntryPage?
    for feature in features {
      let isInPage = page.map {
        $0.numbers.first ?? 0 <= feature && feature <= $0.numbers.last ?? 0
      }
      if isInPage != true { page = try tapPage(of: feature, unless: page) }
      try body(feature, page?.entry(of: feature))
    }
  }

  /// Returns the data of a feature as JSON; `nil` where the archive has none.
  package func tapEntry(of feature: UInt32) throws(ArchiveError) -> [UInt8]? {
    try tapPage(of: feature, unless: nil)?.entry(of: feature)
  }

  /// Returns the maximum number of features with data in the archive.
  func tapEntryLimit() throws(ArchiveError) -> Int {
    try reading(.taps()) { () throws(SQLiteError) in
      let pages = try database.integer("SELECT count(*) FROM tap_entries") ?? 0
      return Int(clamping: pages) * TapEntryPage.countLimit
    }
  }

  /// Returns the page that may contain a feature.
  ///
  /// - Parameter known: a page that is returned instead of being read again.
  private func tapPage(
    of feature: UInt32, unless known: TapEntryPage?
  ) throws(ArchiveError) -> TapEntryPage? {
    let result: Result<TapEntryPage, TapFault>
    do throws(SQLiteError) {
      let statement = try database.prepare(
        "SELECT first_feature, entry_data FROM tap_entries WHERE first_feature <= ?1"
          + " ORDER BY first_feature DESC LIMIT 1")
      try statement.bind(Int64(feature), at: 1)
      guard try statement.step(), statement.kind(1) == .blob else { return nil }
      let first = statement.integer(0)
      if let known, let its = known.numbers.first, Int64(its) == first { return known }
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
