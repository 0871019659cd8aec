import SQLite

extension ArchiveVerifier {
  /// Checks the compact taps of an archive that has them; `nil` for one without.
  func checkTaps(
    _ database: Database, _ metadata: StoredMetadata?, _ log: inout FindingLog
  ) -> GridSummary? {
    guard (try? database.integer(TapSchema.count)) == 2 else {
      if metadata?[ArchiveMetadata.tapsKey] != nil {
        log.error(
          .grids, "'\(ArchiveMetadata.tapsKey)' tells of taps, but there are no tables of them.")
      }
      return nil
    }
    var scan = TapScan(database)
    defer { log.append(scan.log) }
    do {
      let digest = try scan.run()
      if let stored = metadata?[ArchiveMetadata.tapsKey], stored != digest {
        log.error(.grids, "'\(ArchiveMetadata.tapsKey)' is \(stored), but the taps give \(digest).")
      }
      return scan.summary
    } catch {
      log.error(.grids, "the taps cannot be read to their end: \(error.message).")
      return nil
    }
  }
}
