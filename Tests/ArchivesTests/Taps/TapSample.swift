import Clustering
import Features
import Foundation
import MBTiles
import PipelineSamples
import Raster
import SourceStages
import SystemPackage
import TestSupport
import Tiling

@testable import Reuse
@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

/// Clusters with rings and counts, squares and a road, all over the antimeridian.
struct TapSample {
  static let ring = (cluster: 16.0, point: 5.0, stroke: 2.0)
  static let roadWidth = 3.0
  static let squareSide = 0.3
  static let zooms = 0...7
  static let clusterMaxZoom = 5

  let folder: TemporaryFolder
  let file: String
  let points: Int

  init(points: Int = 400, layout: String = "", format: TapFormat = .utfgrid) throws {
    self.points = points
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 21)
    let lines = (0..<points).map { row in
      let east = 179.5 + random.number(in: -3..<3) * random.number(in: 0..<1)
      let north = 10 + random.number(in: -3..<3) * random.number(in: 0..<1)
      return
        "k\(row),\(east > 180 ? east - 360 : east),\(north),\"Inn \"\"\(row)\"\" <b>\",\(row % 9)"
    }
    try folder.write("id,lng,lat,name,rooms\n" + lines.joined(separator: "\n"), to: "inns.csv")
    let squares = Self.squares.map { square in
      let ring = square.ring.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
      return #"{"type":"Feature","id":"\#(square.id)","properties":{"n":1},"geometry":"#
        + #"{"type":"Polygon","coordinates":[[\#(ring)]]}}"#
    }
    let road = Self.road.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
    let line =
      #"{"type":"Feature","id":"road","properties":{},"geometry":{"type":"LineString","coordinates":[\#(road)]}}"#
    try folder.write(
      #"{"type":"FeatureCollection","features":[\#((squares + [line]).joined(separator: ","))]}"#,
      to: "land.geojson")
    file = try folder.write(
      """
      version: 1
      name: taps
      sources:
        inns: {type: csv, data: inns.csv, x: lng, y: lat, id: id, cluster: true, clusterMaxZoom: \(Self.clusterMaxZoom), clusterProperties: {rooms: ["+", [get, rooms]]}}
        land: {type: geojson, data: land.geojson}
      layers:
        - {id: area, type: fill, source: land, filter: ["==", [geometry-type], Polygon], paint: {fill-color: "#8c8"}}
        - {id: road, type: line, source: land, filter: ["==", [geometry-type], LineString], paint: {line-width: \(Self.roadWidth)}}
        - {id: ring, type: circle, source: inns, paint: {circle-radius: [case, [has, point_count], \(Self.ring.cluster), \(Self.ring.point)], circle-stroke-width: \(Self.ring.stroke)}}
        - {id: count, type: symbol, source: inns, filter: [has, point_count], layout: {text-field: [get, point_count_abbreviated], text-font: [DejaVu Sans], text-allow-overlap: true}, paint: {text-color: white}}
      tiles: {minzoom: \(Self.zooms.lowerBound), maxzoom: \(Self.zooms.upperBound), interactivity: {fields: [name, rooms, n], format: \(format)}}
      output: {path: out.mbtiles\(layout)}
      """, to: "taps.yml")
  }

  /// Squares that share edges, in the order of the file.
  static var squares: [(id: String, ring: [LngLat])] {
    (0..<40).map { number in
      let west = 178.3 + Double(number % 8) * squareSide
      let south = 9 + Double(number / 8) * squareSide
      let corners = [(0.0, 0.0), (1, 0), (1, 1), (0, 1), (0, 0)]
      return (
        "square \(number)",
        corners.map {
          LngLat(longitude: west + $0.0 * squareSide, latitude: south + $0.1 * squareSide)
        }
      )
    }
  }

  static let road = [(177.0, 8.0), (181, 12), (182, 9)].map {
    LngLat(longitude: $0.0, latitude: $0.1)
  }

  var archive: String { folder.path("out.mbtiles") }

  func definition() throws -> PipelineDefinition {
    try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  @discardableResult
  func build(_ options: BuildOptions = BuildOptions()) throws -> [BuildReport] {
    try PipelineRunner.build(
      definition(), options: options, cancellation: Cancellation(), progress: { _ in })
  }

  /// The sources as a build has them.
  func clustered() throws -> [ClusteredSource] {
    let definition = try definition()
    let build = try definition.build()
    return try build.reading.clustered(build.context.clock)
  }
}
