package import Features
import SystemPackage

/// What a pipeline file asks for, checked and with every default filled in.
package struct PipelineDefinition: Sendable {
  /// The file as the user named it.
  package var file: String

  /// Whether the file is a MapLibre style (`version: 8`) rather than a pipeline (`version: 1`).
  package var isStyle: Bool

  /// The tileset's name.
  package var name: String

  package var description: String
  package var attribution: String

  /// In the order of the file.
  package var sources: [SourceDefinition]

  /// In the order of the file: the first is drawn first.
  package var layers: [LayerDefinition]

  /// What `global-state` reads: the defaults under `state:`.
  package var globalState: [String: PropertyValue]

  package var tiles: TilesDefinition
  package var output: OutputDefinition
  package var expectation: Expectation

  /// What was read and will not be used, as sentences with their places.
  package var notes: [DefinitionNote]

  /// The values of variables, never to be shown.
  package var redactions: RedactionList

  /// Reads and checks a file.
  ///
  /// - Throws: ``PipelineError`` with code `definition` and a place; its words hold no secret.
  package init(
    contentsOf file: String, environment: @escaping Document.Environment
  ) throws(PipelineError) {
    let document = try Document(contentsOf: file, environment: environment)
    try self.init(document)
  }

  /// Checks a document.
  package init(_ document: Document) throws(PipelineError) {
    do {
      try self.init(checking: document)
    } catch {
      throw error.redacted(by: document.redactions)
    }
  }

  private init(checking document: Document) throws(PipelineError) {
    let root = document.root
    isStyle = try Self.isStyle(root)
    try KeyCheck.check(
      root, isStyle ? PipelineKeys.style : PipelineKeys.pipeline, name: PipelineKeys.title)
    try Self.refuseSecrets(in: root)
    file = document.file
    redactions = document.redactions
    name = root["name"]?.text ?? FilePath(document.file).stem ?? "tiles"
    description = root["description"]?.text ?? ""
    attribution = root["attribution"]?.text ?? ""
    let paths = DefinitionPaths(file: document.file)
    let decoder = SourceDecoder(paths: paths, isStyle: isStyle)
    sources = []
    for member in root["sources"]?.members ?? [] { sources.append(try decoder.source(member)) }
    for secret in sources.compactMap(\.secretText) { redactions.add(secret) }
    globalState = Self.globalState(root["state"])
    layers = try LayerDefinition.layers(root["layers"] ?? root, sources: sources)
    if layers.isEmpty { layers = SimpleStyle.layers(of: sources, at: root.place) }
    let outputs = OutputDecoder(root: root, paths: paths, isStyle: isStyle)
    tiles = try outputs.tiles(layers: layers)
    output = try outputs.output(name: name)
    expectation = try outputs.expectation()
    notes = DefinitionNote.notes(on: root, isStyle: isStyle)
    if let node = root["tiles"]?["interactivity"] {
      notes.append(
        DefinitionNote(
          message: "this version writes no taps: 'interactivity' has no effect yet.",
          place: node.place))
    }
  }

  /// The defaults of `state: {NAME: {default: VALUE}}`.
  private static func globalState(_ node: DocumentNode?) -> [String: PropertyValue] {
    let members = node?.members ?? []
    return Dictionary(
      members.map { ($0.key, $0.node["default"]?.propertyValue ?? .null) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Whether the `version` is that of MapLibre's styles.
  private static func isStyle(_ root: DocumentNode) throws(PipelineError) -> Bool {
    guard root.members != nil else {
      throw PipelineError(
        .definition,
        "a pipeline is an object that begins with 'version: 1', but this is "
          + "\(root.words).", at: root.place)
    }
    guard let version = root["version"] else {
      throw PipelineError(
        .definition,
        "'version' is missing. Write 'version: 1' for a pipeline; 8 is a MapLibre style.",
        at: root.place)
    }
    guard version.integer == 1 || version.integer == 8 else {
      throw PipelineError(
        .definition,
        "'version' must be 1 for a pipeline or 8 for a MapLibre style, but it is "
          + "\(version.words).", at: version.place)
    }
    return version.integer == 8
  }

  /// Refuses variables in what is published as it is.
  private static func refuseSecrets(in root: DocumentNode) throws(PipelineError) {
    for key in ["name", "description", "attribution"] where root[key]?.isSubstituted == true {
      throw PipelineError(
        .definition,
        "'\(key)' is published in the archive, where the values of variables never go. "
          + "Write it out.", at: root[key]?.place)
    }
  }
}
