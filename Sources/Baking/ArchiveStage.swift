import Archives
import Definition
import Features
import Foundation
package import MBTiles
import Reports
package import Reuse
package import Runs
import Scenes
import SourceStages
package import SystemPackage

/// The stage that builds, verifies and publishes one archive: the old one stays until the new one
/// is complete.
package struct ArchiveStage {
  package let plan: ArchivePlan
  package let tiles: any TileFeed
  package let description: ArchiveDescription

  /// The path to write to; no file exists there yet.
  package let path: FilePath
  package let context: RunContext
  package let clock: StageClock

  /// The archive in place, with which the new one is compared; `nil` for no comparison.
  var last: FilePath?

  /// Why the archive is not made from the last one, as far as its pipeline and options tell; `nil` where
  /// that depends on the last one.
  var whyNot: WhyNot? = .parts

  /// The last check of the inputs; if it throws, the old archive stays.
  var beforePublication: () throws -> Void = {}

  package init(
    _ plan: ArchivePlan, _ tiles: any TileFeed, _ description: ArchiveDescription,
    path: FilePath, context: RunContext, clock: StageClock
  ) {
    self.plan = plan
    self.tiles = tiles
    self.description = description
    self.path = path
    self.context = context
    self.clock = clock
  }

  var layout: ArchiveLayout { plan.decision.layout }
  private var pageSize: PageSize { plan.decision.pageSize }
  var cache: ArtifactCache { context.artifacts }

  /// Whether the archive becomes a PMTiles file once it is verified.
  var isPacked: Bool { description.definition.output.isPMTiles }

  /// The path of the archive before it is packed.
  var archive: FilePath { isPacked ? FilePath("\(path)-archive") : path }

  /// The folder for images while the archive is made; `nil` for the archive's own.
  var scratch: FilePath? { context.options.temporaryFolder.map { FilePath($0) } }

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
    /// The numbers of distinct scenes that were painted, and whose images were taken from the last
    /// archive.
    package var painted: Int
    package var reused: Int
    package var images: UnpublishedTiles
    /// The archive's file while it is being synced to disk.
    package var file: SettledFile
    /// The difference from the archive that is replaced; `nil` where none could be read.
    var changes: TileChanges?
    /// The digest of the taps; `nil` without them.
    var tapsDigest: String?
    /// How the tiles came into the file.
    var making: BuildReport.Making?
    package var notes: [String] = []
  }

  /// Puts the archive in its place: the stage `publish`.
  func publish(
    _ made: Made, _ publication: ArchivePublication
  ) throws(PipelineError) -> Outcome {
    let kept = description.definition.output.keptArchives
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
  }

  /// Writes and verifies the archive: the stages `tiles`, `index` and `verify`.
  ///
  /// The images painted before the run's time ran out are kept for the next one.
  package func make() throws(PipelineError) -> Made {
    let record = SceneRecord(in: columns)
    var written: ArchiveWriter?
    do throws(PipelineError) {
      var grids: GridHashes?
      let tiles = try paint(record, &grids, &written)
      var (made, state) = try index(tiles, record, grids)
      try verify(&made, tiles)
      try check(made, state)
      if let taps = record.taps, let plan = self.tiles.taps, let digest = made.tapsDigest {
        cache.storeMeanwhile(TapState.key(taps: digest, plan: plan.identity)) { taps.artifact }
      }
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
  /// - Parameters:
  ///   - grids: receives what UTFGrids are made from.
  ///   - written: receives the writer once there is one, unless the archive is made from the last one.
  private func paint(
    _ record: SceneRecord, _ grids: inout GridHashes?, _ written: inout ArchiveWriter?
  ) throws(PipelineError) -> WrittenTiles {
    try clock.stage("tiles", unit: .tiles, total: tiles.rows.count) { advance in
      if cache.isEnabled, let planned = (tiles as? any SceneFeed)?.planned {
        grids = try tiles.taps?.grids.map { try GridHashes($0, of: planned, context) }
      }
      let reason: WhyNot
      switch try splice(record, grids, { try advance($0, nil) }) {
      case .success(let spliced): return .spliced(spliced)
      case .failure(let found): reason = found
      }
      let writer = try ArchiveWriter(
        path: archive, layout: layout, pageSize: pageSize, scratch: scratch,
        hasAggTilesHash: description.definition.output.hasAggTilesHash,
        hasGrids: tiles.taps?.format == .utfgrid, hasTaps: tiles.taps?.format == .compact,
        isCollecting: cache.isEnabled, columns: columns, isStopped: clock.cancellation.isStopped)
      written = writer
      try write(to: writer, record, { try advance($0, nil) })
      return .whole(writer, reason)
    }
  }

  /// Writes all rows, and the hit test data.
  private func write(
    to writer: ArchiveWriter, _ record: SceneRecord, _ advance: (Int) throws -> Void
  ) throws {
    let cancellation = clock.cancellation
    var rows = RowWriter(writer, record, blank: try tiles.blank(), taps: tiles.taps?.grids)
    let count = tiles.rows.count
    // Nothing goes back where all pictures were there before.
    let least = cancellation.endsRest ? count : 0
    try tiles.forEachBatch { batch in
      try rows.write(batch)
      // The time may be over with the last tiles.
      if rows.written == count { cancellation.endsRest = true }
      try advance(max(least, rows.written))
    }
    cancellation.endsRest = true
    try rows.finish(threads: context.threads, cancellation)
    record.taps = try tiles.writeTaps(to: writer)
  }

  /// The tiles of an archive whose indexes and metadata are still to be written.
  enum WrittenTiles {
    case whole(ArchiveWriter, WhyNot)
    /// The archive was made from the last one.
    case spliced(Spliced)
  }

  /// An archive that is made from the last one, with its parts that were written anew.
  struct Spliced {
    let writer: SpliceWriter
    let blocks: BlockHashes
    let rows: [WrittenRows]
    let changes: TileChanges
    let painted: Int
  }

  /// Makes the tiles from those of the last archive, or says why that is not possible.
  ///
  /// - Parameters:
  ///   - record: receives what compact taps are made from.
  ///   - grids: what UTFGrids are made from; `nil` for an archive without.
  private func splice(
    _ record: SceneRecord, _ grids: GridHashes?, _ advance: (Int) throws -> Void
  ) throws -> Result<Spliced, WhyNot> {
    if let whyNot { return .failure(whyNot) }
    guard let last else { return .failure(.parts) }
    guard let feed = tiles as? any SceneFeed else { return .failure(.parts) }
    guard let state = tiles.reuse.state else { return .failure(.unknown) }
    guard state.layout == layout, state.pageSize == pageSize else { return .failure(.layout) }
    guard PublishedArchive(path: last.string, cache: cache).isUntouched else {
      return .failure(.touched)
    }
    guard state.grids?.plan == grids?.plan, tiles.taps?.grids == nil || grids != nil,
      try grids == nil
        || ArchiveReader(last).metadata[ArchiveMetadata.tapsKey] == state.grids?.digest
    else { return .failure(.taps) }
    guard
      var splice = ArchiveSplice(of: last, state, to: feed.planned, pageSize: pageSize, grids)
    else { return .failure(.changes) }
    let name = archive.lastComponent?.string ?? "tiles"
    let fresh = try RepaintedImages(
      path: FilePath((scratch?.appending(name) ?? archive).string + "-fresh"))
    let (cancellation, endsRest) = (clock.cancellation, clock.cancellation.endsRest)
    do {
      try fresh.make(for: splice.difference, from: feed, after: state, cancellation, advance)
      let least = fresh.count
      let writer = try SpliceWriter(
        path: archive, layout: layout, from: state.contents, splice.pages,
        hasAggTilesHash: description.definition.output.hasAggTilesHash,
        hasTaps: tiles.taps?.format == .compact, columns: columns,
        isStopped: clock.cancellation.isStopped)
      // Nothing goes back.
      let blocks = try splice.write(fresh, to: writer) { try advance(max($0, least)) }
      if let taps = tiles.taps?.grids {
        try TapEntries(taps, used: writer.usedKeys).write(
          to: writer, threads: context.threads, cancellation)
      }
      record.taps = try tiles.writeTaps(to: writer)
      return .success(
        Spliced(
          writer: writer, blocks: blocks, rows: splice.written,
          changes: splice.changes(fresh, writer.contents), painted: fresh.paintedCount))
    } catch is ArchiveSplice.StaleState {
      unlink(archive.string)
      cancellation.endsRest = endsRest
      return .failure(.misfit)
    } catch {
      if cancellation.isDeadline { fresh.keep(beside: tiles.reuse, in: cache) }
      throw error
    }
  }

  /// Writes the indexes and the metadata: the stage `index`.
  ///
  /// - Returns: also what the next run needs to know of the tiles; `nil` where nothing is cached.
  private func index(
    _ written: WrittenTiles, _ record: SceneRecord, _ grids: GridHashes?
  ) throws(PipelineError) -> (Made, TileState?) {
    try clock.stage("index", unit: .rows) { _ in
      var made: Made
      let contents: (ArchiveContents, BlockHashes)?
      switch written {
      case .whole(let writer, let reason):
        let taps = writer.taps
        let (metadata, notes) = try self.metadata(of: writer.statistics, taps: taps?.digest)
        let summary = try writer.finish(metadata: metadata)
        let ahead = min(tiles.paintedAhead, record.reused)
        made = self.made(
          summary, record, (record.painted + ahead, record.reused - ahead), isHashing: true, notes)
        made.making = .whole(reason)
        made.tapsDigest = taps?.digest
        contents = writer.contents.flatMap { contents in writer.blocks.map { (contents, $0) } }
      case .spliced(let spliced):
        let taps = try spliced.writer.tapsDigest()
        let (metadata, notes) = try self.metadata(of: spliced.writer.statistics, taps: taps)
        let summary = try spliced.writer.finish(spliced.blocks, metadata: metadata)
        let painted = spliced.painted + tiles.paintedAhead
        var result = self.made(
          summary, record, (painted, tiles.rows.imageCount - painted),
          isHashing: context.options.writesDeltas, notes)
        result.changes = spliced.changes
        result.making = .copied
        result.tapsDigest = taps
        made = result
        contents = (spliced.writer.contents, spliced.blocks)
      }
      guard made.summary.tiles == tiles.rows.count else {
        throw PipelineError(
          .bug, "\(made.summary.tiles) tiles were written where \(tiles.rows.count) were planned.")
      }
      return (made, contents.flatMap { state($0, $1, made, grids) })
    }
  }

  /// Returns the metadata of an archive, and notes on them.
  ///
  /// - Parameter taps: the digest of the taps; `nil` without them.
  private func metadata(
    of statistics: [ZoomStatistics], taps: String?
  ) throws -> (ArchiveMetadata, [String]) {
    var description = description
    if let taps {
      description.template = tiles.taps?.grids?.template ?? ""
      description.more.append(MetadataEntry(ArchiveMetadata.tapsKey, taps))
    }
    return try description.metadata(of: statistics)
  }

  private func made(
    _ summary: ArchiveSummary, _ record: SceneRecord, _ images: (painted: Int, reused: Int),
    isHashing: Bool, _ notes: [String]
  ) -> Made {
    Made(
      summary: summary, painted: images.painted, reused: images.reused,
      images: tiles.reuse.unpublished(record, at: archive, layout: layout),
      file: SettledFile(archive, isHashing: isHashing, isStopped: clock.cancellation.isStopped),
      notes: notes)
  }

  private func state(
    _ contents: ArchiveContents, _ blocks: BlockHashes, _ made: Made, _ grids: GridHashes?
  ) -> TileState? {
    let planned = (tiles as? any SceneFeed)?.planned
    let symbols = planned?.zooms.compactMap(\.symbolBlocks) ?? []
    let inputs = grids.flatMap { grids in
      made.tapsDigest.map { grids.inputs(of: tiles.rows, digest: $0, in: columns) }
    }
    return made.summary.hashes.map {
      TileState(
        layout: layout, pageSize: pageSize, digest: $0.digest, blocks: blocks,
        scenes: tiles.rows.scenes(in: columns), contents: contents,
        grids: inputs, symbols: symbols,
        quadrants: symbols.isEmpty ? [] : planned?.quadrants(in: columns) ?? [])
    }
  }
}
