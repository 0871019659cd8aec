import Features
import Ingest
import OrderedCollections
import TestSupport
import Testing

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Runs

@Suite("Clusters as areas, and their classes")
struct CellAreasBuildTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    var random = SplitMix64(seed: 11)
    let rows = (0..<300).map { row in
      "\(random.number(in: -179..<179)),\(random.number(in: -80..<80)),\(row % 7),k\(row % 5)\n"
    }
    try folder.write("lng,lat,n,t\n" + rows.joined(), to: "t.csv")
  }

  private func definition(_ keys: String, data: String = "type: csv, data: t.csv") throws
    -> PipelineDefinition
  {
    let file = try folder.write(
      """
      version: 1
      sources:
        p: {\(data), cluster: true, \(keys)}
      layers:
        - {id: c, type: fill, source: p, paint: {fill-color: [match, [get, class], 0, white, red]}}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The clusters of a zoom as features of GeoJSON.
  private func clusters(_ keys: String, zoom: Int) throws -> [OrderedDictionary<
    String, PropertyValue
  >] {
    var query = QueryOptions()
    query.clusterZoom = zoom
    var bytes: [UInt8] = []
    _ = try PipelineRunner.query(
      definition(keys), query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }, write: { bytes.append(contentsOf: $0) })
    guard case .object(let collection) = try JSONValueParser.parse(bytes),
      case .array(let features)? = collection["features"]
    else { return [] }
    return features.compactMap { if case .object(let feature) = $0 { feature } else { nil } }
  }

  private func properties(_ feature: OrderedDictionary<String, PropertyValue>)
    -> OrderedDictionary<String, PropertyValue>
  {
    if case .object(let members)? = feature["properties"] { members } else { [:] }
  }

  @Test(
    "cells are polygons whose counts add up to the points, with classes from 0",
    arguments: ["hexagon", "square"])
  func query(method: String) throws {
    for zoom in [0, 2, 3] {
      let cells = try clusters(
        "clusterMethod: \(method), clusterCellSize: 20, classes: {n: 3}, "
          + "clusterProperties: {first: [mode, [get, t]]}", zoom: zoom)
      let own = cells.map(properties)
      #expect(own.reduce(0) { $0 + ($1["point_count"]?.double ?? 0) } == 300)
      // Fewer different counts are fewer classes.
      let counts = Set(own.compactMap { $0["point_count"]?.double })
      let classes = Set(own.compactMap { $0["class"]?.double })
      #expect(classes == Set((0..<min(counts.count, 3)).map(Double.init)) && counts.count > 1)
      #expect(own.allSatisfy { if case .string? = $0["first"] { true } else { false } })
      for cell in cells {
        guard case .object(let geometry)? = cell["geometry"] else {
          Issue.record("a cell has no geometry")
          continue
        }
        #expect(geometry["type"] == .string("Polygon"))
      }
    }
  }

  @Test("the archive's metadata have the bounds of the classes of each zoom, as its legend has")
  func metadata() throws {
    _ = try PipelineRunner.build(
      definition("clusterMethod: hexagon, classes: {method: quantile, n: 2}"),
      options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let legend = String(decoding: try folder.bytes("out.legend.json"), as: UTF8.self)
    guard case .object(let members) = try JSONValueParser.parse(Array(legend.utf8)),
      case .object(let classes)? = members["classes"], case .object(let source)? = classes["p"],
      case .array(let zooms)? = source["zooms"]
    else {
      Issue.record("no classes in \(legend)")
      return
    }
    #expect(source["method"] == .string("quantile") && zooms.count == 4)
    #expect(legend.contains(" – "))
  }

  @Test(
    "contradictory keys are refused",
    arguments: [
      ("clusterMethod: hexagon, clusterMinPoints: 3", "clusterMinPoints"),
      ("clusterMethod: square, clusterRadius: 3", "clusterRadius"),
      ("clusterMethod: grid, clusterCellMeters: 3000", "clusterCellMeters"),
      ("clusterMethod: hexagon, clusterCellMeters: 3000, clusterCellSize: 30", "Keep one"),
      ("classes: {property: rooms}", "rooms: [max, [get, rooms]]"),
      ("classes: {}, clusterProperties: {class: [max, [get, n]]}", "'class'"),
      ("clusterProperties: {a: [quantile, [get, n]]}", "fraction"),
      ("clusterProperties: {a: [first, [get, n]]}", "orderBy"),
      ("clusterProperties: {a: [max, [get, n], {limit: 3}]}", "no options"),
      ("clusterProperties: {a: [mode, [get, n], {limit: 3}]}", "limit"),
    ])
  func refused(keys: String, words: String) throws {
    #expect {
      _ = try PipelineRunner.build(
        definition(keys), options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test("areas beside cells are refused")
  func shapes() throws {
    try folder.write(
      #"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[9,9]]}}"#
        + "\n", to: "t.geojsonl")
    #expect {
      _ = try PipelineRunner.build(
        definition("clusterMethod: hexagon", data: "type: geojsonseq, data: t.geojsonl"),
        options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    } throws: {
      "\($0)".contains("source of their own")
    }
  }
}
