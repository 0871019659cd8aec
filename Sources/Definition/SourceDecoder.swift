import GDAL
import Ingest
import Runs
import Tilesets

/// A decoder of sources from nodes that passed ``KeyCheck``; it refuses contradictory values.
struct SourceDecoder {
  let paths: DefinitionPaths

  let dialect: PipelineDialect

  /// Whether the file is a MapLibre style.
  var isStyle: Bool { dialect == .style }

  func source(_ member: DocumentMember) throws(PipelineError) -> SourceDefinition {
    let node = try member.node.completingFeatureRequest(paths)
    let types = isStyle ? SourceKeys.style : SourceKeys.pipeline
    let text = node["type"]?.text ?? ""
    let stem = text.split(separator: ".").first.map(String.init) ?? ""
    guard let object = types.types.first(where: { $0.name == stem })?.object else {
      throw PipelineError(.bug, "source '\(member.key)' was not checked.", at: node.place)
    }
    let keyed = KeyedNode(node, object)
    let data = try data(keyed, SourceRegistry.type(text))
    let split = MemberName.split(data)
    return SourceDefinition(
      name: member.key, kind: try kind(keyed, type: text, stem: stem), place: member.keyPlace,
      data: split?.file ?? data, member: split?.member, remote: try remote(keyed), node: node)
  }

  /// - Parameters:
  ///   - type: the value of `type`.
  ///   - stem: the type without the version of its reader.
  private func kind(
    _ keyed: KeyedNode, type: String, stem: String
  ) throws(PipelineError) -> SourceKind {
    if stem == VectorTileSource.type { return .records(try vectorTiles(keyed)) }
    if stem == RasterTileset.type { return .image(try rasterTiles(keyed)) }
    if let format = SourceRegistry.type(type) { return .records(try records(keyed, format)) }
    return stem == SourceKeys.seriesType
      ? .series(try series(keyed)) : .image(try image(keyed))
  }

  /// - Parameter format: the format of the records; `nil` for sources of another kind.
  private func data(
    _ keyed: KeyedNode, _ format: (any FeatureSource.Type)?
  ) throws(PipelineError) -> DataLocation {
    guard let member = keyed.node.member("data") ?? keyed.node.member("url") else { return .none }
    // The names of tiles are no file; the source has them.
    if keyed.object.key("tiles") != nil, TileTemplate.isMeant(by: member.node.text ?? "") {
      return .none
    }
    if let items = member.node.items { return .patterns(try patterns(items, key: member)) }
    guard let text = member.node.text else { return .inline(member.node) }
    if let connection = try connection(member, format) { return connection }
    if format != nil, DataLocation.isPattern(text) {
      return .patterns(try patterns([member.node], key: member))
    }
    guard text == DataLocation.standardInputKey, !paths.isRemote else {
      return try paths.location(text, key: member)
    }
    guard format?.takesStandardInput == true else {
      let types = SourceRegistry.types.filter { $0.takesStandardInput }.map { $0.type }
      throw PipelineError(
        .definition,
        "'\(member.key): -' is standard input, which has records of 'type: "
          + "\(types.joined(separator: "' or '"))'. Use one of these, or './-' for a file of that name.",
        at: member.node.place)
    }
    return .standardInput
  }

  /// Resolves the paths of several files.
  private func patterns(
    _ nodes: [DocumentNode], key: DocumentMember
  ) throws(PipelineError) -> [String] {
    try nodes.map { node throws(PipelineError) in
      let text = node.text ?? ""
      // A connection may hold a password, which no message shows.
      let isDatabase = DatabaseConnection.isMeant(by: text)
      guard text != DataLocation.standardInputKey, !isDatabase, !text.hasPrefix("/vsi"),
        case .file(let path) = try paths.location(text, key: key)
      else {
        throw PipelineError(
          .definition,
          "'\(key.key)' names several files, and \(isDatabase ? "a database" : "'\(text)'") is none of "
            + "this machine. Give it a source of its own.", at: node.place)
      }
      return path
    }
  }

  // MARK: Records

  private func records(
    _ keyed: KeyedNode, _ format: any FeatureSource.Type
  ) throws(PipelineError) -> RecordDefinition {
    let onError = keyed.object("onError", SourceKeys.onError)
    var records = RecordDefinition(
      format: try format.init(keyed), maxErrors: try onError.value("max"),
      onDuplicateID: try keyed.value("onDuplicateId"))
    records.isStore = dialect == .stores && format.mayHoldTiles
    records.id = keyed.text("id") ?? keyed.text("promoteId")
    records.select = keyed.texts("select")
    records.filter = keyed.node["filter"]
    if let node = keyed.node["where"] { records.conditions = [try WhereClause(node)] }
    records.changes = try ChangeDecoder(paths: paths).changes(
      keyed, namesKeys: !(records.format is CSVSource))
    records.comparesGivenIDs =
      keyed.node["onDuplicateId"] != nil && !format.ownsIDs
    if keyed.node["line"] != nil {
      let line = keyed.object("line", SourceKeys.line)
      if keyed.bool("cluster") == true {
        throw keyed.fault(
          "line", "'line' makes lines of points and 'cluster' joins points. Keep one of them.")
      }
      records.line = TrackLines(by: line.text("by"), order: line.text("order"))
    }
    if let limit = keyed.node["featureLimit"] {
      if keyed.bool("cluster") == true {
        throw keyed.fault(
          "featureLimit", "'featureLimit' and 'cluster' both thin a source. Keep one of them.")
      }
      records.featureLimit = try featureLimit(KeyedNode(limit, SourceKeys.featureLimit))
    }
    records.cluster = try cluster(keyed)
    return records
  }

