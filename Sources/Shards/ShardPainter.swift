import Baking
import Columns
package import Definition
import Inputs
import Reuse
package import Runs
import Series
import SourceStages
import SystemPackage

/// The painting of one shard of a plan into its part.
package struct ShardPainter {
  let folder: PlanFolder

  /// The number of the shard, from 0.
  let shard: Int
  let options: BuildOptions
  let cancellation: Cancellation
  let progress: ProgressHandler

  /// The result of a run.
  package struct Outcome: Hashable, Sendable {
    /// The number of the shard.
    package var shard: Int

    /// The path of the part.
    package var part: String

    /// The number of tiles or frames.
    package var count: Int
    package var unit: ShardPlanSummary.Unit

    /// The size of the part in bytes.
    package var bytes: Int

    /// Whether the part was there already.
    package var isUnchanged: Bool

    /// The outcome as a line.
    package var summary: String {
      "shard \(shard): \(ReportNumber.count(count)) \(unit.rawValue), \(part) "
        + (isUnchanged ? "is there already" : "(\(ReportNumber.bytes(bytes)))")
    }
  }

  /// - Throws: ``PipelineError`` with code `usage` for a shard that the plan does not have.
  package init(
    _ folder: PlanFolder, shard: Int, options: BuildOptions, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) {
    guard folder.document.shards.indices.contains(shard) else {
      throw PipelineError(
        .usage,
        "there is no shard \(shard): the plan has \(folder.shardCount), numbered from 0.")
    }
    self.folder = folder
    self.shard = shard
    self.options = options
    self.cancellation = cancellation
    self.progress = progress
  }

  /// Paints the part, unless it is there and complete.
  package func run() throws(PipelineError) -> Outcome {
    let range = folder.document.shards[shard].range
    let path = folder.part(shard)
    if !options.force, let part = try? PartFile(path, cancellation), part.plan == folder.digest,
      part.shard == UInt64(shard)
    {
      return outcome(bytes: Build.size(of: path.string) ?? 0, isUnchanged: true)
    }
    try cancellation.check()
    do {
      let writer = try PartWriter(path, plan: folder.digest, shard: shard)
      try paint(range, into: writer)
      try writer.commit(cancellation)
      return outcome(bytes: Build.size(of: path.string) ?? 0, isUnchanged: false)
    } catch {
      throw PartWriter.failure(error, path)
    }
  }

  private func outcome(bytes: Int, isUnchanged: Bool) -> Outcome {
    Outcome(
      shard: shard, part: folder.part(shard).string, count: folder.document.shards[shard].rows,
      unit: folder.document.unit, bytes: bytes, isUnchanged: isUnchanged)
  }

  /// Paints the rows or the frames of a range.
  private func paint(_ range: Range<Int>, into writer: PartWriter) throws {
    let sections = folder.document.sections(of: range)
    let frames =
      folder.document.unit == .tiles
      ? []
      : sections.flatMap { folder.document.series[$0.index].frames.paths(of: $0.range) }
    var options = options
    // Nothing is there to be reused.
    options.force = true
    let pipeline = try folder.pipeline()
    let definition = pipeline.definition
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      artifacts: folder.artifacts,
      scratch: try Scratch.ofRun(
        options.memory ?? definition.memory, options: options,
        archive: folder.part(shard).string, cancellation: cancellation))
    try folder.verifyCopies(of: Set(frames), threads: context.threads, cancellation)
    guard !sections.isEmpty else { return }
    let build = try folder.build(pipeline, context: context)
    switch folder.document.unit {
    case .tiles: try paint(sections, with: build, into: writer)
    case .frames: try paintFrames(sections, with: build, into: writer)
    }
  }

  private func paint(
    _ sections: [(index: Int, range: Range<Int>)], with build: Build, into writer: PartWriter
  ) throws {
    let clock = build.context.clock
    let sources = try build.reading.clustered(clock)
    for (index, range) in sections {
      let archive = folder.document.archives[index]
      let painting = ArchivePainting(
        folder: folder, build: build, archive: archive, number: index, sources: sources,
        clock: clock)
      try painting.paint(range, of: try folder.rows(archive), into: writer)
    }
  }
}
