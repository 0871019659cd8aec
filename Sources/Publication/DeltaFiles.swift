import ArchiveDeltas
package import Archives
import Files
package import MBTiles
import Platform
package import Runs
package import SystemPackage

/// The files of the deltas of one archive and the second names of its versions, beside it.
package struct DeltaFiles {
  /// The archive to which they lead.
  private let archive: FilePath
  private let cancellation: Cancellation

  package init(of archive: FilePath, _ cancellation: Cancellation = Cancellation()) {
    self.archive = archive
    self.cancellation = cancellation
  }

  /// The name of the archive's file.
  package var name: String { archive.lastComponent?.string ?? "" }

  /// Whether the file of a delta of an earlier list exists.
  package func isWhole(_ entry: UpdateList.Entry) -> Bool {
    DeltaName.isDelta(entry.file, of: name)
      && (try? FileStatus.size(of: path(entry.file))) == entry.bytes
  }

  /// Whether a version of the archive in an earlier list exists under its second name.
  package func isWhole(_ version: UpdateList.Archive) -> Bool {
    DeltaName.isDownload(version.file, of: name)
      && (try? FileStatus.size(of: path(version.file))) == version.bytes
  }

  /// Gives the archive its second name, a hard link or where there are none a copy, unless it has it.
  ///
  /// The list that names it comes later: if this run is killed in between, ``remove(but:)`` of the
  /// next one removes the file.
  package func addDownload(_ list: inout UpdateList) throws {
    let download = DeltaName.download(ofArchive: name, sha256: list.archive.sha256)
    list.archive.download = download
    if let status = FileStatus(path(download)), let own = FileStatus(archive),
      status.isSameFile(as: own)
    {
      return
    }
    // As for deltas, the temporary file belongs to the archive.
    try DurableFile.duplicate(
      archive, as: path(download), through: DurableFile.temporary(for: archive, mark: "-delta"))
    try DurableFile.synchronizeFolder(of: archive)
  }

  /// Makes the delta from an earlier archive, unless the list has one.
  ///
  /// - Parameter notes: receives the reason where there can be none.
  package func add(
    from old: ArchiveReader, to new: ArchiveReader, _ list: inout UpdateList,
    _ notes: inout [String]
  ) throws {
    // If no tile or hit test entry differs, an app has nothing to download.
    let state = list.archive.state
    if old.state == state || list.deltas.contains(where: { $0.start == old.state }) { return }
    do {
      for reader in [old, new] { reader.stopWhen(cancellation.isStopped) }
      let maker = try DeltaMaker(old: old, new: new)
      let (start, end) = maker.states
      let made = list.archive
      list.deltas.append(
        try write(from: start, to: end) { temporary in
          _ = try maker.write(to: temporary, bytes: made.bytes, sha256: made.sha256)
        })
    } catch let error as ArchiveError where error.code == .badValue || error.code == .badArchive {
      notes.append("no delta leads from \(old.path): \(error.message)")
    }
  }

  /// The maximum number of merged deltas that are offered. An app that is further behind first
  /// takes steps to one of their starts.
  private static let mergedLimit = 5

  /// Adds merged deltas to a list.
  ///
  /// - Parameter notes: receives the reason where deltas of earlier runs cannot be merged.
  package func merge(_ list: inout UpdateList, _ notes: inout [String]) throws {
    try list.addMerged(Self.mergedLimit) { first, second in
      do {
        return try merged(first, second)
      } catch let error as ArchiveError where error.code == .badValue || error.code == .badArchive {
        notes.append("two deltas are not merged: \(error.message)")
        return nil
      }
    } discard: {
      unlink(path($0.file).string)
    }
  }

  private func merged(
    _ first: UpdateList.Entry, _ second: UpdateList.Entry
  ) throws -> UpdateList.Entry {
    let deltas = try [first, second].map { try DeltaReader(path($0.file)) }
    for delta in deltas { delta.stopWhen(cancellation.isStopped) }
    let merger = try DeltaMerger(deltas[0], deltas[1])
    var facts: DeltaFacts?
    var entry = try write(from: first.start, to: second.end) { facts = try merger.write(to: $0) }
    entry.merged = facts?.merged
    return entry
  }

  /// Writes the file of a delta, and returns its entry in the list.
  private func write(
    from start: ArchiveState, to end: ArchiveState, _ write: (FilePath) throws -> Void
  ) throws -> UpdateList.Entry {
    // The temporary file belongs to the archive: the next build removes it if this run is killed.
    let temporary = DurableFile.temporary(for: archive, mark: "-delta")
    defer { unlink(temporary.string) }
    unlink(temporary.string)
    try write(temporary)
    let entry = UpdateList.Entry(
      file: DeltaName.file(besideArchive: name, from: start, to: end),
      bytes: try FileStatus.size(of: temporary), sha256: try FileDigest.sha256(of: temporary),
      start: start, end: end)
    try DurableFile.synchronize(temporary)
    try LeftoverJournal.settle(path(entry.file))
    try DurableFile.rename(temporary, to: path(entry.file))
    try DurableFile.synchronizeFolder(of: archive)
    return entry
  }

  /// Removes the deltas and second names of this archive but those in a list.
  package func remove(butThoseOf list: UpdateList? = nil) {
    let files = list?.files ?? []
    for file in FolderListing.names(in: DurableFile.folder(of: archive))
    where DeltaName.isDelta(file, of: name) || DeltaName.isDownload(file, of: name) {
      if !files.contains(file) { unlink(path(file).string) }
    }
  }

  private func path(_ name: String) -> FilePath {
    DurableFile.folder(of: archive).appending(name)
  }
}
