import Foundation
import MBTiles
import Pipeline
import PipelineSamples
import SourceStages
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Reports
@testable import Reuse
@testable import Runs
@testable import Scenes

/// Scenes of which an edit changed a part: the others are those of the last archive.
@Suite("Scenes by block")
struct CachedScenesTests {
  /// Points in a file of their own, which are edited at random, with some layers over them.
  private struct Sample {
    let folder: TemporaryFolder
    let layers: String
    let more: String
    let longitudes: Range<Double>
    var random: SplitMix64
    var rows: [String] = []

    init(
      points: Int, layers: String, more: String = "", longitudes: Range<Double> = -40..<40,
      seed: UInt64
    ) throws {
      folder = try TemporaryFolder()
      self.layers = layers
      self.more = more
      self.longitudes = longitudes
      random = SplitMix64(seed: seed)
      for _ in 0..<points { rows.append(row()) }
    }

    private mutating func row() -> String {
      let longitude = random.number(in: longitudes)
      return "\(longitude > 180 ? longitude - 360 : longitude),"
        + "\(random.number(in: -40..<40)),\(random.below(6))"
    }

    /// Adds, removes or replaces some rows.
    mutating func edit(_ count: Int) {
      for _ in 0..<count {
        let place = random.below(rows.count)
        switch random.below(4) {
        case 0: rows.remove(at: place)
        case 1: rows.insert(row(), at: place)
        default: rows[place] = row()
        }
      }
    }

    func definition() throws -> PipelineDefinition {
      try folder.write(
        "lng,lat,kind\n" + rows.joined(separator: "\n") + "\n", to: "places.csv")
      let file = try folder.write(
        """
        version: 1
        name: sample
        sources:
          places: {type: csv, data: places.csv\(more.contains("cluster") ? ", \(more)" : "")}
        layers: [\(layers)]
        tiles: {minzoom: 0, maxzoom: 8\(more.contains("cluster") ? "" : more)}
        output: {path: out.mbtiles}
        """, to: "sample.yml")
      return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    }

    func build(whole: Bool = false) throws -> BuildReport {
      var options = BuildOptions()
      options.force = whole
      options.noCache = whole
      if whole { options.output = folder.path("whole.mbtiles") }
      return try PipelineRunner.build(
        definition(), options: options, cancellation: Cancellation(), progress: { _ in })[0]
    }

    /// The scenes after the archive in place, and those that a run without it makes.
    func scenes() throws -> (known: PlannedTiles, whole: PlannedTiles) {
      let definition = try definition()
      let build = try definition.build(
        RunContext(
          artifacts: ArtifactCache(
            besideArchive: definition.output.path, options: BuildOptions())))
      let clock = build.context.clock
      let sources = try build.reading.clustered(clock)
      let last = LastArchive(
        FilePath(folder.path("out.mbtiles")), of: build, scale: 1, try build.fingerprint(scale: 1))
      return (
        try build.scenes(scale: 1, sources, after: last, clock),
        try build.scenes(scale: 1, sources, clock)
      )
    }
  }

  private static let dot = "{id: dot, type: circle, source: places, paint: {circle-radius: 5}}"
  private static let kinds = """
    {id: kind, type: circle, source: places, paint: {circle-radius:
    ['+', 3, ['*', 2, [to-number, [get, kind], 1]]], circle-color: '#0a5'}}
    """
  private static let donut = """
    {id: donut, type: chart, source: places, filter: [has, point_count], layout: {chart-slices:
    [{value: [get, low], color: teal}, {value: [get, high], color: gold}]}}, \(dot)
    """
  private static let shares = """
    cluster: true, clusterMaxZoom: 5, clusterProperties: {low: ['+', [case, [<, [get, kind], 3], 1, 0]], \
    high: ['+', [case, [<, [get, kind], 3], 0, 1]]}
    """
  private static func label(_ more: String) -> String {
    "{id: name, type: symbol, source: places, layout: {text-field: "
      + "[coalesce, [get, point_count], [get, kind]], text-size: 11\(more)}}"
  }

