import Features
package import Baking
import Clustering
import Crypto
import Definition
import Files
import Foundation
import JSON
import MBTiles
import Raster
import Reports
import Reuse
package import Runs
import Styling
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
    do {
      let folder = try PendingFolder(path.lexicallyNormalized())
      try folder.makeFolder(FilePath(PlanFolder.artifactsName))
      try folder.makeFolder(FilePath(PlanFolder.partsName))
      let document = try document(folder)
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      try folder.writeDurably(Array(try encoder.encode(document)), to: PlanFolder.documentName)
      try build.inputs.checkUnchanged()
      try build.cancellation.check()
      try folder.publish(replaces: true)
      return ShardPlanSummary(
        pipeline: build.definition.name, folder: path.string,
        shards: document.shards.map {
          ShardPlanSummary.Shard(tiles: $0.rows, seconds: $0.seconds, bytes: $0.bytes)
        })
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Refuses to replace a folder that is not a plan.
  private func requirePlan(at path: FilePath) throws(PipelineError) {
    let names = FolderListing.names(in: path)
    guard FileStatus.exists(path), !names.isEmpty, !names.contains(PlanFolder.documentName) else {
      return
    }
    throw PipelineError(
      .cannotCreate, "this folder is not a plan and is not replaced. Name another with -o.",
      at: DocumentPlace(file: path.string))
  }

  // MARK: The document

  private func document(_ folder: PendingFolder) throws -> PlanDocument {
    let program = try PlanDocument.Program.current()
    let definition = build.definition
    let style = try definition.style()
    try definition.requireFewTiles(style)
    let fonts = try build.loadFonts()
    let clock = build.context.clock
    let fingerprints = try build.fingerprints(style, fonts)
    var artifacts = ArtifactCache(
      ofPlan: folder.temporary.appending(PlanFolder.artifactsName), program: program.sha256)
    artifacts.scratch = build.context.scratch
    let planning = Build(
      definition: definition, context: build.context.with(artifacts: artifacts))
    let sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try planning.readAndCluster(style, clock)
    }
    let dataNotes = try DataNotes(
      of: sources, in: definition, style, checkpoint: build.cancellation.check)
    var archives: [PlanDocument.Archive] = []
    var costs = ShardCosts()
    for (scale, fingerprint) in zip(definition.tiles.scales, fingerprints) {
      let planned = try planning.scenes(scale: scale, sources, style, fonts, clock)
      let archive = try planning.archivePlan(
        of: planned, scale: scale, sources, style, fonts, dataNotes, clock)
      artifacts.store(artifacts.key(.rows, ["\(scale)"]), archive.rows.artifact)
      try clock.stage("estimate", unit: .tiles) { _ in
        costs.add(archive.rows, try planned.zoomEstimates())
      }
      archives.append(
        PlanDocument.Archive(archive, planned, PlanDocument.Inputs(fingerprint.provenance)))
    }
    if let note = artifacts.note {
      throw PipelineError(
        .inputOutput, "the plan is not complete: \(note). Check the disk, then run it again.",
        at: DocumentPlace(file: folder.temporary.string))
    }
    let copies = try PlanCopies(definition, folder)
    return PlanDocument(
      program: program, pipeline: try copies.pipeline(definition),
      options: PlanDocument.Options(build.options),
      sources: sources.map { PlanDocument.Source($0.source) }, archives: archives,
      notes: dataNotes.all, shards: costs.shards(count),
      files: try Self.files(in: folder.temporary))
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

extension PlanDocument.Options {
  init(_ options: BuildOptions) {
    self.init(
      output: options.output, minZoom: options.minZoom, maxZoom: options.maxZoom,
      bounds: options.bounds.map { PlanDocument.Bounds($0) })
  }
}

extension PlanDocument.Source {
  init(_ source: LoadedSource) {
    let definition = source.definition
    var fetched: [PlanDocument.Fetched] = []
    if case .fetched(let files) = definition.data { fetched = files.map(PlanDocument.Fetched.init) }
    self.init(
      name: definition.name, layer: definition.keyLayer, fetched: fetched,
      absence: definition.absence, absentAddresses: definition.absentAddresses.sorted(),
      notes: definition.notes)
  }
}

extension PlanDocument.Archive {
  init(_ plan: ArchivePlan, _ planned: PlannedTiles, _ inputs: PlanDocument.Inputs) {
    let hash = planned.rowsHash
    self.init(
      scale: plan.scale, rows: plan.rows.count, rowsHash: [hash.high, hash.low],
      drawsAnything: plan.drawsAnything, layout: plan.decision.layout.rawValue,
      estimate: plan.decision.estimate.map {
        PlanDocument.Estimate(
          rows: $0.rows, images: $0.images, bytesPerImage: $0.bytesPerImage,
          secondsPerImage: $0.secondsPerImage)
      }, paint: plan.paint.text, extents: planned.extents.map { PlanDocument.Extent($0) },
      notes: plan.notes, inputs: inputs)
  }
}
