package import Baking
import Definition
import Files
import Foundation
import Inputs
import Reuse
package import Runs
import Series
import SourceStages
package import SystemPackage

/// The planning of a build for other processes: reads and clusters the inputs once, decides every
/// row, and writes what painting needs into a folder.
package struct ShardPlanner {
  /// The build of the whole pipeline.
  let build: Build

  /// The number of shards.
  let count: Int

  package init(build: Build, count: Int) {
    self.build = build
    self.count = count
  }

  /// Writes the folder, which appears complete or not at all; a plan that is there is replaced.
  ///
  /// - Throws: ``PipelineError``: those of a build, and `cannotCreate` for a folder that is not a
  ///   plan.
  package func run(into path: FilePath) throws(PipelineError) -> ShardPlanSummary {
    try requirePlan(at: path)
    return try PipelineError.wrapping {
      let folder = try PendingFolder(path.lexicallyNormalized())
      try folder.makeFolder(FilePath(PlanFolder.artifactsName))
      try folder.makeFolder(FilePath(PlanFolder.partsName))
      let (document, pace) = try document(folder)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      try folder.writeDurably(Array(try encoder.encode(document)), to: PlanFolder.documentName)
      try build.inputs.checkUnchanged()
      try build.cancellation.check()
      try folder.publish(replaces: true)
      var summary = document.summary(of: build.definition.name, in: path)
      for index in summary.shards.indices { summary.shards[index].seconds *= pace }
      return summary
    }
  }

  /// Refuses to replace a folder that is not a plan, and anything but a folder.
  private func requirePlan(at path: FilePath) throws(PipelineError) {
    guard let status = FileStatus(path) else { return }
    let isFolder = status.kind == .folder
    let names = FolderListing.names(in: path)
    if isFolder, names.isEmpty || names.contains(PlanFolder.documentName) { return }
    throw PipelineError(
      .cannotCreate,
      "this \(isFolder ? "folder is not a plan" : "is not a folder") and is not replaced. Name another"
        + " with -o.", at: DocumentPlace(file: path.string))
  }

  // MARK: The document

  /// Returns the document, which is the same for equal inputs, and the ratio of this machine's time
  /// to the times in it.
  private func document(_ folder: PendingFolder) throws -> (PlanDocument, pace: Double) {
    let program = try PlanDocument.Program.current()
    let definition = build.definition
    try build.pipeline.requireFewTiles(build.prepared.style)
    var artifacts = ArtifactCache(
      ofPlan: folder.temporary.appending(PlanFolder.artifactsName), program: program.sha256)
    artifacts.scratch = build.context.scratch
    var copies = try PlanCopies(build.pipeline, folder)
    let content =
      definition.hasSeries
      ? try frames(artifacts) { path throws(PipelineError) in try copies.copy(path) }
      : try rows(artifacts)
    if let note = artifacts.note {
      throw PipelineError(
        .inputOutput, "the plan is not complete: \(note). Check the disk, then run it again.",
        at: DocumentPlace(file: folder.temporary.string))
    }
    let document = PlanDocument(
      program: program, pipeline: try copies.pipeline(definition),
      options: PlanDocument.Options(of: build),
      sources: content.sources,
      sprites: build.pipeline.fetchedSprites.map(\.planned),
      archives: content.archives, series: content.series, notes: content.notes,
      shards: content.costs.shards(count), files: try Self.files(in: folder.temporary))
    return (document, content.costs.pace)
  }

  /// The planned content, without the pipeline itself.
  private struct Content {
    var archives: [PlanDocument.Archive] = []
    var series: [PlanDocument.Series] = []
    var sources: [PlanDocument.Source] = []
    var notes: [String] = []
    var costs = ShardCosts()
  }

  /// Plans the rows of the archives of all densities.
  private func rows(_ artifacts: ArtifactCache) throws -> Content {
    let clock = build.context.clock
    let fingerprints = try build.fingerprints()
    let planning = build.with(artifacts: artifacts)
    let sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try planning.reading.clustered(clock)
    }
    let dataNotes = try build.dataNotes(on: sources)
    var content = Content(
      sources: sources.map(\.source.resolved).planned, notes: dataNotes.all)
    for (scale, fingerprint) in zip(build.definition.tiles.scales, fingerprints) {
      let planned = try planning.scenes(scale: scale, sources, clock)
      let archive = try planning.archivePlan(
        of: planned, sources, dataNotes, clock)
      artifacts.store(artifacts.key(.rows, ["\(scale)"]), archive.rows.artifact)
      artifacts.store(artifacts.key(.palette, ["\(scale)"]), try planned.palette())
      try clock.stage("estimate", unit: .tiles) { _ in
        content.costs.add(archive.rows, try planned.zoomEstimates())
      }
      content.archives.append(
        PlanDocument.Archive(archive, planned, fingerprint.provenance))
    }
    return content
  }

  /// Plans the frames of all series.
  ///
  /// - Parameter copy: copies an image into the plan, and returns its name there.
  private func frames(
    _ artifacts: ArtifactCache, copy: (String) throws(PipelineError) -> String
  ) throws -> Content {
    var content = Content()
    let shared = try SeriesBuild(build: build).plan(into: artifacts) { frames, estimate in
      content.costs.add(frames: frames.series.count, estimate)
      content.series.append(
        PlanDocument.Series(
          frames: try frames.series.moved(copy),
          inputs: frames.fingerprints.map(\.provenance)))
    }
    content.notes = shared.notes
    content.sources = shared.sources.planned
    return content
  }

  /// Returns all files of the folder with their digests, ordered by name.
  private static func files(in folder: FilePath) throws -> [PlanDocument.File] {
    var files: [PlanDocument.File] = []
    func add(_ path: FilePath, _ name: String) throws {
      for entry in FolderListing.names(in: path).sorted() {
        let (path, name) = (path.appending(entry), name.isEmpty ? entry : "\(name)/\(entry)")
        if FileStatus(path)?.kind == .folder {
          try add(path, name)
        } else {
          try DurableFile.synchronize(path)
          let digest = try FileDigest(of: path)
          files.append(
            PlanDocument.File(name: name, bytes: Int(digest.bytes), sha256: digest.sha256))
        }
      }
    }
    try add(folder, "")
    return files
  }
}
