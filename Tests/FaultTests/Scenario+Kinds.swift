import Foundation
import PNG
import Raster
import SQLite
import TestSupport
import VectorTileSamples
import VectorTiles

/// What publishes in other ways than one archive by one build.
extension Scenario {
  /// Earlier archives are kept: names move on by one.
  static let kept = Scenario(
    name: "a build that keeps archives", arguments: build,
    published: ["out.mbtiles", "out.mbtiles.1", "out.mbtiles.2"],
    fleeting: ["out.mbtiles.1", "out.mbtiles.2"]
  ) {
    let pipeline = pipeline(output: "path: out.mbtiles\n  keepArchives: 2")
    for rows in [rows, Array(rows.dropFirst(20))] {
      try write(rows, pipeline, to: $0)
      try run(build, in: $0)
    }
    try write(editedRows, pipeline, to: $0)
  }

  /// An archive and, of what describes it, what differs from archive to archive.
  private static func place(_ stem: String) -> [String] {
    [".mbtiles", ".report.json", ".style.json", ".tilejson"].map { stem + $0 }
  }

  private static let places = place("out") + place("out@2x")

  /// The archives before, of two densities, come back; the inputs make them already, so a build has
  /// nothing to do but to bring what is missing beside them.
  static let rollback = Scenario(
    name: "a rollback of two densities", arguments: ["rollback", "-q", "DIR/sample.yml"],
    published: places + places.map { $0 + ".bad" }, settled: build,
    finalProof: ["verify", "DIR/out@2x.mbtiles"],
    fleeting: Set((places + places.map { $0 + ".bad" }).filter { !$0.hasSuffix(".mbtiles") })
  ) {
    try keepOne(pipeline(output: "path: out.mbtiles\n  keepArchives: 2", scale: "[1, 2]"), in: $0)
  }

  /// The archive and all beside it was removed before, by somebody.
  static let rescue = Scenario(
    name: "a rollback in an empty place", arguments: ["rollback", "-q", "DIR/sample.yml"],
    published: place("out"), settled: build, finalProof: ["verify", "DIR/out.mbtiles"],
    fleeting: Set(place("out"))
  ) { folder in
    try keepOne(pipeline(output: "path: out.mbtiles\n  keepArchives: 2"), in: folder)
    let present = place("out") + ["out.legend.json", "out.legend.png"]
    for name in present { try FileManager.default.removeItem(atPath: folder.path(name)) }
  }

  /// Builds twice and makes the inputs what they were at first.
  private static func keepOne(_ pipeline: String, in folder: TemporaryFolder) throws {
    for rows in [rows, editedRows] {
      try write(rows, pipeline, to: folder)
      try run(build, in: folder)
    }
    try write(rows, pipeline, to: folder)
  }

  /// The archive before comes back, and with it a list of deltas that leads to it.
  static let withdrawal = Scenario(
    name: "a rollback with deltas", arguments: ["rollback", "-q", "DIR/sample.yml"],
    published: ["out.mbtiles", "out.report.json", "out.updates.json"], settled: build,
    finalProof: ["verify", "DIR/out.mbtiles"], fleeting: ["out.report.json", "out.updates.json"]
  ) { folder in
    let pipeline = pipeline(output: "path: out.mbtiles\n  keepArchives: 3")
    for rows in [Array(rows.dropFirst(9)), rows, editedRows] {
      try write(rows, pipeline, to: folder)
      try run(build + ["--delta"], in: folder)
    }
    try write(rows, pipeline, to: folder)
  }

  /// A part of an archive with taps takes the place of another part.
  static let extraction = Scenario(
    name: "an extract", arguments: ["extract", "-q", "DIR/out.mbtiles", "-o", "DIR/part.mbtiles"],
    published: ["part.mbtiles"]
  ) {
    try taps.prepare($0)
    try run(build, in: $0)
    try run(["extract", "-q", "DIR/out.mbtiles", "-z", "1", "-o", "DIR/part.mbtiles"], in: $0)
  }

  /// An archive with taps is verified and stays as it is.
  static let verification: Scenario = {
    var scenario = Scenario(
      name: "a verification", arguments: ["verify", "-q", "DIR/out.mbtiles"],
      published: ["out.mbtiles"]
    ) {
      try taps.prepare($0)
      try run(build, in: $0)
    }
    scenario.changes = false
    return scenario
  }()

  /// A folder takes the place of an earlier export.
  static let folder = Scenario(
    name: "an export to a folder",
    arguments: ["export", "-q", "-f", "DIR/out.mbtiles", "DIR/tiles"],
    published: ["tiles/tile.json", "tiles/0/0/0.png"]
  ) {
    try write(rows, to: $0)
    try run(build, in: $0)
    try run(["export", "-q", "DIR/out.mbtiles", "DIR/tiles"], in: $0)
    try write(editedRows, to: $0)
    try run(build, in: $0)
  }

  /// An archive is made of a PMTiles file.
  static let unpacking = Scenario(
    name: "an export of a PMTiles file",
    arguments: ["export", "-q", "DIR/out.pmtiles", "DIR/copy.mbtiles"],
    published: ["copy.mbtiles"]
  ) {
    try write(rows, to: $0)
    try run(build, in: $0)
    try run(["export", "-q", "DIR/out.mbtiles", "DIR/out.pmtiles"], in: $0)
    try run(["export", "-q", "DIR/out.pmtiles", "DIR/copy.mbtiles"], in: $0)
    try write(editedRows, to: $0)
    try run(build, in: $0)
    try run(["export", "-q", "DIR/out.mbtiles", "DIR/out.pmtiles"], in: $0)
  }

