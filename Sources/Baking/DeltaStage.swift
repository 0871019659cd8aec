import Archives
import Files
import JSON
import MBTiles
import Platform
import Reports
import Runs
import SystemPackage

/// Writes what leads from earlier archives to the one that is published.
///
/// The archive is in place by then, whatever happens here. Deltas come first, then their list,
/// then those go that the list no longer has: so what a list names is there, and a run that dies
/// leaves at most a file that the next one takes over or removes. Whoever runs this holds the
/// archive's lock.
struct DeltaStage {
  /// The archive, in place.
  let archive: FilePath

  /// The archive that it replaced, open since before; `nil` where there was none.
  let replaced: ArchiveReader?

  let clock: StageClock

  /// Runs the stage `delta` and takes what was written down in the report.
  ///
  /// - Throws: ``PipelineError``; the archive stays published.
  func run(_ report: inout BuildReport) throws(PipelineError) {
    let entries = try run(sha256: report.archive.sha256, notes: &report.notes)
    report.deltas = entries.map {
      DeltaReport(file: $0.file, before: $0.before, bytes: $0.bytes)
    }
  }

  /// The same without a report.
  ///
  /// - Parameters:
  ///   - sha256: The digest of the archive's file.
  ///   - notes: Takes why there is no delta from one of the earlier archives.
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
    let new = try ArchiveReader(archive)
    let listPath = DeltaList.path(besideArchive: archive.string)
    let known = DeltaList(contentsOf: listPath)
    let state = new.state
    let bytes = try FileStatus.size(of: archive)
    var list = DeltaList(
      archive: archive.lastComponent?.string ?? "", digest: state?.tiles ?? "", taps: state?.taps,
      bytes: bytes, sha256: sha256, deltas: [])
    // Archives of equal tiles and size may still differ in their metadata, to which deltas lead too.
    if let known, known.sha256 == sha256 { list.deltas = known.deltas.filter { isWhole($0, list) } }
    for old in earlier() {
      let before = old.state
      // Without a tile or answer that differs there is nothing that an app would have to get.
      if before == state || list.deltas.contains(where: { $0.start == before }) { continue }
      do {
        list.deltas.append(try delta(from: old, to: new, list))
      } catch let error as ArchiveError where error.code == .badValue || error.code == .badArchive {
        notes.append("no delta leads from \(old.path): \(error.message)")
      }
    }
    if list != known { try ReportFile.write(list.json.pretty, to: listPath) }
    StaleFiles.remove(besides: FilePath(listPath), isLocked: true)
    Self.removeOthers(list, in: folder)
    return list.deltas
  }

  /// Whether a delta of the last list leads to this archive and is there. The one from the archive
  /// that was replaced stays even where that is not kept.
  private func isWhole(_ entry: DeltaList.Entry, _ list: DeltaList) -> Bool {
    entry.after == list.digest && DeltaList.isDelta(entry.file, of: list.archive)
      && (try? FileStatus.size(of: path(entry.file))) == entry.bytes
  }

  /// The archives before this one, the newest first.
  private func earlier() -> [ArchiveReader] {
    var readers = [replaced].compactMap(\.self)
    for path in KeptArchives(archive).all {
      if let reader = try? ArchiveReader(path) { readers.append(reader) }
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
    // As what the archive's own builds leave, a dead run's file is removed by the next one.
    let temporary = DurableFile.temporary(for: archive, mark: "-delta")
    defer { unlink(temporary.string) }
    unlink(temporary.string)
    _ = try maker.write(to: temporary, bytes: list.bytes, sha256: list.sha256)
    let entry = DeltaList.Entry(
      before: before.tiles, tapsBefore: before.taps, after: after.tiles, file: name,
      bytes: try FileStatus.size(of: temporary),
      sha256: try FileDigest.sha256(of: temporary))
    try DurableFile.synchronize(temporary)
    try LeftLog.settle(path(name))
    try DurableFile.rename(temporary, to: path(name))
    try DurableFile.synchronizeFolder(of: archive)
    return entry
  }

  /// Removes the list of deltas and what it names where they lead to another archive than the one in
  /// place: an app that followed them would have an old archive and take it for the new one.
  ///
  /// - Parameter sha256: The digest of the archive's file.
  /// - Returns: whether there was such a list.
  static func removeOutdated(besides archive: FilePath, sha256: String) -> Bool {
    let paths = [
      DeltaList.path(besideArchive: archive.string),
      DeltaList.withheldPath(besideArchive: archive.string),
    ]
    guard let list = paths.lazy.compactMap({ DeltaList(contentsOf: $0) }).first,
      list.sha256 != sha256, list.archive == archive.lastComponent?.string
    else { return false }
    // The list goes first: what a list names is there.
    for path in paths { unlink(path) }
    let folder = DurableFile.folder(of: archive)
    for name in FolderListing.names(in: folder) where DeltaList.isDelta(name, of: list.archive) {
      unlink(folder.appending(name).string)
    }
    return true
  }

  /// Removes deltas of this archive that the list does not have.
  private static func removeOthers(_ list: DeltaList, in folder: FilePath) {
    for name in FolderListing.names(in: folder) where DeltaList.isDelta(name, of: list.archive) {
      if list.deltas.contains(where: { $0.file == name }) { continue }
      unlink(folder.appending(name).string)
    }
  }

  private var folder: FilePath { DurableFile.folder(of: archive) }

  private func path(_ name: String) -> FilePath { folder.appending(name) }
}

