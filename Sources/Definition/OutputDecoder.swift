import Expressions
import Features
import MBTiles
import Runs
import Tiling

/// A decoder of the outputs of a root node that passed ``KeyCheck``.
struct OutputDecoder {
  let root: DocumentNode
  let paths: DefinitionPaths
  let isStyle: Bool

  /// The values for `global-state`.
  let globalState: [String: PropertyValue]

  /// The decoded keys of a pipeline's outputs.
  struct Decoded {
    var tiles: TilesDefinition
    var view: StartView
    var output: OutputDefinition
    var expectation: Expectation
    var memory: MemoryCeiling?
  }

  /// Decodes all outputs.
  ///
  /// - Parameter hasSeries: whether the output is sets of frames instead of one archive.
  /// - Throws: the error of the first wrong one, with those of the others.
  func decoded(
    layers: [LayerDefinition], name: String, hasSeries: Bool
  ) throws(PipelineError) -> Decoded {
    var errors: [PipelineError] = []
    let tiles = errors.value { () throws(PipelineError) in
      try self.tiles(layers: layers, hasSeries: hasSeries)
    }
    let view = tiles.flatMap { tiles in
      errors.value { () throws(PipelineError) in try self.view(tiles) }
    }
    let output = errors.value { () throws(PipelineError) in
      try self.output(name: name, hasSeries: hasSeries)
    }
    let expectation = errors.value { () throws(PipelineError) in
      try self.expectation(hasSeries: hasSeries)
    }
    if let tiles, let output {
      _ = errors.value { () throws(PipelineError) in try requireZooms(of: output.packs, in: tiles) }
    }
    let memory = errors.value { () throws(PipelineError) in try self.memory() }
    if let error = PipelineError(errors) { throw error }
    guard let tiles, let view, let output, let expectation, let memory else {
      throw PipelineError(.bug, "an output is not decoded.", at: root.place)
    }
    return Decoded(
      tiles: tiles, view: view, output: output, expectation: expectation, memory: memory)
  }

  private func tiles(
    layers: [LayerDefinition], hasSeries: Bool
  ) throws(PipelineError) -> TilesDefinition {
    let keyed = KeyedNode(root, PipelineKeys.pipeline).object("tiles", PipelineKeys.tiles)
    let minZoom: Int = try keyed.value("minzoom")
    let last: Int = try keyed.value("maxzoom")
    // A file that only sets a deeper first zoom still gets one zoom.
    let maxZoom = keyed.node["maxzoom"] != nil ? last : max(last, minZoom)
    guard minZoom <= maxZoom else {
      throw keyed.fault("maxzoom", "'maxzoom' is \(maxZoom), below 'minzoom', which is \(minZoom).")
    }
    let isSized = keyed.node["tileSize"] != nil
    let tileSize: Int = try isStyle && !isSized ? 512 : keyed.value("tileSize")
    let scales = Set(keyed.numbers("scale").map { Int($0) }).sorted()
    if let fault = PixelGrid.fault(maxZoom: maxZoom, tileSize: tileSize, scale: scales.last ?? 1) {
      throw keyed.fault("scale", "\(fault). Set a smaller 'maxzoom', 'tileSize' or 'scale'.")
    }
    let codec = try codec(keyed)
    return TilesDefinition(
      minZoom: minZoom, maxZoom: maxZoom, tileSize: tileSize, scales: scales,
      snap: try keyed.value("snap"), bounds: try bounds(keyed),
      backgroundFollowsData: isStyle, fill: try keyed.value("fill"), codec: codec,
      budget: try budget(keyed, codec, hasSeries: hasSeries),
      interactivity: try interactivity(keyed, layers: layers))
  }

  /// - Parameter tiles: the decoded `tiles:` of the same file.
  private func view(_ tiles: TilesDefinition) throws(PipelineError) -> StartView {
    if isStyle, root["view"] == nil { return viewOfStyle(tiles) }
    let keyed = KeyedNode(root, PipelineKeys.pipeline).object("view", PipelineKeys.view)
    var view = StartView(zoom: keyed.integer("zoom"))
    view.exactZoom = view.zoom.map(Double.init)
    if let center = keyed.node["center"]?.position {
      guard abs(center.latitude) <= 90 else {
        throw keyed.fault(
          "center",
          "'center' is longitude, latitude, and \(DocumentNode.words(of: center.latitude)) is "
            + "beyond the poles. Write the longitude first.")
      }
      view.center = LngLat(longitude: center.wrappedLongitude, latitude: center.latitude)
    }
    if let zoom = view.zoom, !(tiles.minZoom...tiles.maxZoom).contains(zoom) {
      throw keyed.fault(
        "zoom",
        "'zoom' of the view is \(zoom), and tiles are made for zoom \(tiles.minZoom) to "
          + "\(tiles.maxZoom). Set one of these.")
    }
    return view
  }

