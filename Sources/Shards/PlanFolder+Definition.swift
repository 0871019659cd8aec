package import Baking
import Columns
import Definition
import Fetching
import GDAL
package import Inputs
import MBTiles
package import Reuse
package import Runs
import SystemPackage

extension PlanFolder {
  /// Returns the build of a pipeline of the plan, with the choice that its budget had then.
  package func build(
    _ pipeline: ResolvedPipeline, context: RunContext
  ) throws(PipelineError) -> Build {
    let undecided = UndecidedBuild(pipeline, context: context)
    guard let build = try undecided.taking(document.options.choice) else { throw mismatch }
    return build
  }

  /// Decodes the pipeline as it was when the plan was made, with the options of that run.
  ///
  /// - Parameter output: the archive to write instead of the plan's; `nil` for that.
  package func pipeline(output: String? = nil) throws(PipelineError) -> ResolvedPipeline {
    let pipeline = document.pipeline
    var material = DefinitionMaterial(file: pipeline.file)
    material.including = pipeline.including
    material.replacements = pipeline.replacing
    material.variables = pipeline.variables
    for (path, name) in pipeline.documents {
      material.documents[path] = try DocumentFile.read(
        try self.path(of: name).string, limit: DocumentLimits().bytes)
    }
    var options = BuildOptions()
    options.output = output ?? document.options.output
    options.minZoom = document.options.minZoom
    options.maxZoom = document.options.maxZoom
    options.bounds = document.options.bounds
    var definition = try PipelineDefinition(material).applying(options)
    let scales = definition.tiles.scales
    guard document.series.allSatisfy({ $0.inputs.count == scales.count }),
      document.unit == .frames || scales == document.archives.map(\.scale)
    else { throw mismatch }
    var copies: [String: String] = [:]
    for (path, name) in pipeline.copies { copies[path] = try self.path(of: name).string }
    if let copy = definition.output.packs.flatMap({ copies[$0.regions] }) {
      definition.output.packs?.regions = copy
    }
    return try resolved(definition, copies, options)
  }

  /// Returns the pipeline with the copies of its files.
  private func resolved(
    _ definition: PipelineDefinition, _ copies: [String: String], _ options: BuildOptions
  ) throws(PipelineError) -> ResolvedPipeline {
    let known = Dictionary(document.sources.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    let resolver = InputResolver(
      of: definition, folder: options.scratchFolder(beside: definition.output.path))
    var fetched = document.sprites.map { $0.copied(copies) }[...]
    var sources: [ResolvedSource] = []
    for source in definition.sources {
      if let image = document.pipeline.warped[source.name] {
        sources.append(
          resolver.warped(try content(of: image), bytes: image.bytes, of: source))
        continue
      }
      let facts = facts(of: source, known)
      var placed = try resolver.placed(source, facts, copies)
      placed.outline = facts?.tileset
      if let facts, let pictures = facts.pictures {
        placed.take(pictures, fetched: facts.fetched.map { $0.copied(copies) }, copies)
      }
      sources.append(placed)
    }
    var pipeline = ResolvedPipeline(
      definition, sources: sources,
      sprites: definition.sprites.map { ResolvedSprite($0, &fetched, copies) })
    if pipeline.sources.contains(where: { $0.records?.isStore == true }) {
      try pipeline.resolveStores()
    }
    try pipeline.resolveTilesets()
    for index in pipeline.sources.indices {
      pipeline.sources[index].packedTables = resolver.packedTables(
        of: pipeline.sources[index].definition)
      guard let facts = known[pipeline.sources[index].name] else { continue }
      pipeline.sources[index].notes = facts.notes
      pipeline.sources[index].layerName = facts.layer
      pipeline.sources[index].take(fetched: facts.fetched)
    }
    return pipeline
  }

  /// Returns the plan's facts about a source; a tileset's are those of its first part.
  private func facts(
    of source: SourceDefinition, _ known: [String: PlanDocument.Source]
  ) -> PlanDocument.Source? {
    guard source.vectorTiles != nil else { return known[source.name] }
    return document.sources.first { $0.name.hasPrefix("\(source.name)/") }
  }

  /// Returns an image that GDAL warped when the plan was made.
  private func content(
    of image: PlanDocument.Warped
  ) throws(PipelineError) -> RasterConversion.Content {
    let path = try self.path(of: image.pixels)
    do {
      return try RasterConversion.Content(
        path, hasValues: image.hasValues, image.grid, format: image.format)
    } catch {
      throw PipelineError(
        .badData, "this file of the plan is missing or damaged. Make the plan again.",
        at: DocumentPlace(file: path.string), cause: "\(error)")
    }
  }

  private var mismatch: PipelineError {
    PipelineError(
      .badData, "its archives are not those of its pipeline. Make the plan again.",
      at: DocumentPlace(file: path.appending(Self.documentName).string))
  }
}

extension ResolvedSprite {
  /// Takes the copies of the sprite's files; those that the plan's run did not find are left out.
  ///
  /// - Parameter fetched: the fetched files of this sprite and those after it, in their order.
  fileprivate init(
    _ definition: SpriteDefinition, _ fetched: inout ArraySlice<FetchedFile>,
    _ copies: [String: String]
  ) {
    self.init(definition) { part in
      switch part.location {
      case .file(let path): copies[path].map { Part(part, path: $0, name: path) }
      case .url: fetched.popFirst().map { Part(part, fetched: $0) }
      case .patterns, .inline, .standardInput, .memory, .connection, .none: nil
      }
    }
  }
}

extension InputResolver {
  /// Resolves a source to the copies of its files and the facts of the plan.
  fileprivate func placed(
    _ source: SourceDefinition, _ facts: PlanDocument.Source?, _ copies: [String: String]
  ) throws(PipelineError) -> ResolvedSource {
    var source = source
    switch source.kind {
    case .image(var image):
      image.place(copies)
      source.kind = .image(image)
    case .series(var series):
      series.image?.place(copies)
      source.kind = .series(series)
    case .records: break
    }
    switch source.data {
    case .file(let path):
      return copies[path].map { file($0, named: path, of: source) } ?? file(path, of: source)
    case .url:
      // A TileJSON comes before the tiles that it leads to.
      let files = (facts?.fetched ?? []).map { $0.copied(copies) }
      var placed = fetched(facts?.pictures == nil ? files : Array(files.prefix(1)), of: source)
      if let reason = facts?.absence {
        placed.leaveOut(
          ResolvedSource.Absence(reason: reason, addresses: Set(facts?.absentAddresses ?? [])))
      }
      return placed
    case .inline: return try resolved(source)
    // Their records are in the plan.
    case .patterns, .standardInput, .memory, .connection, .none:
      return ResolvedSource(source, MissingData(source))
    }
  }
}

extension ImageDefinition {
  /// Leads the image to the copy of its world file.
  fileprivate mutating func place(_ copies: [String: String]) {
    if let file = worldFile, let copy = copies[file] { position = .worldFile(copy) }
  }
}
