package import MBTiles
import SQLite
package import SystemPackage

/// A maker of the delta from one archive to another.
///
/// Equal archives give equal bytes. Both are read once, side by side.
package struct DeltaMaker {
  private let old: ArchiveReader
  private let new: ArchiveReader
  private let form: DeltaForm

  /// The states of the two archives, as in their metadata.
  package let states: (before: ArchiveState, after: ArchiveState)

  /// - Throws: ``ArchiveError/Code/badValue`` if one was not written by this program, or if there
  ///   can be no delta between them: their layouts or their tiles' form differ, or only one has
  ///   taps.
  package init(old: ArchiveReader, new: ArchiveReader) throws(ArchiveError) {
    let (form, before) = try old.own()
    let (newForm, after) = try new.own()
    try ArchiveComparison(old: old, new: new).requireSameForm()
    guard form.layout == newForm.layout else {
      throw ArchiveError(
        .delta(.otherLayout(than: old.path, form.layout, newForm.layout)), path: new.path)
    }
    guard form == newForm else {
      guard form.taps == nil || newForm.taps == nil else {
        throw ArchiveError(.delta(.otherTaps(than: old.path)), path: new.path)
      }
      let (with, without) = form.taps != nil ? (old.path, new.path) : (new.path, old.path)
      throw ArchiveError(.delta(.taps(with, not: without)), path: new.path)
    }
    (self.old, self.new, self.form, states) = (old, new, form, (before, after))
  }

  /// Verifies that both archives hold the tiles and taps of their metadata's digests.
  ///
  /// - Complexity: O(bytes of both).
  package func proveDigests() throws(ArchiveError) {
    for (reader, state) in [(old, states.before), (new, states.after)] {
      guard try reader.blockHashes().digest == state.tiles else { throw damaged(reader, "tiles") }
      guard let taps = state.taps else { continue }
      guard try reader.tapsDigest() == taps else { throw damaged(reader, "taps") }
    }
  }

  private func damaged(_ reader: ArchiveReader, _ what: String) -> ArchiveError {
    ArchiveError(.content(.digestMismatch(of: what, isSource: true)), path: reader.path)
  }

  /// Writes the delta.
  ///
  /// - Parameters:
  ///   - path: The path of the new file, which must not exist.
  ///   - bytes: The size of the new archive's file.
  ///   - sha256: The digest of the new archive's file.
  ///   - each: Called with every tile that differs, in archive order; may throw to stop.
  /// - Returns: The facts of the delta, and the tiles that differ by zoom.
  package func write(
    to path: FilePath, bytes: Int, sha256: String, each: (TileChange) throws -> Void = { _ in }
  ) throws -> (facts: DeltaFacts, changes: TileChanges) {
    let rows = try DeltaRows(path: path, form: form)
    try rows.insertMetadata(Self.replacements(old.metadata.entries, new.metadata.entries))
    let images = form.layout == .dedup ? try freshImages(rows) : nil
    let grids = form.hasGrids ? try freshGrids(rows) : nil
    let blocks = form.hasBlocks ? try DeltaTaps.write(from: old, to: new, into: rows) : nil
    let comparison = ArchiveComparison(old: old, new: new)
    let taps = try comparison.taps()
    let entries = try taps.map { try FreshEntries($0.entries, new, rows).write() } ?? 0
    let changes = try comparison.walk(taps) { change, cursor in
      if change.kind == .removed {
        try rows.remove(change.tile)
      } else if change.part != .entries {
        let grid = try cursor.grid()
        try cursor.withContent { (content) throws(ArchiveError) in
          try rows.insert(change.tile, content, isName: images != nil, grid: grid)
          if let images, let name = MD5Digest(hexadecimal: content) { try images.write(name) }
        }
        if let grid { try grids?.write(grid) }
      }
      try each(change)
    }
    try images?.requireAll()
    try grids?.requireAll()
    var facts = DeltaFacts(
      layout: form.layout, name: new.metadata["name"] ?? "", before: states.before.tiles,
      after: states.after.tiles, tilesBefore: changes.oldTiles, tilesAfter: changes.newTiles,
      added: changes.added, changed: changes.changed, removed: changes.removed,
      images: images?.written ?? 0, dropped: images?.names.dropped.count ?? 0,
      minZoom: new.metadata["minzoom"] ?? "", maxZoom: new.metadata["maxzoom"] ?? "",
      bytes: bytes, pageSize: new.pageSize, sha256: sha256)
    if let taps = form.taps, let before = states.before.taps, let after = states.after.taps {
      facts.taps = DeltaFacts.Taps(
        before: before, after: after, form: taps, grids: blocks?.blocks ?? grids?.written ?? 0,
        entries: blocks?.pages ?? entries)
    }
    try rows.finish(facts)
    return (facts, changes)
  }

  private func freshImages(_ rows: DeltaRows) throws(ArchiveError) -> FreshRows {
    try FreshRows(.images, old: old, new: new, drop: rows.drop(image:)) {
      (_, name, bytes, replaced) throws(ArchiveError) in
      try rows.insertImage(name, bytes, replacing: replaced)
    }
  }

  private func freshGrids(_ rows: DeltaRows) throws(ArchiveError) -> FreshRows {
    let keys = try StoredKeys(new)
    return try FreshRows(.grids, old: old, new: new, drop: rows.drop(grid:)) {
      (number, name, bytes, replaced) throws(ArchiveError) in
      try rows.insertGrid(
        number, name, bytes, replacing: replaced, keys: keys.keys(ofGrid: name.description))
    }
  }

  /// Returns the new rows of metadata, each with the name of the old row that it replaces: the row
  /// of its own name, or a removed one.
  static func replacements(
    _ old: [MetadataEntry], _ new: [MetadataEntry]
  ) -> [(entry: MetadataEntry, replaced: String?)] {
    let (oldNames, newNames) = (Set(old.map(\.name)), Set(new.map(\.name)))
    var gone = old.map(\.name).filter { !newNames.contains($0) }[...]
    let added = newNames.subtracting(oldNames).count
    // If more names are removed than added, some kept entries move into the places of removed ones,
    // which frees their own places: names are unique.
    var surplus = max(0, gone.count - added)
    return new.map { entry in
      if oldNames.contains(entry.name) {
        guard surplus > 0, let name = gone.popFirst() else { return (entry, entry.name) }
        surplus -= 1
        return (entry, name)
      }
      return (entry, gone.popFirst())
    }
  }
}

