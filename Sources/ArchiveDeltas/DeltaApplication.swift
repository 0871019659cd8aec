package import MBTiles
package import SystemPackage
import Tiling

/// The application of a delta to an old archive, which writes the new one as a new file, from front
/// to back.
///
/// The rows come to the ``ArchiveWriter`` in the order in which a build adds them, each image right
/// before the first tile that shows it, so the file has the bytes that a build would give.
package struct DeltaApplication {
  /// The relation of an archive to a delta.
  package enum Standing: Hashable, Sendable {
    /// The archive is the one that the delta starts from.
    case before
    /// The archive is the one that the delta leads to.
    case after
  }

  private let delta: DeltaReader
  private let archive: ArchiveReader

  /// Parses the text of a grid, so that those in the delta can be checked.
  private let gridText: (UnsafeRawBufferPointer) -> GridText

  package init(
    _ delta: DeltaReader, to archive: ArchiveReader,
    gridText: @escaping (UnsafeRawBufferPointer) -> GridText
  ) {
    self.delta = delta
    self.archive = archive
    self.gridText = gridText
  }

  /// Determines from its metadata how the archive relates to the delta.
  ///
  /// - Throws: ``ArchiveError/Code/badValue`` if it is neither of the two.
  package func standing() throws(ArchiveError) -> Standing {
    let facts = delta.facts
    let (form, state) = try archive.own()
    guard form == facts.form, [facts.start, facts.end].contains(state) else {
      throw ArchiveError(
        .delta(.otherStart(delta.path, facts.ends, state: state, layout: form.layout)),
        path: archive.path)
    }
    guard state == facts.end else { return .before }
    // Two archives with equal tiles may still differ in their metadata.
    return facts.start == facts.end && archive.metadata.entries != delta.metadata
      ? .before : .after
  }

  /// Verifies that an archive that is ``Standing/after`` the delta holds the promised tiles and
  /// taps.
  package func proveAfter() throws(ArchiveError) {
    guard try archive.blockHashes().digest == delta.facts.after else {
      throw damagedArchive("tiles")
    }
    try proveTaps(delta.facts.taps?.after)
  }

  /// Verifies that the archive holds the taps of a digest, if there is one.
  private func proveTaps(_ digest: String?) throws(ArchiveError) {
    guard let digest, try archive.tapsDigest() != digest else { return }
    throw damagedArchive("taps")
  }

  /// Writes the new archive.
  ///
  /// - Parameters:
  ///   - path: The path of the new file, which must not exist.
  ///   - scratch: The folder of the writer's unlinked file; `nil` for the archive's folder.
  ///   - advance: Called with the number of tiles read from the old archive, every 4,096; may throw
  ///     to stop.
  /// - Returns: The statistics of the new archive.
  /// - Throws: ``ArchiveError`` if the old archive or the delta does not match its digests: the
  ///   caller must then delete the file.
  /// - Complexity: O(bytes of both archives).
  package func write(
    to path: FilePath, scratch: FilePath? = nil, advance: (Int) throws -> Void = { _ in }
  ) throws -> ArchiveSummary {
    let form = delta.facts.form
    try proveTaps(delta.facts.taps?.before)
    let writer = try ArchiveWriter(
      path: path, layout: delta.facts.layout, pageSize: delta.facts.pageSize, scratch: scratch,
      hasAggTilesHash: promised(AggTilesHash.key) != nil, hasGrids: form.hasGrids,
      hasTaps: form.hasBlocks)
    let changes = try DeltaChanges(delta, archive, writer, gridText: gridText)
    let removed = try DeltaRowCursor(delta, table: "removed_tiles")
    let hasher = TileHasher()
    var batch = hasher.batch()
    var count = 0
    var old = try TileCursor(archive, content: .bytes, withGrids: form.hasGrids)
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
      try skipRemovals(before: old.key, removed)
      if changes.key == old.key {
        guard removed.key != old.key else { throw delta.damaged("a tile is removed and changed") }
        try changes.writeNext()
      } else if removed.key == old.key {
        try removed.step()
      } else {
        let grid = form.hasGrids ? try old.grid() : nil
        try old.withContent { (bytes) throws(ArchiveError) in
          let image = try writer.addImage(bytes, md5: MD5Digest(of: bytes))
          try writer.addTile(tile, image, grid: try changes.reference(toGrid: grid, by: tile))
        }
      }
      try old.step()
      count += 1
      if count & 4095 == 0 { try advance(count) }
    }
    hasher.submit(batch)
    guard hasher.finish().digest == delta.facts.before else { throw damagedArchive("tiles") }
    try changes.write(before: .max)
    try skipRemovals(before: .max, removed)
    guard changes.isAtEnd else {
      throw delta.damaged("it has more rows or images than are used")
    }
    try changes.grids?.finish()
    if form.hasBlocks { try DeltaTaps.apply(delta, to: archive, writer) }
    return try finish(writer)
  }

  /// Skips removals of tiles that the archive does not have, which only merged deltas contain.
  ///
  /// - Throws: ``ArchiveError/Code/badArchive`` if another delta has one.
  private func skipRemovals(
    before key: UInt64, _ removed: DeltaRowCursor
  ) throws(ArchiveError) {
    while removed.key < key {
      guard delta.facts.merged != nil else {
        throw delta.damaged("it removes a tile that is not there")
      }
      try removed.step()
    }
  }

  /// Writes the metadata, which must promise the tiles and taps that were written.
  private func finish(_ writer: ArchiveWriter) throws(ArchiveError) -> ArchiveSummary {
    let taps = writer.taps?.digest
    return try writer.finish { (hashes) throws(ArchiveError) in
      let made = ArchiveState(tiles: hashes.digest, taps: taps)
      guard made == delta.facts.end, promised(ArchiveMetadata.digestKey) == made.tiles,
        promised(ArchiveMetadata.tapsKey) == made.taps,
        promised(AggTilesHash.key) == hashes.aggTilesHash
      else {
        throw delta.damaged("it leads to \(made.short) and not to \(delta.facts.end.short)")
      }
      return delta.metadata
    }
  }

  /// Returns a value of the new archive's metadata.
  private func promised(_ name: String) -> String? {
    delta.metadata.first { $0.name == name }?.value
  }

  private func damagedArchive(_ what: String) -> ArchiveError {
    ArchiveError(.content(.digestMismatch(of: what)), path: archive.path)
  }
}
