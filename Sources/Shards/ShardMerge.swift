import Baking
package import Definition
import Inputs
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
    let threads = RunContext(options: options).threads
    let parts = try clock.stage("parts", unit: .records, total: folder.shardCount) { advance in
      try folder.verify(threads: threads, cancellation)
      return try openParts(threads) { try advance($0, nil) }
    }
    let pipeline = try folder.pipeline(output: output)
    let definition = pipeline.definition
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      earlierStages: clock.stages,
      artifacts: ArtifactCache(besideArchive: definition.output.path, options: options),
      scratch: try Scratch.ofRun(
        options.memory ?? definition.memory, options: options, archive: definition.output.path,
        cancellation: cancellation))
    let build = Build(pipeline, context: context)
    let reports =
      switch folder.document.unit {
      case .tiles: try publish(parts, with: build)
      case .frames: try publishFrames(of: parts, with: build)
      }
    removeTemporaryFiles()
    return reports
  }

  private func publish(
    _ parts: [PartFile], with build: Build
  ) throws(PipelineError) -> [BuildReport] {
    let style = try build.pipeline.style(reading: build.inputs)
    let fonts = try build.loadFonts()
    return try build.publishing(style, fonts) { () throws(PipelineError) in
      folder.document.archives.map { archive in
        BuildFingerprint(archive.inputs.value(program: folder.document.program.sha256))
      }
    } make: { (publications, fingerprints, damage) throws(PipelineError) in
      try publish(build, parts, style, fonts, publications, fingerprints, damage)
    }
  }

  // MARK: Parts

  /// Opens and verifies the parts of all shards.
  private func openParts(
    _ threads: Int, _ advance: (Int) throws -> Void
  ) throws(PipelineError) -> [PartFile] {
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
    var shards = folder.document.shards.indices
    do {
      try OrderedWork<Int, PartFile>(threads: threads, limit: threads * 2).run(
        worker: { [self] in { try openPart($0) } },
        next: { shards.popFirst() },
        consume: {
          parts.append($0)
          try advance(parts.count)
        })
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
      build.pipeline, context: build.context.with(artifacts: folder.artifacts))
    let clock = build.context.clock
    let sources = try planning.readAndCluster(style, clock)
    let extents = folder.document.archives.flatMap(\.extents).compactMap(\.value)
    var reports: [BuildReport] = []
    for (index, archive) in folder.document.archives.enumerated() {
      let rows = try folder.rows(archive)
      let plan = try archive.plan(rows)
      let taps = planning.tapPlan(sources, style, fonts, scale: archive.scale)
      let content = PartSequence(
        parts: parts, document: folder.document, archive: index, rows: rows, taps: taps,
        threads: build.threads, cancellation: cancellation,
        tilePixels: build.definition.tiles.tileSize * archive.scale,
        codec: build.definition.tiles.codec,
        zooms: build.definition.tiles.minZoom...build.definition.tiles.maxZoom)
      let tiles = TileSupply(
        rows: rows, rowsHash: archive.hash, taps: taps, write: content.write)
      reports.append(
        try build.publish(
          plan, tiles, TileReuse(nothingOf: publications[index].archive, plan.paint),
          ArchiveDescription(
            definition: build.definition, sources: sources, extents: extents,
            scale: archive.scale, fingerprint: fingerprints[index],
            hasBackground: build.definition.hasBackground(style)),
          style, fonts, publications[index], index == 0 ? clock : build.context.clock,
          notes: (before: index == 0 ? damage : [], after: folder.document.notes)))
    }
    try build.writeLock(rows: sources.readRecords)
    return reports
  }
}
