import Runs
import SystemPackage

/// A conversion of the stores of a SpatialConnect config to the one form that ``StoresKeys/stores``
/// describes; stores that fit no form are left for ``KeyCheck`` to refuse.
enum StoresForm {
  /// Returns the root of a file with every store in that form.
  static func normalised(_ root: DocumentNode) throws(PipelineError) -> DocumentNode {
    var members: [DocumentMember] = []
    for var member in root.members ?? [] {
      if member.key == "stores", let items = member.node.items {
        var stores: [DocumentNode] = []
        for item in items {
          for item in try FeatureServiceStore.stores(for: item) ?? [item] {
            stores.append(try store(item))
          }
        }
        member.node = DocumentNode(.array(stores), at: member.node.place)
      }
      members.append(member)
    }
    return DocumentNode(.object(members), at: root.place)
  }

  /// Converts a store: `type`, `store_type` and `version` become `type: geojson.1`, every store
  /// gets an `id`, and keys without a value, which servers write, are removed.
  private static func store(_ node: DocumentNode) throws(PipelineError) -> DocumentNode {
    guard let members = node.members else { return node }
    var store: [DocumentMember] = []
    for var member in members {
      if case .null = member.node.value { continue }
      if member.key == "store_type", node["type"] == nil { member.key = "type" }
      // The type of SpatialConnect's apps for archives, which show pictures only.
      if member.key == "type", member.node.text == StoresKeys.archiveType {
        member.node = DocumentNode(.string(RasterTileset.type), at: member.node.place)
      }
      store.append(member)
    }
    try joinVersion(&store)
    try addID(&store, at: node.place)
    return DocumentNode(.object(store), at: node.place)
  }

  // MARK: Version

  private static func joinVersion(_ store: inout [DocumentMember]) throws(PipelineError) {
    guard let index = store.firstIndex(where: { $0.key == "version" }),
      let version = version(store[index].node)
    else { return }
    guard let type = store.firstIndex(where: { $0.key == "type" }),
      let name = store[type].node.text
    else { return }
    let parts = name.split(separator: ".", maxSplits: 1)
    if parts.count == 2, parts[1] != version {
      throw store[index].node.place.fault(
        "'type' names version \(parts[1]) and 'version' is \(version). Keep one of them.")
    }
    // An error in the version is reported at the version, one in the type at the type.
    if StoresKeys.stores.names.contains(name) {
      store[type].node = DocumentNode(.string("\(name).\(version)"), at: store[index].node.place)
    }
    store.remove(at: index)
  }

  private static func version(_ node: DocumentNode) -> String? {
    if let text = node.text, !text.isEmpty { return text }
    return node.integer.map { "\($0)" }
  }

  // MARK: Names

  /// Names a store without an id after its name, otherwise after its file.
  private static func addID(
    _ store: inout [DocumentMember], at place: DocumentPlace
  ) throws(PipelineError) {
    for key in ["id", "name", "uri"] {
      guard let index = store.firstIndex(where: { $0.key == key }) else { continue }
      let node = store[index].node
      guard !node.isSubstituted else {
        throw node.place.fault(
          "a store is named by its '\(key)', and its name is published in the archive, where the "
            + "values of variables never go. Write an 'id' out.")
      }
      let number = node.integer.map { "\($0)" }
      guard let text = node.text ?? number, !text.isEmpty else { return }
      let id = DocumentMember(
        key: "id", keyPlace: store[index].keyPlace,
        node: DocumentNode(.string(key == "uri" ? stem(of: text) : text), at: node.place))
      if key == "id" { store[index] = id } else { store.append(id) }
      return
    }
  }

  /// Returns the name of a file or the last part of a URL, without its extension.
  static func stem(of uri: String) -> String {
    var path = uri[...]
    if let scheme = path.firstRange(of: "://") {
      path = path[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    }
    while path.last == "/" { path.removeLast() }
    return FilePath(String(path)).stem ?? String(path)
  }
}
