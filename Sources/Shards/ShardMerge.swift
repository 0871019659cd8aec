import Baking
package import Definition
import Features
import Files
import Inputs
import MBTiles
import Platform
import Publication
package import Reports
import Reuse
package import Runs
import SourceStages
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
    let options = try options.withUpdates(of: definition)
    try definition.requireInputsApart(options)
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      earlierStages: clock.stages,
      artifacts: ArtifactCache(besideArchive: definition.output.path, options: options),
      scratch: try Scratch.ofRun(
        options.memory ?? definition.memory, options: options, archive: definition.output.path,
        cancellation: cancellation))
    let build = try folder.build(pipeline, context: context)
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
    try build.publishing { () throws(PipelineError) in
      folder.document.archives.map { archive in
        BuildFingerprint(archive.inputs)
      }
    } make: { targets throws(PipelineError) in
      try publish(parts, at: targets, with: build)
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
    try PipelineError.wrapping {
      try OrderedWork<Int, PartFile>(threads: threads, limit: threads * 2).run(
        worker: { [self] in { try openPart($0) } },
        next: { shards.popFirst() },
        consume: {
          parts.append($0)
          try advance(parts.count)
        })
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
    _ parts: [PartFile], at targets: [ArchiveTarget], with build: Build
  ) throws(PipelineError) -> [BuildReport] {
    let clock = build.context.clock
    let sources = try build.with(artifacts: folder.artifacts).reading.clustered(clock)
    let extents = folder.document.archives.flatMap(\.extents)
    var reports: [BuildReport] = []
    for (index, archive) in folder.document.archives.enumerated() {
      let rows = try folder.rows(archive)
      var plan = archive.plan(rows)
      plan.notes = folder.document.notes + plan.notes
      let taps = build.tapPlan(sources, scale: archive.scale)
      let target = targets[index]
      let tiles = PartFeed(
        parts: parts, document: folder.document, archive: index, rows: rows, taps: taps,
        threads: build.threads, cancellation: cancellation,
        tilePixels: build.definition.tiles.tileSize * archive.scale,
        codec: build.definition.tiles.codec,
        zooms: build.definition.tiles.minZoom...build.definition.tiles.maxZoom,
        reuse: TileReuse(nothingOf: target.publication.archive, plan.paint))
      let description = ArchiveDescription(
        of: build, sources, extents: extents, scale: archive.scale,
        fingerprint: target.fingerprint)
      reports.append(
        try build.publish(
          plan, tiles, description, at: target, index == 0 ? clock : build.context.clock))
    }
    try build.writeLock(rows: sources.readRecords)
    return reports
  }
}
