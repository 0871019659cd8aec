import Definition
import Features
import Ingest
import OrderedCollections
import Runs

/// The layers that draw one layer of vector tiles.
struct TilesetLayerDrafter {
  private let layer: TilesetSurvey.Layer
  private let source: String
  private let role: TilesetRole

  /// The number of the layer among those without a role, which decides its hue.
  private let number: Int

  /// Whether the layer is one of a map of many, and not data that the map is about.
  private let isBackdrop: Bool

  private let palette: TilesetPalette

  /// - Parameter isBasemap: whether the tiles have the layers of a known schema.
  init(
    _ layer: TilesetSurvey.Layer, of source: String, number: Int, isBasemap: Bool,
    _ palette: TilesetPalette
  ) {
    self.palette = palette
    self.layer = layer
    self.source = source
    self.number = number
    isBackdrop = isBasemap || TilesetRole.isRelief(layer.name)
    role = TilesetRole(layer)
  }

  /// A layer with its place in the drawing order.
  struct Placed {
    var role: TilesetRole
    var draft: LayerDraft
  }

  /// Returns the layers, the lowest first.
  func layers() throws(PipelineError) -> [Placed] {
    var placed: [Placed] = []
    if palette.isQuiet, isLoud { return [] }
    if layer.hasAreas, isFilled { placed.append(Placed(role: role, draft: try area())) }
    if layer.hasLines {
      switch role {
      case .road:
        placed.append(Placed(role: .road, draft: try road(isCasing: true)))
        placed.append(Placed(role: .road, draft: try road(isCasing: false)))
      case .name, .place, .poi, .address, .peak: break
      case .water: placed.append(Placed(role: .waterway, draft: try line(.waterway)))
      default:
        let isUnder = role < .waterway || role == .building
        placed.append(Placed(role: isUnder ? .line : role, draft: try line(role)))
      }
    }
    if layer.hasPoints, role == .point { placed.append(Placed(role: .point, draft: try circle())) }
    if let label = try label() { placed.append(label) }
    return placed
  }

  /// Whether data over the map would not be seen well beside it.
  private var isLoud: Bool {
    switch role {
    case .poi, .address, .peak, .point, .area, .line: true
    default: false
    }
  }

  /// Whether areas are filled, and not only named or outlined.
  private var isFilled: Bool {
    switch role {
    case .name, .place, .poi, .address, .peak, .boundary: false
    default: true
    }
  }

  private func draft(
    _ rank: LayerDraft.Rank, _ suffix: String, _ type: String, for geometry: String,
    _ comment: String
  ) -> LayerDraft {
    var draft = LayerDraft(
      rank, layer.name + suffix, type, of: source, comment: comment)
    draft.sourceLayer = layer.name
    if layer.isMixed {
      draft.filter = .array([.string("=="), .string("$type"), .string(geometry)])
    }
    return draft
  }

  private func value(_ json: String) throws(PipelineError) -> PropertyValue {
    try PipelineError.wrapping { try JSONValueParser.parse(Array(json.utf8)) }
  }

  /// Returns an expression that chooses by a property.
  ///
  /// - Parameter cases: the values of the property and what they choose, by turns.
  private static func match(
    _ property: String, _ cases: [PropertyValue], otherwise: PropertyValue
  ) -> PropertyValue {
    var items: [PropertyValue] = [
      .string("match"), .array([.string("get"), .string(property)]),
    ]
    items += cases
    items.append(otherwise)
    return .array(items)
  }

  // MARK: Areas

  private func area() throws(PipelineError) -> LayerDraft {
    var draft = draft(.area, "", "fill", for: "Polygon", "")
    draft.paint["fill-color"] = try fill()
    switch role {
    case .landcover, .landuse, .park: draft.paint["fill-opacity"] = .number(0.7)
    case .building:
      draft.minZoom = 13
      draft.paint["fill-outline-color"] = .string(palette.buildingEdge)
    case .area where isBackdrop: draft.paint["fill-opacity"] = .number(0.1)
    case .area:
      draft.paint["fill-opacity"] = .number(0.4)
      draft.paint["fill-outline-color"] = .string(DraftPalette.hue(number).line)
    default: break
    }
    return draft
  }

