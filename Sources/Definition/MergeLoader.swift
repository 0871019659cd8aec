import Ingest
import Runs
import SystemPackage

/// A loader that reads the files that a file includes, recursively, and merges their content.
struct MergeLoader {
  let environment: Document.Environment

  private let given: DefinitionMaterial?

  /// The values of the variables of all files so far.
  private(set) var redactions = RedactionList()

  /// The files read so far, by their paths.
  private(set) var files: Set<String> = []

  /// The bytes of these files and the variables in them.
  private(set) var material: DefinitionMaterial

  /// The files that are being read, each including the next.
  private var chain: [String] = []

  /// The values of all files so far.
  private var nodes = 0

  /// The sources to leave out, before they are checked.
  private let omissions: Set<String>

  /// The sources among ``omissions`` that were found so far.
  private(set) var omitted: Set<String> = []

  /// - Parameters:
  ///   - material: the files to read instead of those of this machine; `nil` for these.
  ///   - replacements: data in place of the sources' own; empty data leaves its source out.
  init(
    environment: @escaping Document.Environment, from material: DefinitionMaterial? = nil,
    replacing replacements: [SourceReplacement] = []
  ) {
    self.environment = environment
    omissions = Set(replacements.filter(\.data.isEmpty).map(\.name))
    given = material
    self.material = DefinitionMaterial(file: "")
  }

  /// Returns the merged content of a document and all that it includes.
  ///
  /// - Parameters:
  ///   - document: a file or text that has been read already.
  ///   - more: further files to include, relative to the current folder, in this order.
  mutating func load(
    _ document: Document, including more: [String] = []
  ) throws(PipelineError) -> (root: DocumentNode, dialect: PipelineDialect, result: MergeResult) {
    redactions.add(document.redactions)
    material.add(document)
    var root = document.root
    let dialect = try PipelineDialect(of: root)
    if dialect == .stores { root = try StoresForm.normalised(root) }
    let own = Set((root["sources"]?.members ?? []).map(\.key))
    omitted.formUnion(omissions.intersection(own))
    root = root.leavingOut(omissions)
    var changes: [DefinitionNote] = []
    if dialect == .style {
      root = try StyleReferences.resolved(root)
      (root, changes) = StyleForm.flattened(root)
    }
    try KeyCheck.check(root, dialect.keys, name: PipelineKeys.title)
    try Self.refuseSecrets(in: root)
    let path = FilePath(document.file).lexicallyNormalized().string
    chain.append(path)
    files.insert(path)
    nodes += root.count
    var result = MergeResult()
    for inclusion in try inclusions(root, file: document.file, more) {
      guard let included = try self.included(inclusion) else { continue }
      try result.add(included, policy: Self.policy(root), own: root)
    }
    try result.addOwn(root, dialect: dialect, file: document.file)
    result.add(changes)
    chain.removeLast()
    return (root, dialect, result)
  }

  /// A file to include, with the place that includes it.
  private struct Inclusion {
    var path: String
    var place: DocumentPlace
  }

  private func inclusions(
    _ root: DocumentNode, file: String, _ more: [String]
  ) throws(PipelineError) -> [Inclusion] {
    let paths = DefinitionPaths(file: file)
    var inclusions: [Inclusion] = []
    if let member = root.member("include") {
      for item in member.node.items ?? [member.node] {
        let item = DocumentMember(key: "include", keyPlace: member.keyPlace, node: item)
        guard case .file(let path) = try paths.location(item.node.text ?? "", key: item) else {
          throw item.node.place.fault(
            "only files can be included, not urls. Download it and name the file.")
        }
        inclusions.append(Inclusion(path: path, place: item.node.place))
      }
    }
    // A pattern of the shell may match the file itself.
    return inclusions
      + more.map { FilePath($0).lexicallyNormalized().string }.filter { $0 != chain.first }.map {
        Inclusion(path: $0, place: DocumentPlace(file: "--include"))
      }
  }

