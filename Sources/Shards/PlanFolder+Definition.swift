import Baking
import Columns
package import Definition
import Fetching
import MBTiles
import Reuse
package import Runs
import SystemPackage
import Unpacking

extension PlanFolder {
  /// Decodes the pipeline as it was when the plan was made, with the options of that run.
  ///
  /// - Parameter output: the archive to write instead of the plan's; `nil` for that.
  package func definition(output: String? = nil) throws(PipelineError) -> PipelineDefinition {
    let pipeline = document.pipeline
    var material = DefinitionMaterial(file: pipeline.file)
    material.including = pipeline.including
    material.variables = pipeline.variables
    for (path, name) in pipeline.documents {
      material.documents[path] = try DocumentFile.read(
        try self.path(of: name).string, limit: DocumentLimits().bytes)
    }
    var options = BuildOptions()
    options.output = output ?? document.options.output
    options.minZoom = document.options.minZoom
    options.maxZoom = document.options.maxZoom
    options.bounds = document.options.bounds?.value
    var definition = try PipelineDefinition(material).applying(options)
    if let choice = document.options.choice {
      guard let taking = definition.taking(choice) else { throw mismatch }
      definition = taking
    }
    let scales = definition.tiles.scales
    guard document.series.allSatisfy({ $0.inputs.count == scales.count }),
      document.unit == .frames || scales == document.archives.map(\.scale)
    else { throw mismatch }
    var copies: [String: String] = [:]
    for (path, name) in pipeline.copies { copies[path] = try self.path(of: name).string }
    let known = Dictionary(document.sources.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    for index in definition.sources.indices {
      definition.sources[index].place(known[definition.sources[index].name], copies)
    }
    var fetched = document.sprites.map { $0.value(copies) }[...]
    for index in definition.sprites.indices { definition.sprites[index].place(&fetched, copies) }
    definition.findPacked(
      PackedInput.Surroundings(
        folder: Scratch.folder(options: options, archive: definition.output.path)))
    if definition.sources.contains(where: { $0.records?.isStore == true }) {
      try definition.resolveStores()
    }
    for index in definition.sources.indices {
      guard let facts = known[definition.sources[index].name] else { continue }
      definition.sources[index].notes = facts.notes
      definition.sources[index].layerName = facts.layer
    }
    return definition
  }

  private var mismatch: PipelineError {
    PipelineError(
      .badData, "its archives are not those of its pipeline. Make the plan again.",
      at: DocumentPlace(file: path.appending(Self.documentName).string))
  }
}

extension SpriteDefinition {
  /// Leads the sprite to the copies of its files; those that the plan's run did not find are left
  /// out.
  ///
  /// - Parameter fetched: the fetched files of this sprite and those after it, in their order.
  fileprivate mutating func place(
    _ fetched: inout ArraySlice<FetchedFile>, _ copies: [String: String]
  ) {
    parts = parts.compactMap { part in
      var part = part
      switch part.location {
      case .file(let path):
        guard let copy = copies[path] else { return nil }
        part.shownName = path
        part.location = .file(copy)
      case .url:
        guard let file = fetched.popFirst() else { return nil }
        part.location = .fetched([file])
      case .fetched, .patterns, .parts, .inline, .standardInput, .connection, .none: break
      }
      return part
    }
  }
}

extension SourceDefinition {
  /// Leads the source to the copies of its files, and to what is known of them.
  fileprivate mutating func place(_ facts: PlanDocument.Source?, _ copies: [String: String]) {
    switch data {
    case .file(let path):
      if let copy = copies[path] {
        shownName = path
        data = .file(copy)
      }
    case .url:
      data = .fetched((facts?.fetched ?? []).map { $0.value(copies) })
      if let absence = facts?.absence {
        self.absence = absence
        absentAddresses = Set(facts?.absentAddresses ?? [])
        records?.changes = ChangeDefinition()
      }
    case .fetched, .patterns, .parts, .inline, .standardInput, .connection, .none: break
    }
    switch kind {
    case .image(var image):
      image.place(copies)
      kind = .image(image)
    case .series(var series):
      series.image.place(copies)
      kind = .series(series)
    case .records: break
    }
  }
}

extension ImageDefinition {
  /// Leads the image to the copy of its world file.
  fileprivate mutating func place(_ copies: [String: String]) {
    if let file = worldFile, let copy = copies[file] { position = .worldFile(copy) }
  }
}