  private func fill() throws(PipelineError) -> PropertyValue {
    switch role {
    case .land: .string(palette.land)
    case .landcover, .landuse: try landColors()
    case .park: .string(palette.park)
    case .ice: .string(palette.ice)
    case .water: .string(palette.water)
    case .aeroway: .string(palette.aeroway)
    case .building: .string(palette.building)
    case .road: .string(palette.road)
    case .area where isBackdrop: .string(palette.backdrop)
    default: .string(DraftPalette.hue(number).fill)
    }
  }

  private func landColors() throws(PipelineError) -> PropertyValue {
    guard let property = division else { return .string(palette.anyLand) }
    let used = palette.lands.compactMap { color, kinds -> [PropertyValue]? in
      let kinds = kinds.filter(layer.classes.contains)
      return kinds.isEmpty ? nil : [.array(kinds.map(PropertyValue.string)), .string(color)]
    }
    guard !used.isEmpty else { return .string(palette.anyLand) }
    return Self.match(property, used.flatMap(\.self), otherwise: .string(palette.otherLand))
  }

  /// The property by which the schema divides the layer.
  private var division: String? { ["class", "kind"].first(where: layer.fields.contains) }

  // MARK: Lines

  /// The end of the id of lines, which differs from that of the layer's areas.
  private var lineSuffix: String { isFilled && layer.hasAreas ? "-lines" : "" }