/// The new images or grids of a delta, written in the order in which tiles first show them.
final class FreshRows {
  /// Writes a row: its number from 1 on, its name and bytes, and the name of the one that it
  /// replaces.
  typealias Insertion = (Int, MD5Digest, UnsafeRawBufferPointer, MD5Digest?) throws(ArchiveError) ->
    Void

  let names: NameDifference
  private(set) var written = 0
  private var seen = ImageIndex()
  private let table: NameDifference.Table
  private let reader: ArchiveReader
  private let selection: Statement
  private let insert: Insertion

  /// - Parameter drop: called with the names that the new archive no longer has.
  init(
    _ table: NameDifference.Table, old: ArchiveReader, new: ArchiveReader,
    drop: (MD5Digest) throws(ArchiveError) -> Void, insert: @escaping Insertion
  ) throws(ArchiveError) {
    self.table = table
    names = try NameDifference(table, old: old, new: new)
    reader = new
    self.insert = insert
    selection = try new.prepare(table.contentSelection)
    for name in names.dropped { try drop(name) }
  }

  /// Writes the image or grid of a tile, unless the old archive has it or it is already written.
  func write(_ name: MD5Digest) throws(ArchiveError) {
    guard names.fresh.number(of: name) != nil, seen.number(of: name) == nil else { return }
    seen.add(name)
    let isThere = try reader.reading { () throws(SQLiteError) in
      selection.reset()
      try selection.bind(name.description, at: 1)
      return try selection.step()
    }
    guard isThere else { return }
    let replaced = written < names.dropped.count ? names.dropped[written] : nil
    written += 1
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      try insert(written, name, bytes, replaced)
    }
  }

  /// Refuses a new archive with images or grids that no tile shows.
  func requireAll() throws(ArchiveError) {
    guard written != names.fresh.count else { return }
    throw ArchiveError(.content(.unshownRows(table: table.rawValue)), path: reader.path)
  }
}

/// The new data of keys in a delta.
struct FreshEntries {
  private let changes: EntryChanges
  private let reader: ArchiveReader
  private let rows: DeltaRows

  init(_ changes: EntryChanges, _ new: ArchiveReader, _ rows: DeltaRows) {
    self.changes = changes
    reader = new
    self.rows = rows
  }

  /// Writes the entries in the order of the new archive, each replacing its own or a removed one,
  /// and the removed keys that nothing replaces.
  ///
  /// - Returns: the number of entries written.
  func write() throws(ArchiveError) -> Int {
    var gone = changes.dropped[...]
    var count = 0
    let entries = try reader.prepare(
      "SELECT key_name, key_json FROM keymap ORDER BY rowid", for: .taps())
    while count < changes.fresh.count + changes.changed.count,
      try reader.reading(.taps(), { () throws(SQLiteError) in try entries.step() })
    {
      let key = entries.withBytes(0) { Array($0) }
      let replaced: [UInt8]?
      if changes.changed.contains(key) {
        replaced = key
      } else if changes.fresh.contains(key) {
        replaced = gone.popFirst()
      } else {
        continue
      }
      try rows.insertEntry(key, entries.withBytes(1) { Array($0) }, replacing: replaced)
      count += 1
    }
    for key in gone { try rows.drop(entry: key) }
    return count
  }
}