  private func featureLimit(_ keyed: KeyedNode) throws(PipelineError) -> FeatureLimit {
    let order: [String] = try keyed.value("orderBy")
    guard order.count == 2, order[1] == "asc" || order[1] == "desc" else {
      throw keyed.fault("orderBy", "'orderBy' must be a property and asc or desc.")
    }
    let perCell = keyed.integer("perCell")
    guard let count = keyed.integer("perTile") ?? perCell else {
      throw keyed.fault("orderBy", "'featureLimit' needs 'perTile' or 'perCell'.")
    }
    if perCell != nil, keyed.node["perTile"] != nil {
      throw keyed.fault("perCell", "'perTile' and 'perCell' exclude one another. Keep one.")
    }
    if perCell == nil, keyed.node["cellSize"] != nil {
      throw keyed.fault("cellSize", "'cellSize' is the size of the cells of 'perCell'.")
    }
    return FeatureLimit(
      perCell: count, cellSize: perCell == nil ? nil : keyed.number("cellSize"),
      property: order[0], isDescending: order[1] == "desc")
  }

  // MARK: Clusters

  private func cluster(_ keyed: KeyedNode) throws(PipelineError) -> ClusterDefinition? {
    let given = (keyed.node.members ?? []).first {
      $0.key.hasPrefix("cluster") && $0.key != "cluster"
    }
    if let given, keyed.node["cluster"] == nil, !isStyle {
      throw keyed.fault(given.key, "'\(given.key)' needs 'cluster: true'.")
    }
    guard keyed.bool("cluster") == true else { return nil }
    let method = try method(keyed)
    return ClusterDefinition(
      method: method, maxZoom: try maxZoom(keyed),
      minPoints: try keyed.value("clusterMinPoints"),
      properties: keyed.node["clusterProperties"]?.members ?? [])
  }

  private func cellSizes(_ keyed: KeyedNode) throws(PipelineError) -> [ZoomValue] {
    let cellSizes = keyed.numbersByZoom("clusterCellSize")
    guard cellSizes.first?.zoom == 0 else {
      throw keyed.fault("clusterCellSize", "'clusterCellSize' must begin with the size at zoom 0.")
    }
    for (before, size) in zip(cellSizes, cellSizes.dropFirst()) where size.value > before.value {
      throw PipelineError(
        .definition,
        "'clusterCellSize' grows from \(Int(before.value)) px to \(Int(size.value)) px at zoom "
          + "\(size.zoom), but cells get smaller the closer one zooms. Write \(Int(before.value)) or "
          + "less.",
        at: keyed.node["clusterCellSize"]?["\(size.zoom)"]?.place)
    }
    return cellSizes
  }

  /// Returns the method that is named, otherwise the one whose size is given, otherwise the
  /// dialect's own.
  private func method(_ keyed: KeyedNode) throws(PipelineError) -> ClusterMethod {
    let hasRadius = keyed.node["clusterRadius"] != nil
    let hasCells = keyed.node["clusterCellSize"] != nil
    let named = keyed.choice("clusterMethod", as: ClusterMethod.Name.self)
    let method = named ?? (hasCells ? .grid : hasRadius || isStyle ? .radius : .grid)
    if method == .grid, hasRadius {
      throw keyed.fault(
        "clusterRadius",
        "'clusterRadius' is for 'clusterMethod: radius'; a grid has "
          + "'clusterCellSize'.")
    }
    if method == .radius, hasCells {
      throw keyed.fault(
        "clusterCellSize",
        "'clusterCellSize' is for 'clusterMethod: grid'; the radius method has "
          + "'clusterRadius'.")
    }
    switch method {
    case .grid: return .grid(cellSizes: try cellSizes(keyed))
    case .radius: return .radius(try keyed.value("clusterRadius"))
    }
  }

  /// Returns the last zoom with clusters. A style's own default is one zoom less than the source's
  /// maxzoom.
  private func maxZoom(_ keyed: KeyedNode) throws(PipelineError) -> Int {
    let own: Int = try keyed.value("clusterMaxZoom")
    guard isStyle, keyed.node["clusterMaxZoom"] == nil, let last = keyed.node["maxzoom"]?.integer
    else { return own }
    return min(max(last - 1, 0), 24)
  }
}