  /// The initial view of a MapLibre style, whose zooms are those of tiles of 512 px.
  ///
  /// It is a hint: a style is often shown with other data than it was written for.
  private func viewOfStyle(_ tiles: TilesDefinition) -> StartView {
    var view = StartView()
    if let center = root["center"]?.position, abs(center.latitude) <= 90 {
      view.center = LngLat(longitude: center.wrappedLongitude, latitude: center.latitude)
    }
    if let zoom = root["zoom"]?.number, zoom.isFinite, abs(zoom) < 100 {
      let zoom = tiles.tileSize == 512 ? zoom : zoom + 1
      view.exactZoom = zoom
      view.zoom = min(max(Int(zoom.rounded()), tiles.minZoom), tiles.maxZoom)
    }
    return view
  }

  private func bounds(_ keyed: KeyedNode) throws(PipelineError) -> GeoBounds? {
    guard let bounds = keyed.bounds("bounds") else { return nil }
    for edge in [bounds.south, bounds.north] where abs(edge) > 90 {
      throw keyed.fault(
        "bounds",
        "'bounds' are west, south, east, north; \(DocumentNode.words(of: edge)) is not a latitude."
      )
    }
    guard bounds.south < bounds.north else {
      throw keyed.fault("bounds", "'bounds' are west, south, east, north; here south ≥ north.")
    }
    return bounds
  }

  private func interactivity(
    _ keyed: KeyedNode, layers: [LayerDefinition]
  ) throws(PipelineError) -> Interactivity? {
    guard let node = keyed.node["interactivity"] else { return nil }
    let taps = KeyedNode(node, PipelineKeys.interactivity)
    let names = taps.texts("layers")
    for (index, name) in (names ?? []).enumerated() where !layers.contains(where: { $0.id == name })
    {
      throw PipelineError(
        .definition,
        "no layer '\(name)'\(NameSuggestion.question(name, among: layers.map(\.id))) "
          + "Layers are \(layers.map(\.id).joined(separator: ", ")).",
        at: node["layers"]?.items?[index].place)
    }
    return Interactivity(
      layers: names, fields: taps.texts("fields"),
      format: try taps.value("format"),
      text: try node["text"].map { node throws(PipelineError) in try tapText(node) })
  }

  private func tapText(_ node: DocumentNode) throws(PipelineError) -> TapText {
    let text = TapText(expression: node.propertyValue, globalState: globalState)
    do throws(ExpressionErrors) {
      _ = try text.compiled()
    } catch {
      let first = error.errors.first
      throw PipelineError(
        .definition, "'text' of 'interactivity': \(first?.sentence ?? "no expression")",
        at: node.place(at: (first?.key ?? []).map(DocumentStep.init)))
    }
    return text
  }

  /// The place of the archive's path; of the file, if it has none.
  var place: DocumentPlace { root["output"]?["path"]?.place ?? root.place }

  /// - Parameter hasSeries: whether the output is sets of frames instead of one archive.
  private func output(name: String, hasSeries: Bool) throws(PipelineError) -> OutputDefinition {
    let keyed = KeyedNode(root, PipelineKeys.pipeline).object("output", PipelineKeys.output)
    let path = keyed.text("path") ?? OutputDefinition.fileName(ofTileset: name)
    if let fault = OutputDefinition.fault(of: path) {
      throw PipelineError(.definition, fault, at: keyed.node["path"]?.place ?? root.place)
    }
    let kept: Int = try keyed.value("keepArchives")
    if hasSeries, kept > 0 {
      throw keyed.fault(
        "keepArchives",
        "a series is many archives that are replaced one by one, so no earlier state of it can be "
          + "kept. Remove 'keepArchives'; 'keep' of the source says how many frames stay.")
    }
    if hasSeries, try keyed.value("clusterChanges") {
      throw keyed.fault(
        "clusterChanges",
        "the clusters of a series are those of its frames, of which each has its own. Remove "
          + "'clusterChanges'.")
    }
    let layout = keyed.choice("layout", as: ArchiveLayout.self)
    if layout == .flat, let taps = root["tiles"]?["interactivity"],
      KeyedNode(taps, PipelineKeys.interactivity).choice("format", as: TapFormat.self) != .compact
    {
      throw keyed.fault(
        "layout",
        "an archive with 'interactivity' has the layout dedup, whose rows name grids. Remove 'layout' "
          + "or 'interactivity', or set its 'format: compact'.")
    }
    return OutputDefinition(
      path: try paths.output(path, at: keyed.node["path"]?.place ?? root.place), layout: layout,
      hasAggTilesHash: try keyed.value("aggTilesHash"), hasSidecars: try keyed.value("sidecars"),
      hasClusterChanges: try keyed.value("clusterChanges"),
      keptArchives: kept, keptDeltas: try keptDeltas(keyed, hasSeries: hasSeries),
      updates: try updates(keyed), packs: try packs(keyed, hasSeries: hasSeries))
  }

