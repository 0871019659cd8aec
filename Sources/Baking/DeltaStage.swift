import Archives
import Definition
import Files
import JSON
import MBTiles
import Platform
import Reports
import Reuse
import Runs
import SystemPackage

/// The stage that writes the deltas from earlier archives to the published one.
///
/// The archive is in place by then, and stays if this stage fails. Deltas come first, then their
/// list, then those are removed that the list no longer contains: so every delta in a list exists,
/// and a run that is killed leaves at most a file that the next one reuses or removes. The caller
/// holds the archive's lock.
struct DeltaStage {
  /// The published archive.
  let archive: FilePath

  /// The archive that it replaced, opened before; `nil` where there was none.
  let replaced: ArchiveReader?

  /// The deltas of earlier runs that stay.
  let kept: KeptDeltas

  /// The list of the archive that a rollback withdrew, whose deltas stay unless they lead there.
  var withdrawn: DeltaList?

  let clock: StageClock

  /// Runs the stage `delta` and adds the deltas to the report.
  ///
  /// - Throws: ``PipelineError``; the archive stays published.
  func run(_ report: inout BuildReport) throws(PipelineError) {
    // The list says it to apps, whatever the build had to read.
    if report.archive.sha256.isEmpty {
      report.archive.sha256 = try PipelineError.wrapping { try FileDigest.sha256(of: archive) }
    }
    let entries = try run(sha256: report.archive.sha256, notes: &report.notes)
    report.deltas = entries.filter { $0.after == report.archive.digest }.map {
      DeltaReport(file: $0.file, before: $0.before, bytes: $0.bytes)
    }
  }

  /// Runs the stage without a report.
  ///
  /// - Parameters:
  ///   - sha256: the digest of the archive's file.
  ///   - notes: receives the reason for each earlier archive without a delta.
  func run(sha256: String, notes: inout [String]) throws(PipelineError) -> [DeltaList.Entry] {
    do throws(PipelineError) {
      return try clock.stage("delta", unit: .tiles) { _ in
        try ArchiveFailure.wrap(clock.cancellation) { try write(sha256, &notes) }
      }
    } catch {
      var failure = error
      failure.message = "\(archive) is published, but not its deltas: \(error.message)"
      throw failure
    }
  }

  private func write(_ sha256: String, _ notes: inout [String]) throws -> [DeltaList.Entry] {
    let new = try ArchiveReader.opening(archive)
    let listPath = DeltaList.path(besideArchive: archive.string)
    let known = DeltaList(contentsOf: listPath)
    let state = new.state
    let bytes = try FileStatus.size(of: archive)
    var list = DeltaList(
      archive: archive.lastComponent?.string ?? "", digest: state?.tiles ?? "", taps: state?.taps,
      bytes: bytes, sha256: sha256, deltas: [])
    // Archives of equal tiles and size may still differ in their metadata, which deltas update too.
    // The delta from the archive that was replaced stays even where that archive is not kept.
    if let known, known.sha256 == sha256 {
      list.deltas = known.deltas.filter { $0.end == list.state && isWhole($0) }
    }
    let isCompact = try new.hasTapBlocks()
    if isCompact {
      notes.append(
        "no delta leads to \(archive), whose taps are compact: deltas carry tiles and UTFGrid. Apps "
          + "take the whole archive.")
    }
    for old in isCompact ? [] : earlier() {
      let before = old.state
      // If no tile or hit test entry differs, an app has nothing to download.
      if before == state || list.deltas.contains(where: { $0.start == before }) { continue }
      do {
        list.deltas.append(try delta(from: old, to: new, list))
      } catch let error as ArchiveError where error.code == .badValue || error.code == .badArchive {
        notes.append("no delta leads from \(old.path): \(error.message)")
      }
    }
    if let earlier = withdrawn ?? known {
      list.appendSteps(
        of: earlier, avoiding: withdrawn?.state, limits: kept.limits(ofArchive: bytes),
        isWhole: isWhole)
    }
    if list != known { try ReportFile.write(list.json.pretty, to: listPath) }
    StaleFiles.remove(besides: FilePath(listPath), isLocked: true)
    Self.removeOthers(list, in: folder)
    return list.deltas
  }