  /// A part of a plan is painted.
  static let part = Scenario(
    name: "a shard", arguments: ["build", "-q", "--shard", "0", "DIR/plan"],
    published: ["plan/parts/part-00000.tiles"]
  ) {
    try write(rows, to: $0)
    try run(["plan", "-q", "DIR/sample.yml", "--shards", "1", "-o", "DIR/plan"], in: $0)
  }

  /// Labels are set in a font that a folder of the user has.
  static let label = Scenario(
    name: "a build with labels", arguments: build + ["--no-cache"], published: ["out.mbtiles"]
  ) {
    let layer = "\n  - {id: name, type: symbol, source: places, layout: {text-field: x}}\ntiles:"
    let pipeline = pipeline().replacing("\ntiles:", with: layer)
    try write(rows, pipeline, to: $0)
    try run(build + ["--no-cache"], in: $0)
    try write(editedRows, pipeline, to: $0)
  }

  /// A delta is written after the archive. The replaced one is kept: without it a run that dies in
  /// between leaves nothing to make the delta from.
  static let delta = Scenario(
    name: "a build with a delta", arguments: build + ["--delta"], published: ["out.mbtiles"]
  ) {
    let pipeline = pipeline(output: "path: out.mbtiles\n  keepArchives: 1")
    try write(rows, pipeline, to: $0)
    try run(build, in: $0)
    try write(editedRows, pipeline, to: $0)
  }

  /// A delta is applied to a copy of the archive from which it leads away.
  static let application = Scenario(
    name: "an application of a delta",
    arguments: ["apply", "-q", "DIR/to.delta", "DIR/app.mbtiles"],
    published: ["app.mbtiles"]
  ) {
    try write(rows, to: $0)
    try run(build, in: $0)
    try FileManager.default.copyItem(atPath: $0.path("out.mbtiles"), toPath: $0.path("app.mbtiles"))
    try write(editedRows, to: $0)
    try run(build, in: $0)
    try run(["diff", "-q", "DIR/app.mbtiles", "DIR/out.mbtiles", "-o", "DIR/to.delta"], in: $0)
  }

  /// A vector tile changes, one goes, one comes.
  static let vectorTiles = Scenario(
    name: "a build from vector tiles", arguments: build, published: ["out.mbtiles"],
    finalProof: ["verify", "DIR/out.mbtiles"]
  ) {
    try $0.write(
      """
      version: 1
      sources: {land: {type: vector, data: land}}
      layers: [{id: land, type: fill, source: land, source-layer: land, paint: {fill-color: green}}]
      tiles: {maxzoom: 3, snap: 1}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    for column in 0...2 { try writeTile(column, south: 3_000, to: $0) }
    try run(build, in: $0)
    try FileManager.default.removeItem(atPath: $0.path("land/2/0/1.pbf"))
    try writeTile(1, south: 3_900, to: $0)
    try writeTile(3, south: 3_000, to: $0)
  }

  private static func writeTile(
    _ column: Int, south: Int, to folder: TemporaryFolder
  ) throws {
    let ring = [(0, 500), (4_096, 500), (4_096, south), (0, south)]
    let tile = TileSample.tile([TileSample.Layer("land", [TileSample.Feature(.polygon, [ring])])])
    try folder.write(bytes: tile, to: "land/2/\(column)/1.pbf")
  }

  /// A frame goes, one comes, one changes.
  static let series = Scenario(
    name: "a build of a series", arguments: ["build", "-q", "DIR/rain.yml"],
    published: ["rain.frames.json"], proof: framesFault,
    finalProof: ["verify", "DIR/rain.frames.json"]
  ) {
    try $0.write(
      """
      version: 1
      name: rain
      sources:
        rain: {type: image-series, frames: 'in/*.png', time: '%Y%m%d%H', bounds: [-12, 48, 5, 61]}
      layers: [{id: rain, type: raster, source: rain}]
      tiles: {maxzoom: 1}
      output: {path: rain.mbtiles}
      """, to: "rain.yml")
    for hour in 1...3 { try writeFrame(hour, shade: 0.2 * Double(hour), to: $0) }
    try run(["build", "-q", "DIR/rain.yml"], in: $0)
    try FileManager.default.removeItem(atPath: $0.path("in/2014011901.png"))
    try writeFrame(2, shade: 0.9, to: $0)
    try writeFrame(4, shade: 0.7, to: $0)
  }

  /// What is wrong with the files that the manifest names: each is there and whole at any moment.
  ///
  /// A frame whose image changed keeps its file's name, so until the manifest follows, its SHA-256
  /// there is that of the archive before.
  @Sendable private static func framesFault(_ folder: URL) throws -> String? {
    struct Manifest: Decodable {
      struct Frame: Decodable { var file: String? }
      var frames: [Frame]
    }
    let url = folder.appendingPathComponent("rain.frames.json")
    let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: url))
    for file in manifest.frames.compactMap(\.file) {
      let database = try Database(
        path: folder.appendingPathComponent(file).path, mode: .readOnly)
      if try database.text("PRAGMA quick_check") != "ok" { return "\(file) is damaged" }
    }
    return manifest.frames.isEmpty ? "the manifest names no frame" : nil
  }

  private static func writeFrame(_ hour: Int, shade: Double, to folder: TemporaryFolder) throws {
    let picture = Pixmap(width: 20, height: 30)
    picture.clear(to: PremultipliedColor(Color(red: shade, green: 0.5, blue: 0.9)))
    try folder.write(bytes: PNGEncoder().encode(picture), to: "in/201401190\(hour).png")
  }
}
