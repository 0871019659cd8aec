/// The colours of a map that is drawn from vector tiles.
package struct TilesetPalette: Sendable {
  var land: String
  var water: String
  var park: String
  var ice: String
  var aeroway: String
  var runway: String

  /// Areas of roads, and roads of no higher class.
  var road: String
  var motorway: String
  var mainRoad: String
  var rail: String
  var casing: String
  var building: String
  var buildingEdge: String
  var boundary: String

  /// Areas of layers whose names say nothing, where others are a map.
  var backdrop: String

  /// Kinds of land, and land of any other kind, and of layers that are not divided into kinds.
  var lands: [(color: String, kinds: [String])]
  var otherLand: String
  var anyLand: String
  var waterName: String
  var placeName: String
  var name: String
  var halo: String

  /// Whether data lie over the map, so that shops, house numbers and what layers of unknown names
  /// hold are left out.
  var isQuiet = false

  /// Kinds of land that look alike.
  private static let kinds = [
    ["wood", "forest", "scrub"],
    ["grass", "grassland", "meadow", "park", "garden", "golf_course", "recreation_ground"],
    ["farmland", "crop", "agriculture", "orchard", "vineyard"],
    ["sand", "beach", "barren", "rock"],
    ["ice", "glacier"],
    ["residential", "urban_area", "suburb", "neighbourhood"],
    ["commercial", "retail", "industrial", "railway"],
    ["school", "university", "college", "hospital"],
    ["cemetery"],
  ]

  private static func lands(_ colors: String...) -> [(color: String, kinds: [String])] {
    zip(colors, kinds).map { ($0, $1) }
  }

  /// A map of its own.
  static let full = TilesetPalette(
    land: "#f4f1ea", water: "#a9cfe3", park: "#cfe5bd", ice: "#f3f8fa", aeroway: "#e6e3e8",
    runway: "#dcd8df", road: "#ffffff", motorway: "#f6c98a", mainRoad: "#fbe5a9", rail: "#b9b2ab",
    casing: "#cfc8bf", building: "#dcd5cd", buildingEdge: "#c9c2ba", boundary: "#a89bb0",
    backdrop: "#8c8170",
    lands: lands(
      "#c3dcb0", "#d9e8c4", "#e9ebcb", "#f1e9c9", "#f3f8fa", "#ece7e1", "#eadfe6", "#efe6d8",
      "#d7e3cd"),
    otherLand: "#ebeade", anyLand: "#e6ecd8", waterName: "#4c7f9e", placeName: "#333333",
    name: "#6b6258", halo: "rgba(255,255,255,0.85)")

  /// Ground under data in the light theme of the preview, whose land and water have these colours.
  package static let light = TilesetPalette(
    land: "#f6f4ee", water: "#d5e2e9", park: "#e6ecdd", ice: "#fbfcfc", aeroway: "#eeece8",
    runway: "#e2dfda", road: "#ffffff", motorway: "#e3d9c6", mainRoad: "#ece5d8", rail: "#d9d5cd",
    casing: "#dcd6cb", building: "#e9e5dd", buildingEdge: "#dcd7cd", boundary: "#b9ae9a",
    backdrop: "#8c8170",
    lands: lands(
      "#e4eadb", "#eaefe1", "#f3f1e4", "#f5f0e0", "#fbfcfc", "#f1eee7", "#efece8", "#f1ece2",
      "#e7ebdf"),
    otherLand: "#f2f0e8", anyLand: "#eff0e6", waterName: "#64869a", placeName: "#4d5962",
    name: "#6f6a60", halo: "rgba(250,249,245,0.9)", isQuiet: true)

  /// The same in the dark theme.
  package static let dark = TilesetPalette(
    land: "#2a3138", water: "#141b21", park: "#2b3733", ice: "#39424a", aeroway: "#30373e",
    runway: "#3b434b", road: "#3b444c", motorway: "#566069", mainRoad: "#49535c", rail: "#454d55",
    casing: "#22282e", building: "#333b43", buildingEdge: "#3c454e", boundary: "#6a727a",
    backdrop: "#a8b4be",
    lands: lands(
      "#2a3632", "#2c3734", "#2e3535", "#333634", "#39424a", "#2e353c", "#30363e", "#32373c",
      "#2b3532"),
    otherLand: "#2d343a", anyLand: "#2c3437", waterName: "#6d8ba0", placeName: "#b4bec6",
    name: "#98a3ac", halo: "rgba(30,36,42,0.9)", isQuiet: true)
}
