import Definition
import Features
import Ingest
import OrderedCollections

/// A layer of the pipeline that is drafted.
struct LayerDraft {
  /// The place of a layer among the layers of all sources, the lowest first: images lie under
  /// areas, areas under lines, lines under points, and labels over everything.
  enum Rank: Int, Comparable {
    case image, area, outline, line, point, label

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  var rank: Rank
  var id: String
  var type: String
  var source: String
  var comment: String
  var filter: PropertyValue?
  var minZoom: Int?
  var layout: OrderedDictionary<String, PropertyValue> = [:]
  var paint: OrderedDictionary<String, PropertyValue> = [:]

  init(_ rank: Rank, _ id: String, _ type: String, of source: String, comment: String) {
    self.rank = rank
    self.id = id
    self.type = type
    self.source = source
    self.comment = comment
  }

  /// The layer as it is written.
  var entries: [DraftEntry] {
    var entries = [
      DraftEntry("id", .string(id), comment: comment), DraftEntry("type", .string(type)),
      DraftEntry("source", .string(source)),
    ]
    if let filter { entries.append(DraftEntry("filter", filter)) }
    if let minZoom, minZoom > 0 { entries.append(DraftEntry("minzoom", .number(Double(minZoom)))) }
    for (key, values) in [("layout", layout), ("paint", paint)] where !values.isEmpty {
      entries.append(DraftEntry(key, .keys(values.map { DraftEntry($0.key, $0.value) })))
    }
    return entries
  }
}

/// The layers of one source, by what its data holds.
struct LayerDrafter {
  let source: SourceDraft
  let hue: DraftPalette.Hue

  /// Whether the source's geometries are of several dimensions, so that layers need a filter.
  private let isMixed: Bool

  init(_ source: SourceDraft, hue: DraftPalette.Hue) {
    self.source = source
    self.hue = hue
    let facts = source.records
    isMixed =
      [facts?.points, facts?.lines, facts?.polygons].compactMap(\.self).count { $0 > 0 } > 1
  }

  /// Returns the layers, the lowest first.
  func layers() -> [LayerDraft] {
    guard let facts = source.records else {
      return [LayerDraft(.image, source.name, "raster", of: source.name, comment: "The image.")]
    }
    return (facts.polygons > 0 ? areas(facts) : []) + (facts.lines > 0 ? [lines(facts)] : [])
      + (facts.points > 0 ? points(facts) : [])
  }

  // MARK: Colours

  /// The colours by a column, and the comment that explains them; `nil` for one colour.
  private func colors(_ facts: SourceDraft.RecordFacts) -> (value: PropertyValue, comment: String)?
  {
    if let column = facts.roles.number {
      let breaks = ClassBreaks(facts.survey.numbers).values
      guard !breaks.isEmpty else { return nil }
      return (
        classes(column, breaks),
        "Coloured by '\(column)': \(breaks.count + 1) classes of about as many records each."
      )
    }
    guard let column = facts.roles.category else { return nil }
    let names = facts.survey.categories
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    guard names.count >= 2, names.count <= DraftPalette.categories.count else { return nil }
    let cases = zip(names, DraftPalette.categories).flatMap {
      [PropertyValue.string($0), .string($1)]
    }
    return (
      .array([.string("match"), get(column)] + cases + [.string(DraftPalette.none)]),
      "Coloured by '\(column)'."
    )
  }

  private func classes(_ column: String, _ breaks: [Double]) -> PropertyValue {
    let colors = DraftPalette.classes(
      breaks.count + 1, isArea: (source.records?.polygons ?? 0) > 0)
    let steps = zip(breaks, colors.dropFirst()).flatMap {
      [PropertyValue.number($0), .string($1)]
    }
    let step = PropertyValue.array([.string("step"), get(column), .string(colors[0])] + steps)
    let profile = source.records?.examination.columns.first { $0.name == column }
    guard let profile, profile.numbers < source.records?.examination.ledger.read ?? 0 else {
      return step
    }
    let isNumber = PropertyValue.array([
      .string("=="), .array([.string("typeof"), get(column)]), .string("number"),
    ])
    return .array([.string("case"), isNumber, step, .string(DraftPalette.none)])
  }

  private func get(_ name: String) -> PropertyValue { .array([.string("get"), .string(name)]) }

  // MARK: Areas

