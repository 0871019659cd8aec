import Ingest
import Runs

/// The merged content of a file and all the files that it includes, in a fixed order: included
/// files come before the file's own content, in the order of its list.
struct MergeResult {
  /// A source of one of the files.
  struct Source {
    var member: DocumentMember
    var dialect: PipelineDialect
    /// The file to which its paths are relative.
    var file: String
    /// The look of its default layers.
    var look = SimpleLook()
    /// The place to which errors in the default layers are attributed.
    var place: DocumentPlace
  }

  /// A drawn element; the first one is at the bottom.
  enum Drawing {
    /// The layers of one file.
    case layers([DocumentNode])
    /// The layers of a store's style, for its source.
    case styleLayers([DocumentNode], source: String)
    /// The default layers of a source.
    case look(source: String)
  }

  var sources: [Source] = []

  /// The sprites and images of all files.
  var sprites: [Sprite] = []
  var drawings: [Drawing] = []

  /// The members of `tiles` and of `state`.
  private(set) var tiles: [DocumentMember] = []
  private(set) var state: [DocumentMember] = []

  /// The attributions of the files, each once.
  private(set) var attributions: [String] = []

  /// The attributions of the files and of the sources of styles, each once.
  var credits: [String] {
    let own = sources.filter { $0.dialect == .style }.compactMap { source in
      source.member.node["attribution"]?.text
    }
    return own.reduce(into: attributions) { all, text in
      if !text.isEmpty, !all.contains(text) { all.append(text) }
    }
  }

  private(set) var notes: [DefinitionNote] = []

  /// The layers that are drawn: all but the layers of a style whose source other layers draw.
  var layers: [Drawing] {
    var drawn: Set<String> = []
    for case .layers(let nodes) in drawings {
      drawn.formUnion(nodes.compactMap { $0["source"]?.text })
    }
    return drawings.filter { drawing in
      switch drawing {
      case .layers: true
      case .styleLayers(_, let source), .look(let source): !drawn.contains(source)
      }
    }
  }
}

extension MergeResult {
  /// Adds the content of an included file.
  ///
  /// - Throws: ``PipelineError`` where two files contradict each other.
  mutating func add(
    _ other: MergeResult, policy: DuplicatePolicy, own root: DocumentNode
  ) throws(PipelineError) {
    var dropped: Set<String> = []
    for source in other.sources where try !add(source, policy: policy) {
      dropped.insert(source.member.key)
    }
    drawings += other.drawings.filter { $0.styledSource.map { !dropped.contains($0) } ?? true }
    try Self.merge(&tiles, other.tiles, of: "tiles", own: root["tiles"])
    try Self.merge(&state, other.state, of: "state", own: root["state"])
    for attribution in other.attributions { add(attribution: attribution) }
    for sprite in other.sprites { try add(sprite) }
    notes += other.notes
  }

  /// Adds a source; two of one name are treated by the policy and always reported.
  ///
  /// - Returns: whether the source is used.
  mutating func add(_ source: Source, policy: DuplicatePolicy) throws(PipelineError) -> Bool {
    let name = source.member.key
    guard let index = sources.firstIndex(where: { $0.member.key == name }) else {
      sources.append(source)
      return true
    }
    let first = sources[index].member.keyPlace
    guard policy != .error else {
      throw source.member.keyPlace.fault(
        "two sources have the name '\(name)': here and at \(first). Rename one of them, or set "
          + "'onDuplicateId' to first or last.")
    }
    notes.append(
      DefinitionNote(
        message: "two sources have the name '\(name)': here and at \(first). The "
          + "\(policy.rawValue) one is used.", place: source.member.keyPlace))
    guard policy == .last else { return false }
    sources.remove(at: index)
    drawings.removeAll { $0.styledSource == name }
    sources.append(source)
    return true
  }

  mutating func add(_ drawing: Drawing) { drawings.append(drawing) }

  mutating func add(_ more: [DefinitionNote]) { notes += more }

  mutating func add(attribution: String) {
    if !attributions.contains(attribution) { attributions.append(attribution) }
  }

  /// Replaces the values of included files by the file's own.
  mutating func override(by root: DocumentNode) {
    for member in root["tiles"]?.members ?? [] { Self.replace(&tiles, member) }
    for member in root["state"]?.members ?? [] { Self.replace(&state, member) }
  }

  private static func replace(_ members: inout [DocumentMember], _ member: DocumentMember) {
    members.removeAll { $0.key == member.key }
    members.append(member)
  }

  /// Adds members; two that differ are an error unless the including file decides.
  private static func merge(
    _ members: inout [DocumentMember], _ more: [DocumentMember], of object: String,
    own: DocumentNode?
  ) throws(PipelineError) {
    for member in more {
      guard let first = members.first(where: { $0.key == member.key }) else {
        members.append(member)
        continue
      }
      guard own?[member.key] == nil, first.node.propertyValue != member.node.propertyValue else {
        continue
      }
      throw member.keyPlace.fault(
        "'\(member.key)' in \(object) differs here from \(first.node.place). Remove one, or set it "
          + "in the file that includes both.")
    }
  }
}

extension MergeResult.Drawing {
  /// The layers written in a file.
  var nodes: [DocumentNode] {
    switch self {
    case .layers(let nodes), .styleLayers(let nodes, _): nodes
    case .look: []
    }
  }

  /// The source that a style draws; `nil` for layers that stand by themselves.
  fileprivate var styledSource: String? {
    switch self {
    case .layers: nil
    case .styleLayers(_, let source), .look(let source): source
    }
  }
}
