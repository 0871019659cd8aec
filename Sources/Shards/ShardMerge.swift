import Baking
package import Definition
import Features
import Files
import MBTiles
import Platform
import Raster
package import Reports
import Reuse
package import Runs
import Styling
import SystemPackage

/// The publication of the archives whose parts other processes painted.
package struct ShardMerge {
  let folder: PlanFolder

  /// The archive to write; `nil` for the pipeline's own.
  let output: String?
  let options: BuildOptions
  let cancellation: Cancellation
  let progress: ProgressHandler

  package init(
    _ folder: PlanFolder, output: String?, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) {
    self.folder = folder
    self.output = output
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Checks all parts, then writes and publishes the archives as a build does.
  ///
  /// - Returns: a report per archive, in the order of the densities.
  /// - Throws: ``PipelineError``: `missingInput` with the numbers of missing parts, `badData` for
  ///   parts of other plans and for damaged files, and the errors of a build.
  package func run() throws(PipelineError) -> [BuildReport] {
    let clock = StageClock(progress: progress, cancellation: cancellation)
    let parts = try clock.stage("parts", unit: .records, total: folder.shardCount) { advance in
      try folder.verify(cancellation)
      return try openParts { try advance($0, nil) }
    }
    let definition = try folder.definition(output: output)
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      earlierStages: clock.stages,
      artifacts: ArtifactCache(besideArchive: definition.output.path, options: options),
      scratch: try Scratch.ofRun(
        options.memory ?? definition.memory, options: options, archive: definition.output.path,
        cancellation: cancellation))
    let build = Build(definition: definition, context: context)
    let style = try definition.style()
    let fonts = try build.loadFonts()
    let fingerprints = folder.document.archives.map { archive in
      BuildFingerprint(archive.inputs.value(program: folder.document.program.sha256))
    }
    let reports = try build.publishing(style, fonts) { () throws(PipelineError) in
      fingerprints
    } make: { (publications, fingerprints, damage) throws(PipelineError) in
      try publish(build, parts, style, fonts, publications, fingerprints, damage)
    }
    removeTemporaryFiles()
    return reports
  }

  // MARK: Parts

  /// Opens and verifies the parts of all shards.
  private func openParts(_ advance: (Int) throws -> Void) throws(PipelineError) -> [PartFile] {
    let missing = folder.document.shards.indices.filter { !FileStatus.exists(folder.part($0)) }
    guard missing.isEmpty else {
      let shown = missing.prefix(10).map(String.init).joined(separator: ", ")
      let isOne = missing.count == 1
      throw PipelineError(
        .missingInput,
        (isOne ? "the part of shard \(shown) is" : "the parts of \(missing.count) shards are")
          + " missing\(isOne ? "" : ": \(shown)\(missing.count > 10 ? ", …" : "")"). Paint "
          + "\(isOne ? "it" : "them"): quadrille build --shard \(missing[0]) \(folder.path)",
        at: DocumentPlace(file: folder.part(missing[0]).string))
    }
    var parts: [PartFile] = []
    do {
      for shard in folder.document.shards.indices {
        parts.append(try openPart(shard))
        try advance(parts.count)
      }
    } catch {
      throw PipelineError(wrapping: error)
    }
    return parts
  }

  private func openPart(_ shard: Int) throws -> PartFile {
    let path = folder.part(shard)
    let place = DocumentPlace(file: path.string)
    let remedy =
      "Remove it and paint it again: quadrille build --shard \(shard) \(folder.path)"
    let part: PartFile
    do {
      part = try PartFile(path, cancellation)
    } catch is PartDamage {
      throw PipelineError(.badData, "the part is damaged or not complete. \(remedy)", at: place)
    } catch let error as Errno {
      var failure = PipelineError(wrapping: error)
      failure.place = place
      throw failure
    }
    guard part.plan == folder.digest, part.shard == UInt64(shard) else {
      throw PipelineError(
        .badData, "the part belongs to another plan or shard. \(remedy)", at: place)
    }
    return part
  }

  /// Removes what killed shards left: all parts are there, so nobody paints any more.
  private func removeTemporaryFiles() {
    let parts = folder.path.appending(PlanFolder.partsName)
    for name in FolderListing.names(in: parts)
    where name.hasPrefix(".part-") && name.contains(".tmp-") {
      unlink(parts.appending(name).string)
    }
  }

  // MARK: Publication

  private func publish(
    _ build: Build, _ parts: [PartFile], _ style: Style, _ fonts: FontLibrary,
    _ publications: [ArchivePublication], _ fingerprints: [BuildFingerprint], _ damage: [String]
  ) throws(PipelineError) -> [BuildReport] {
    let planning = Build(
      definition: build.definition, context: build.context.with(artifacts: folder.artifacts))
    let clock = build.context.clock
    let sources = try planning.readAndCluster(style, clock)
    let extents = folder.document.archives.flatMap(\.extents).compactMap(\.value)
    var reports: [BuildReport] = []
    var firstRow = 0
    for (index, archive) in folder.document.archives.enumerated() {
      let rows = try folder.rows(archive)
      let plan = try archive.plan(rows)
      let taps = planning.tapPlan(sources, style, fonts, scale: archive.scale)
      let content = PartSequence(
        parts: parts, shards: folder.document.shards, archive: index, firstRow: firstRow,
        rows: rows, taps: taps, threads: build.threads, cancellation: cancellation,
        tilePixels: build.definition.tiles.tileSize * archive.scale,
        zooms: build.definition.tiles.minZoom...build.definition.tiles.maxZoom)
      let tiles = TileSupply(
        rows: rows, rowsHash: archive.hash, taps: taps, write: content.write)
      reports.append(
        try build.publish(
          plan, tiles, TileReuse(nothingOf: publications[index].archive, plan.paint),
          ArchiveDescription(
            definition: build.definition, sources: sources, extents: extents,
            scale: archive.scale, fingerprint: fingerprints[index]),
          style, fonts, publications[index], index == 0 ? clock : build.context.clock,
          notes: (before: index == 0 ? damage : [], after: folder.document.notes)))
      firstRow += archive.rows
    }
    try build.writeLock(rows: sources.readRecords)
    return reports
  }
}

