/// The part that a layer of vector tiles has in a map, by its name in the schemas of OpenMapTiles,
/// Shortbread, Protomaps and Mapbox Streets, or by a word in its name; in the order in which they are
/// drawn, the lowest first.
enum TilesetRole: Int, Comparable {
  case land, landcover, landuse, area, park, ice, water, waterway, aeroway, building, road, boundary
  case line, point, address, peak, poi, name, place

  static func < (left: TilesetRole, right: TilesetRole) -> Bool { left.rawValue < right.rawValue }

  private static let names: [String: TilesetRole] = [
    // Names of several schemas.
    "landcover": .landcover, "landuse": .landuse, "water": .water, "waterway": .waterway,
    "building": .building, "aeroway": .aeroway, "boundary": .boundary, "place": .place, "poi": .poi,
    // OpenMapTiles
    "park": .park, "transportation": .road, "water_name": .name, "transportation_name": .name,
    "mountain_peak": .peak, "housenumber": .address, "aerodrome_label": .poi,
    // Shortbread
    "ocean": .water, "water_polygons": .water, "water_lines": .waterway, "land": .landuse,
    "sites": .landuse, "buildings": .building, "streets": .road, "street_polygons": .road,
    "bridges": .landuse, "boundaries": .boundary, "addresses": .address, "pois": .poi,
    "place_labels": .place, "boundary_labels": .place, "street_labels": .name,
    "street_labels_points": .name, "water_polygons_labels": .name, "water_lines_labels": .name,
    "public_transport": .poi, "dam_lines": .line, "pier_lines": .line, "ferries": .line,
    // Protomaps
    "earth": .land, "roads": .road, "places": .place, "natural": .landcover,
    // Mapbox Streets
    "road": .road, "bridge": .road, "tunnel": .road, "admin": .boundary, "landuse_overlay": .park,
    "country_label": .place, "state_label": .place, "marine_label": .name, "water_label": .name,
    "waterway_label": .name, "road_label": .name, "poi_label": .poi, "housenum_label": .address,
    "airport_label": .poi, "place_label": .place, "natural_label": .name,
    "mountain_peak_label": .peak,
  ]

  /// Words in the names of other layers, the most telling first.
  private static let words: [(String, TilesetRole)] = [
    ("waterway", .waterway), ("river", .waterway), ("stream", .waterway), ("canal", .waterway),
    ("ocean", .water), ("lake", .water), ("water", .water), ("building", .building),
    ("boundar", .boundary), ("border", .boundary), ("admin", .boundary), ("countr", .boundary),
    ("road", .road), ("street", .road), ("highway", .road), ("transport", .road), ("rail", .road),
    ("glacier", .ice), ("ice", .ice), ("landcover", .landcover), ("forest", .park),
    ("wood", .park), ("park", .park), ("landuse", .landuse), ("land", .land), ("peak", .peak),
    ("cities", .place), ("towns", .place), ("place", .place), ("centroid", .place), ("poi", .poi),
  ]

  /// Whether a name is that of a layer in a known schema.
  static func isKnown(_ name: String) -> Bool { names[name.lowercased()] != nil }

  /// Returns the geometries that a layer of a known name may have; none of another one.
  static func geometries(of layer: String) -> (points: Bool, lines: Bool, areas: Bool) {
    switch names[layer.lowercased()] {
    case .land, .landcover, .landuse, .park, .ice, .building: (false, false, true)
    case .water, .aeroway: (true, true, true)
    case .waterway, .road, .boundary: (false, true, false)
    case .place, .poi, .peak, .address: (true, false, false)
    case .name where ["transportation_name", "street_labels"].contains(layer): (false, true, false)
    case .name: (true, false, false)
    default: (false, false, false)
    }
  }

  /// Whether a layer shows the form of the land, of which areas lie over one another.
  static func isRelief(_ name: String) -> Bool {
    ["contour", "hillshad", "relief", "shad", "isoline", "bathy"]
      .contains(where: name.lowercased().contains)
  }

  /// - Parameter layer: a layer with what is known of it.
  init(_ layer: TilesetSurvey.Layer) {
    let name = layer.name.lowercased()
    let isNamed = name.contains("label") || name.contains("name")
    let word = Self.words.first { name.contains($0.0) }?.1
    let plain: TilesetRole = layer.hasAreas ? .area : layer.hasLines ? .line : .point
    var role = Self.names[name] ?? (isNamed ? .name : word ?? plain)
    // A word tells little of a layer of another dimension.
    if Self.names[name] == nil {
      switch role {
      case .water, .building, .park, .ice, .land, .landcover, .landuse:
        if !layer.hasAreas { role = plain }
      case .waterway, .road: if !layer.hasLines { role = plain }
      case .boundary: if !layer.hasLines, !layer.hasAreas { role = plain }
      case .place, .poi, .peak: if !layer.hasPoints { role = plain }
      default: break
      }
    }
    self = role
  }
}
