import Archives
import Definition
import Features
import Foundation
package import MBTiles
import Platform
package import Reuse
package import Runs
package import SystemPackage

/// The stage that builds, verifies and publishes one archive: the old one stays until the new one
/// is complete.
package struct ArchiveStage {
  package let tiles: TileSupply
  package let description: ArchiveDescription
  package let layout: ArchiveLayout
  /// The path to write to; no file exists there yet.
  package let path: FilePath

  /// Whether the archive becomes a PMTiles file once it is verified.
  private var isPacked: Bool { description.definition.output.isPMTiles }

  /// The path of the archive before it is packed.
  private var archive: FilePath { isPacked ? FilePath("\(path)-archive") : path }
  /// The folder for images while the archive is made; `nil` for the archive's own.
  package let scratch: FilePath?
  package let clock: StageClock
  package let reuse: TileReuse
  package let cache: ArtifactCache
  package let paint: PaintKey

  /// The archive in place, with which the new one is compared; `nil` for no comparison.
  var last: FilePath?
  /// Whether the new archive may differ from that by more than the pipeline expects.
  var acceptsChanges = false

  /// The last check of the inputs; if it throws, the old archive stays.
  var beforePublication: () throws -> Void = {}

  package init(
    tiles: TileSupply,
    description: ArchiveDescription,
    layout: ArchiveLayout,
    path: FilePath,
    scratch: FilePath?,
    clock: StageClock,
    reuse: TileReuse,
    cache: ArtifactCache,
    paint: PaintKey,
    last: FilePath? = nil,
    acceptsChanges: Bool = false,
    beforePublication: @escaping () throws -> Void = {}
  ) {
    self.tiles = tiles
    self.description = description
    self.layout = layout
    self.path = path
    self.scratch = scratch
    self.clock = clock
    self.reuse = reuse
    self.cache = cache
    self.paint = paint
    self.last = last
    self.acceptsChanges = acceptsChanges
    self.beforePublication = beforePublication
  }

  /// The result of a publication.
  struct Outcome {
    var summary: ArchiveSummary
    var tiles: SceneRecord
    var bytes: Int
    var sha256: String
    /// The difference from the archive that was replaced; `nil` where none could be read.
    var changes: TileChanges?
    var notes: [String] = []
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
    var changes: TileChanges?
    package var notes: [String] = []
  }

  /// Runs the stages `tiles`, `index`, `verify` and `publish`.
  func run(_ publication: ArchivePublication) throws(PipelineError) -> Outcome {
    let made = try make()
    let kept = description.definition.output.keptArchives
    do throws(PipelineError) {
      let outcome = try clock.stage("publish", unit: .bytes) { _ in
        try clock.cancellation.check()
        try beforePublication()
        var outcome = Outcome(
          summary: made.summary, tiles: made.tiles, bytes: Build.size(of: path.string) ?? 0,
          sha256: try made.file.wait(),
          changes: made.changes, notes: made.notes)
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

  /// Writes and verifies the archive: the stages before `publish`.
  ///
  /// The images painted before the run's time ran out are kept for the next one.
  /// The scratch of what is kept of each tile and image: that of the planned rows.
  private var columns: Scratch? { tiles.rows.zooms.first?.keys.scratch }

  package func make() throws(PipelineError) -> Made {
    let record = SceneRecord(in: columns)
    var writer: ArchiveWriter?
    do throws(PipelineError) {
      return try make(record, &writer)
    } catch {
      if error.code == .outOfTime, let writer { reuse.keep(record, of: writer, in: cache) }
      if isPacked { unlink(archive.string) }
      throw error
    }
  }

  /// - Parameter writer: receives the writer once there is one.
  private func make(
    _ record: SceneRecord, _ keptWriter: inout ArchiveWriter?
  ) throws(PipelineError) -> Made {
    let plannedRows = tiles.rows.count
    let writer = try clock.stage("tiles", unit: .tiles, total: plannedRows) { advance in
      let writer = try ArchiveWriter(
        path: archive, layout: layout, scratch: scratch, hashes: reuse.hashes(of: tiles.rowsHash),
        hasGrids: tiles.taps?.format == .utfgrid, hasTaps: tiles.taps?.format == .compact,
        columns: columns,
        isStopped: clock.cancellation.isStopped)
      keptWriter = writer
      try tiles.write(writer, record, { try advance($0, nil) })
      return writer
    }
    let (summary, notes) = try clock.stage("index", unit: .rows) { _ in
      var description = description
      if let (_, digest) = writer.taps {
        if let taps = tiles.taps, taps.format == .utfgrid { description.template = taps.template }
        description.more.append(MetadataEntry(ArchiveMetadata.tapsKey, digest))
      }
      let (metadata, notes) = try description.metadata(of: writer.statistics)
      let summary = try writer.finish(metadata: metadata)
      guard summary.tiles == plannedRows else {
        throw PipelineError(
          .bug, "\(summary.tiles) tiles were written where \(plannedRows) were planned.")
      }
      return (summary, notes)
    }
    var made = Made(
      summary: summary, tiles: record,
      images: reuse.unpublished(record, at: archive, layout: layout),
      file: SettledFile(archive, isStopped: clock.cancellation.isStopped), notes: notes)
    try clock.stage("verify", unit: .tiles, total: summary.tiles) { _ in
      let count = last.map {
        ChangeCount(
          from: $0, content: reuse.unpacked, to: archive, isStopped: clock.cancellation.isStopped)
      }
      try verify(summary, writer.checksum)
      try count.map { try settle($0.wait(), &made) }
      if isPacked { try pack(&made) }
    }
    let definition = description.definition
    try definition.expectation.check(
      features: description.sources.usedRecords, tiles: summary.tiles)
    if let changes = made.changes, !acceptsChanges { try definition.expectation.check(changes) }
    if let hashes = summary.hashes {
      let index = record.index(layout, rows: tiles.rowsHash, hashes: hashes)
      cache.store(index.key(paint), index.artifact)
    }
    return made
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

  private func verify(_ summary: ArchiveSummary, _ checksum: ContentChecksum?) throws {
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
