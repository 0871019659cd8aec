import Archives
import Definition
import Files
import Hashing
import JSON
import MBTiles
import Platform
package import Reports
import Reuse
package import Runs
import SystemPackage

// The end of the stage: the list, the deltas, and what is removed.
extension PackStage {
  /// Writes the list, removes packs that it does not contain, and reports all.
  func finish(
    _ run: Run, _ state: ArchiveState?, inputs: String, outside: Int, _ notes: inout [String]
  ) throws -> PackReport {
    var run = run
    if context.options.writesDeltas {
      for (number, entry) in run.entries.sorted(by: { $0.key < $1.key }) {
        guard let path = run.plan.packs[number]?.path, !run.published.contains(path),
          !hasDeltas(path, entry)
        else { continue }
        try settleDeltas(of: path, since: nil, sha256: entry.sha256, &run.notes)
      }
    }
    let list = PackList(
      archive: file, state: state ?? ArchiveState(tiles: ""), inputs: inputs,
      shared: run.entries[0],
      packs: run.plan.packs.indices.dropFirst().compactMap { run.entries[$0] }, outside: outside)
    if list != run.last { try ReportFile.write(list.json.pretty, to: listPath) }
    let removed = try removeOthers(than: Set(list.all.map(\.file)))
    run.memory.store(list.all.map { folder.appending($0.file) })
    notes += self.notes(on: run, outside: outside)
    return report(list, published: run.published.count, removed: removed)
  }

  func report(_ list: PackList, published: Int, removed: Int) -> PackReport {
    PackReport(
      list: listPath, count: list.all.count, bytes: list.all.reduce(0) { $0 + $1.bytes },
      published: published, removed: removed, outside: list.outside)
  }

  private func notes(on run: Run, outside: Int) -> [String] {
    var notes: [String] = []
    let empty = run.plan.numbers.filter { run.entries[$0] == nil }
      .compactMap { run.plan.packs[$0]?.name }
    if !empty.isEmpty {
      let names = empty.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
      notes.append(
        "no tile is in \(empty.count == 1 ? "the pack" : "the packs") \(names)"
          + "\(empty.count > 5 ? " and \(empty.count - 5) others" : ""), so "
          + "\(empty.count == 1 ? "it is" : "they are") not made.")
    }
    if outside > 0 {
      notes.append(
        (outside == 1 ? "1 tile is" : "\(ReportNumber.count(outside)) tiles are")
          + " in no pack, since no region touches \(outside == 1 ? "it" : "them"): a shared pack "
          + "would hold \(outside == 1 ? "it" : "them").")
    }
    if let first = run.notes.first {
      let rest = run.notes.count - 1
      notes.append(rest == 0 ? first : "\(first) The same holds for \(rest) other packs.")
    }
    return notes
  }

  /// Returns the report if the archive's packs are all there and up to date; `nil` if the stage must
  /// run.
  ///
  /// - Complexity: O(packs) where they are as the last run left them; otherwise O(bytes).
  package func standing() throws(PipelineError) -> PackReport? {
    guard let list = PackList(contentsOf: listPath), list.archive == file,
      let metadata = try? StoredMetadata.read(archive),
      list.state.tiles == metadata[ArchiveMetadata.digestKey],
      list.state.taps == metadata[ArchiveMetadata.tapsKey], list.inputs == (try inputs())
    else { return nil }
    var memory = PackMemory(file, in: context.artifacts)
    let paths = list.all.map { folder.appending($0.file) }
    for (entry, path) in zip(list.all, paths) {
      guard memory.holds(path, bytes: entry.bytes, sha256: entry.sha256),
        !context.options.writesDeltas || hasDeltas(path, entry)
      else { return nil }
    }
    memory.store(paths)
    return report(list, published: 0, removed: 0)
  }

  // MARK: Deltas

  /// Adds the deltas to a pack that was published, or removes those of the last one.
  func settleDeltas(
    of pack: FilePath, since replaced: ArchiveReader?, sha256: String, _ notes: inout [String]
  ) throws {
    guard writesDeltas(of: pack) else {
      _ = DeltaStage.removeOutdated(besides: pack, sha256: sha256)
      return
    }
    // The time is part of that of this stage.
    _ = try DeltaStage(
      archive: pack, replaced: replaced, kept: isRollback ? .all : output.keptDeltas,
      withdrawn: isRollback ? UpdatePaths(besides: pack).list : nil,
      keys: context.options.signingKeys,
      clock: StageClock(progress: { _ in }, cancellation: cancellation)
    ).run(sha256: sha256, notes: &notes)
  }

  /// Whether the stage writes the list of a pack, with its deltas.
  func writesDeltas(of pack: FilePath) -> Bool {
    context.options.writesDeltas || isRollback && UpdatePaths(besides: pack).list != nil
  }

  /// Whether the list of updates beside a pack leads to it, signed by the keys of this run.
  private func hasDeltas(_ pack: FilePath, _ entry: PackList.Entry) -> Bool {
    let keys = context.options.signingKeys.map(\.publicKey).sorted { $0.id < $1.id }
    guard let file = UpdateFile(contentsOf: UpdatePaths(besides: pack).current) else {
      return false
    }
    return UpdateList(file.list)?.archive.sha256 == entry.sha256 && file.isSigned(by: keys)
  }

  // MARK: Removal

  /// Removes the packs of the archive that are not listed, with their deltas.
  ///
  /// - Returns: the number of removed packs.
  private func removeOthers(than listed: Set<String>) throws -> Int {
    var removed = 0
    for name in Self.candidates(beside: archive, output, scale: scale) where !listed.contains(name)
    {
      let path = folder.appending(name)
      guard PackMark.isFree(path, forPacksOf: file), FileStatus.exists(path) else { continue }
      let publication = try ArchivePublication(path, patience: patience)
      // The list goes first, so that a run that is killed here leaves a file by which the next finds
      // it. Its number stays known: apps refuse a smaller one if the region comes back.
      _ = DeltaStage.removeOutdated(besides: publication.archive, sha256: "")
      unlink(path.string)
      removed += 1
    }
    return removed
  }

  /// Removes all packs of an archive, and first their list; a run that was killed may have left packs
  /// without one.
  ///
  /// - Returns: whether there was any of them.
  package func removeAll() throws(PipelineError) -> Bool {
    let isListed = PackList(contentsOf: listPath)?.archive == file
    if isListed { unlink(listPath) }
    return try PipelineError.wrapping { try removeOthers(than: []) } > 0 || isListed
  }

  /// Returns the names of files that may be packs, sorted.
  private static func candidates(
    beside archive: FilePath, _ output: OutputDefinition, scale: Int
  ) -> [String] {
    let stem = FilePath(OutputDefinition.stem(of: output.path)).lastComponent?.string ?? ""
    let whole = output.path(scale: scale)
    let density = scale == 1 ? "" : "@\(scale)x"
    let suffix = density + whole.dropFirst(OutputDefinition.stem(of: whole).count)
    return FolderListing.names(in: DurableFile.folder(of: archive)).filter { name in
      // Words of regions hold no "@", so the names of different densities differ.
      name.hasPrefix("\(stem)-") && name.hasSuffix(suffix)
        && !name.dropFirst(stem.count).dropLast(suffix.count).contains("@")
    }.sorted()
  }
}
