import Baking
import Definition
import Examination
import Features
import Files
import GeoPackages
import Ingest
import OrderedCollections
package import Reuse
package import Runs
import SystemPackage
package import Tiling

/// A pipeline drafted from files of data: it builds at once, and says in comments what was found.
package struct PipelineDraft {
  /// The text of the pipeline file.
  package let text: String

  /// The summary of the draft, one line.
  package let summary: String

  /// A line for each source about what was chosen, and how to choose else.
  package let choices: [String]

  /// The choices that were not certain; empty for tiles.
  package let questions: [DraftQuestion]

  /// The looks that the points of the only source can have instead; empty for other data.
  package let looks: [Look]

  /// The input of a draft.
  package struct Request {
    /// The files as the user named them.
    package var files: [String]

    /// The path of the pipeline file that will be written.
    package var pipeline: String

    /// The archive, relative to the pipeline file or absolute; `nil` for one beside it.
    package var archive: String?

    /// The absolute path of the current folder.
    package var currentFolder: String

    /// The box of images that do not say where they lie.
    package var bounds: GeoBounds?

    package var choices = Choices()

    /// Vector tiles that are drawn under the data, as the user named them.
    package var ground: String?

    /// Whether the zooms end where the archive would become large or slow to bake; without it they
    /// go on until the places stand alone, for tiles that are painted when asked for.
    package var isBaked = true

    package init(files: [String], pipeline: String, currentFolder: String) {
      self.files = files
      self.pipeline = pipeline
      self.currentFolder = currentFolder
    }

    /// The name of the pipeline file for data without one, taken from the first file.
    package static func pipelineName(of files: [String]) -> String {
      let stem = files.first.map(DataFile.stem) ?? "map"
      return DraftName.unique(stem, besides: []) + ".yml"
    }
  }

  /// The most sources of a draft.
  private static let sourceLimit = 24

  /// Looks at files and drafts a pipeline.
  ///
  /// - Throws: ``PipelineError`` for a file that cannot be read, with the finding of `check`.
  /// - Complexity: each file is read two to ten times.
  package init(
    _ request: Request, context: RunContext
  ) throws(PipelineError) {
    if let path = request.files.first, let tileset = try Self.tileset(path, request) {
      (text, summary, choices, questions, looks) = (tileset.text, tileset.summary, [], [], [])
      return
    }
    let clock = context.clock
    let data = DraftData(context)
    let sources = try clock.stage("examine", unit: .bytes) { advance in
      try Self.sources(request, data) { try advance($0, nil) }
    }
    try request.requireHeeded(in: sources)
    var zooms = ZoomChoice(sources, chosen: request.choices.zooms)
    var writer = DraftWriter(request: request, sources: sources, zooms: zooms)
    writer.ground = try Self.ground(request, besides: sources.map(\.name))
    if request.isBaked, request.choices.zooms == nil, !sources.contains(where: \.isSeries) {
      // Labels are placed slowly, so most zooms that are too deep are left out without them.
      for hasLabels in writer.layers.contains(where: \.isLabel) ? [false, true] : [false] {
        let build = UndecidedBuild(
          try data.localized(writer.definitionForCounting(hasLabels: hasLabels)), context: context)
        zooms.limit(by: try build.decided().zoomCosts())
        writer.zooms = zooms
      }
    }
    if let ground = writer.ground, request.choices.zooms == nil {
      zooms.limit(to: writer.bounds(over: ground))
      writer.zooms = zooms
    }
    // What is handed over can be read.
    _ = try writer.definition()
    text = writer.text
    choices = writer.sources.flatMap { source in
      [writer.choice(source), writer.reading(source)].compactMap(\.self).map {
        "\(source.name): \($0.prefix(1).lowercased())\($0.dropFirst())"
      }
    }
    questions = DraftQuestion.questions(on: writer.sources, request.choices)
    looks = writer.sources.count == 1 ? writer.sources[0].records?.possibleLooks ?? [] : []
    let count = writer.sources.count + (writer.ground == nil ? 0 : 1)
    let layers = writer.layers.count + (writer.ground?.tileset.layerEntries.count ?? 0)
    summary =
      "\(count) source\(count == 1 ? "" : "s"), \(layers) layer\(layers == 1 ? "" : "s"), zoom "
      + "\(zooms.first) to \(zooms.last)"
  }

  /// Returns the ground under the data; `nil` without one.
  private static func ground(
    _ request: Request, besides names: [String]
  ) throws(PipelineError) -> GroundDraft? {
    guard let path = request.ground else { return nil }
    let paths = DraftPaths(pipeline: request.pipeline, current: request.currentFolder)
    guard
      let ground = try GroundDraft(path, data: paths.spelled(path), .light, besides: names)
    else {
      throw PipelineError(
        .usage,
        "'--over' takes vector tiles, and these are pictures. Draft them by themselves, and move "
          + "the layer to the front of the other draft.", at: DocumentPlace(file: path))
    }
    return ground
  }

  /// Returns the draft of tiles; `nil` for other data.
  ///
  /// - Throws: ``PipelineError`` where they are not the only file.
  private static func tileset(
    _ path: String, _ request: Request
  ) throws(PipelineError) -> TilesetDraft? {
    let paths = DraftPaths(pipeline: request.pipeline, current: request.currentFolder)
    guard let tileset = try TilesetDraft(path, data: paths.spelled(path)) else { return nil }
    guard request.files.count == 1, request.ground == nil else {
      throw PipelineError(
        .usage, "tiles are drafted by themselves. Name the other data, and these with --over.",
        at: DocumentPlace(file: path))
    }
    try request.requireHeeded(in: [])
    return tileset
  }

  // MARK: Sources

  private static func sources(
    _ request: Request, _ data: DraftData, advance: @escaping (Int) throws -> Void
  ) throws -> [SourceDraft] {
    let paths = DraftPaths(pipeline: request.pipeline, current: request.currentFolder)
    let records = SourceDrafter(
      pipeline: request.pipeline, data: data, choices: request.choices, advance: advance)
    if request.choices.join != nil { return [try joined(request, data, records)] }
    let images = ImageDrafter(records: records, bounds: request.bounds, paths: paths)
    var sources: [SourceDraft] = []
    var failures: [PipelineError] = []
    func add(_ isOneOfSeveral: Bool, _ draft: () throws -> SourceDraft) throws {
      do throws(PipelineError) {
        sources.append(try PipelineError.wrapping(draft))
      } catch {
        // A table that holds no places may lie beside one that does.
        guard isOneOfSeveral, !error.isStop else { throw error }
        failures.append(error)
      }
    }
    let files = try request.files.flatMap {
      try DataFile.files(at: $0, sheet: request.choices.sheet)
    }
    for file in files {
      let (path, stem) = (file.path, file.stem)
      func name(_ text: String) -> String { DraftName.unique(text, besides: sources.map(\.name)) }
      // Only GDAL reads a database in another reference system than the one that it names.
      let isConverted = file.kind == .database && request.choices.crs != nil
      switch isConverted ? .layers : file.kind {
      case .records(let type):
        try add(file.isOneOfSeveral) {
          try records.records(
            name: name(stem),
            keys: records.withFeed([
              "type": .string(type), "data": .string(paths.spelled(path)),
            ]))
        }
      case .layers:
        let taken = sources.map(\.name)
        sources += try records.layers(
          paths.spelled(path), limit: max(1, sourceLimit - sources.count)
        ) { (layer: String?, drafts: [SourceDraft]) in
          DraftName.unique(layer ?? stem, besides: taken + drafts.map(\.name))
        }
      case .image: sources.append(try images.image(path, name: name(stem)))
      case .folder:
        if let series = try images.series(path, name: name(stem)) {
          sources.append(series)
          continue
        }
        for image in try images.imageNames(path) where sources.count < sourceLimit {
          let stem = FilePath(image).stem ?? "image"
          sources.append(
            try images.image(FilePath(path).appending(image).string, name: name(stem)))
        }
      case .database:
        let chosen = request.choices.layer
        for table in try tables(file, spelled: paths.spelled(path), records)
        where sources.count < sourceLimit && chosen.map({ $0 == table.name }) ?? true {
          let name = name(table.count == 1 ? stem : table.name)
          try add(table.kind == .attributes && table.count > 1) {
            try table.kind == .tiles
              ? images.image(path, name: name, table: table.name)
              : records.records(
                name: name,
                keys: [
                  "type": .string("gpkg"), "data": .string(paths.spelled(path)),
                  "table": .string(table.name),
                ])
          }
        }
      }
    }
    if sources.isEmpty, let failure = failure(of: failures, in: request) { throw failure }
    guard !sources.isEmpty else {
      throw PipelineError(
        .missingInput, "there is nothing in it that could be drawn: no images, no tables.",
        at: DocumentPlace(file: request.files.first ?? ""))
    }
    guard sources.count <= sourceLimit else {
      throw PipelineError(.usage, "a draft has \(sourceLimit) sources at most. Name fewer files.")
    }
    return sources
  }

  /// Returns the error for tables of which none can be drawn; `nil` without any.
  private static func failure(of tables: [PipelineError], in request: Request) -> PipelineError? {
    guard tables.count > 1, let first = tables.first else { return tables.first }
    let shown = tables.prefix(3).map { "\($0.place?.file ?? ""): \($0.message)" }
    return PipelineError(
      first.code,
      "none of the \(tables.count) tables can be drawn. \(shown.joined(separator: " "))",
      at: DocumentPlace(file: request.files.first ?? ""))
  }

  /// Returns the draft of places to which a table is joined.
  private static func joined(
    _ request: Request, _ data: DraftData, _ records: SourceDrafter
  ) throws -> SourceDraft {
    guard let table = request.files.first, request.files.count == 1 else {
      throw PipelineError(.usage, "'--join' joins one table to places. Name one file.")
    }
    var other = request
    other.files = [request.choices.join ?? ""]
    other.choices = Choices()
    let places = try sources(other, data, advance: records.advance)
    guard let first = places.first, places.count == 1, first.records != nil else {
      throw PipelineError(
        .usage, "'--join' takes a file of one layer of places.",
        at: DocumentPlace(file: other.files[0]))
    }
    let paths = DraftPaths(pipeline: request.pipeline, current: request.currentFolder)
    let name = DraftName.unique(try DataFile(table).stem, besides: [])
    return try JoinDrafter(records: records).joined(paths.spelled(table), to: first, name: name)
  }

  /// A table of a GeoPackage that can be drawn.
  private struct Table {
    let name: String
    let kind: GeoPackageContents.Kind

    /// The number of such tables in the file.
    let count: Int
  }

  private static func tables(
    _ file: DataFile, spelled: String, _ drafter: SourceDrafter
  ) throws -> [Table] {
    let path = try drafter.localPath([
      "type": .string(GeoPackageSource.type), "data": .string(spelled),
    ])
    let contents = try GeoPackageFile(path: path, name: file.path).contents
    let drawn = contents.filter { $0.kind == .features || $0.kind == .tiles }
    let all = drawn.isEmpty ? contents.filter { $0.kind == .attributes } : drawn
    return all.map { Table(name: $0.table, kind: $0.kind, count: all.count) }
  }
}

extension SourceDraft {
  /// Whether the source is a series of images.
  var isSeries: Bool {
    if case .series = content { true } else { false }
  }
}
