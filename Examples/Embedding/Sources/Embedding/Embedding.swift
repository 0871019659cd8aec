import Foundation
import QuadrilleKit

/// Bakes four towns from memory into a temporary folder, reads a tile and a tap of the archive, and
/// draws a part of the map.
@main
struct Embedding {
  /// A town of the program's own data.
  struct Town {
    let name: String
    let longitude: Double
    let latitude: Double
    let people: Int
  }

  static let towns = [
    Town(name: "Bern", longitude: 7.447, latitude: 46.948, people: 134_000),
    Town(name: "Lyon", longitude: 4.836, latitude: 45.764, people: 522_000),
    Town(name: "Torino", longitude: 7.687, latitude: 45.070, people: 848_000),
    Town(name: "Genève", longitude: 6.143, latitude: 46.204, people: 203_000),
  ]

  static let pipeline = """
    version: 1
    name: towns
    sources: {towns: {type: geojsonseq, data: towns.geojsonl, id: name}}
    layers:
      - {id: town, type: circle, source: towns, paint: {circle-radius: 6, circle-color: "#c2410c"}}
      - {id: name, type: symbol, source: towns,
         layout: {text-field: [get, name], text-font: [DejaVu Sans], text-anchor: left, text-offset: [0.7, 0]}}
    tiles: {maxzoom: 8, interactivity: {layers: [town], fields: [name, people]}}
    output: {path: towns.mbtiles}
    """

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "embedding-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try await bake(in: folder)
    } catch let error as QuadrilleError {
      // Such as: towns.yml:3:12: …; what to do about it is in the sentence.
      print("error: \(error)")
      exit(1)
    }
  }

  static func bake(in folder: URL) async throws {
    let features = towns.lazy.map { town in
      MapFeature(
        geometry: .point(MapPosition(longitude: town.longitude, latitude: town.latitude)),
        properties: ["name": .string(town.name), "people": .integer(town.people)])
    }
    let map = try TilePipeline(text: pipeline, file: folder.appending(path: "towns.yml"))
      .replacingSource("towns", with: features)
    if let failure = try await map.check().failure { throw failure }

    let run = map.building()
    for await progress in run.progress {
      if case .ended(let stage, let seconds) = progress {
        print("\(stage): \(String(format: "%.3f", seconds)) s")
      }
    }
    for result in try await run.results {
      let tiles = result.zooms.reduce(0) { $0 + $1.tiles }
      print("\(result.name) \(result.outcome.rawValue): \(tiles) tiles, \(result.bytes) bytes")
    }

    let archive = try TileArchive(url: map.archives[0])
    let tile = try archive.tile(zoom: 6, column: 33, row: 22)
    print("tile 6/33/22: a PNG of \(tile?.count ?? 0) bytes")
    let tap = try archive.tap(longitude: 7.447, latitude: 46.948, zoom: 6)
    print("tap: \(tap?.json ?? "nothing")")

    let picture = try await map.render(.box(west: 4, south: 44.5, east: 8.5, north: 47.5), scale: 2)
    print("picture: \(picture.width) x \(picture.height) px, \(picture.pngData().count) bytes")
  }
}
