import Archives
import Definition
import Files
import Hashing
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
  var withdrawn: UpdateList?

  /// The keys that sign the list.
  let keys: [Ed25519.SigningKey]

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
    report.deltas = entries.filter { $0.end.tiles == report.archive.digest }.map {
      DeltaReport(file: $0.file, before: $0.start.tiles, bytes: $0.bytes)
    }
  }

  /// Runs the stage without a report.
  ///
  /// - Parameters:
  ///   - sha256: the digest of the archive's file.
  ///   - notes: receives the reason for each earlier archive without a delta, and what apps lose.
  func run(sha256: String, notes: inout [String]) throws(PipelineError) -> [UpdateList.Entry] {
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

  private func write(_ sha256: String, _ notes: inout [String]) throws -> [UpdateList.Entry] {
    let new = try ArchiveReader.opening(archive)
    let known = paths.list
    let state = new.state ?? ArchiveState(tiles: "")
    let bytes = try FileStatus.size(of: archive)
    var list = UpdateList(
      archive: .init(file: name, bytes: bytes, sha256: sha256, state: state))
    // Archives of equal tiles and size may still differ in their metadata, which deltas update too.
    // The delta from the archive that was replaced stays even where that archive is not kept.
    if let known, known.archive.sha256 == sha256 {
      list.deltas = known.deltas.filter { $0.end == state && isWhole($0) }
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
        list.deltas.append(try delta(from: old, to: new, list.archive))
      } catch let error as ArchiveError where error.code == .badValue || error.code == .badArchive {
        notes.append("no delta leads from \(old.path): \(error.message)")
      }
    }
    if let earlier = withdrawn ?? known {
      list.appendSteps(
        of: earlier, avoiding: withdrawn?.archive.state, limits: kept.limits(ofArchive: bytes),
        isWhole: isWhole)
    }
    try publish(&list, after: withdrawn ?? known, &notes)
    return list.deltas
  }

  /// Writes the list, then removes what it does not name.
  private func publish(
    _ list: inout UpdateList, after earlier: UpdateList?, _ notes: inout [String]
  ) throws(PipelineError) {
    try paths.publish(&list, signedBy: keys)
    if let note = lossOfSignature(since: earlier) { notes.append(note) }
    StaleFiles.remove(besides: paths.current, isLocked: true)
    Self.removeOthers(list, of: archive)
  }

  /// Returns a note where the last list was signed and this one is not.
  func lossOfSignature(since earlier: UpdateList?) -> String? {
    guard keys.isEmpty, earlier?.keys.isEmpty == false else { return nil }
    return "\(paths.current) is no longer signed, so apps that were given keys refuse it. Sign it "
      + "with --sign KEY."
  }

  /// Whether the file of a delta of the last list exists.
  private func isWhole(_ entry: UpdateList.Entry) -> Bool {
    DeltaName.isDelta(entry.file, of: name)
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
    from old: ArchiveReader, to new: ArchiveReader, _ made: UpdateList.Archive
  ) throws -> UpdateList.Entry {
    for reader in [old, new] { reader.stopWhen(clock.cancellation.isStopped) }
    let maker = try DeltaMaker(old: old, new: new)
    let (start, end) = maker.states
    return try write(from: start, to: end) { temporary in
      _ = try maker.write(to: temporary, bytes: made.bytes, sha256: made.sha256)
    }
  }

  /// Writes the file of a delta, and returns its entry in the list.
  private func write(
    from start: ArchiveState, to end: ArchiveState, _ write: (FilePath) throws -> Void
  ) throws -> UpdateList.Entry {
    // Like the files that the archive's own builds leave, a killed run's file is removed by the
    // next one.
    let temporary = DurableFile.temporary(for: archive, mark: "-delta")
    defer { unlink(temporary.string) }
    unlink(temporary.string)
    try write(temporary)
    let entry = UpdateList.Entry(
      file: DeltaName.file(besideArchive: name, from: start, to: end),
      bytes: try FileStatus.size(of: temporary), sha256: try FileDigest.sha256(of: temporary),
      start: start, end: end)
    try DurableFile.synchronize(temporary)
    try LeftLog.settle(path(entry.file))
    try DurableFile.rename(temporary, to: path(entry.file))
    try DurableFile.synchronizeFolder(of: archive)
    return entry
  }

  /// Hides the list of updates and removes its deltas where they lead to another archive than the
  /// one in place: an app that followed them would have an old archive and treat it as the new one.
  ///
  /// - Parameter sha256: the digest of the archive's file.
  /// - Returns: whether there was such a list.
  static func removeOutdated(besides archive: FilePath, sha256: String) -> Bool {
    let paths = UpdatePaths(besides: archive)
    guard let list = paths.list ?? paths.withheldList, list.archive.sha256 != sha256,
      list.archive.file == archive.lastComponent?.string
    else { return false }
    // The list is hidden first, so that every delta in a list exists.
    paths.retire()
    removeDeltas(of: archive) { _ in true }
    return true
  }

  /// Removes deltas of this archive that the list does not contain.
  static func removeOthers(_ list: UpdateList, of archive: FilePath) {
    let files = Set(list.deltas.map(\.file))
    removeDeltas(of: archive) { !files.contains($0) }
  }

  private static func removeDeltas(of archive: FilePath, _ isOutdated: (String) -> Bool) {
    let (folder, name) = (DurableFile.folder(of: archive), archive.lastComponent?.string ?? "")
    for file in FolderListing.names(in: folder)
    where DeltaName.isDelta(file, of: name) && isOutdated(file) {
      unlink(folder.appending(file).string)
    }
  }

  private var paths: UpdatePaths { UpdatePaths(besides: archive) }

  private var name: String { archive.lastComponent?.string ?? "" }

  private func path(_ name: String) -> FilePath {
    DurableFile.folder(of: archive).appending(name)
  }
}
