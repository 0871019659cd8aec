import Foundation
import QuadrilleKit
import TestSupport

/// A pipeline of three hotels in a folder of its own.
struct KitSample {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The features of ``sequence``.
  static let features = [
    MapFeature(
      id: "alpha", geometry: .point(MapPosition(longitude: -20.5, latitude: 47.4)),
      properties: ["name": "Alpha \"1\"", "rooms": 10, "open": true]),
    MapFeature(
      id: 7, geometry: .point(MapPosition(longitude: 8.6, latitude: 47.3)),
      properties: ["name": "Beta", "rooms": 20.5, "open": nil]),
    MapFeature(geometry: nil, properties: ["name": "Nowhere"]),
  ]

  /// The records of ``features`` as another program would write them.
  static let sequence = #"""
    {"type": "Feature", "id": "alpha", "properties": {"name": "Alpha \"1\"", "open": true, "rooms": 10}, "geometry": {"type": "Point", "coordinates": [-20.5, 47.4]}}
    {"type": "Feature", "id": 7, "properties": {"name": "Beta", "open": null, "rooms": 20.5}, "geometry": {"type": "Point", "coordinates": [8.6, 47.3]}}
    {"type": "Feature", "properties": {"name": "Nowhere"}, "geometry": null}

    """#

  /// - Parameters:
  ///   - source: the keys of the source.
  ///   - answersTaps: whether the archive has taps, which PMTiles files do not hold.
  static func text(
    _ source: String = "type: csv, data: none.csv, delimiter: ';'", answersTaps: Bool = true
  ) -> String {
    """
    version: 1
    name: hotels
    sources: {hotels: {\(source)}}
    layers:
      - {id: disc, type: circle, source: hotels, paint: {circle-radius: ["/", [get, rooms], 2]}}
    tiles: {maxzoom: 3\(answersTaps ? ", interactivity: {fields: [name, rooms, open]}" : "")}
    output: {path: hotels.mbtiles}
    """
  }

  /// A pipeline of the records of ``sequence``, written to a file.
  func sequencePipeline() throws -> TilePipeline {
    try folder.write(Self.sequence, to: "hotels.geojsonl")
    return try pipeline(Self.text("type: geojsonseq, data: hotels.geojsonl"))
  }

  func pipeline(_ text: String = text()) throws(QuadrilleError) -> TilePipeline {
    try TilePipeline(text: text, file: folder.url.appending(path: "hotels.yml"))
  }
}
