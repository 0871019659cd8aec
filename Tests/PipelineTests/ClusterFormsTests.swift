import Baking
import Features
import Ingest
import MBTiles
import OrderedCollections
import Reports
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import ReportPages
@testable import Runs

/// A way to show points that crowd: the keys of the source, and the layers.
struct ClusterForm: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var source: String
  var layers: String
  var taps = "{format: compact}"
}

/// Charts, hexagons, bubbles and stacks on every way to an archive, and in the answers about it.
@Suite("Clusters in other forms than circles")
struct ClusterFormsTests {
  private static let shares = """
    clusterProperties: {a: [+, [match, [get, kind], a, 1, 0]], \
    b: [+, [match, [get, kind], b, 1, 0]], c: [+, [match, [get, kind], c, 1, 0]]}
    """

  private static let donut = """
    - {id: donut, type: chart, source: p, filter: [has, point_count],
       layout: {chart-type: donut, chart-slices: [{value: [get, a], color: teal},
         {value: [get, b], color: gold}, {value: [get, c], color: "#b34a72"}]},
       paint: {chart-radius: [+, 8, [log10, [get, point_count]]], chart-stroke-width: 1}}
    - {id: lone, type: circle, source: p, filter: ["!", [has, point_count]]}
    """

  static let forms: [ClusterForm] = [
    ClusterForm(
      testDescription: "donuts of grid clusters", source: "cluster: true, \(shares)", layers: donut),
    ClusterForm(
      testDescription: "donuts that keep apart",
      source: "cluster: true, clusterMethod: bubble, \(shares)", layers: donut, taps: "{}"),
    ClusterForm(
      testDescription: "classed hexagons with aggregates",
      source: "cluster: true, clusterMethod: hexagon, clusterCellSize: 24, clusterMaxZoom: 3, "
        + "classes: {method: log, n: 3}, clusterProperties: {kind: [mode, [get, kind]], "
        + "names: [string-agg, [get, id], {limit: 2}]}",
      layers: """
        - {id: cell, type: fill, source: p, filter: [has, point_count],
           paint: {fill-color: [match, [get, class], 0, "#fbe6a8", 1, "#e27a5b", "#5f2a78"]}}
        - {id: kind, type: symbol, source: p, filter: [has, point_count],
           layout: {text-field: [get, kind], text-size: 9}}
        """),
    ClusterForm(
      testDescription: "bubbles", source: "cluster: true, clusterMethod: bubble",
      layers: """
        - {id: disc, type: circle, source: p,
           paint: {circle-radius: [case, [has, point_count], [+, 8, [log10, [get, point_count]]], 4]}}
        """),
    ClusterForm(
      testDescription: "stacks with legs", source: "stacks: {from: 2, distance: 9, spacing: 12}",
      layers: """
        - {id: leg, type: leg, source: p}
        - {id: disc, type: circle, source: p,
           paint: {circle-color: [match, [get, kind], a, teal, gold]}}
        """),
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func definition(
    _ form: ClusterForm, _ rows: [String]
  ) throws -> PipelineDefinition {
    try folder.write(
      "id,lng,lat,kind\n" + rows.joined(separator: "\n") + "\n", to: "points.csv")
    let file = try folder.write(
      """
      version: 1
      name: forms
      sources:
        p: {type: csv, data: points.csv, id: id, \(form.source)}
      layers:
      \(form.layers)
      tiles: {maxzoom: 4, snap: 1, interactivity: \(form.taps)}
      output: {path: out.mbtiles}
      """, to: "forms.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// Builds an archive, and returns the digest of its content.
  @discardableResult
  private func build(
    _ form: ClusterForm, _ rows: [String], isWhole: Bool = false
  ) throws -> String? {
    var options = BuildOptions()
    options.noCache = isWhole
    options.force = isWhole
    return try PipelineRunner.build(
      definition(form, rows), options: options, cancellation: Cancellation(), progress: { _ in }
    ).first?.archive.digest
  }

  private func archive(
    _ form: ClusterForm, _ rows: [String], isWhole: Bool = false
  ) throws -> [UInt8] {
    try build(form, rows, isWhole: isWhole)
    return try folder.bytes("out.mbtiles")
  }

  /// Points around three places, some of which lie on one another.
  private static func rows(_ random: inout SplitMix64) -> [String] {
    (0..<160).map { row in
      let (west, south) = ([-60.0, 8, 120][row % 3], [-20.0, 46, 30][row % 3])
      let x = west + (random.number(in: 0..<9) * 4).rounded() / 4
      let y = south + (random.number(in: 0..<9) * 4).rounded() / 4
      return "r\(row),\(x),\(y),\(["a", "b", "c"][random.below(3)])"
    }
  }

  // Single points, such as those around stacks, are drawn in the order of the file.
  @Test("another order of the records gives the same archive", arguments: forms.prefix(3))
  func order(form: ClusterForm) throws {
    var random = SplitMix64(seed: 50)
    let rows = Self.rows(&random)
    // The file names its inputs, whose bytes differ.
    let first = try build(form, rows, isWhole: true)
    let second = try build(form, rows.shuffled(using: &random), isWhole: true)
    #expect(first != nil && first == second)
  }

  @Test("an archive after edits is that of a full build", arguments: forms)
  func edits(form: ClusterForm) throws {
    var random = SplitMix64(seed: 51)
    var rows = Self.rows(&random)
    try build(form, rows)
    // A value alone, a place, a record less, a record more.
    let edits: [(inout [String]) -> Void] = [
      { rows in rows[7] = rows[7].dropLast() + (rows[7].hasSuffix("a") ? "b" : "a") },
      { $0[20] = "r20,100.5,-33.25,c" },
      { $0.remove(at: 33) },
      { $0.append("new,8.25,46.5,b") },
    ]
    for edit in edits {
      edit(&rows)
      let edited = try archive(form, rows)
      try folder.write(bytes: edited, to: "edited.mbtiles")
      #expect(try archive(form, rows, isWhole: true) == edited)
      try folder.write(bytes: edited, to: "out.mbtiles")
    }
  }

  // MARK: Answers

  /// Five records of one cluster, and one alone.
  private static let few =
    ["a", "b", "a", "c", "a"].enumerated().map { "r\($0),8.\($0),46,\($1)" }
    + ["far,-120,-40,b"]

  private func properties(of bytes: [UInt8]) throws -> [OrderedDictionary<String, PropertyValue>] {
    guard case .object(let collection) = try JSONValueParser.parse(bytes),
      case .array(let features)? = collection["features"]
    else { return [] }
    return features.compactMap { feature in
      guard case .object(let members) = feature, case .object(let own)? = members["properties"]
      else { return nil }
      return own
    }
  }

  @Test("the preview paints the tiles of the archive", arguments: forms)
  func painted(form: ClusterForm) throws {
    var random = SplitMix64(seed: 52)
    let rows = Self.rows(&random)
    try build(form, rows)
    let tiles = try PipelineRunner.tilesOnDemand(
      definition(form, rows), cancellation: Cancellation(), progress: { _ in })
    var count = 0
    try ArchiveReader(FilePath(folder.path("out.mbtiles"))).forEachTile { tile, bytes in
      // Children of drawn tiles are stored as transparent ones.
      guard let painted = try? tiles.picture(tile, scale: 1) else { return }
      count += 1
      #expect(painted.elementsEqual(bytes), "\(tile)")
    }
    #expect(count > 5)
  }

  @Test("check finds nothing wrong, and the page of the report has all records", arguments: forms)
  func reported(form: ClusterForm) throws {
    var random = SplitMix64(seed: 53)
    let definition = try definition(form, Self.rows(&random))
    let check = try PipelineRunner.check(definition, options: BuildOptions())
    #expect(check.refusal == nil && check.failure == nil && check.layerNotes.isEmpty)
    #expect(check.usedRecords == 160)
    let reports = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    let page = ReportPage([.init(definition: definition, reports: reports)]).html
    let zooms = try #require(page.split(separator: "<caption>What each zoom holds").last)
    let cells = zooms.split(separator: "</tr>").dropFirst().prefix(5).map { row in
      row.matches(of: #/<t[dh][^>]*>([0-9,]+)</#).map { String($0.1) }
    }
    // The zoom, its points, and its features.
    #expect(cells.map { $0.prefix(2) } == (0...4).map { ["\($0)", "160"] }, "\(zooms.prefix(600))")
    for (row, zoom) in zip(cells, try #require(reports.first?.zooms)) {
      #expect(row.dropFirst(2).first == "\(zoom.clusters)")
    }
  }

  @Test("query, why and taps have the shares behind a chart", arguments: forms.prefix(2))
  func shares(form: ClusterForm) throws {
    let definition = try definition(form, Self.few)
    var query = QueryOptions()
    query.clusterZoom = 2
    var bytes: [UInt8] = []
    _ = try PipelineRunner.query(
      definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }, write: { bytes.append(contentsOf: $0) })
    let cluster = try properties(of: bytes).first { $0["point_count"] == .number(5) }
    #expect(["a", "b", "c"].map { cluster?[$0]?.double } == [3, 1, 1], "\(cluster as Any)")

    let why = try PipelineRunner.why(
      definition, question: .tile(TileCoord(z: 2, x: 2, y: 1)), scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    #expect(why.text.contains(/donut +chart +p +cluster of 5 points/), "\(why.text)")

    var other = form
    other.taps = "{}"
    try build(other, Self.few)
    let archive = try ArchiveReader(FilePath(folder.path("out.mbtiles")))
    let taps = try archive.gridData(of: TileCoord(z: 2, x: 2, y: 1)).map(\.json)
    #expect(taps.contains { $0.contains(#""a":3"#) && $0.contains(#""b":1"#) }, "\(taps)")
  }
}
