import Archives
package import Definition
import Files
package import MBTiles
import Platform
package import Reports
package import Reuse
package import Runs
package import SystemPackage
import Tiling

/// The stage that divides the published archive into packs.
///
/// The archive is in place by then, and stays if this stage fails. Each pack is published by a
/// rename, then their list, then packs are removed that the list no longer contains: so every pack in
/// a list exists, and the run after a killed one finds which packs are still old by their bytes. A
/// pack whose bytes stay the same is not touched. The caller holds the archive's lock.
package struct PackStage {
  /// The published archive.
  let archive: FilePath

  /// The pixel density of the archive.
  let scale: Int
  let packs: PackDefinition
  let output: OutputDefinition
  let context: RunContext

  /// The function that is polled while another run holds a pack's lock; `nil` does not wait.
  let patience: (() -> Bool)?

  /// Whether the archive was rolled back; apps that follow a pack are then led back as well.
  package var isRollback = false

  package init(
    archive: FilePath, scale: Int, packs: PackDefinition, output: OutputDefinition,
    context: RunContext, patience: (() -> Bool)?
  ) {
    self.archive = archive
    self.scale = scale
    self.packs = packs
    self.output = output
    self.context = context
    self.patience = patience
  }

  var cancellation: Cancellation { context.cancellation }
  var scratch: FilePath? { context.options.temporaryFolder.map { FilePath($0) } }
  var file: String { archive.lastComponent?.string ?? archive.string }
  var folder: FilePath { DurableFile.folder(of: archive) }
  var paths: UpdatePaths { UpdatePaths(packsOf: archive) }
  var memory: PublishedFiles { PublishedFiles(["packs", file], in: folder, context.artifacts) }

  /// A run of the stage.
  struct Run {
    let plan: PackPlan
    let last: PackList?
    var memory: PublishedFiles
    /// The entries of packs so far, by their numbers.
    var entries: [Int: PackList.Entry] = [:]
    var published: Set<FilePath> = []
    var notes: [String] = []
  }

  /// Runs the stage.
  ///
  /// - Parameters:
  ///   - replaced: the archive that the new one replaced, opened before; `nil` where it is not known.
  ///   - notes: receives what the user should know, a sentence each.
  /// - Throws: ``PipelineError``; the archive stays published.
  package func run(
    since replaced: ArchiveReader?, notes: inout [String], _ clock: StageClock
  ) throws(PipelineError) -> PackReport {
    do throws(PipelineError) {
      return try clock.stage("packs", unit: .tiles) { advance in
        try ArchiveFailure.wrap(cancellation) {
          try write(since: replaced, &notes) { try advance($0, nil) }
        }
      }
    } catch {
      var failure = error
      failure.message = "\(archive) is published, but not all its packs: \(error.message)"
      throw failure
    }
  }

  private func write(
    since replaced: ArchiveReader?, _ notes: inout [String], _ advance: (Int) throws -> Void
  ) throws -> PackReport {
    let inputs = try inputs()
    let regions = try RegionFile(packs)
    let source = try PackSource(archive, scratch: scratch, cancellation)
    let reader = try source.reader()
    let plan = try PackPlan(
      packs, regions, of: reader, names: PackNames(archive: output.path, scale: scale),
      inputs: inputs)
    var routing = PackRouting(regions, sharedMaxZoom: packs.sharedMaxZoom)
    var run = Run(
      plan: plan, last: PackList(besides: archive),
      memory: memory)
    let known = run.last.map { $0.archive == file ? $0.all.map(\.file) : [] } ?? []
    try plan.requireFree(except: Set(known))
    let changed = try changed(since: replaced, to: reader, run.last, &routing)
    let wanted = wanted(&run, changed)
    let outside: Int
    if wanted.isEmpty, changed?.isEmpty == true, let last = run.last, last.inputs == inputs {
      outside = last.outside
    } else {
      let tiles = try PackTiles(reader, &routing, wanted: wanted, cancellation)
      outside = tiles.outside
      try write(tiles, of: source, &run, wanted, advance)
    }
    return try finish(run, reader, inputs: inputs, outside: outside, &notes)
  }

  /// A hash of everything but the archive that determines the packs.
  func inputs() throws(PipelineError) -> String {
    Provenance.digest(of: [
      try ProgramIdentity.sha256() ?? "", try context.inputs.sha256(of: packs.regions),
      packs.property, packs.sharedMaxZoom.map { "\($0)" } ?? "",
    ])
  }

  /// Returns the packs with other tiles than those of the last list; `nil` where it is not known.
  private func changed(
    since replaced: ArchiveReader?, to reader: ArchiveReader, _ last: PackList?,
    _ routing: inout PackRouting
  ) throws -> Set<Int>? {
    guard let last, !context.options.force, !context.options.noCache else { return nil }
    if last.state == reader.state { return [] }
    guard let replaced, replaced.state == last.state else { return nil }
    for reader in [replaced, reader] { reader.stopWhen(cancellation.isStopped) }
    return try routing.changed(from: replaced, to: reader)
  }

  /// Returns the packs that must be written to find out whether they change; takes over the entries
  /// of the others.
  private func wanted(_ run: inout Run, _ changed: Set<Int>?) -> Set<Int> {
    let numbers = run.plan.numbers
    guard let changed, let last = run.last else { return Set(numbers) }
    let known = Dictionary(last.all.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
    var wanted = changed.intersection(numbers)
    for number in numbers where !wanted.contains(number) {
      guard let pack = run.plan.packs[number] else { continue }
      guard let entry = known[pack.file], entry.inputs == pack.inputs,
        run.memory.holds(pack.file, bytes: entry.bytes, sha256: entry.sha256)
      else {
        // A region without an entry may have no tiles, which the pass over the tiles shows.
        wanted.insert(number)
        continue
      }
      run.entries[number] = entry
    }
    return wanted
  }

  /// Writes packs on all threads, and publishes those whose bytes differ, in the order of their
  /// numbers.
  private func write(
    _ tiles: PackTiles, of source: PackSource, _ run: inout Run, _ wanted: Set<Int>,
    _ advance: (Int) throws -> Void
  ) throws {
    let plan = run.plan
    var numbers = wanted.sorted().filter { tiles.packs[$0].count > 0 }[...]
    var publications: [Int: ArchivePublication] = [:]
    var done = 0
    let work = OrderedWork<PackWriter.Job, PackWriter.Written>(
      threads: context.threads, limit: context.threads * 2)
    try work.run(
      worker: { [scratch, cancellation] in
        try PackWriter(source, scratch: scratch, cancellation).write
      },
      next: {
        guard let number = numbers.popFirst(), let pack = plan.packs[number] else { return nil }
        let publication = try publication(of: pack.path)
        publications[number] = publication
        return PackWriter.Job(
          index: number, path: publication.temporary, title: pack.title, mark: pack.mark,
          bounds: pack.bounds, tiles: tiles.packs[number])
      },
      consume: { written in
        guard let publication = publications.removeValue(forKey: written.index) else { return }
        try settle(written, publication, &run)
        done += written.tiles
        try advance(done)
      })
  }

  private func publication(of path: FilePath) throws(ArchiveError) -> ArchivePublication {
    try ArchivePublication(path, patience: patience)
  }

  /// Puts a pack in its place unless one with the same bytes is there.
  private func settle(
    _ written: PackWriter.Written, _ publication: ArchivePublication, _ run: inout Run
  ) throws {
    guard let pack = run.plan.packs[written.index] else { return }
    let path = publication.archive
    run.entries[written.index] = PackList.Entry(
      file: pack.file, bytes: written.bytes, sha256: written.sha256, state: written.state,
      name: pack.name, bounds: try bounds(of: pack, at: publication.temporary),
      zooms: written.zooms, tiles: written.tiles, inputs: pack.inputs)
    if run.memory.holds(pack.file, bytes: written.bytes, sha256: written.sha256) { return }
    let replaced = writesDeltas(of: path) ? try? ArchiveReader.opening(path) : nil
    try cancellation.check()
    try publication.commit()
    run.memory.remember(pack.file, sha256: written.sha256)
    run.published.insert(path)
    try settleDeltas(of: path, since: replaced, sha256: written.sha256, &run.notes)
  }

  /// Returns the box of a pack; of the shared one that of its metadata.
  private func bounds(of pack: PackPlan.Pack, at file: FilePath) throws(ArchiveError) -> GeoBounds {
    if let bounds = pack.bounds { return bounds }
    return try StoredMetadata.read(file)["bounds"].flatMap { GeoBounds($0) } ?? .world
  }
}
