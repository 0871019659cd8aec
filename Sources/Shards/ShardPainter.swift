import Columns
import Baking
package import Definition
import Files
import MBTiles
import Reuse
package import Runs
import SpatialIndex
import Styling
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

    /// The number of rows.
    package var tiles: Int

    /// The size of the part in bytes.
    package var bytes: Int

    /// Whether the part was there already.
    package var isUnchanged: Bool

    /// The outcome as a line.
    package var summary: String {
      "shard \(shard): \(ReportNumber.count(tiles)) tiles, \(part) "
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
    try folder.verify(under: "documents/", cancellation)
    try folder.verify(under: "inputs/", cancellation)
    do {
      let writer = try PartWriter(path, plan: folder.digest, shard: shard)
      try paint(range, into: writer)
      try writer.commit(cancellation)
      return outcome(bytes: Build.size(of: path.string) ?? 0, isUnchanged: false)
    } catch {
      var failure = PipelineError(wrapping: error)
      guard let error = error as? Errno else { throw failure }
      failure.place = DocumentPlace(file: path.string)
      failure.message =
        error == .noSpace
        ? "the part cannot be written: the disk is full. Free some space, then run it again."
        : "the part cannot be written. Check the folder, the disk and the permissions."
      throw failure
    }
  }

  private func outcome(bytes: Int, isUnchanged: Bool) -> Outcome {
    Outcome(
      shard: shard, part: folder.part(shard).string, tiles: folder.document.shards[shard].rows,
      bytes: bytes, isUnchanged: isUnchanged)
  }

  /// Paints the rows of a range of all archives.
  private func paint(_ range: Range<Int>, into writer: PartWriter) throws {
    guard !range.isEmpty else { return }
    let definition = try folder.definition()
    let context = RunContext(
      options: options, cancellation: cancellation, progress: progress,
      artifacts: folder.artifacts,
      scratch: try Scratch.ofRun(
        options.memory ?? definition.memory, options: options,
        archive: folder.part(shard).string, cancellation: cancellation))
    let build = Build(definition: definition, context: context)
    let clock = context.clock
    let style = try build.definition.style()
    let fonts = try build.loadFonts()
    let sources = try build.readAndCluster(style, clock)
    var first = 0
    for (index, archive) in folder.document.archives.enumerated() {
      let own = range.clamped(to: first..<first + archive.rows)
      if !own.isEmpty {
        let painting = ArchivePainting(
          build: build, archive: archive, number: index, sources: sources, style: style,
          fonts: fonts, clock: clock)
        try painting.paint(
          own.lowerBound - first..<own.upperBound - first, of: try folder.rows(archive),
          into: writer)
      }
      first += archive.rows
    }
  }
}