  @Test(
    "scenes of the tiles around an edit are those of a full build, and so are the others",
    arguments: [
      (dot, "cluster: true, clusterMaxZoom: 5", -40.0..<40.0),
      (kinds, "", -40..<40), (kinds, ", bounds: [-30, -30, 35, 35]", -40..<40),
      (dot, "", 150..<210),
      (
        "\(kinds), \(label(", text-allow-overlap: true"))", "cluster: true, clusterMethod: radius",
        -40..<40
      ),
      ("\(dot), \(label(""))", "", -40..<40),
      (donut, shares, -40..<40), (donut, "\(shares), clusterMethod: bubble", -40..<40),
      (label(", symbol-sort-key: [get, kind]"), "", -40..<40),
    ])
  func parts(layers: String, more: String, longitudes: Range<Double>) throws {
    var sample = try Sample(
      points: 300, layers: layers, more: more, longitudes: longitudes, seed: 9)
    _ = try sample.build()
    for count in runsSlowTests ? Array(repeating: 1, count: 20) + [5, 40, 400] : [1, 2] {
      sample.edit(count)
      let (known, whole) = try sample.scenes()
      if count <= 3 { #expect(known.zooms.contains { !$0.isWhole }) }
      #expect(whole.zooms.allSatisfy { $0.isWhole })
      for (part, all) in zip(known.zooms, whole.zooms) {
        let zoom = part.grid.zoom
        #expect(part.tileKeys.elementsEqual(all.tileKeys), "zoom \(zoom)")
        #expect(part.hashes.elementsEqual(all.hashes), "zoom \(zoom)")
        #expect(part.quadrants.elementsEqual(all.quadrants), "zoom \(zoom)")
        // Most tiles have nothing to paint.
        #expect(part.isWhole || part.entries.count < all.entries.count)
      }
      let remade = try known.whole()
      #expect(remade.zooms.allSatisfy { $0.isWhole })
      _ = try sample.build()
      _ = try sample.build(whole: true)
      #expect(try sample.folder.bytes("out.mbtiles") == sample.folder.bytes("whole.mbtiles"))
    }
  }

  @Test("an archive that cannot be copied from is written whole from known scenes")
  func fallback() throws {
    var sample = try Sample(points: 300, layers: Self.kinds, seed: 3)
    let first = try sample.build()
    #expect(first.tiles.rendered > 100)
    sample.edit(2)
    // Nothing of the last archive is there any more when the tiles are written.
    let definition = try sample.definition()
    let build = try definition.build(
      RunContext(
        artifacts: ArtifactCache(besideArchive: definition.output.path, options: BuildOptions())))
    let clock = build.context.clock
    let last = LastArchive(
      FilePath(sample.folder.path("out.mbtiles")), of: build, scale: 1,
      try build.fingerprint(scale: 1))
    let planned = try build.scenes(
      scale: 1, build.reading.clustered(clock), after: last, clock)
    #expect(planned.zooms.contains { !$0.isWhole })
    let feed = PaintedFeed(planned, taps: nil, reuse: .none, build.context)
    let path = FilePath(sample.folder.path("written.mbtiles"))
    let writer = try ArchiveWriter(path: path, layout: .dedup)
    var rows = RowWriter(writer, SceneRecord(), blank: try feed.blank(), taps: nil)
    try feed.forEachBatch { try rows.write($0) }
    let metadata = try ArchiveMetadata(
      name: "sample", bounds: GeoBounds(west: -180, south: -85, east: 180, north: 85),
      center: LngLat(longitude: 0, latitude: 0), centerZoom: 0, zooms: 0...8, description: "",
      attribution: "", own: [])
    let made = try writer.finish(metadata: metadata)
    let whole = try sample.build(whole: true)
    #expect(made.hashes?.digest == whole.archive.digest)
  }

  @Test("zooms with areas, backgrounds or taps are made as a whole")
  func others() throws {
    for layers in [
      "{id: sea, type: background, paint: {background-color: blue}}, \(Self.dot)",
      "{id: heat, type: heatmap, source: places}, \(Self.dot)",
    ] {
      var sample = try Sample(points: 100, layers: layers, more: ", bounds: [0, 0, 5, 5]", seed: 4)
      _ = try sample.build()
      sample.edit(1)
      let known = try sample.scenes().known
      #expect(known.zooms.allSatisfy { $0.isWhole })
    }
    var taps = try Sample(
      points: 100, layers: Self.dot, more: ", interactivity: {format: compact}", seed: 5)
    _ = try taps.build()
    taps.edit(1)
    let known = try taps.scenes().known
    #expect(known.zooms.allSatisfy { $0.isWhole })
  }
}
