import GDAL
import Ingest
import RecordChanges
import Runs
import Tilesets
import Tiling

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
      let dates = line.choice("dates", as: DateOrder.self)
      guard dates == nil || line.node["order"] != nil else {
        throw line.fault("dates", "'dates' tells how 'order' writes its days. Set 'order', too.")
      }
      records.line = TrackLines(
        by: line.text("by"), order: line.text("order"), dates: dates, end: try end(line, records))
    }
    if let limit = keyed.node["featureLimit"] {
      if keyed.bool("cluster") == true {
        throw keyed.fault(
          "featureLimit", "'featureLimit' and 'cluster' both thin a source. Keep one of them.")
      }
      records.featureLimit = try featureLimit(KeyedNode(limit, SourceKeys.featureLimit))
    }
    records.cluster = try cluster(keyed)
    records.windows = try windows(keyed)
    if keyed.node["stacks"] != nil {
      records.stacks = try stacks(keyed.object("stacks", SourceKeys.stacks))
    }
    return records
  }

  /// Returns the second places of a source of origins and destinations; `nil` for other lines.
  private func end(
    _ line: KeyedNode, _ records: RecordDefinition
  ) throws(PipelineError) -> TrackLines.End? {
    guard let x = line.text("x"), let y = line.text("y") else {
      guard let key = ["x", "y"].first(where: { line.node[$0] != nil }) else { return nil }
      throw line.fault(key, "'x' and 'y' are the columns of a second place. Set both.")
    }
    if let key = ["by", "order"].first(where: { line.node[$0] != nil }) {
      throw line.fault(
        key,
        "'\(key)' joins points to tracks, and 'x' and 'y' each of them to a second place. Keep "
          + "one of them.")
    }
    guard records.format.system == nil, records.format.conversion?.system == nil else {
      throw line.fault(
        "x", "a second place is a longitude and a latitude, and the source has a 'crs'.")
    }
    return TrackLines.End(x: x, y: y)
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

  private func stacks(_ keyed: KeyedNode) throws(PipelineError) -> StackDefinition {
    StackDefinition(
      from: try keyed.value("from"), distance: try keyed.value("distance"),
      form: StackForm(
        keyed.choice("form", as: StackForm.Name.self) ?? .spiral,
        spacing: try keyed.value("spacing")))
  }

  // MARK: Clusters

  private func cluster(_ keyed: KeyedNode) throws(PipelineError) -> ClusterDefinition? {
    let given = (keyed.node.members ?? []).first {
      $0.key.hasPrefix("cluster") && $0.key != "cluster"
    }
    if let given, keyed.node["cluster"] == nil, !isStyle {
      throw keyed.fault(given.key, "'\(given.key)' needs 'cluster: true'.")
    }
    guard keyed.bool("cluster") == true else {
      if keyed.node["classes"] == nil { return nil }
      throw keyed.fault("classes", "'classes' needs 'cluster: true'.")
    }
    let method = try method(keyed)
    return ClusterDefinition(
      method: method, maxZoom: try maxZoom(keyed),
      minPoints: try keyed.value("clusterMinPoints"),
      properties: keyed.node["clusterProperties"]?.members ?? [], classes: try classes(keyed))
  }

  private func classes(_ keyed: KeyedNode) throws(PipelineError) -> ClassDefinition? {
    guard let node = keyed.node["classes"] else { return nil }
    let classes = KeyedNode(node, SourceKeys.classes)
    let property: String = try classes.value("property")
    let names = keyed.node["clusterProperties"]?.members?.map(\.key) ?? []
    let known = [ClassDefinition.countName] + names
    guard known.contains(property) else {
      throw (node["property"]?.place ?? node.place).fault(
        "'property' of 'classes' is a number of clusters: "
          + "\(known.joined(separator: ", ")). Add '\(property)' to 'clusterProperties', such as "
          + "\(property): [max, [get, \(property)]].")
    }
    if names.contains(ClassDefinition.name) {
      throw keyed.fault(
        "classes",
        "'classes' gives clusters a property 'class', which 'clusterProperties' has, too.")
    }
    return ClassDefinition(
      property: property, method: try classes.value("method"), count: try classes.value("n"))
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
    let hasMeters = keyed.node["clusterCellMeters"] != nil
    let hasGap = keyed.node["clusterGap"] != nil
    let named = keyed.choice("clusterMethod", as: ClusterMethod.Name.self)
    let method =
      named ?? (hasCells ? .grid : hasGap ? .bubble : hasRadius || isStyle ? .radius : .grid)
    if method != .bubble, hasGap {
      throw keyed.fault("clusterGap", "'clusterGap' is for 'clusterMethod: bubble'.")
    }
    if method == .bubble, hasRadius || hasCells || hasMeters {
      throw keyed.fault(
        hasRadius ? "clusterRadius" : hasCells ? "clusterCellSize" : "clusterCellMeters",
        "'clusterMethod: bubble' joins what the layers draw too near, by 'clusterGap'.")
    }
    if method == .bubble, keyed.node["clusterMinPoints"] != nil {
      throw keyed.fault(
        "clusterMinPoints",
        "'clusterMethod: bubble' joins any two that touch. Remove 'clusterMinPoints'.")
    }
    if method != .radius, hasRadius {
      throw keyed.fault(
        "clusterRadius",
        "'clusterRadius' is for 'clusterMethod: radius'; a \(method.rawValue) has "
          + "'clusterCellSize'.")
    }
    if method == .radius, hasCells {
      throw keyed.fault(
        "clusterCellSize",
        "'clusterCellSize' is for 'clusterMethod: grid', 'hexagon' and 'square'; the radius method "
          + "has 'clusterRadius'.")
    }
    if hasMeters, method != .hexagon, method != .square {
      throw keyed.fault(
        "clusterCellMeters",
        "'clusterCellMeters' is for 'clusterMethod: hexagon' and 'square'.")
    }
    if hasMeters, hasCells {
      throw keyed.fault(
        "clusterCellMeters",
        "'clusterCellMeters' and 'clusterCellSize' are both the width of a cell. Keep one.")
    }
    switch method {
    case .grid: return .grid(cellSizes: try cellSizes(keyed))
    case .radius: return .radius(try keyed.value("clusterRadius"))
    case .bubble: return .bubble(gap: try keyed.value("clusterGap"))
    case .hexagon, .square:
      if keyed.node["clusterMinPoints"] != nil {
        throw keyed.fault(
          "clusterMinPoints",
          "a \(method.rawValue) is drawn for any number of points. Remove 'clusterMinPoints', and "
            + "filter its layers by 'point_count' instead.")
      }
      return .areas(
        CellAreas(
          isHexagonal: method == .hexagon, sizes: try cellSizes(keyed),
          meters: keyed.number("clusterCellMeters")))
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