  /// Whether the file of a delta of the last list exists.
  private func isWhole(_ entry: DeltaList.Entry) -> Bool {
    DeltaList.isDelta(entry.file, of: archive.lastComponent?.string ?? "")
      && (try? FileStatus.size(of: path(entry.file))) == entry.bytes
  }

  /// Opens the archives before this one, newest first.
  private func earlier() -> [ArchiveReader] {
    var readers = [replaced].compactMap(\.self)
    for path in KeptArchives(archive).all {
      if let reader = try? ArchiveReader.opening(path) { readers.append(reader) }
    }
    return readers
  }

  private func delta(
    from old: ArchiveReader, to new: ArchiveReader, _ list: DeltaList
  ) throws -> DeltaList.Entry {
    for reader in [old, new] { reader.stopWhen(clock.cancellation.isStopped) }
    let maker = try DeltaMaker(old: old, new: new)
    let (before, after) = maker.states
    let name = DeltaList.file(besideArchive: list.archive, before: before, after: after)
    // Like the files that the archive's own builds leave, a killed run's file is removed by the
    // next one.
    let temporary = DurableFile.temporary(for: archive, mark: "-delta")
    defer { unlink(temporary.string) }
    unlink(temporary.string)
    _ = try maker.write(to: temporary, bytes: list.bytes, sha256: list.sha256)
    let entry = DeltaList.Entry(
      before: before.tiles, tapsBefore: before.taps, after: after.tiles, tapsAfter: after.taps,
      file: name,
      bytes: try FileStatus.size(of: temporary),
      sha256: try FileDigest.sha256(of: temporary))
    try DurableFile.synchronize(temporary)
    try LeftLog.settle(path(name))
    try DurableFile.rename(temporary, to: path(name))
    try DurableFile.synchronizeFolder(of: archive)
    return entry
  }

  /// Removes the list of deltas and its files where they lead to another archive than the one in
  /// place: an app that followed them would have an old archive and treat it as the new one.
  ///
  /// - Parameter sha256: the digest of the archive's file.
  /// - Returns: whether there was such a list.
  static func removeOutdated(besides archive: FilePath, sha256: String) -> Bool {
    let paths = [
      DeltaList.path(besideArchive: archive.string),
      DeltaList.withheldPath(besideArchive: archive.string),
    ]
    guard let list = paths.lazy.compactMap({ DeltaList(contentsOf: $0) }).first,
      list.sha256 != sha256, list.archive == archive.lastComponent?.string
    else { return false }
    // The list is removed first, so that every delta in a list exists.
    for path in paths { unlink(path) }
    let folder = DurableFile.folder(of: archive)
    for name in FolderListing.names(in: folder) where DeltaList.isDelta(name, of: list.archive) {
      unlink(folder.appending(name).string)
    }
    return true
  }

  /// Removes deltas of this archive that the list does not contain.
  private static func removeOthers(_ list: DeltaList, in folder: FilePath) {
    for name in FolderListing.names(in: folder) where DeltaList.isDelta(name, of: list.archive) {
      if list.deltas.contains(where: { $0.file == name }) { continue }
      unlink(folder.appending(name).string)
    }
  }

  private var folder: FilePath { DurableFile.folder(of: archive) }

  private func path(_ name: String) -> FilePath { folder.appending(name) }
}

/// The list of deltas during a rollback: an app that followed it then would get an archive that is
/// being withdrawn. It is set aside and not removed, so that the run after a killed one finds it.
extension DeltaStage {
  /// Sets the list aside.
  static func withhold(besides archive: FilePath) throws(PipelineError) {
    let path = FilePath(DeltaList.path(besideArchive: archive.string))
    let aside = FilePath(DeltaList.withheldPath(besideArchive: archive.string))
    guard FileStatus.exists(path) else { return }
    do {
      try DurableFile.rename(path, to: aside)
      try DurableFile.synchronizeFolder(of: archive)
    } catch {
      throw ReportFile.failure(error, path: path.string)
    }
  }

