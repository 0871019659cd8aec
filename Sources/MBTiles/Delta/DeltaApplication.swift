import SQLite
package import SystemPackage
import Tiling

/// Makes the new archive from the old one and a delta: a new file, written from front to back.
///
/// The rows come to the ``ArchiveWriter`` in the order in which a build hands them over, each image
/// right before the first tile that shows it, so the bytes of the file are those of the build.
package struct DeltaApplication {
  /// How an archive stands to a delta.
  package enum Standing: Hashable, Sendable {
    /// The delta leads on from it.
    case before
    /// It is what the delta leads to.
    case after
  }

  private let delta: DeltaReader
  private let archive: ArchiveReader

  package init(_ delta: DeltaReader, to archive: ArchiveReader) {
    self.delta = delta
    self.archive = archive
  }

  /// Tells by its metadata whether the archive is the one that the delta is for.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` if it is neither of the two.
  package func standing() throws(ArchiveError) -> Standing {
    let facts = delta.facts
    let (layout, digest) = try archive.own()
    guard layout == facts.layout, [facts.before, facts.after].contains(digest) else {
      throw ArchiveError(
        .badValue,
        "\(delta.path) leads from \(DigestText.short(facts.before)) to"
          + " \(DigestText.short(facts.after)) in the layout '\(facts.layout.rawValue)', but"
          + " \(archive.path) is \(DigestText.short(digest)), '\(layout.rawValue)'. Apply the delta"
          + " that leads on from there, or take the whole archive.", path: archive.path)
    }
    guard digest == facts.after else { return .before }
    // Two archives of equal tiles may still say different things of themselves.
    return facts.before == facts.after && archive.metadata.entries != delta.metadata
      ? .before : .after
  }

  /// Makes sure that an archive that stands ``Standing/after`` the delta holds the tiles that it
  /// promises.
  package func proveAfter() throws(ArchiveError) {
    guard try archive.hashes().digest != delta.facts.after else { return }
    throw damagedArchive
  }

  /// Writes the new archive.
  ///
  /// - Parameters:
  ///   - path: Where; nothing may be there.
  ///   - scratch: The folder of the writer's unlinked file; `nil` is the archive's own.
  ///   - advance: Is told how many tiles of the old archive are read, every 4,096; may throw to end.
  /// - Returns: What the new archive holds.
  /// - Throws: ``ArchiveError`` if the old archive or the delta is not what it promises: the file is
  ///   then to be thrown away.
  /// - Complexity: O(bytes of both archives).
  package func write(
    to path: FilePath, scratch: FilePath? = nil, advance: (Int) throws -> Void = { _ in }
  ) throws -> ArchiveSummary {
    let writer = try ArchiveWriter(path: path, layout: delta.facts.layout, scratch: scratch)
    let changes = try DeltaChanges(delta, archive, writer)
    let removed = try DeltaRowCursor(delta, table: "removed_tiles")
    let hasher = TileHasher()
    var batch = hasher.batch()
    var count = 0
    var old = try TileCursor(archive, content: .bytes)
    try old.step()
    while let tile = old.tile {
      try old.withContent { (bytes) throws(ArchiveError) in
        if !batch.append(tile.archiveKey, copying: bytes) {
          hasher.submit(batch)
          batch = hasher.batch()
          _ = batch.append(tile.archiveKey, copying: bytes)
        }
      }
      try changes.write(before: old.key)
      if removed.key < old.key { throw delta.damaged("it removes a tile that is not there") }
      if changes.key == old.key {
        guard removed.key != old.key else { throw delta.damaged("a tile is removed and changed") }
        try changes.writeNext()
      } else if removed.key == old.key {
        try removed.step()
      } else {
        try old.withContent { (bytes) throws(ArchiveError) in
          try writer.addTile(tile, try writer.addImage(bytes, md5: MD5Digest(of: bytes)))
        }
      }
      try old.step()
      count += 1
      if count & 4095 == 0 { try advance(count) }
    }
    hasher.submit(batch)
    guard hasher.finish().digest == delta.facts.before else { throw damagedArchive }
    try changes.write(before: .max)
    guard removed.tile == nil, changes.isAtEnd else {
      throw delta.damaged("it has more rows or images than are used")
    }
    return try finish(writer)
  }

  /// Writes the metadata, which must promise the tiles that were written.
  private func finish(_ writer: ArchiveWriter) throws(ArchiveError) -> ArchiveSummary {
    try writer.finish { (hashes) throws(ArchiveError) in
      let promised = delta.metadata.first { $0.name == ArchiveMetadata.digestKey }?.value
      let aggregate = delta.metadata.first { $0.name == "agg_tiles_hash" }?.value
      guard hashes.digest == delta.facts.after, promised == delta.facts.after,
        aggregate == hashes.aggTilesHash
      else {
        throw delta.damaged(
          "it leads to \(DigestText.short(hashes.digest)) and not to"
            + " \(DigestText.short(delta.facts.after))")
      }
      return delta.metadata
    }
  }

  private var damagedArchive: ArchiveError {
    ArchiveError(
      .badArchive,
      "\(archive.path) is damaged: its tiles are not those of which its digest was made. Take the"
        + " whole archive anew.", path: archive.path)
  }
}
