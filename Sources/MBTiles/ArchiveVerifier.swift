package import Files
import Pictures
import SQLite
package import SystemPackage
import Workers

/// The result of a verification.
package struct ArchiveVerification: Sendable {
  /// The findings in the order of the checks; the first ten of a topic, then the number of further
  /// ones.
  package let findings: [ArchiveFinding]

  /// Statistics of the archive; `nil` if it could not be read to the end.
  package let summary: ArchiveSummary?

  /// The archive's metadata; `nil` if it could not be opened.
  package let metadata: StoredMetadata?

  /// Whether there are no errors, so that no reader should fail.
  package var isSound: Bool { !findings.contains { $0.severity == .error } }
}

/// A verifier of what docs/archive.md demands of an archive, whoever wrote it and whatever it
/// contains.
package struct ArchiveVerifier {
  /// The extent of a verification.
  package enum Level: String, Sendable, CaseIterable {
    /// Everything but the fingerprints over all tiles, with SQLite's quick check: for a build
    /// before it publishes, which has just computed the fingerprints itself. With
    /// ``ArchiveVerifier/written``, rows and indexes are compared instead of counted and hashed.
    case publish
    /// Everything, with SQLite's full integrity check.
    case full
  }

  package var level = Level.full

  /// The statistics of the build; differences are findings.
  package var expected: ArchiveSummary?

  /// The build's record of rows and indexes: at the level ``Level/publish``, an archive that holds
  /// exactly these is neither counted and hashed again nor passed to ``imageCheck``.
  package var written: WrittenContent?

  /// The rows that the build wrote if all others are copies of verified pages: at the level
  /// ``Level/publish`` only these are read.
  package var fresh: [WrittenRows]?

  /// An additional check of each distinct image, such as decoding it; returns the end of a sentence
  /// that begins "image …", or `nil`.
  package var imageCheck: ((UnsafeRawBufferPointer) -> String?)?

  /// Parses the text of a grid; without it, grids are not inspected.
  package var gridText: ((UnsafeRawBufferPointer) -> GridText)?

  /// A check of the conservation ledger, the value of ``ArchiveMetadata/ledgerKey``; returns a
  /// sentence, or `nil`.
  package var ledgerCheck: ((String) -> String?)?

  /// The seconds after which a check is stopped, which is a finding.
  package var giveUpAfter = 3600.0

  /// Whether the run should stop. The verification then ends early, and its findings are
  /// meaningless.
  package var isStopped: @Sendable () -> Bool = { false }

  package init(level: Level = .full) {
    self.level = level
  }

  /// Verifies the file at a path, which is opened once, as ``verify(_:)-HeldFile`` does.
  package func verify(_ path: FilePath) -> ArchiveVerification {
    var log = FindingLog()
    do throws(Errno) {
      return verify(try HeldFile(path))
    } catch .noSuchFileOrDirectory {
      log.error(.file, "there is no file \(path).")
    } catch {
      log.error(.reading, "\(path) cannot be read: \(error).")
    }
    return ArchiveVerification(findings: log.findings, summary: nil, metadata: nil)
  }

  /// Verifies a file. Never throws: anything that cannot be read is a finding.
  ///
  /// - Complexity: O(bytes of the archive). SQLite's check runs on a second thread.
  package func verify(_ file: HeldFile) -> ArchiveVerification {
    var log = FindingLog()
    guard FileCheck(file: file).run(&log) else {
      return ArchiveVerification(findings: log.findings, summary: nil, metadata: nil)
    }
    let integrity = fresh == nil ? startIntegrityCheck(file) : { FindingLog() }
    var found: (summary: ArchiveSummary?, metadata: StoredMetadata?) = (nil, nil)
    do {
      let database = try open(file)
      found.metadata = try StoredMetadata(database)
      if let layout = try StoredLayout(of: database) {
        try SchemaCheck(database: database).run(layout, &log)
        found.summary = checkContent(database, layout, found.metadata, &log)
      } else {
        log.error(.schema, "there is no table or view 'tiles'.")
      }
    } catch {
      log.unreadable(.integrity, "\(file.path)", error, isPlural: false)
    }
    if let metadata = found.metadata, level == .full, let summary = found.summary {
      found.summary = checkHashes(file, metadata, summary, &log)
    }
    log.append(integrity())
    if level == .full, log.hasErrors(in: [.integrity, .hashes]) { nameTiles(of: file, &log) }
    return ArchiveVerification(
      findings: log.findings, summary: found.summary, metadata: found.metadata)
  }

  /// Whether the file is mapped into memory: only if this process wrote all of it.
  private var isMapped: Bool { level == .publish && written != nil }

  private func open(_ file: HeldFile) throws(SQLiteError) -> Database {
    let database = try Database(
      path: file.address.string, mode: .immutable, trust: .foreign, isMapped: isMapped)
    database.setDeadline(seconds: giveUpAfter)
    database.stopWhen(isStopped)
    return database
  }

  /// Adds findings for the tiles that damage affects.
  private func nameTiles(of file: HeldFile, _ log: inout FindingLog) {
    guard let database = try? open(file), let layout = try? StoredLayout(of: database) else {
      return
    }
    database.setDeadline(seconds: min(giveUpAfter, TileProbe.patience))
    TileProbe(database, layout)?.run(&log)
  }

  // MARK: SQLite's own check

  /// Starts SQLite's check on its own connection and thread; the returned function waits for its
  /// result.
  private func startIntegrityCheck(_ file: HeldFile) -> () -> FindingLog {
    let (seconds, pragma) = (giveUpAfter, level == .full ? "integrity_check" : "quick_check")
    let work = SideWork { [isStopped, isMapped] in
      Self.integrityCheck(file, pragma, isMapped: isMapped, giveUpAfter: seconds, isStopped)
    }
    // SQLite before 3.41 cannot be interrupted while it checks a tree: when the run ends, the thread
    // is abandoned.
    return { [isStopped] in work.wait(unless: isStopped) ?? FindingLog() }
  }

  private static func integrityCheck(
    _ file: HeldFile, _ pragma: String, isMapped: Bool, giveUpAfter seconds: Double,
    _ isStopped: @escaping @Sendable () -> Bool
  ) -> FindingLog {
    var log = FindingLog()
    do {
      let database = try Database(
        path: file.address.string, mode: .immutable, trust: .foreign, isMapped: isMapped)
      database.setDeadline(seconds: seconds)
      database.stopWhen(isStopped)
      let statement = try database.prepare("PRAGMA \(pragma)(20)")
      while try statement.step() {
        let text = statement.text(0) ?? ""
        guard text != "ok" else { continue }
        // The text has one line per fault, but a finding is one line.
        let faults = text.split(separator: "\n").joined(separator: "; ")
        let failure = SQLiteError(unreadablePageIn: text)
        log.error(failure?.topic(.integrity) ?? .integrity, "SQLite's \(pragma): \(faults)")
      }
    } catch {
      log.error(error.topic(.integrity), "SQLite's \(pragma) stopped: \(error.message).")
    }
    return log
  }

  // MARK: Content

  private func checkContent(
    _ database: Database, _ layout: StoredLayout, _ metadata: StoredMetadata?,
    _ log: inout FindingLog
  ) -> ArchiveSummary? {
    var content = FindingLog()
    defer { log.append(content) }
    guard let (counted, tileSize, format) = count(database, layout, &content) else { return nil }
    var summary = counted
    if let metadata {
      MetadataCheck(
        metadata: metadata, zooms: summary.zooms, tileSize: tileSize, format: format
      ).run(&log)
      if let ledger = metadata[ArchiveMetadata.ledgerKey], let fault = ledgerCheck?(ledger) {
        log.error(.ledger, fault)
      }
    }
    summary.grids = checkGrids(database, metadata, &log)
    checkCounts(summary, metadata, &log)
    return summary
  }

  /// Counts tiles and images and checks each, or proves that they are the ones that the build
  /// counted; `nil`, with a finding, if they cannot be read.
  private func count(
    _ database: Database, _ layout: StoredLayout, _ log: inout FindingLog
  ) -> (ArchiveSummary, tileSize: Int?, format: TileFormat?)? {
    if level == .publish, let fresh, let expected {
      return check(fresh, of: expected, database, layout, &log)
    }
    guard level == .publish, let written else { return scan(database, layout, &log) }
    var check = WrittenContentCheck(database, written)
    do {
      let expected: StoredLayout = written.layout == .dedup ? .dedup : .flat
      guard layout == expected, try check.indexesHold(written.layout) else {
        log.error(.integrity, "the indexes do not lead to the rows that the build wrote.")
        return scan(database, layout, &log)
      }
      if layout == .dedup, try check.rowsHold() {
        return (written.counts, check.tileSize, check.format)
      }
    } catch {
      log.unreadable(.integrity, "rows and indexes", error)
    }
    let found = scan(database, layout, &log)
    if layout == .dedup, !log.hasErrors(in: [.images, .picture, .tiles, .integrity, .reading]) {
      log.error(.counts, "the rows of tiles and images are not those that the build wrote.")
    }
    return found
  }

  /// Checks the rows that the build wrote, if the others are copies.
  private func check(
    _ fresh: [WrittenRows], of expected: ArchiveSummary, _ database: Database,
    _ layout: StoredLayout, _ log: inout FindingLog
  ) -> (ArchiveSummary, tileSize: Int?, format: TileFormat?)? {
    do {
      let check = try WrittenRowsCheck(database, layout)
      for rows in fresh {
        if let fault = try check.fault(of: rows) { log.error(.tiles, fault) }
      }
      return (expected, check.tileSize, check.format)
    } catch {
      log.unreadable(.integrity, "the tiles", error)
      return nil
    }
  }

  /// Counts tiles and images and checks each.
  private func scan(
    _ database: Database, _ layout: StoredLayout, _ log: inout FindingLog
  ) -> (ArchiveSummary, tileSize: Int?, format: TileFormat?)? {
    var scan = ContentScan(database: database, layout: layout)
    scan.imageCheck = imageCheck
    defer { log.append(scan.log) }
    do {
      try scan.run()
    } catch {
      log.unreadable(.integrity, "the tiles", error, position: "; \(scan.position)")
      return nil
    }
    return (scan.tally.summary(hashes: nil), scan.tileSize, scan.format)
  }

  /// Checks the UTFGrids of an archive that has tables for them; `nil` for one without.
  private func checkGrids(
    _ database: Database, _ metadata: StoredMetadata?, _ log: inout FindingLog
  ) -> GridSummary? {
    do {
      guard try GridSummary.isThere(in: database) else {
        return checkTaps(database, metadata, &log)
      }
    } catch {
      log.error(error.topic(.grids), "the grids cannot be looked for: \(error.message).")
      return nil
    }
    if let known = knownGrids(database, &log) { return known }
    var scan = GridScan(database, looksInside: level == .full, keysOfText: gridText)
    defer { log.append(scan.log) }
    do {
      let digest = try scan.run()
      if let stored = metadata?[ArchiveMetadata.tapsKey], stored != digest {
        log.error(
          .grids, "'\(ArchiveMetadata.tapsKey)' is \(stored), but the taps give \(digest).")
      }
      return scan.summary
    } catch {
      log.unreadable(.grids, "the grids", error)
      return nil
    }
  }

  /// Returns the statistics of the UTFGrids if they are the ones that the build wrote or copied; `nil`
  /// if they are to be examined.
  private func knownGrids(_ database: Database, _ log: inout FindingLog) -> GridSummary? {
    guard level == .publish, let expected = expected?.grids else { return nil }
    do {
      if let fresh {
        if let fault = try WrittenRowsCheck.gridFault(of: fresh, database) {
          log.error(.grids, fault)
        }
        return expected
      }
      guard let written, try WrittenContentCheck(database, written).gridsHold() else { return nil }
      return expected
    } catch {
      log.unreadable(.grids, "the grids", error)
      return nil
    }
  }

  private func checkCounts(
    _ summary: ArchiveSummary, _ metadata: StoredMetadata?, _ log: inout FindingLog
  ) {
    guard let expected else { return }
    let zooms = Set(expected.zooms.map(\.zoom)).union(summary.zooms.map(\.zoom)).sorted()
    for zoom in zooms {
      let build = expected.zooms.first { $0.zoom == zoom }
      let stored = summary.zooms.first { $0.zoom == zoom }
      guard build != stored else { continue }
      log.error(
        .counts,
        "zoom \(zoom) has \(stored?.tiles ?? 0) tiles of \(stored?.bytes ?? 0) bytes, but the build"
          + " counted \(build?.tiles ?? 0) of \(build?.bytes ?? 0).")
    }
    if summary.grids != expected.grids {
      let what = expected.grids?.isCompact == true ? "blocks of taps" : "grids"
      log.error(
        .counts,
        "there are \(summary.grids?.distinct ?? 0) \(what) with \(summary.grids?.keys ?? 0) keys, but"
          + " the build counted \(expected.grids?.distinct ?? 0) with \(expected.grids?.keys ?? 0)."
      )
    }
    if summary.distinct != expected.distinct {
      log.error(
        .counts, "there are \(summary.distinct) images, but the build counted \(expected.distinct)."
      )
    }
    if let hashes = expected.hashes, let metadata { compare(hashes, metadata, &log) }
  }
}

extension FindingLog {
  /// Notes that something cannot be read to its end.
  ///
  /// - Parameters:
  ///   - content: the topic, unless the reading itself failed.
  ///   - what: the subject of the sentence, with its article or name.
  ///   - position: how far it was read, with a semicolon and a blank before it.
  mutating func unreadable(
    _ content: ArchiveFinding.Topic, _ what: String, _ failure: SQLiteError,
    isPlural: Bool = true, position: String = ""
  ) {
    error(
      failure.topic(content),
      "\(what) cannot be read to \(isPlural ? "their" : "its") end: \(failure.message)\(position).")
  }
}

extension SQLiteError {
  /// Returns the topic of a finding caused by this error: the reading itself, or the given content.
  func topic(_ content: ArchiveFinding.Topic) -> ArchiveFinding.Topic {
    isUnreadable ? .reading : content
  }
}
