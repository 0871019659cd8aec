package import MBTiles
import SQLite
package import SystemPackage

/// The composition of two deltas, the second of which starts where the first ends, into one that
/// leads all the way. It needs no archive.
///
/// The images, grids and keys that the result adds and drops are exactly those of a delta made from
/// the two archives. Its tiles may be more: one that changed and changed back is among them, and one
/// that came and went is removed although the archive never had it. ``DeltaFacts/merged`` says so.
package struct DeltaMerger {
  private let first: DeltaReader
  private let second: DeltaReader

  /// - Throws: ``ArchiveError/Code/badValue`` if the second does not start where the first ends.
  package init(_ first: DeltaReader, _ second: DeltaReader) throws(ArchiveError) {
    guard first.facts.end == second.facts.start, first.facts.form == second.facts.form else {
      throw ArchiveError(
        .delta(.otherEnd(first.path, first.facts.ends, second.facts.ends)), path: second.path)
    }
    self.first = first
    self.second = second
  }

  /// Writes the merged delta.
  ///
  /// - Parameter path: The path of the new file, which must not exist.
  /// - Returns: The facts of the delta; ``DeltaFacts/added``, ``DeltaFacts/changed`` and
  ///   ``DeltaFacts/removed`` count its rows.
  /// - Throws: ``ArchiveError`` if one of the deltas is damaged: the caller must then delete the file.
  /// - Complexity: O(bytes of both); 48 bytes per image, grid and key are in memory.
  package func write(to path: FilePath) throws(ArchiveError) -> DeltaFacts {
    let form = first.facts.form
    let rows = try DeltaRows(path: path, form: form)
    try rows.insertMetadata(try metadata())
    let isDedup = form.layout == .dedup
    let images = isDedup ? try MergedRows(.images, first, second, drop: rows.drop(image:)) : nil
    let grids = form.hasGrids ? try MergedRows(.grids, first, second, drop: rows.drop(grid:)) : nil
    let entries = form.hasGrids ? try MergedEntries(first, second).write(to: rows) : 0
    let blocks = form.hasBlocks ? try DeltaTaps.merge(first, second, into: rows) : nil
    let counts = try writeTiles(rows, images, grids)
    for fresh in [images, grids] { try fresh?.requireAll() }
    var facts = facts(counts, images, grids, entries: entries)
    if let blocks {
      facts.taps?.grids = blocks.blocks
      facts.taps?.entries = blocks.pages
    }
    try rows.finish(facts)
    return facts
  }

  /// Returns the new rows of metadata. The start has the rows that the first delta replaces.
  private func metadata() throws(ArchiveError) -> [(entry: MetadataEntry, replaced: String?)] {
    let statement = try first.rows("SELECT name, replaces FROM new_metadata ORDER BY rowid")
    var names: [String] = []
    while try first.attempt({ () throws(SQLiteError) in try statement.step() }) {
      guard let replaced = statement.text(1) else { continue }
      // A row that replaces another one may have existed before, in another place.
      for name in [replaced, statement.text(0) ?? ""] where !names.contains(name) {
        names.append(name)
      }
    }
    return DeltaMaker.replacements(names.map { MetadataEntry($0, "") }, second.metadata)
  }

  // MARK: Tiles

  private struct Counts {
    var written = 0
    var removed = 0
  }

  /// Writes the tiles of both in archive order; the second delta decides on a tile that is in both.
  private func writeTiles(
    _ rows: DeltaRows, _ images: MergedRows?, _ grids: MergedRows?
  ) throws(ArchiveError) -> Counts {
    let (old, new) = (try TileSteps(first), try TileSteps(second))
    var counts = Counts()
    while true {
      let key = min(old.key, new.key)
      guard key != .max else { return counts }
      let cursors = new.key == key ? new : old
      if cursors.isRemoval {
        if let tile = cursors.removed.tile { try rows.remove(tile) }
        counts.removed += 1
      } else {
        try write(cursors.changed, to: rows, images, grids)
        counts.written += 1
      }
      if old.key == key { try old.step() }
      if new.key == key { try new.step() }
    }
  }

  private func write(
    _ row: DeltaRowCursor, to rows: DeltaRows, _ images: MergedRows?, _ grids: MergedRows?
  ) throws(ArchiveError) {
    guard let tile = row.tile else { return }
    let grid = grids == nil ? nil : try row.grid()
    try row.withContent { (content) throws(ArchiveError) in
      try rows.insert(tile, content, isName: images != nil, grid: grid)
      guard let images else { return }
      guard let name = MD5Digest(hexadecimal: content) else {
        throw second.damaged("tile \(tile) shows an image that is not named by an MD5")
      }
      try images.write(name) { (_, bytes, replaced, _) throws(ArchiveError) in
        try rows.insertImage(name, bytes, replacing: replaced)
      }
    }
    guard let grid else { return }
    try grids?.write(grid) { (number, bytes, replaced, keys) throws(ArchiveError) in
      try rows.insertGrid(number, grid, bytes, replacing: replaced, keys: keys)
    }
  }

  private func facts(
    _ counts: Counts, _ images: MergedRows?, _ grids: MergedRows?, entries: Int
  ) -> DeltaFacts {
    let (before, after) = (first.facts, second.facts)
    var facts = after
    facts.before = before.before
    facts.tilesBefore = before.tilesBefore
    facts.removed = counts.removed
    facts.added = max(0, after.tilesAfter - before.tilesBefore + counts.removed)
    facts.changed = max(0, counts.written - facts.added)
    facts.images = images?.written ?? 0
    facts.dropped = images?.dropped.count ?? 0
    facts.merged = (before.merged ?? 1) + (after.merged ?? 1)
    if let start = before.taps, let end = after.taps {
      facts.taps = DeltaFacts.Taps(
        before: start.before, after: end.after, form: end.form, grids: grids?.written ?? 0,
        entries: entries)
    }
    return facts
  }
}

/// The tiles of a delta, changed and removed ones, in archive order.
private final class TileSteps {
  let changed: DeltaRowCursor
  let removed: DeltaRowCursor
  private let delta: DeltaReader

  init(_ delta: DeltaReader) throws(ArchiveError) {
    self.delta = delta
    changed = try delta.changedTiles()
    removed = try DeltaRowCursor(delta, table: "removed_tiles")
    try requireOne()
  }

  /// The `archiveKey` of the tile, or the greatest number after the last.
  var key: UInt64 { min(changed.key, removed.key) }

  /// Whether the tile is one that is removed.
  var isRemoval: Bool { removed.key < changed.key }

  func step() throws(ArchiveError) {
    try (isRemoval ? removed : changed).step()
    try requireOne()
  }

  private func requireOne() throws(ArchiveError) {
    guard changed.key != removed.key || changed.tile == nil else {
      throw delta.damaged("a tile is removed and changed")
    }
  }
}
