import SQLite

/// The images that a delta brings, written in the order in which tiles first show them.
final class FreshImages {
  let names: NameDifference
  private(set) var written = 0
  private var seen = ImageIndex()
  private let reader: ArchiveReader
  private let rows: DeltaRows
  private let selection: Statement

  /// Writes the names of those that the new archive has no longer.
  init(old: ArchiveReader, new: ArchiveReader, _ rows: DeltaRows) throws(ArchiveError) {
    names = try NameDifference(.images, old: old, new: new)
    reader = new
    self.rows = rows
    do {
      selection = try new.database.prepare("SELECT tile_data FROM images WHERE tile_id = ?1")
    } catch {
      throw ArchiveError(error, doing: "read", path: new.path)
    }
    for name in names.dropped { try rows.drop(name) }
  }

  /// Writes the image of a tile, unless the old archive has it or it is written.
  func write(_ name: MD5Digest) throws(ArchiveError) {
    guard names.fresh.number(of: name) != nil, seen.number(of: name) == nil else { return }
    seen.add(name)
    do {
      try selection.bind(name.description, at: 1)
      guard try selection.step() else { return }
    } catch {
      throw ArchiveError(error, doing: "read", path: reader.path)
    }
    defer { selection.reset() }
    let replaced = written < names.dropped.count ? names.dropped[written] : nil
    try selection.withBytes(0) { (bytes) throws(ArchiveError) in
      try rows.insertImage(name, bytes, replacing: replaced)
    }
    written += 1
  }

  /// Refuses a new archive with images that no tile shows.
  func requireAll() throws(ArchiveError) {
    guard written != names.fresh.count else { return }
    throw ArchiveError(
      .badArchive, "\(reader.path) has images that no tile shows. Build the archive again.",
      path: reader.path)
  }
}
