package import Features
package import Runs
import SystemPackage

/// A decoded pipeline file, checked and with every default filled in.
package struct PipelineDefinition: Sendable {
  /// The path of the file as the user entered it.
  package var file: String

  /// The paths of the file and all that it includes.
  package private(set) var files: Set<String> = []

  /// The bytes of these files, from which the definition can be decoded again.
  package private(set) var material: DefinitionMaterial

  /// Whether the file is a MapLibre style (`version: 8`) rather than a pipeline (`version: 1`).
  package var isStyle: Bool

  /// The tileset's name.
  package var name: String

  package var description: String
  package var attribution: String

  /// The sources in the order of the file.
  package var sources: [SourceDefinition]

  /// The layers in the order of the file: the first is drawn first.
  package var layers: [LayerDefinition]

  /// The sprites and images, if any layer shows one.
  package var sprites: [SpriteDefinition] = []

  /// The values for `global-state`: the defaults under `state:`.
  package var globalState: [String: PropertyValue]

  package var tiles: TilesDefinition

  /// Whether the tiles end at the resolution of the images, as for a SpatialConnect config that
  /// gives no `maxzoom`.
  package internal(set) var endsAtImages: Bool

  /// Whether the tiles end at the last zoom of the tilesets, as for a MapLibre style without a
  /// `maxzoom` of its own.
  package internal(set) var endsAtTilesets: Bool
  package var view: StartView

  /// The place of each of the fields of ``TilesDefinition/interactivity``. They are kept here
  /// because every value of ``tiles`` counts as input of an archive's bytes.
  package var tapFieldPlaces: [DocumentPlace]

  /// The text of ``TilesDefinition/interactivity`` in the file; `nil` without one.
  package var tapTextNode: DocumentNode?

  package var output: OutputDefinition

  /// The place of the archive's path, or of `output`.
  package private(set) var outputPlace: DocumentPlace
  package var expectation: Expectation

  /// The ceiling of a run's memory; `nil` for none.
  package var memory: MemoryCeiling?

  /// The keys that were read but have no effect, as sentences with their places.
  package var notes: [DefinitionNote]

  /// The values of variables, which must never be shown.
  package var redactions: RedactionList

  /// Reads and checks a file with all that it includes.
  ///
  /// - Parameters:
  ///   - more: further files to include, in the order of their paths.
  ///   - replacements: data in place of that of sources.
  /// - Throws: ``PipelineError`` with code `definition` and a place; its message does not contain
  ///   secrets.
  package init(
    contentsOf file: String, including more: [String] = [],
    replacing replacements: [SourceReplacement] = [],
    environment: @escaping Document.Environment
  ) throws(PipelineError) {
    let document = try Document(contentsOf: file, environment: environment)
    try self.init(document, including: more, replacing: replacements, environment: environment)
  }

  /// Checks a document with all that it includes.
  package init(
    _ document: Document, including more: [String] = [],
    replacing replacements: [SourceReplacement] = [],
    environment: @escaping Document.Environment = { _ in nil }
  ) throws(PipelineError) {
    try self.init(
      document, more, replacements,
      MergeLoader(environment: environment, replacing: replacements))
  }

  /// Decodes a definition once more, from the bytes of its files.
  ///
  /// - Throws: ``PipelineError`` where they do not fit together.
  package init(_ material: DefinitionMaterial) throws(PipelineError) {
    try self.init(
      try material.document(material.file), material.including, material.replacements,
      MergeLoader(
        environment: { material.variables[$0] }, from: material,
        replacing: material.replacements))
  }

  private init(
    _ document: Document, _ more: [String], _ replacements: [SourceReplacement],
    _ loader: consuming MergeLoader
  ) throws(PipelineError) {
    var loader = loader
    do {
      var loaded = try loader.load(document, including: more.sorted())
      try loaded.result.replaceData(replacements, omitted: loader.omitted)
      try self.init(
        document.file, loaded.root, dialect: loaded.dialect, loaded.result)
    } catch {
      throw error.redacted(by: loader.redactions)
    }
    redactions.add(loader.redactions)
    files = loader.files
    material = loader.material
    material.file = document.file
    material.including = more
    material.replacements = replacements
  }

  private init(
    _ file: String, _ root: DocumentNode, dialect: PipelineDialect, _ merged: MergeResult
  ) throws(PipelineError) {
    self.file = file
    material = DefinitionMaterial(file: file)
    isStyle = dialect == .style
    redactions = RedactionList()
    name = root["name"]?.text ?? FilePath(file).stem ?? "tiles"
    description = root["description"]?.text ?? ""
    attribution = merged.credits.joined(separator: ", ")
    sources = try Self.sources(of: merged)
    try Self.refuseSharedInput(of: sources)
    for source in sources {
      for secret in [source.secretText, source.connectionPassword].compactMap(\.self) {
        redactions.add(secret)
      }
    }
    globalState = Self.globalState(merged.state)
    layers = try Self.layers(of: merged, sources: sources, globalState: globalState)
    for case .look(let name) in merged.layers {
      for index in sources.indices where sources[index].name == name {
        sources[index].hasDefaultLook = true
      }
    }
    if sources.isEmpty, layers.isEmpty, dialect == .stores || dialect == .collection {
      throw DocumentPlace(file: file).fault(
        "neither this file nor those that it includes have anything to draw.")
    }
    let root = root.setting("tiles", to: merged.tiles)
    let outputs = OutputDecoder(
      root: root, paths: DefinitionPaths(file: file), isStyle: isStyle, globalState: globalState)
    let decoded = try outputs.decoded(
      layers: layers, name: name, hasSeries: sources.contains { $0.series != nil })
    (tiles, view, output) = (decoded.tiles, decoded.view, decoded.output)
    (expectation, memory) = (decoded.expectation, decoded.memory)
    endsAtImages =
      root["tiles"]?["maxzoom"] == nil && merged.sources.contains { $0.dialect == .stores }
    if layers.contains(where: \.showsImages) {
      sprites = try Self.sprites(of: merged, densities: tiles.scales)
    }
    endsAtTilesets = isStyle && root["tiles"]?["maxzoom"] == nil
    tapFieldPlaces = root["tiles"]?["interactivity"]?["fields"]?.items?.map(\.place) ?? []
    tapTextNode = root["tiles"]?["interactivity"]?["text"]
    outputPlace = outputs.place
    notes = merged.notes
    if sprites.isEmpty, !isStyle { notes += merged.sprites.map(\.unusedNote) }
    try refuseUnpublishableTexts(root)
  }

  /// - Throws: the error of the first wrong source, with those of the others.
  private static func sources(of merged: MergeResult) throws(PipelineError) -> [SourceDefinition] {
    var errors: [PipelineError] = []
    let sources = merged.sources.compactMap { source in
      let decoder = SourceDecoder(
        paths: DefinitionPaths(file: source.file), dialect: source.dialect)
      return errors.value { () throws(PipelineError) in try decoder.source(source.member) }
    }
    if let error = PipelineError(errors) { throw error }
    return sources
  }

  /// Returns the layers of all files, and the default ones of sources that none of them draws.
  private static func layers(
    of merged: MergeResult, sources: [SourceDefinition], globalState: [String: PropertyValue]
  ) throws(PipelineError) -> [LayerDefinition] {
    let drawings = merged.layers
    var decoded = try LayerDefinition.layers(
      drawings.flatMap(\.nodes), sources: sources, globalState: globalState)[...]
    var layers: [LayerDefinition] = []
    for drawing in drawings {
      layers += decoded.prefix(drawing.nodes.count)
      decoded = decoded.dropFirst(drawing.nodes.count)
      guard case .look(let name) = drawing,
        let source = merged.sources.first(where: { $0.member.key == name }),
        let definition = sources.first(where: { $0.name == name })
      else { continue }
      layers += SimpleStyle.layers(
        of: definition, look: source.look, drawsImages: source.dialect == .stores,
        at: source.place)
    }
    return layers
  }

  /// The names of fonts in the layers of a MapLibre style, in their order; none for pipelines, which
  /// draw the same on every machine.
  package var wantedFonts: [String] {
    guard isStyle else { return [] }
    var names: [String] = []
    for layer in layers {
      for member in layer.layout where member.key == "text-font" || member.key == "text-field" {
        member.node.collectFonts(isFont: member.key == "text-font", into: &names)
      }
    }
    return names
  }

  private static func sprites(
    of merged: MergeResult, densities: [Int]
  ) throws(PipelineError) -> [SpriteDefinition] {
    var sprites: [SpriteDefinition] = []
    for sprite in merged.sprites {
      let paths = DefinitionPaths(file: sprite.file)
      sprites.append(
        sprite.isSheet
          ? try SpriteDefinition.sheet(
            sprite.member, prefix: sprite.member.key, paths, densities: densities)
          : try SpriteDefinition.image(sprite.member, paths))
    }
    return sprites
  }

  /// Returns the defaults of `state: {NAME: {default: VALUE}}`.
  private static func globalState(_ members: [DocumentMember]) -> [String: PropertyValue] {
    Dictionary(
      members.map { ($0.key, $0.node["default"]?.propertyValue ?? .null) },
      uniquingKeysWith: { first, _ in first })
  }
}

extension DocumentNode {
  /// Appends the texts of `text-font`, each once.
  ///
  /// - Parameter isFont: whether the texts of this value are names of fonts, or words of an
  ///   expression.
  fileprivate func collectFonts(isFont: Bool, into names: inout [String]) {
    switch value {
    case .string(let text): if isFont, !names.contains(text) { names.append(text) }
    case .array(let items): for item in items { item.collectFonts(isFont: isFont, into: &names) }
    case .object(let members):
      for member in members {
        member.node.collectFonts(isFont: isFont || member.key == "text-font", into: &names)
      }
    case .null, .bool, .number, .whole: break
    }
  }

  /// Returns the object with other members under one of its keys.
  fileprivate func setting(_ key: String, to members: [DocumentMember]) -> DocumentNode {
    let old = member(key)
    let place = old?.node.place ?? self.place
    let member = DocumentMember(
      key: key, keyPlace: old?.keyPlace ?? place,
      node: DocumentNode(.object(members), at: place))
    let others = (self.members ?? []).filter { $0.key != key }
    return DocumentNode(.object(others + [member]), at: self.place)
  }
}