  private func line(_ role: TilesetRole) throws(PipelineError) -> LayerDraft {
    var draft = draft(.line, lineSuffix, "line", for: "LineString", "")
    draft.layout["line-join"] = .string("round")
    switch role {
    case .waterway:
      draft.paint["line-color"] = .string(palette.water)
      draft.paint["line-width"] = try value(
        #"["interpolate", ["exponential", 1.4], ["zoom"], 8, 0.5, 18, 8]"#)
    case .boundary:
      draft.paint["line-color"] = .string(palette.boundary)
      draft.paint["line-width"] = try value(
        #"["interpolate", ["linear"], ["zoom"], 2, 0.6, 10, 1.8]"#)
      draft.paint["line-dasharray"] = .array([.number(4), .number(2)])
    case .aeroway:
      draft.paint["line-color"] = .string(palette.runway)
      draft.paint["line-width"] = try value(
        #"["interpolate", ["exponential", 1.5], ["zoom"], 11, 1, 18, 30]"#)
    default:
      draft.paint["line-color"] = .string(DraftPalette.hue(number).line)
      draft.paint["line-width"] = .number(1)
    }
    return draft
  }

  /// The classes of roads, the widest first, with their widths in px at zoom 6, 12 and 18.
  private static let roads: [(kinds: [String], widths: [Double])] = [
    (["motorway", "highway", "trunk"], [0.8, 2.6, 20]),
    (["primary", "secondary", "major_road", "main"], [0.4, 1.8, 16]),
    (["tertiary", "minor", "minor_road", "street", "residential", "unclassified"], [0, 0.8, 12]),
    (["rail", "transit", "path", "footway", "track", "service"], [0, 0.3, 4]),
  ]

  /// The classes of land and of roads that are told apart.
  static let knownClasses = Set(TilesetPalette.full.lands.flatMap(\.kinds) + roads.flatMap(\.kinds))

  private func road(isCasing: Bool) throws(PipelineError) -> LayerDraft {
    var draft = draft(
      .line, isCasing ? "-casing" : lineSuffix, "line", for: "LineString",
      isCasing ? "The edges of the roads, which lie below all of them." : "")
    draft.layout["line-cap"] = .string("round")
    draft.layout["line-join"] = .string("round")
    if isCasing { draft.minZoom = 10 }
    draft.paint["line-color"] =
      try isCasing ? .string(palette.casing) : roadColors()
    var widths: [PropertyValue] = [
      .string("interpolate"), .array([.string("exponential"), .number(1.5)]),
      .array([.string("zoom")]),
    ]
    for (index, zoom) in [6.0, 12, 18].enumerated() {
      widths += [.number(zoom), width(index, isCasing: isCasing)]
    }
    draft.paint["line-width"] = .array(widths)
    return draft
  }

  private func roadColors() throws(PipelineError) -> PropertyValue {
    guard let property = division else { return .string(palette.road) }
    return try value(
      #"["match", ["get", "\#(property)"], ["motorway", "highway", "trunk"], "\#(palette.motorway)", "#
        + #"["primary", "major_road", "main"], "\#(palette.mainRoad)", "#
        + #"["rail", "transit"], "\#(palette.rail)", "\#(palette.road)"]"#)
  }

  /// Returns the width at one of the zooms of ``roads``, by class if there is one.
  private func width(_ zoom: Int, isCasing: Bool) -> PropertyValue {
    func pixels(_ width: Double) -> PropertyValue {
      .number(isCasing && width > 0 ? width + (zoom == 2 ? 3 : 1) : width)
    }
    let minor = Self.roads[2].widths[zoom]
    guard let property = division else { return pixels(minor) }
    let cases = Self.roads.filter { road in road.kinds.contains(where: layer.classes.contains) }
      .flatMap { road in
        [PropertyValue.array(road.kinds.map(PropertyValue.string)), pixels(road.widths[zoom])]
      }
    guard !cases.isEmpty else { return pixels(minor) }
    return Self.match(property, cases, otherwise: pixels(Self.roads[3].widths[zoom]))
  }

  // MARK: Points

  private func circle() throws(PipelineError) -> LayerDraft {
    var draft = draft(.point, "", "circle", for: "Point", "")
    draft.paint["circle-color"] = .string(DraftPalette.hue(number).fill)
    draft.paint["circle-radius"] = try value(#"["interpolate", ["linear"], ["zoom"], 4, 2, 16, 6]"#)
    draft.paint["circle-stroke-color"] = .string("#ffffff")
    draft.paint["circle-stroke-width"] = .number(1)
    return draft
  }

  // MARK: Labels

  /// The text of a label: the first of its names that a feature has; `nil` for a layer without any.
  private var name: PropertyValue? {
    let wanted =
      role == .address
      ? ["housenumber", "addr_housenumber", "house_num"]
      : ["name:latin", "name_latin", "name_en", "name:en", "name", "NAME", "Name", "title"]
    let names = wanted.filter(layer.fields.contains).map { name in
      PropertyValue.array([.string("get"), .string(name)])
    }
    return names.count > 1 ? .array([.string("coalesce")] + names) : names.first
  }

  /// Properties of which the least value means the most important place.
  private static let ranks = ["rank", "symbolrank", "sort_key", "scalerank"]

  private func label() throws(PipelineError) -> Placed? {
    let role: TilesetRole =
      switch role {
      case .name, .place, .poi, .address, .peak: role
      case .waterway, .road, .water: .name
      case .point: .poi
      default: .land
      }
    // What is large and without a point is named by a layer of its own.
    guard role != .land, let name else { return nil }
    let isOnLines = layer.hasLines && (!layer.hasPoints || self.role == .water)
    guard isOnLines || layer.hasPoints else { return nil }
    var draft = draft(
      .label, isFilled || layer.hasLines && !isNamedByItself ? "-labels" : "", "symbol",
      for: isOnLines ? "LineString" : "Point", "")
    draft.layout["text-field"] = name
    draft.layout["text-size"] = try textSize(role)
    if isOnLines { draft.layout["symbol-placement"] = .string("line") }
    if role == .place {
      draft.layout["text-max-width"] = .number(8)
      if let key = Self.ranks.first(where: layer.fields.contains) {
        draft.layout["symbol-sort-key"] = .array([.string("get"), .string(key)])
      }
    }
    if self.role == .poi { draft.minZoom = 15 }
    if role == .address { draft.minZoom = 17 }
    if role == .name { draft.minZoom = isWater ? 8 : 12 }
    draft.paint["text-color"] = .string(
      isWater ? palette.waterName : role == .place ? palette.placeName : palette.name)
    draft.paint["text-halo-color"] = .string(palette.halo)
    draft.paint["text-halo-width"] = .number(1.2)
    return Placed(role: role, draft: draft)
  }

  /// Whether the layer has nothing but labels.
  private var isNamedByItself: Bool {
    switch role {
    case .name, .place, .poi, .address, .peak: true
    default: false
    }
  }

  private var isWater: Bool {
    role == .water || role == .waterway
      || ["water", "marine", "ocean"].contains(where: layer.name.lowercased().contains)
  }

  private func textSize(_ role: TilesetRole) throws(PipelineError) -> PropertyValue {
    guard role == .place, let property = division else {
      return .number(role == .address ? 10 : role == .place ? 13 : 11)
    }
    return try value(
      #"["interpolate", ["linear"], ["zoom"], 4, ["match", ["get", "\#(property)"], "#
        + #"["country", "city", "capital"], 12, 10], 12, ["match", ["get", "\#(property)"], "#
        + #"["country", "city", "capital"], 20, ["town"], 15, 12]]"#)
  }
}