/// The list of deltas while a rollback works: an app that followed it then would be led to an archive
/// that goes. It is put aside and not removed, so that the run after one that died knows of it.
extension DeltaStage {
  /// Puts the list aside.
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

  /// Whether a list is put aside in place of which a new one is to be written. One that leads to the
  /// archive in place gets its name back.
  ///
  /// - Complexity: O(bytes of the archive) where a list is put aside.
  static func isOwed(besides archive: FilePath) throws(PipelineError) -> Bool {
    let path = FilePath(DeltaList.path(besideArchive: archive.string))
    let aside = FilePath(DeltaList.withheldPath(besideArchive: archive.string))
    guard FileStatus.exists(aside) else { return false }
    guard FileStatus.exists(archive) else { return true }
    let digest: String
    do {
      digest = try FileDigest.sha256(of: archive)
    } catch {
      throw PipelineError(error)
    }
    if let list = DeltaList(contentsOf: path.string), list.sha256 == digest {
      // The run that wrote it may have died before it removed what the list no longer has.
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

  /// Gives the list that is put aside its name back, or writes one that leads apps to the archive in
  /// place: from those that are kept, and from the one set aside, which some have by now.
  static func settle(
    _ publication: ArchivePublication, _ clock: StageClock
  ) throws(PipelineError) {
    guard try isOwed(besides: publication.archive) else { return }
    let digest: String
    do {
      digest = try FileDigest.sha256(of: publication.archive)
    } catch {
      throw PipelineError(error)
    }
    // Archives between which no delta can lead are none of a rollback's business.
    var notes: [String] = []
    _ = try DeltaStage(
      archive: publication.archive, replaced: try? ArchiveReader(publication.setAside), clock: clock
    ).run(sha256: digest, notes: &notes)
    release(besides: publication.archive)
  }

  /// Forgets the list that was put aside: another one is in its place, or none is wanted. Failing to is
  /// no error: the next run tries again.
  static func release(besides archive: FilePath) {
    unlink(DeltaList.withheldPath(besideArchive: archive.string))
  }
}

extension Build {
  /// Completes the deltas of archives that are in place.
  func addDeltas(to reports: inout [BuildReport]) throws(PipelineError) {
    for index in reports.indices {
      let archive = FilePath(reports[index].archive.path)
      try DeltaStage(
        archive: archive, replaced: nil, clock: context.clock
      ).run(&reports[index])
    }
  }

  /// Settles the lists of deltas that a rollback had put aside when it died, whatever becomes of this
  /// run: they get their names back, or new ones are written for the archives in place.
  func settleDeltas(_ publications: [ArchivePublication]) throws(PipelineError) {
    let clock = context.clock
    for publication in publications where FileStatus.exists(publication.archive) {
      try DeltaStage.settle(publication, clock)
    }
  }
}
