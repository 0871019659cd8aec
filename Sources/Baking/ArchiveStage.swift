import Archives
import Definition
import Features
import Foundation
package import MBTiles
package import Reuse
package import Runs
package import SystemPackage

/// The stage that builds, verifies and publishes one archive: the old one stays until the new one
/// is complete.
package struct ArchiveStage {
  package let plan: ArchivePlan
  package let tiles: TileSupply
  package let description: ArchiveDescription

  /// The path to write to; no file exists there yet.
  package let path: FilePath
  package let context: RunContext
  package let clock: StageClock

  /// The archive in place, with which the new one is compared; `nil` for no comparison.
  var last: FilePath?

  /// The last check of the inputs; if it throws, the old archive stays.
  var beforePublication: () throws -> Void = {}

  package init(
    _ plan: ArchivePlan, _ tiles: TileSupply, _ description: ArchiveDescription,
    path: FilePath, context: RunContext, clock: StageClock
  ) {
    self.plan = plan
    self.tiles = tiles
    self.description = description
    self.path = path
    self.context = context
    self.clock = clock
  }

  private var layout: ArchiveLayout { plan.decision.layout }
  private var cache: ArtifactCache { context.artifacts }

  /// Whether the archive becomes a PMTiles file once it is verified.
  private var isPacked: Bool { description.definition.output.isPMTiles }

  /// The path of the archive before it is packed.
  private var archive: FilePath { isPacked ? FilePath("\(path)-archive") : path }

  /// The folder for images while the archive is made; `nil` for the archive's own.
  private var scratch: FilePath? { context.options.temporaryFolder.map { FilePath($0) } }

  /// The scratch for what is kept of each tile and image, shared with the planned rows.
  private var columns: Scratch? { tiles.rows.zooms.first?.keys.scratch }

  /// The result of a publication.
  struct Outcome {
    let made: Made
    let bytes: Int
    let sha256: String
    /// The reason why the archive, though it is in its place, might not survive a power failure;
    /// `nil` if it will.
    var doubt: PipelineError?
  }

  /// An archive that is written and verified, but not published.
  package struct Made {
    package var summary: ArchiveSummary
    package var tiles: SceneRecord
    package var images: UnpublishedTiles
    /// The archive's file while it is being synced to disk.
    package var file: SettledFile
    /// The difference from the archive that is replaced; `nil` where none could be read.
    var changes: TileChanges?
    package var notes: [String] = []
  }

  /// Puts the archive in its place: the stage `publish`.
  func publish(
    _ made: Made, _ publication: ArchivePublication
  ) throws(PipelineError) -> Outcome {
    let kept = description.definition.output.keptArchives
    do throws(PipelineError) {
      let outcome = try clock.stage("publish", unit: .bytes) { _ in
        try clock.cancellation.check()
        try beforePublication()
        var outcome = Outcome(
          made: made, bytes: Build.size(of: path.string) ?? 0, sha256: try made.file.wait())
        do {
          try publication.commit(keeping: kept)
        } catch {
          guard publication.isCommitted else { throw error }
          outcome.doubt = PipelineError(wrapping: error)
        }
        return outcome
      }
      made.images.remove(from: cache)
      return outcome
    } catch {
      if error.code == .outOfTime { made.images.keep(in: cache) }
      throw error
    }
  }

  /// Writes and verifies the archive: the stages `tiles`, `index` and `verify`.
  ///
  /// The images painted before the run's time ran out are kept for the next one.
  package func make() throws(PipelineError) -> Made {
    let record = SceneRecord(in: columns)
    var written: ArchiveWriter?
    do throws(PipelineError) {
      let writer = try paint(record, &written)
      var made = try index(writer, record)
      try verify(&made, writer.checksum)
      try check(made)
      return made
    } catch {
      if error.code == .outOfTime, let written {
        tiles.reuse.keep(record, of: written, in: cache)
      }
      if isPacked { unlink(archive.string) }
      throw error
    }
  }

  /// Writes the tiles: the stage `tiles`.
  ///
  /// - Parameter written: receives the writer once there is one.
  private func paint(
    _ record: SceneRecord, _ written: inout ArchiveWriter?
  ) throws(PipelineError) -> ArchiveWriter {
    try clock.stage("tiles", unit: .tiles, total: tiles.rows.count) { advance in
      let writer = try ArchiveWriter(
        path: archive, layout: layout, scratch: scratch,
        hashes: tiles.reuse.hashes(of: tiles.rowsHash),
        hasGrids: tiles.taps?.format == .utfgrid, hasTaps: tiles.taps?.format == .compact,
        columns: columns, isStopped: clock.cancellation.isStopped)
      written = writer
      try tiles.write(writer, record, { try advance($0, nil) })
      return writer
    }
  }

  /// Writes the indexes and the metadata: the stage `index`.
  private func index(
    _ writer: ArchiveWriter, _ record: SceneRecord
  ) throws(PipelineError) -> Made {
    try clock.stage("index", unit: .rows) { _ in
      var description = description
      if let (_, digest) = writer.taps {
        if let taps = tiles.taps, taps.format == .utfgrid { description.template = taps.template }
        description.more.append(MetadataEntry(ArchiveMetadata.tapsKey, digest))
      }
      let (metadata, notes) = try description.metadata(of: writer.statistics)
      let summary = try writer.finish(metadata: metadata)
      guard summary.tiles == tiles.rows.count else {
        throw PipelineError(
          .bug, "\(summary.tiles) tiles were written where \(tiles.rows.count) were planned.")
      }
      return Made(
        summary: summary, tiles: record,
        images: tiles.reuse.unpublished(record, at: archive, layout: layout),
        file: SettledFile(archive, isStopped: clock.cancellation.isStopped), notes: notes)
    }
  }

  /// Reads the archive back, and compares it with the one in place: the stage `verify`.
  private func verify(_ made: inout Made, _ checksum: ContentChecksum?) throws(PipelineError) {
    try clock.stage("verify", unit: .tiles, total: made.summary.tiles) { _ in
      let count = last.map {
        ChangeCount(
          from: $0, content: tiles.reuse.unpacked, to: archive,
          isStopped: clock.cancellation.isStopped)
      }
      try verifyContent(made.summary, checksum)
      try count.map { try settle($0.wait(), &made) }
      if isPacked { try pack(&made) }
    }
  }

  /// Checks the archive against what the pipeline expects, and stores the index of its scenes.
  private func check(_ made: Made) throws(PipelineError) {
    let expectation = description.definition.expectation
    try expectation.check(
      features: description.sources.usedRecords, tiles: made.summary.tiles)
    if let changes = made.changes, !context.options.acceptsChanges {
      try expectation.check(changes)
    }
    guard let hashes = made.summary.hashes else { return }
    let index = made.tiles.index(layout, rows: tiles.rowsHash, hashes: hashes)
    cache.store(index.key(plan.paint), index.artifact)
  }

  /// Packs the verified archive as a PMTiles file, which takes its place.
  private func pack(_ made: inout Made) throws {
    _ = try made.file.wait()
    defer { unlink(archive.string) }
    try ArchivePacking.pack(archive, to: path, scratch: scratch, clock.cancellation)
    made.file = SettledFile(path, isStopped: clock.cancellation.isStopped)
  }

  /// Records the counted changes, or the reason why they could not be counted.
  private func settle(_ count: ChangeCount.Outcome, _ made: inout Made) throws {
    try clock.cancellation.check()
    switch count {
    case .first: break
    case .counted(let changes): made.changes = changes
    case .unreadable(let reason):
      let unchecked = description.definition.expectation.changedTiles.isLimited
      made.notes.append(
        "the new archive was not compared with the last one: \(reason)"
          + (unchecked ? " 'changedTiles' was not checked." : ""))
    }
  }

  private func verifyContent(_ summary: ArchiveSummary, _ checksum: ContentChecksum?) throws {
    var verifier = ArchiveVerifier(level: .publish)
    verifier.expected = summary
    verifier.written = checksum.map { WrittenContent(summary, $0, layout) }
    verifier.isStopped = clock.cancellation.isStopped
    let verification = verifier.verify(archive)
    try clock.cancellation.check()
    let faults = verification.findings.filter { $0.severity == .error }
    // SQLite reports a page as damaged that the system failed to deliver, or the file as not a
    // database.
    if let failure = faults.first(where: { [.reading, .integrity, .file].contains($0.topic) }) {
      throw PipelineError.unreadable(
        "archive \(path)", "; the last one stays", cause: failure.message)
    }
    guard let fault = faults.first else { return }
    throw PipelineError.unverified("archive", "; the last one stays", cause: fault.message)
  }
}