  /// Returns the content of an included file; `nil` if it was read before.
  private mutating func included(_ inclusion: Inclusion) throws(PipelineError) -> MergeResult? {
    let path = inclusion.path
    if let start = chain.firstIndex(of: path) {
      let circle = (chain[start...] + [path]).joined(separator: " → ")
      throw inclusion.place.fault("a file cannot include itself: \(circle).")
    }
    guard !files.contains(path) else { return nil }
    guard files.count < MergeLimits.files, chain.count < MergeLimits.depth else {
      throw inclusion.place.fault(
        "a tileset takes at most \(MergeLimits.files) files, which include one another at most "
          + "\(MergeLimits.depth) deep.")
    }
    let document = try read(inclusion)
    guard nodes + document.root.count <= MergeLimits.nodes else {
      throw inclusion.place.fault(
        "with this file the tileset's files hold more than \(MergeLimits.nodes) values together.")
    }
    let loaded = try load(document)
    guard loaded.dialect != .style else {
      throw inclusion.place.fault(
        "\(path) is a MapLibre style, which cannot be included: its zooms are those of tiles of "
          + "512 px. Build it by itself, or name its sources and layers in a pipeline.")
    }
    return loaded.result.included(loaded.root)
  }

  private func read(_ inclusion: Inclusion) throws(PipelineError) -> Document {
    do {
      if let given { return try given.document(inclusion.path) }
      return try Document(contentsOf: inclusion.path, environment: environment)
    } catch {
      guard error.code == .missingInput else { throw error }
      let isRelative = inclusion.place.line > 0
      throw PipelineError(
        .missingInput,
        "the included file \(inclusion.path) is not there. "
          + (isRelative ? "Paths are relative to the file that includes it." : "Check the path."),
        at: inclusion.place)
    }
  }

  /// Returns a file's policy for sources of the same name.
  fileprivate static func policy(_ root: DocumentNode) -> DuplicatePolicy {
    root["onDuplicateId"]?.text.flatMap(DuplicatePolicy.init) ?? .error
  }

  /// Refuses variables in values that are published unchanged.
  private static func refuseSecrets(in root: DocumentNode) throws(PipelineError) {
    let sources = (root["sources"]?.members ?? []).map(\.node)
    let published =
      ["name", "description", "attribution"].map { (key: $0, node: root[$0]) }
      + sources.map { (key: "attribution", node: $0["attribution"]) }
    for (key, node) in published where node?.isSubstituted == true {
      throw PipelineError(
        .definition,
        "'\(key)' is published in the archive, where the values of variables never go. "
          + "Write it out.", at: node?.place)
    }
  }
}

extension MergeResult {
  /// Adds a file's own content, after the content of the files that it includes.
  fileprivate mutating func addOwn(
    _ root: DocumentNode, dialect: PipelineDialect, file: String
  ) throws(PipelineError) {
    let policy = MergeLoader.policy(root)
    let layers = root["layers"]?.items ?? []
    add(.layers(layers))
    for member in root["sources"]?.members ?? [] {
      let source = Source(member: member, dialect: dialect, file: file, place: root.place)
      if try add(source, policy: policy), layers.isEmpty { add(.look(source: member.key)) }
    }
    for node in root["stores"]?.items ?? [] {
      let store = try StoresSource(node)
      add(store.notes)
      for member in store.sources {
        let source = Source(
          member: member, dialect: dialect, file: file, look: store.look, place: store.place)
        guard try add(source, policy: policy) else { continue }
        let own = store.layers.filter { $0["source"]?.text == member.key }
        add(own.isEmpty ? .look(source: member.key) : .styleLayers(own, source: member.key))
      }
    }
    if let text = root["attribution"]?.text { add(attribution: text) }
    try addSprites(of: root, file: file)
    add(DefinitionNote.notes(on: root, dialect: dialect))
    override(by: root)
  }

  /// Returns the result for the including file: with a note on keys that only count at the top.
  fileprivate func included(_ root: DocumentNode) -> MergeResult {
    var result = self
    for key in ["view", "output", "expect"] {
      guard let member = root.member(key) else { continue }
      result.add([
        DefinitionNote(
          message: "'\(key)' of an included file has no effect; that of the file that is built "
            + "counts.", place: member.keyPlace)
      ])
    }
    return result
  }
}