  /// Whether a list is set aside that is to be replaced by a new one. A list that leads to the
  /// archive in place gets its name back.
  ///
  /// - Complexity: O(bytes of the archive) where a list is set aside.
  static func isOwed(besides archive: FilePath) throws(PipelineError) -> Bool {
    let path = FilePath(DeltaList.path(besideArchive: archive.string))
    let aside = FilePath(DeltaList.withheldPath(besideArchive: archive.string))
    guard FileStatus.exists(aside) else { return false }
    guard FileStatus.exists(archive) else { return true }
    let digest = try PipelineError.wrapping { try FileDigest.sha256(of: archive) }
    if let list = DeltaList(contentsOf: path.string), list.sha256 == digest {
      // The run that wrote it may have been killed before it removed deltas that the list no longer
      // contains.
      removeOthers(list, in: DurableFile.folder(of: archive))
      release(besides: archive)
      return false
    }
    guard DeltaList(contentsOf: aside.string)?.sha256 == digest else { return true }
    do {
      try DurableFile.rename(aside, to: path)
    } catch {
      throw ReportFile.failure(error, path: path.string)
    }
    return false
  }

  /// Restores the name of the list that is set aside, or writes one that leads apps to the archive
  /// in place: from the archives that are kept, and from the one set aside, which some apps have by
  /// now.
  static func settle(
    _ publication: ArchivePublication, _ clock: StageClock
  ) throws(PipelineError) {
    guard try isOwed(besides: publication.archive) else { return }
    let digest = try PipelineError.wrapping { try FileDigest.sha256(of: publication.archive) }
    // Archives that no delta can connect do not concern a rollback.
    var notes: [String] = []
    _ = try DeltaStage(
      archive: publication.archive, replaced: try? ArchiveReader.opening(publication.setAside),
      kept: .all,
      withdrawn: DeltaList(
        contentsOf: DeltaList.withheldPath(besideArchive: "\(publication.archive)")),
      clock: clock
    ).run(sha256: digest, notes: &notes)
    release(besides: publication.archive)
  }

  /// Removes the list that was set aside: another one is in its place, or none is needed. A failure
  /// is ignored: the next run tries again.
  static func release(besides archive: FilePath) {
    unlink(DeltaList.withheldPath(besideArchive: archive.string))
  }
}

extension Build {
  /// Adds the deltas to a published archive, or removes those of the last one.
  func settleDeltas(
    since replaced: ArchiveReader?, at publication: ArchivePublication,
    _ report: inout BuildReport, _ clock: StageClock
  ) throws(PipelineError) {
    if options.writesDeltas {
      try DeltaStage(
        archive: publication.archive, replaced: replaced, kept: definition.output.keptDeltas,
        clock: clock
      ).run(&report)
    } else if DeltaStage.removeOutdated(
      besides: publication.archive, sha256: report.archive.sha256)
    {
      report.notes.append(
        "the deltas to the last archive were removed: this build, without --delta, makes none.")
    }
  }

  /// Adds missing deltas of archives that are in place.
  func addDeltas(to reports: inout [BuildReport]) throws(PipelineError) {
    for index in reports.indices {
      let archive = FilePath(reports[index].archive.path)
      try DeltaStage(
        archive: archive, replaced: nil, kept: definition.output.keptDeltas, clock: context.clock
      ).run(&reports[index])
    }
  }

  /// Settles the lists of deltas that a killed rollback had set aside, whatever the result of this
  /// run: they get their names back, or new ones are written for the archives in place.
  func settleDeltas(_ publications: [ArchivePublication]) throws(PipelineError) {
    let clock = context.clock
    for publication in publications where FileStatus.exists(publication.archive) {
      try DeltaStage.settle(publication, clock)
    }
  }
}