/// The tiles of one archive, read from the parts of all shards.
struct PartSequence {
  let parts: [PartFile]
  let shards: [PlanDocument.Shard]

  /// The number of the archive in the plan, and of its first row among all rows.
  let archive: Int
  let firstRow: Int
  let rows: PlannedRows
  let taps: TapPlan?
  let threads: Int
  let cancellation: Cancellation
  let tilePixels: Int
  let zooms: ClosedRange<Int>

  /// Writes all rows, and the compact taps, in order.
  func write(
    _ writer: ArchiveWriter, _ record: SceneRecord, _ advance: (Int) throws -> Void
  ) throws {
    var writing = RowWriter(
      writer, record, blank: RowWriter.blank(side: tilePixels), taps: taps?.grids)
    var batches = TileRows(rows, in: 0..<0)
    let own = firstRow..<firstRow + rows.count
    for (part, shard) in zip(parts, shards) {
      batches.go(on: shard.range.clamped(to: own).count)
      var records = part.records(.batch, archive: archive)
      while let batch = batches.next() {
        try cancellation.check()
        try reading(part) { () throws(PartDamage) in
          guard var content = try records.next() else { throw PartDamage() }
          let painted = try content.batch(batch)
          guard taps.map({ $0.knows(painted.grids, zoom: batch.zoom.zoom) }) ?? true else {
            throw PartDamage()
          }
          return painted
        } then: {
          try writing.write($0)
        }
        try advance(writing.written)
      }
    }
    try writing.finish(threads: threads, cancellation)
    if let taps, taps.isCompact { try writeBlocks(taps, to: writer) }
  }

  private func writeBlocks(_ taps: TapPlan, to writer: ArchiveWriter) throws {
    let stage = CompactTapStage(plan: taps, threads: threads, cancellation: cancellation)
    var blocks = CompactTapStage.Writer(stage, stage.numbers(zooms), writer)
    for part in parts {
      var records = part.records(.block, archive: archive)
      var isEnd = false
      while !isEnd {
        try reading(part) { () throws(PartDamage) in
          guard var content = try records.next() else { return nil as CompactTapStage.Block? }
          return try content.block()
        } then: { block in
          if let block { try blocks.write(block) } else { isEnd = true }
        }
        try cancellation.check()
      }
    }
    try blocks.finish()
  }

  /// Reads a value of a part and uses it.
  private func reading<Value>(
    _ part: PartFile, _ read: () throws(PartDamage) -> Value, then use: (Value) throws -> Void
  ) throws {
    let value: Value
    do throws(PartDamage) {
      value = try read()
    } catch {
      throw PipelineError(
        .badData, "the part does not hold the rows of its shard. Remove it and paint it again.",
        at: DocumentPlace(file: part.path.string))
    }
    try use(value)
  }
}

extension PlanDocument.Archive {
  /// The hash of all rows and their scenes.
  var hash: StableHash {
    var hash = StableHash()
    guard rowsHash.count == 2 else { return hash }
    (hash.high, hash.low) = (rowsHash[0], rowsHash[1])
    return hash
  }

  /// Returns the plan of the archive.
  func plan(_ rows: PlannedRows) throws(PipelineError) -> ArchivePlan {
    guard let layout = ArchiveLayout(rawValue: layout) else {
      throw PipelineError(.badData, "'\(layout)' is no layout of an archive. Make the plan again.")
    }
    return ArchivePlan(
      scale: scale, rows: rows, drawsAnything: drawsAnything,
      decision: LayoutDecision(
        layout: layout,
        estimate: estimate.map {
          TileEstimate(
            rows: $0.rows, images: $0.images, bytesPerImage: $0.bytesPerImage,
            secondsPerImage: $0.secondsPerImage)
        }), paint: PaintKey(text: paint), notes: notes)
  }
}
