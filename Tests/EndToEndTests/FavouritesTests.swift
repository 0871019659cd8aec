import Foundation
import QuadrilleClient
import TestSupport
import Testing
import VectorTileSamples
import VectorTiles

/// Favourites that an app keeps by key, over twenty generations of an archive: rows with an id, rows
/// without one, and vector tiles, in both forms of taps, at three depths, with packs and without.
@Suite("Favourites kept by key")
struct FavouritesTests {
  private static let favourites = 0..<10
  private static let sources = ["known", "plain", "tiled"]

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let boxes = [("West", -170, 0), ("East", 0, 170)].map { name, west, east in
      "{\"type\": \"Feature\", \"properties\": {\"name\": \"\(name)\"}, \"geometry\": {\"type\": "
        + "\"Polygon\", \"coordinates\": [[[\(west), -60], [\(east), -60], [\(east), 60], "
        + "[\(west), 60], [\(west), -60]]]}}"
    }
    try folder.write(
      "{\"type\": \"FeatureCollection\", \"features\": [\(boxes.joined(separator: ", "))]}",
      to: "regions.geojson")
  }

  /// The places of towns: in each generation one comes, one goes, and some move; favourites move only
  /// where their key comes from an id.
  private func towns(_ generation: Int, _ source: String) -> [(number: Int, place: MapCoordinate)] {
    // One beside the other, so that none hides another in the grids.
    let aside = 1.5 * Double(Self.sources.firstIndex(of: source) ?? 0)
    return (0..<40 + generation).filter { Self.favourites.contains($0) || $0 >= 10 + generation }
      .map {
        number in
        let moves = source != "plain" || !Self.favourites.contains(number)
        let steps =
          moves && generation > 0
          ? (1...generation).count { $0 % 10 == number % 10 } : 0
        func share(_ ratio: Double) -> Double {
          (Double(number) * ratio).truncatingRemainder(dividingBy: 1)
        }
        return (
          number,
          MapCoordinate(
            longitude: -150 + 300 * share(0.618) + 0.7 * Double(steps) + aside,
            latitude: -50 + 100 * share(0.414) - 0.4 * Double(steps))
        )
      }
  }

  private func write(_ generation: Int) throws {
    for source in ["known", "plain"] {
      let rows = towns(generation, source).map { number, place in
        (source == "known" ? "\(number)," : "")
          + "\(source) \(number),\(place.longitude),\(place.latitude)"
      }
      let head = (source == "known" ? "id," : "") + "name,lng,lat"
      try folder.write(([head] + rows).joined(separator: "\n") + "\n", to: "\(source).csv")
    }
    let described =
      "{\"tilejson\": \"3.0.0\", \"tiles\": [\"{z}/{x}/{y}.pbf\"], \"minzoom\": 0, \"maxzoom\": 2, "
      + "\"vector_layers\": [{\"id\": \"towns\", \"fields\": {\"name\": \"String\"}}]}"
    let tiled = folder.url.appendingPathComponent("tiled")
    try? FileManager.default.removeItem(at: tiled)
    try FileManager.default.createDirectory(at: tiled, withIntermediateDirectories: true)
    try folder.write(described, to: "tiled/tile.json")
    for zoom in 0...2 {
      var tiles: [TileAddress: [TileSample.Feature]] = [:]
      for (number, place) in towns(generation, "tiled") {
        guard let (tile, x, y) = place.tile(zoom: zoom) else { continue }
        tiles[tile, default: []].append(
          TileSample.Feature(
            .point, [[(Int(x * 4096), Int(y * 4096))]], id: UInt64(number),
            [("name", .string("tiled \(number)"))]))
      }
      for (tile, features) in tiles {
        let url = tiled.appendingPathComponent("\(zoom)/\(tile.column)/\(tile.row).pbf")
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(TileSample.tile([TileSample.Layer("towns", features)])).write(to: url)
      }
    }
  }

  private func build(_ generation: Int) throws {
    let packs = generation % 3 == 0 ? ", packs: {by: regions.geojson, shared: {maxzoom: 2}}" : ""
    try folder.write(
      """
      version: 1
      sources:
        known: {type: csv, data: known.csv, x: lng, y: lat, id: id}
        plain: {type: csv, data: plain.csv, x: lng, y: lat}
        tiled: {type: vector, data: tiled}
      layers:
      - {id: known, type: circle, source: known}
      - {id: plain, type: circle, source: plain}
      - {id: tiled, type: circle, source: tiled, source-layer: towns}
      tiles: {maxzoom: \(3 + generation % 3), interactivity: {format: \
      \(generation % 2 == 0 ? "compact" : "utfgrid"), fields: [name]}}
      output: {path: out.mbtiles\(packs)}
      """, to: "map.yml")
    let outcome = try Program.run("build", "-q", "map.yml", in: folder)
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("they survive records that come, go and move, other zooms, packs and forms of taps")
  func survive() async throws {
    var kept: [String: String] = [:]
    let world = MapBox(west: -180, south: -85, east: 180, north: 85)
    for generation in 0...20 {
      try write(generation)
      try build(generation)
      let archive = try MapArchive(url: folder.url.appendingPathComponent("out.mbtiles"))
      let list = folder.url.appendingPathComponent("out.packs.json")
      let packs =
        generation % 3 == 0
        ? try PackSet(list: list, address: list, trusting: []) : nil
      for zoom in 0...archive.info.maxZoom where archive.info.taps == .compact {
        var shown = try await archive.entries(in: world, zoom: zoom, limit: 10_000)
        shown += try await packs?.entries(in: world, zoom: zoom, limit: 10_000) ?? []
        for entry in shown {
          let name = entry.tap.fields["name"]?.string ?? ""
          guard let number = Int(name.split(separator: " ").last ?? ""),
            Self.favourites.contains(number)
          else { continue }
          let key = kept[name, default: entry.key]
          #expect(entry.key == key, "\(generation), zoom \(zoom): \(name)")
          kept[name] = key
        }
      }
      #expect(kept.count == Self.favourites.count * Self.sources.count)
      #expect(Set(kept.values).count == kept.count)
      for (name, key) in kept {
        #expect(try await archive.tap(forKey: key)?.fields["name"]?.string == name)
        guard let packs else { continue }
        #expect(try await packs.tap(forKey: key)?.fields["name"]?.string == name)
      }
    }
  }
}