  private func areas(_ facts: SourceDraft.RecordFacts) -> [LayerDraft] {
    let colors = colors(facts)
    var fill = LayerDraft(
      .area, "\(source.name)-fill", "fill", of: source.name,
      comment: colors?.comment ?? "The areas.")
    fill.paint = [
      "fill-color": colors?.value ?? .string(hue.fill),
      "fill-opacity": .number(colors == nil ? 0.35 : 0.8),
    ]
    var outline = LayerDraft(
      .outline, "\(source.name)-outline", "line", of: source.name, comment: "Their outlines.")
    outline.layout = ["line-join": .string("round")]
    outline.paint = [
      "line-color": .string(colors == nil ? hue.line : "#ffffff"),
      "line-width": DefaultWidths.outline,
    ]
    let kinds = filter("Polygon")
    (fill.filter, outline.filter) = (kinds, kinds)
    var layers = [fill, outline]
    if let name = facts.roles.name {
      var label = label(
        name, "The name of an area, on its largest part, from the zoom at which it has room.")
      label.layout["symbol-parts"] = .string("largest")
      if isMixed { label.id = "\(source.name)-area-name" }
      label.filter = kinds
      label.minZoom = facts.survey.zoom(showing: 60)
      layers.append(label)
    }
    return layers
  }

  private func filter(_ kind: String) -> PropertyValue? {
    guard isMixed else { return nil }
    return .array([.string("=="), .array([.string("geometry-type")]), .string(kind)])
  }

  // MARK: Lines

  private func lines(_ facts: SourceDraft.RecordFacts) -> LayerDraft {
    let colors = facts.polygons == 0 ? colors(facts) : nil
    var line = LayerDraft(
      .line, "\(source.name)-line", "line", of: source.name,
      comment: colors?.comment ?? "Lines, wider the closer one zooms.")
    line.filter = filter("LineString")
    line.layout = ["line-cap": .string("round"), "line-join": .string("round")]
    line.paint = [
      "line-color": colors?.value ?? .string(hue.line), "line-width": DefaultWidths.line,
    ]
    return line
  }

  // MARK: Points

  private func points(_ facts: SourceDraft.RecordFacts) -> [LayerDraft] {
    let isPoint = filter("Point")
    let colors = facts.polygons + facts.lines == 0 && !facts.isClustered ? colors(facts) : nil
    var lone = LayerDraft(
      .point, "\(source.name)-point", "circle", of: source.name,
      comment: colors?.comment ?? (facts.isClustered ? "Points that stand alone." : "The points."))
    lone.filter = isPoint
    lone.paint = [
      "circle-radius": DefaultWidths.radius,
      "circle-color": colors?.value ?? .string(hue.fill),
      "circle-stroke-color": .string("#ffffff"), "circle-stroke-width": .number(1.2),
    ]
    var layers: [LayerDraft] = []
    if facts.isClustered {
      lone.filter = both(isPoint, ClusterLook.loneFilter)
      layers = clusters()
    }
    layers.insert(lone, at: 0)
    if let name = facts.roles.name {
      var label = label(name, "Their names, where there is room.")
      label.filter = lone.filter
      label.minZoom = max(facts.survey.separationZoom - 3, 0)
      label.layout["text-variable-anchor"] = .array(
        ["left", "right", "top", "bottom"].map(PropertyValue.string))
      label.layout["text-radial-offset"] = .number(0.8)
      layers.append(label)
    }
    return layers
  }

  private func both(_ one: PropertyValue?, _ other: PropertyValue) -> PropertyValue {
    one.map { .array([.string("all"), $0, other]) } ?? other
  }

  private func clusters() -> [LayerDraft] {
    let look = ClusterLook(.radius(PipelineDraft.clusterRadius), shades: hue.shades)
    var bubble = LayerDraft(
      .point, "\(source.name)-cluster", "circle", of: source.name,
      comment: "Clusters, larger and darker the more points they hold.")
    bubble.filter = ClusterLook.filter
    bubble.layout = ClusterLook.bubbleLayout
    bubble.paint = look.bubblePaint
    var count = LayerDraft(
      .label, "\(source.name)-count", "symbol", of: source.name, comment: "Their numbers.")
    count.filter = ClusterLook.filter
    count.layout = look.countLayout
    count.paint = ClusterLook.countPaint
    return [bubble, count]
  }

  // MARK: Labels

  private func label(_ column: String, _ comment: String) -> LayerDraft {
    var label = LayerDraft(
      .label, "\(source.name)-name", "symbol", of: source.name, comment: comment)
    label.layout = [
      "text-field": .array([.string("to-string"), get(column)]),
      "text-font": .array([.string("DejaVu Sans")]), "text-size": .number(11),
      "text-max-width": .number(9), "text-padding": .number(4),
    ]
    label.paint = [
      "text-color": .string("#1c2630"), "text-halo-color": .string("#ffffff"),
      "text-halo-width": .number(1.4),
    ]
    return label
  }
}