  private func memory() throws(PipelineError) -> MemoryCeiling? {
    guard let text = KeyedNode(root, PipelineKeys.pipeline).text("memory") else { return nil }
    let place = root["memory"]?.place ?? root.place
    guard var ceiling = MemoryCeiling(text) else {
      throw place.fault("'memory' is a size such as 512M, 1.5G or 2G, not '\(text)'.")
    }
    ceiling.place = place
    _ = try ceiling.limits(threads: 1)
    return ceiling
  }

  /// - Parameter hasSeries: whether the output is sets of frames instead of one archive.
  private func expectation(hasSeries: Bool) throws(PipelineError) -> Expectation {
    let keyed = KeyedNode(root, PipelineKeys.pipeline).object("expect", PipelineKeys.expect)
    let changes = try changeRange("changedTiles", of: keyed)
    if hasSeries, changes.isLimited {
      throw keyed.fault(
        "changedTiles",
        "the frames of a series are compared with no archive before them. Remove 'changedTiles'.")
    }
    return Expectation(
      features: try range("features", of: keyed), tiles: try range("tiles", of: keyed),
      changedTiles: changes)
  }

  private func changeRange(
    _ key: String, of keyed: KeyedNode
  ) throws(PipelineError) -> ChangeRange {
    guard let node = keyed.node[key] else { return ChangeRange() }
    let range = ChangeRange(
      minimum: node["min"].flatMap { ChangeRange.End($0) },
      maximum: node["max"].flatMap { ChangeRange.End($0) })
    let isTurned: Bool =
      switch (range.minimum, range.maximum) {
      case (.count(let least)?, .count(let most)?): least > most
      case (.percent(let least)?, .percent(let most)?): least > most
      default: false
      }
    if isTurned { throw keyed.fault(key, "'max' of '\(key)' is below its 'min'.") }
    return range
  }

  private func range(_ key: String, of keyed: KeyedNode) throws(PipelineError) -> CountRange {
    guard let node = keyed.node[key] else { return CountRange() }
    let range = CountRange(minimum: node["min"]?.integer, maximum: node["max"]?.integer)
    if let least = range.minimum, let most = range.maximum, least > most {
      throw keyed.fault(key, "'max' of '\(key)' is below its 'min'.")
    }
    return range
  }
}

extension OutputDefinition {
  /// Returns the default file name of a tileset's archive: the tileset's name, with a hyphen for
  /// each run of characters that viewers do not accept in the name of a file.
  static func fileName(ofTileset name: String) -> String {
    let parts = name.unicodeScalars.split { scalar in
      !(scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil))
        && !"._-+@".unicodeScalars.contains(scalar)
    }
    let text = parts.map { String($0) }.joined(separator: "-").drop { $0 == "." || $0 == "-" }
    return (text.isEmpty ? "tiles" : String(text)) + suffix
  }

  /// Returns the problem with an archive's path; `nil` if there is none.
  static func fault(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    if let suffix = suffixes.first(where: { $0 == name }) {
      return "the archive has no name before \(suffix)."
    }
    guard suffixes.contains(where: { name.hasSuffix($0) }), !path.hasSuffix("/") else {
      return "the archive's name '\(name)' must end in \(suffix) or \(pmtilesSuffix)."
    }
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return "the archive's name '\(name)' may hold only ASCII characters and no spaces, "
        + "since map viewers take no others."
    }
    guard name.first != "." else { return "the archive's name '\(name)' begins with a dot." }
    return nil
  }
}
