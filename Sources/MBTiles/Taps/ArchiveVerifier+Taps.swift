import SQLite

extension ArchiveVerifier {
  /// Checks the compact taps of an archive that has them; `nil` for one without.
  func checkTaps(
    _ database: Database, _ metadata: StoredMetadata?, _ log: inout FindingLog
  ) -> GridSummary? {
    let tables: Int64?
    do {
      tables = try database.integer(TapSchema.count)
    } catch {
      log.error(error.topic(.grids), "the taps cannot be looked for: \(error.message).")
      return nil
    }
    guard tables == 2 else {
      if metadata?[ArchiveMetadata.tapsKey] != nil {
        log.error(
          .grids, "'\(ArchiveMetadata.tapsKey)' declares taps, but there are no tables of them.")
      }
      return nil
    }
    var scan = TapScan(database)
    defer { log.append(scan.log) }
    do {
      // What a build has written is not decoded again if the rows are the ones that it wrote.
      if level == .publish,
        let grids = (written?.summary ?? (fresh == nil ? nil : expected))?.grids,
        let stored = metadata?[ArchiveMetadata.tapsKey], try scan.digest() == stored
      {
        return grids
      }
      let digest = try scan.run()
      if let stored = metadata?[ArchiveMetadata.tapsKey], stored != digest {
        log.error(.grids, "'\(ArchiveMetadata.tapsKey)' is \(stored), but the taps give \(digest).")
      }
      return scan.summary
    } catch {
      log.unreadable(.grids, "the taps", error)
      return nil
    }
  }
}
