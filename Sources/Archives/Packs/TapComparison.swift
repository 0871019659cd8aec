import MBTiles
import TapBlocks
import Tiling

extension ArchiveReader {
  /// Calls `body` with the tiles whose compact taps may answer differently than in an earlier
  /// archive.
  ///
  /// All tiles of a block count if the bytes of the block differ, or if it names a feature whose
  /// entry differs or a cluster with such a member.
  ///
  /// - Complexity: O(bytes of the taps of both).
  func forEachTile(
    changedIn old: ArchiveReader, _ body: (TileCoord) -> Void
  ) throws(ArchiveError) {
    let features = try featuresWithOtherEntries(than: old)
    let inflater = TapInflater()
    func report(_ cursor: TapRowCursor, of archive: ArchiveReader, always: Bool)
      throws(ArchiveError)
    {
      guard let coord = cursor.key?.block else { return }
      let block: TapBlock
      do throws(TapFault) {
        block = try cursor.withContent { (bytes) throws(TapFault) in
          try TapBlock(inflater.inflate(bytes))
        }
      } catch {
        throw ArchiveError(.content(.damagedTaps(fault: "a row \(error.text)")), path: archive.path)
      }
      guard always || block.features.contains(where: features.contains) else { return }
      let first = coord.firstTile
      for index in 0..<64 where block.tiles >> UInt64(index) & 1 != 0 {
        body(
          TileCoord(
            z: first.z, x: first.x + index % TapBlockCoord.side,
            y: first.y + index / TapBlockCoord.side))
      }
    }
    try Self.walk(.blocks, old, self) { (before, after) throws(ArchiveError) in
      if let before, let after, before.hasSameContent(as: after) {
        if !features.isEmpty { try report(after, of: self, always: false) }
        return
      }
      if let before { try report(before, of: old, always: true) }
      if let after { try report(after, of: self, always: true) }
    }
  }

  /// Returns the features whose entries differ, and the clusters with members among them.
  private func featuresWithOtherEntries(
    than old: ArchiveReader
  ) throws(ArchiveError) -> Set<UInt64> {
    let inflater = TapInflater()
    func page(_ cursor: TapRowCursor, of archive: ArchiveReader) throws(ArchiveError)
      -> TapEntryPage
    {
      do throws(TapFault) {
        return try cursor.withContent { (bytes) throws(TapFault) in
          try TapEntryPage(
            inflater.inflate(bytes), first: Int64(cursor.key?.firstFeature ?? 0))
        }
      } catch {
        throw ArchiveError(.content(.damagedTaps(fault: "a row \(error.text)")), path: archive.path)
      }
    }
    var entries: [[UInt64: TapEntry]] = [[:], [:]]
    try Self.walk(.pages, old, self) { (before, after) throws(ArchiveError) in
      if let before, let after, before.hasSameContent(as: after) { return }
      for (side, cursor) in [(0, before), (1, after)] {
        guard let cursor else { continue }
        let page = try page(cursor, of: side == 0 ? old : self)
        for (identifier, entry) in zip(page.identifiers, page.entries) {
          entries[side][identifier] = entry
        }
      }
    }
    var features = Set(entries[0].filter { entries[1][$0.key] != $0.value }.keys)
    features.formUnion(entries[1].filter { entries[0][$0.key] != $0.value }.keys)
    guard !features.isEmpty else { return [] }
    let changed = features
    try forEachTapPage { page in
      for (identifier, entry) in zip(page.identifiers, page.entries)
      where entry.members?.contains(where: changed.contains) == true {
        features.insert(identifier)
      }
      return true
    }
    return features
  }

  /// Calls `body` with the rows of a table of two archives in their order; one of both is `nil` where
  /// only the other archive has the row.
  private static func walk(
    _ table: TapTable, _ old: ArchiveReader, _ new: ArchiveReader,
    _ body: (TapRowCursor?, TapRowCursor?) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    let (before, after) = (try TapRowCursor(table, of: old), try TapRowCursor(table, of: new))
    while let key = [before.key, after.key].compactMap(\.self).min() {
      let (isOld, isNew) = (before.key == key, after.key == key)
      try body(isOld ? before : nil, isNew ? after : nil)
      if isOld { try before.step() }
      if isNew { try after.step() }
    }
  }
}
