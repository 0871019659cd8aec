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
    _ run: Run, _ archive: ArchiveReader, inputs: String, outside: Int, _ notes: inout [String]
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
    var list = PackList(
      archive: file, state: archive.state ?? ArchiveState(tiles: ""), inputs: inputs,
      shared: run.entries[0],
      packs: run.plan.packs.indices.dropFirst().compactMap { run.entries[$0] }, outside: outside)
    if try archive.hasTapBlocks() { list.minimumClient = UpdateList.blocksClient }
    if context.options.writesDeltas { list.addDownloads() }
    if let note = try paths.publish(&list, by: context.options.signer) { notes.append(note) }
    let removed = try removeOthers(than: Set(list.all.map(\.file)))
    run.memory.store(list.all.map(\.file))
    notes += self.notes(on: run, outside: outside)
    return report(list, published: run.published.count, removed: removed)
  }

  func report(_ list: PackList, published: Int, removed: Int) -> PackReport {
    PackReport(
      list: paths.current.string, count: list.all.count,
      bytes: list.all.reduce(0) { $0 + $1.bytes },
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
    guard let signed = UpdateFile(contentsOf: paths.current), signed.isSigned(by: publicKeys),
      let list = PackList(signed.list), list.archive == file,
      let metadata = try? StoredMetadata.read(archive),
      list.state.tiles == metadata[ArchiveMetadata.digestKey],
      list.state.taps == metadata[ArchiveMetadata.tapsKey], list.inputs == (try inputs()),
      !isDue(list.expires)
    else { return nil }
    var memory = memory
    for entry in list.all {
      guard memory.holds(entry.file, bytes: entry.bytes, sha256: entry.sha256),
        !context.options.writesDeltas || hasDeltas(folder.appending(entry.file), entry)
      else { return nil }
    }
    memory.store(list.all.map(\.file))
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
    // The time of the deltas counts for this stage.
    _ = try DeltaStage(
      archive: pack, replaced: replaced, kept: isRollback ? .all : output.keptDeltas,
      withdrawn: isRollback ? UpdatePaths(besides: pack).list : nil,
      signer: context.options.signer,
      clock: StageClock(progress: { _ in }, cancellation: cancellation)
    ).run(sha256: sha256, notes: &notes)
  }

  /// Whether the stage writes the list of a pack, with its deltas.
  func writesDeltas(of pack: FilePath) -> Bool {
    context.options.writesDeltas || isRollback && UpdatePaths(besides: pack).list != nil
  }

  /// Whether the list of updates beside a pack leads to it, signed by the keys of this run.
  private func hasDeltas(_ pack: FilePath, _ entry: PackList.Entry) -> Bool {
    guard let file = UpdateFile(contentsOf: UpdatePaths(besides: pack).current) else {
      return false
    }
    guard let list = UpdateList(file.list), list.archive.sha256 == entry.sha256,
      list.archive.download != nil, file.isSigned(by: publicKeys)
    else { return false }
    return !isDue(list.expires)
  }

  /// Whether a list must be written again for its end.
  private func isDue(_ expires: Int?) -> Bool {
    context.options.signer.lifetime.map { $0.isDue(expires) } ?? (expires != nil)
  }

  /// The keys of this run, in the order of their ids.
  private var publicKeys: [Ed25519.PublicKey] {
    context.options.signingKeys.map(\.publicKey).sorted { $0.id < $1.id }
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
      // The list is removed first: if this run is killed then, the pack is still there, and the
      // next run finds it by name. The number of the list stays known, since apps refuse a smaller
      // one if the region comes back.
      _ = DeltaStage.removeOutdated(besides: publication.archive, sha256: "")
      unlink(path.string)
      removed += 1
    }
    return removed
  }

  /// Removes all packs of an archive, after their list; a killed run may have left packs without a
  /// list.
  ///
  /// - Returns: whether there was any of them.
  package func removeAll() throws(PipelineError) -> Bool {
    let isListed = PackList(besides: archive)?.archive == file
    // Its number stays known: apps refuse a smaller one if packs come back.
    if isListed { paths.retire() }
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
        && !DeltaName.isDownload(name)
    }.sorted()
  }
}
