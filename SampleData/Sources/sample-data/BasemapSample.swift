import Foundation

/// A base map of North America as vector tiles of zoom 0 to 6: land, lakes, rivers, borders, highways
/// and cities.
struct BasemapSample {
  static let zooms = 0...6

  /// West, south, east and north of what is drawn, in degrees.
  static let bounds = SIMD4(-140.0, 12, -50, 62)

  /// The layers from bottom to top.
  private let layers: [(name: String, fields: String, features: [WorldFeature])]

  init() {
    layers = [
      ("earth", "", [Self.area(NorthAmerica.land)]),
      ("water", "", [Self.area(NorthAmerica.lakes)]),
      (
        "rivers", #""name":"String""#,
        NorthAmerica.rivers.map { Self.line($0.line, [("name", .text($0.name))], from: 3) }
      ),
      (
        "boundaries", #""kind":"String""#,
        NorthAmerica.stateBorders.map { Self.line($0, [("kind", .text("state"))], from: 3) }
          + NorthAmerica.borders.map { Self.line($0, [("kind", .text("country"))], from: 1) }
      ),
      ("roads", #""kind":"String""#, Self.roads()),
      ("places", #""name":"String","population":"Number""#, Self.places()),
    ]
  }

  /// The archive.
  func bytes() -> [UInt8] {
    let described = layers.map {
      #"{"id":"\#($0.name)","fields":{\#($0.fields)},"minzoom":0,"maxzoom":6}"#
    }
    var pack = TilePack(
      metadata: #"{"name":"North America","attribution":"Generated sample data","#
        + #""vector_layers":[\#(described.joined(separator: ","))]}"#)
    for zoom in Self.zooms {
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) {
          let bytes = tile(TileCutter(zoom: zoom, x: x, y: y))
          if !bytes.isEmpty { pack.append(bytes, zoom: zoom, x: x, y: y) }
        }
      }
    }
    return pack.bytes(zooms: Self.zooms, bounds: Self.bounds)
  }

  private func tile(_ cutter: TileCutter) -> [UInt8] {
    var encoder = VectorTileEncoder()
    for layer in layers {
      let shown = layer.features.filter { $0.minZoom <= cutter.zoom }
      encoder.append(layer: layer.name, shown.compactMap(cutter.cut))
    }
    return encoder.bytes
  }

  // MARK: Features

  private static func area(_ rings: [[(Double, Double)]]) -> WorldFeature {
    WorldFeature(kind: .polygon, parts: rings.map { $0.map(world) }, properties: [])
  }

  private static func line(
    _ line: [(Double, Double)], _ properties: [(String, WorldFeature.Value)], from zoom: Int
  ) -> WorldFeature {
    WorldFeature(kind: .line, parts: [line.map(world)], properties: properties, minZoom: zoom)
  }

  /// The interstates, rounded from city to city; each leg is one feature, and is drawn once.
  private static func roads() -> [WorldFeature] {
    let cities = Dictionary(UnitedStates.cities.map { ($0.name, $0) }) { first, _ in first }
    return UnitedStates.highways.map { chain in
      let corners = chain.compactMap { cities[$0] }.map { ($0.longitude, $0.latitude) }
      return line(Coast.smooth(corners, steps: 8), [("kind", .text("motorway"))], from: 4)
    }
  }

  /// The cities, the largest first; small ones from higher zooms.
  private static func places() -> [WorldFeature] {
    UnitedStates.cities.sorted { $0.thousands > $1.thousands }.map { city in
      let zoom = city.thousands > 800 ? 2 : city.thousands > 350 ? 3 : city.thousands > 120 ? 4 : 5
      return WorldFeature(
        kind: .point, parts: [[world((city.longitude, city.latitude))]],
        properties: [
          ("name", .text(city.name)), ("population", .number(Int(city.thousands * 1_000))),
        ], minZoom: zoom)
    }
  }

  /// The place in the square of spherical Mercator.
  private static func world(_ place: (Double, Double)) -> SIMD2<Double> {
    let sine = sin(place.1 * .pi / 180)
    return SIMD2(place.0 / 360 + 0.5, 0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi))
  }
}
