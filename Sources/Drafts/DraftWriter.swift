import Examination
import Ingest
import Definition
import Styling
import Features
import OrderedCollections
import Runs
import SystemPackage
import Tiling

/// The text of a drafted pipeline.
struct DraftWriter {
  let request: PipelineDraft.Request
  private(set) var sources: [SourceDraft]
  var zooms: ZoomChoice

  /// The vector tiles under the data.
  var ground: GroundDraft?

  /// The name of the tileset, taken from the pipeline file.
  private var name: String { FilePath(request.pipeline).stem ?? "map" }

  var text: String { DraftText.text(entries, head: head) }

  /// Decodes the text.
  ///
  /// - Throws: ``PipelineError`` if the text is no pipeline, which would be a bug.
  func definition() throws(PipelineError) -> PipelineDefinition {
    try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: request.pipeline, environment: { _ in nil }))
  }

  /// Returns the pipeline without what adds hardly a tile.
  ///
  /// - Parameter hasLabels: whether labels are kept, whose placement takes long.
  func definitionForCounting(hasLabels: Bool) throws(PipelineError) -> PipelineDefinition {
    var counted = self
    // It fills every tile; the zooms are those of the data.
    counted.ground = nil
    // All records are counted at once.
    for index in counted.sources.indices { counted.sources[index].keys["time"] = nil }
    var definition = try counted.definition()
    if !hasLabels { definition.layers.removeAll { $0.type == .symbol } }
    definition.tiles.interactivity = nil
    return definition
  }

  private var head: [String] {
    let file = FilePath(request.pipeline).lastComponent?.string ?? "map.yml"
    return sources.flatMap { [Self.summary($0), choice($0), reading($0)].compactMap(\.self) } + [
      "",
      "Bake it and look at it:  quadrille build \(file)  and  quadrille preview \(file)",
      "'quadrille check \(file)' looks at the data again, 'quadrille schema' lists every key.",
    ]
  }

  /// Returns a line about a source: what it holds and what its columns are.
  private static func summary(_ source: SourceDraft) -> String {
    switch source.content {
    case .image(_, let size): return "\(source.name): an image of \(size) px."
    case .series(_, let size): return "\(source.name): images of \(size) px through time."
    case .records(let facts):
      let counts = [(facts.points, "point"), (facts.lines, "line"), (facts.polygons, "polygon")]
        .filter { $0.0 > 0 }
        .map { "\(ReportNumber.count($0.0)) \($0.1)\($0.0 == 1 ? "" : "s")" }
      let names = facts.examination.columns.map(\.name)
      let shown = names.prefix(12).map(\.withoutControls).joined(separator: ", ")
      let columns =
        names.isEmpty
        ? "" : "; columns: \(shown)\(names.count > 12 ? " and \(names.count - 12) more" : "")"
      return "\(source.name): \(counts.joined(separator: ", "))\(columns)."
    }
  }

  /// Returns a line about what was chosen for a source, and how to choose else.
  func choice(_ source: SourceDraft) -> String? {
    Self.choice(
      source, hasLabels: layers.contains { $0.rank == .label && $0.source == source.name })
  }

  /// Returns a line about how a source is read, where that is not as usual; `nil` where it is.
  func reading(_ source: SourceDraft) -> String? {
    func text(_ key: String) -> String? {
      switch source.keys[key] {
      case .string(let text)?: text.withoutControls
      case .object(let members)?:
        if case .string(let text)? = members["column"] { text.withoutControls } else { nil }
      default: nil
      }
    }
    let names = text("crs") == nil ? ("longitude", "latitude") : ("x", "y")
    var parts: [String] = []
    if let x = text("x"), let y = text("y") {
      parts.append("'\(x)' as \(names.0), '\(y)' as \(names.1)")
    }
    if let geometry = text("geometry") { parts.append("'\(geometry)' as the place") }
    if let system = text("crs") { parts.append("in \(system)") }
    if let delimiter = text("delimiter") {
      parts.append(delimiter == "tab" ? "tabs between fields" : "'\(delimiter)' between fields")
    }
    if text("decimal") != nil { parts.append("decimal commas") }
    if let encoding = text("encoding") { parts.append(encoding) }
    if case .number(let lines)? = source.keys["skip"] {
      parts.append(lines == 1 ? "a line of titles" : "\(Int(lines)) lines of titles")
    }
    return parts.isEmpty ? nil : "Read: \(parts.joined(separator: "; "))."
  }

  private static func choice(_ source: SourceDraft, hasLabels: Bool) -> String? {
    guard let facts = source.records else {
      return source.coloring.map { "Chosen: \($0)." }
    }
    let roles = facts.roles
    var parts: [String] = []
    if let end = facts.connections?.destination {
      parts.append("lines to '\(end.x)', '\(end.y)'")
      if let size = roles.size { parts.append("as wide as '\(size)'") }
    } else if facts.tracks != nil {
      parts.append("points joined to lines" + (roles.track?.by.map { " by '\($0)'" } ?? ""))
    } else if facts.isClustered {
      parts.append(facts.look.flatMap { $0 == .time ? nil : $0.rawValue } ?? "clusters")
    }
    if facts.look == .time, let frames = facts.frames {
      parts.append("a map for each \(frames.words) of '\(frames.property)'")
    }
    if facts.look == .hexagons {
      parts.append("coloured by their number of points")
      return "Chosen: \(parts.joined(separator: ", "))."
    }
    parts.append(
      roles.lead.map { "coloured by '\($0.column)'" }
        ?? (roles.ownColors.isEmpty ? "one colour" : "the features' own colours"))
    if let name = roles.name, hasLabels { parts.append("labelled by '\(name)'") }
    let others = roles.others.map { "'\($0)'" }.joined(separator: ", ")
    let advice =
      others.isEmpty ? "" : " Others: \(others) (quadrille new FILE --color-by COLUMN)."
    return "Chosen: \(parts.joined(separator: ", ")).\(advice)\(offer(facts))"
  }

  /// Returns sentences about other looks that the data suggests; empty for none.
  private static func offer(_ facts: SourceDraft.RecordFacts) -> String {
    guard facts.look == nil else { return "" }
    guard facts.possibleLooks.contains(.time), let frames = facts.frames else {
      return clusterOffer(facts)
    }
    return clusterOffer(facts)
      + " The times in '\(frames.property)' span \(ReportNumber.count(frames.days)) days: --look time "
      + "makes a map for each \(frames.words)."
  }

  private static func clusterOffer(_ facts: SourceDraft.RecordFacts) -> String {
    guard facts.isClustered else { return "" }
    let looks = facts.possibleLooks
    if looks.contains(.hexagons), facts.points > SourceDraft.RecordFacts.hexagonThreshold {
      return " So many points crowd: --look hexagons colours cells by their number."
    }
    guard looks.contains(.donuts), let column = facts.roles.slices else { return "" }
    return " Clusters can be donuts of '\(column)': --look donuts."
  }

  // MARK: Entries

  private var entries: [DraftEntry] {
    var entries = [
      DraftEntry("version", .number(1)), DraftEntry("name", .string(name)),
      DraftEntry("sources", .keys(groundSource + sources.map(entry))),
      DraftEntry(
        "layers", .list(groundLayers + layers.map(\.entries)), comment: "The first is drawn first."),
      DraftEntry("tiles", .keys(tiles)),
    ]
    let archive = request.archive ?? "\(DraftName.unique(name, besides: [])).mbtiles"
    entries.append(
      DraftEntry("output", .object(["path": .string(archive)])))
    return entries
  }

  private var groundSource: [DraftEntry] {
    guard let tileset = ground?.tileset else { return [] }
    return [DraftEntry(tileset.name, tileset.source, comment: "The ground under the data.")]
  }

  /// The layers of the ground, whose ids no layer of the data has.
  private var groundLayers: [[DraftEntry]] {
    let taken = layers.map { PropertyValue.string($0.id) }
    return (ground?.tileset.layerEntries ?? []).map { entries in
      guard case .value(.string(let id))? = entries.first?.content, taken.contains(.string(id))
      else { return entries }
      return [DraftEntry("id", .string("\(id)-ground"))] + entries.dropFirst()
    }
  }

  /// The box that is painted, since the ground would fill the world: that of the data with a tenth
  /// around it, where the ground has tiles.
  func bounds(over ground: GroundDraft) -> GeoBounds {
    var reach = Box<Double>.empty
    for survey in sources.compactMap(\.records?.survey) where !survey.reach.isEmpty {
      reach.include(x: survey.reach.minX, y: survey.reach.minY)
      reach.include(x: survey.reach.maxX, y: survey.reach.maxY)
    }
    let (box, isPlaced) = (ground.bounds, sources.allSatisfy { $0.records != nil })
    guard !reach.isEmpty, isPlaced else { return box }
    let margin = max(reach.maxX - reach.minX, reach.maxY - reach.minY, 1e-4) / 10
    func place(_ x: Double, _ y: Double) -> LngLat {
      LngLat(WorldPoint(x: WorldPoint.fixed(x), y: WorldPoint.fixed(y)))
    }
    let northWest = place(reach.minX - margin, reach.minY - margin)
    let southEast = place(reach.maxX + margin, reach.maxY + margin)
    let part = GeoBounds(
      west: max(northWest.longitude, box.west), south: max(southEast.latitude, box.south),
      east: min(southEast.longitude, box.east), north: min(northWest.latitude, box.north))
    return part.west < part.east && part.south < part.north ? part : box
  }

  private func entry(_ source: SourceDraft) -> DraftEntry {
    var keys = source.keys
    if let facts = source.records, facts.isClustered {
      let drafter = LayerDrafter(source, hue: DraftPalette.hue(0))
      keys.merge(drafter.clusterKeys(facts, lastZoom: zooms.last)) { $1 }
    }
    return DraftEntry(
      source.name,
      .keys(
        keys.map { key, value in
          guard key == "clusterProperties", case .object(let members) = value else {
            return DraftEntry(key, value, comment: comment(key, source))
          }
          return DraftEntry(key, .keys(members.map { DraftEntry($0.key, $0.value) }))
        }))
  }

  private func comment(_ key: String, _ source: SourceDraft) -> String {
    switch key {
    case "cluster": LayerDrafter.comment(on: source.records?.look)
    default: source.comments[key] ?? ""
    }
  }

  var layers: [LayerDraft] {
    var all = sources.enumerated().flatMap { index, source in
      LayerDrafter(source, hue: DraftPalette.hue(index)).layers()
    }
    if ground != nil || all.contains(where: { $0.rank == .label }) {
      for index in all.indices where ["circle", "chart"].contains(all[index].type) {
        all[index].layout["\(all[index].type)-obstacle"] = .bool(true)
      }
    }
    return all.filter { !$0.isLabel || $0.minZoom ?? 0 <= zooms.last }.enumerated().sorted {
      ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
    }.map(\.element)
  }

  /// A sentence about the zoom at which points stand alone, where the tiles end before it.
  private var singlePoints: String {
    let facts = sources.compactMap(\.records).filter {
      $0.isClustered && $0.look != .hexagons
    }
    let zoom = facts.map(\.survey.separationZoom).max() ?? 0
    return zoom > zooms.last ? "\nSingle points from zoom \(zoom) on: 'maxzoom: \(zoom)'." : ""
  }

  private var tiles: [DraftEntry] {
    var entries: [DraftEntry] = []
    if zooms.first > 0 { entries.append(DraftEntry("minzoom", .number(Double(zooms.first)))) }
    entries.append(
      DraftEntry(
        "maxzoom", .number(Double(zooms.last)),
        comment: "Each further zoom has up to four times the tiles; 'quadrille plan' counts them."
          + singlePoints))
    if let ground {
      entries.append(
        DraftEntry(
          "bounds", GroundDraft.value(bounds(over: ground)),
          comment: "The ground fills every tile of this box."))
    }
    let hasPoints = sources.contains { ($0.records?.points ?? 0) > 0 }
    if hasPoints { entries.append(DraftEntry("snap", .number(1))) }
    var fields: [String] = []
    for field in sources.flatMap({ $0.records?.roles.fields ?? [] }) where !fields.contains(field) {
      fields.append(field)
    }
    if !fields.isEmpty {
      entries.append(
        DraftEntry(
          "interactivity", .object(["fields": .array(fields.map(PropertyValue.string))]),
          comment: "What a tap on the map shows."))
    }
    return entries
  }
}
