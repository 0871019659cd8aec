import Runs

/// A store of a SpatialConnect config as one or more sources, with its style.
///
/// The sources have the form of those under `sources`, so that they are checked and decoded by the
/// same code; every value keeps its place.
struct StoresSource {
  var sources: [DocumentMember] = []

  /// The look of all its sources, if it does not have layers of its own.
  var look = SimpleLook()

  /// The layers of its style, each once for every source.
  var layers: [DocumentNode] = []

  /// The place of the style, otherwise of the store.
  var place: DocumentPlace

  var notes: [DefinitionNote] = []

  /// Converts a store that ``StoresForm`` normalised and ``KeyCheck`` passed.
  init(_ store: DocumentNode) throws(PipelineError) {
    let style = store.member("style")
    place = style?.keyPlace ?? store.place
    guard let id = store.member("id"), let name = id.node.text,
      let type = store["type"]?.text,
      let object = SourceKeys.pipeline.types.first(where: {
        $0.name == type.prefix { $0 != "." }
      })?.object
    else { throw PipelineError(.bug, "a store was not checked.", at: store.place) }
    notes = Self.notes(on: store, name: name, object: object)
    let members = (store.members ?? []).compactMap { Self.member($0, of: object) }
    for (sourceName, table) in Self.tables(of: store, type: type, name: name, object: object) {
      sources.append(
        DocumentMember(
          key: sourceName, keyPlace: id.node.place,
          node: DocumentNode(.object(members + table), at: store.place)))
    }
    guard let style else { return }
    let items = style.node.items ?? []
    if items.contains(where: { $0["type"] != nil }) {
      try addLayers(items, store: name)
    } else {
      for (index, item) in items.enumerated() {
        try KeyCheck.check(item, StoresKeys.paint, name: "style[\(index)] of store '\(name)'")
      }
      look = try SimpleLook(style: style.node)
    }
  }

  // MARK: Keys

  /// Returns the key of a source that a key of a store becomes; `nil` for a key without a
  /// counterpart.
  private static func member(
    _ member: DocumentMember, of object: ObjectSpecification
  ) -> DocumentMember? {
    var member = member
    if member.key == "uri" { member.key = object.key("data") != nil ? "data" : "url" }
    let isStoreKey = ["id", "name", "style", "default_layers"].contains(member.key)
    return isStoreKey || StoresKeys.ignored.contains(member.key) ? nil : member
  }

  /// Returns the names of the sources with the tables that they read: one for each of
  /// `default_layers`, if the format has tables; without these, one source of all tables of a
  /// GeoPackage's features.
  private static func tables(
    of store: DocumentNode, type: String, name: String, object: ObjectSpecification
  ) -> [(name: String, table: [DocumentMember])] {
    guard object.key("table") != nil, store["table"] == nil else { return [(name, [])] }
    guard let member = store.member("default_layers"), let tables = member.node.items,
      !tables.isEmpty
    else {
      guard type.prefix(while: { $0 != "." }) == GeoPackageSource.type else { return [(name, [])] }
      let all = DocumentNode(.string(GeoPackageSource.allTables), at: store.place)
      return [(name, [DocumentMember(key: "table", keyPlace: store.place, node: all)])]
    }
    return tables.map { table in
      (
        tables.count == 1 ? name : "\(name)/\(table.text ?? "")",
        [DocumentMember(key: "table", keyPlace: member.keyPlace, node: table)]
      )
    }
  }

  private static func notes(
    on store: DocumentNode, name: String, object: ObjectSpecification
  ) -> [DefinitionNote] {
    var notes: [DefinitionNote] = []
    for member in store.members ?? [] where StoresKeys.ignored.contains(member.key) {
      notes.append(
        DefinitionNote(
          message: "'\(member.key)' of store '\(name)' is for SpatialConnect's apps and has no "
            + "effect on tiles.", place: member.keyPlace))
    }
    if let layers = store.member("default_layers"), layers.node.items?.isEmpty == false,
      object.key("table") == nil
    {
      notes.append(
        DefinitionNote(
          message: "store '\(name)' has one layer: 'default_layers' has no effect.",
          place: layers.keyPlace))
    }
    return notes
  }

  // MARK: Layers

  /// Gives the layers of a style a source, and an id that no other store has.
  private mutating func addLayers(
    _ items: [DocumentNode], store: String
  ) throws(PipelineError) {
    for source in sources {
      for (index, item) in items.enumerated() {
        try KeyCheck.check(
          item, .typed(StoresKeys.layers), key: "style[\(index)]", in: "store '\(store)'")
        let own = (item.members ?? []).filter { $0.key != "id" && $0.key != "source" }
        let id = "\(source.key)-\(item["id"]?.text ?? "\(index)")"
        func member(_ key: String, _ text: String) -> DocumentMember {
          DocumentMember(
            key: key, keyPlace: item.place, node: DocumentNode(.string(text), at: item.place))
        }
        layers.append(
          DocumentNode(
            .object([member("id", id), member("source", source.key)] + own), at: item.place))
      }
    }
  }
}
