import Files
import SQLite

// The fingerprints over all tiles.
extension ArchiveVerifier {
  /// Returns the summary with the fingerprints of the tiles, compared with those of the metadata.
  func checkHashes(
    _ file: HeldFile, _ metadata: StoredMetadata, _ summary: ArchiveSummary,
    _ log: inout FindingLog
  ) -> ArchiveSummary {
    do {
      let reader = try ArchiveReader(file, giveUpAfter: giveUpAfter)
      reader.database.stopWhen(isStopped)
      let hashes = try reader.hashes()
      if let stored = metadata[ArchiveMetadata.digestKey], stored != hashes.digest,
        try stored == reader.earlierDigest()
      {
        log.error(
          .hashes,
          "'\(ArchiveMetadata.digestKey)' is that of an earlier version of the program, over the same"
            + " tiles. Build the archive again.")
      } else {
        compare(hashes, metadata, &log)
      }
      return ArchiveSummary(
        zooms: summary.zooms, distinct: summary.distinct, distinctBytes: summary.distinctBytes,
        hashes: hashes, grids: summary.grids)
    } catch {
      log.error(
        error.isUnreadable ? .reading : .hashes,
        "the fingerprints cannot be computed: \(error.message)")
      return summary
    }
  }

  /// Notes fingerprints that differ from those of the metadata.
  func compare(
    _ hashes: TileHashes, _ metadata: StoredMetadata, _ log: inout FindingLog
  ) {
    for (name, value) in [
      (AggTilesHash.key, hashes.aggTilesHash), (ArchiveMetadata.digestKey, hashes.digest),
    ] {
      // Archives of other programs have no digest.
      guard let value, let stored = metadata[name], stored != value else { continue }
      log.error(.hashes, "'\(name)' is \(stored), but the tiles give \(value).")
    }
  }
}

extension ArchiveError {
  /// Whether the file may be valid although it could not be read.
  fileprivate var isUnreadable: Bool {
    if case .database(let error, _) = fact { return error.isUnreadable }
    return systemError != nil
  }
}
