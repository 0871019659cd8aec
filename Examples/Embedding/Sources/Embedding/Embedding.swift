import Foundation
import QuadrilleKit

/// Bakes a CSV file of four towns in a temporary folder, and reads a tile and a tap of the archive.
@main
struct Embedding {
  static let towns = """
    name,lng,lat,people
    Bern,7.447,46.948,134000
    Lyon,4.836,45.764,522000
    Torino,7.687,45.070,848000
    Genève,6.143,46.204,203000
    """

  static let pipeline = """
    version: 1
    name: towns
    sources: {towns: {type: csv, data: towns.csv, id: name}}
    layers:
      - {id: town, type: circle, source: towns, paint: {circle-radius: 6, circle-color: "#c2410c"}}
      - {id: name, type: symbol, source: towns,
         layout: {text-field: [get, name], text-font: [DejaVu Sans], text-anchor: left, text-offset: [0.7, 0]}}
    tiles: {maxzoom: 8, interactivity: {layers: [town], fields: [name, people]}}
    output: {path: towns.mbtiles}
    """

  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("embedding-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try towns.write(
      to: folder.appendingPathComponent("towns.csv"), atomically: true, encoding: .utf8)
    do {
      try await bake(in: folder.path)
    } catch let error as QuadrilleError {
      // Such as: towns.yml:3:12: …; what to do about it is in the sentence.
      print("error: \(error)")
      exit(1)
    }
  }

  static func bake(in folder: String) async throws {
    let map = try TilePipeline(text: pipeline, file: "\(folder)/towns.yml")
    if let failure = try await map.check().failure { throw failure }

    let results = try await map.build { progress in
      if case .ended(let stage, let seconds) = progress {
        print("\(stage): \(String(format: "%.3f", seconds)) s")
      }
    }
    for result in results {
      let tiles = result.zooms.reduce(0) { $0 + $1.tiles }
      print("\(result.name) \(result.outcome.rawValue): \(tiles) tiles, \(result.bytes) bytes")
    }

    let archive = try TileArchive(map.archives[0])
    let tile = try archive.tile(zoom: 6, column: 33, row: 22)
    print("tile 6/33/22: a PNG of \(tile?.count ?? 0) bytes")
    let tap = try archive.tap(longitude: 7.447, latitude: 46.948, zoom: 6)
    print("tap: \(tap?.json ?? "nothing")")
  }
}
