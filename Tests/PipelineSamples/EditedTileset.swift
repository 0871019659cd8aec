import Definition
import Foundation
import PNG
import Pipeline
package import Reports
package import Runs
package import TestSupport

/// A tileset with points, shapes and an image whose data and style are edited at random, in a folder
/// of its own.
package struct EditedTileset {
  /// What an edit changes.
  package enum Edit: CaseIterable {
    case add, move, delete, attribute, recolor, swapLayers, zooms, fonts, shape, image, dash, heat
    case background, layout, nothingDrawn
  }

  private struct Place {
    var id: Int
    var longitude: Double
    var latitude: Double
    var kind: Int
  }

  package let folder = try? TemporaryFolder()
  private var random: SplitMix64
  private var places: [Place] = []
  private var lots: [(longitude: Double, latitude: Double, floors: Int)] = []
  private var nextID = 0
  private var order = [0, 1, 2, 3]
  private var color = 0
  private var size = 12
  private var font = "DejaVu Sans"
  private var dashes = "[3, 2]"
  private var maxZoom: Int
  private var hasImage = false
  private var hasHeat = false
  private var background: String?
  private var layout = "dedup"
  private var note = 0

  /// - Parameters:
  ///   - isSparse: whether one background serves all zooms, so that the style trains a palette: 4 s
  ///     of a debug build.
  ///   - snap: of the tileset; 0 leaves symbols where they are, so that most sprites are unique.
  ///   - taps: the key `interactivity` of the tileset, after a comma.
  package init(
    records: Int, seed: UInt64, maxZoom: Int = 5, snap: Int = 1, isSparse: Bool = false,
    taps: String = ""
  ) throws {
    random = SplitMix64(seed: seed)
    self.maxZoom = maxZoom
    self.snap = snap
    self.isSparse = isSparse
    self.taps = taps
    for _ in 0..<records { add() }
    for _ in 0..<max(3, records / 100) { addLot() }
    try write()
  }

  private let snap: Int
  private let isSparse: Bool
  private let taps: String

  private mutating func add() {
    places.append(
      Place(
        id: nextID, longitude: random.number(in: 3..<21), latitude: random.number(in: 3..<20),
        kind: random.below(3)))
    nextID += 1
  }

  private mutating func addLot() {
    lots.append(
      (random.number(in: 4..<6), random.number(in: 4..<6), 1 + random.below(9)))
  }

  /// Makes one edit at random and writes the files; says which.
  package mutating func edit() throws -> Edit {
    let edit = random.pick(Edit.allCases)
    try make(edit)
    return edit
  }

  package mutating func make(_ edit: Edit) throws {
    switch edit {
    case .add: add()
    case .move: move()
    case .delete: places.remove(at: random.below(places.count))
    case .attribute: places[random.below(places.count)].kind = random.below(3)
    case .recolor: color = (color + 1) % 4
    case .swapLayers: order.swapAt(random.below(4), random.below(4))
    case .zooms: maxZoom = 4 + random.below(2)
    case .fonts:
      size = 10 + random.below(4)
      font = random.pick(["DejaVu Sans", "DejaVu Serif Bold", "No Such Font Mono"])
    case .shape: editLot()
    case .image: hasImage.toggle()
    case .dash: dashes = random.pick(["[3, 2]", "[1, 1]", "[4, 1, 1, 1]"])
    case .heat: hasHeat.toggle()
    case .background: background = background == nil ? "rgba(200, 220, 240, 0.5)" : nil
    case .layout: layout = random.pick(["dedup", "flat", "auto"])
    case .nothingDrawn: note += 1
    }
    try write()
  }

  private mutating func move() {
    let index = random.below(places.count)
    places[index].longitude += random.number(in: -0.5..<0.5)
    places[index].latitude += random.number(in: -0.5..<0.5)
  }

  private mutating func editLot() {
    let index = random.below(lots.count)
    switch random.below(3) {
    case 0: addLot()
    case 1 where lots.count > 2: lots.remove(at: index)
    default: lots[index].floors += 1
    }
  }

  // MARK: Files

  package var file: String { folder?.path("edited.yml") ?? "" }

  private func write() throws {
    guard let folder else { return }
    try folder.write(
      "lng,lat,id,kind,note\n"
        + places.map { "\($0.longitude),\($0.latitude),\($0.id),\($0.kind),\(note)" }
        .joined(separator: "\n"), to: "places.csv")
    let features = lots.enumerated().map { index, lot in
      let (x, y) = (lot.longitude, lot.latitude)
      return """
        {"type":"Feature","id":\(index),"properties":{"floors":\(lot.floors)},"geometry":{"type":\
        "Polygon","coordinates":[[[\(x),\(y)],[\(x + 0.6),\(y)],[\(x + 0.5),\(y + 0.4)],[\(x),\(y)]]]}}
        """
    }
    try folder.write(
      #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",") + "]}",
      to: "lots.geojson")
    try Data(PNGEncoder().encode(ImageSample.blots())).write(
      to: URL(fileURLWithPath: folder.path("photo.png")))
    try folder.write(pipeline, to: "edited.yml")
  }

  private var pipeline: String {
    let image = "photo: {type: image, url: photo.png, bounds: [4, 4, 6, 5]}"
    let colors = ["red", "rgb(0, 90, 200)", "rgba(20, 160, 60, 0.5)", "black"]
    let kinds = "[match, [get, kind], 0, \"\(colors[color])\", 1, orange, gray]"
    let layers = [
      """
      {id: disc, type: circle, source: places, paint: {circle-color: "\(colors[color])", \
      circle-radius: 6, circle-stroke-width: 1, circle-stroke-color: white}}
      """,
      """
      {id: kind, type: circle, source: places, filter: ["!", [has, point_count]], \
      paint: {circle-radius: 3, circle-color: \(kinds)}}
      """,
      """
      {id: lots, type: fill, source: lots, paint: {fill-color: [interpolate, [linear], \
      [get, floors], 1, yellow, 9, purple], fill-outline-color: black}}
      """,
      """
      {id: edge, type: line, source: lots, paint: {line-width: 2, line-dasharray: \(dashes)}}
      """,
    ]
    var drawn = order.map { layers[$0] }
    drawn.append(
      """
      {id: label, type: symbol, source: places, layout: {text-field: [to-string, [coalesce, \
      [get, point_count], [get, id]]], text-font: [\(font)], text-size: \(size)}}
      """)
    if hasHeat {
      drawn.insert("{id: heat, type: heatmap, source: places}", at: 2)
    }
    if hasImage { drawn.insert("{id: photo, type: raster, source: photo}", at: 1) }
    if !isSparse {
      drawn.insert(
        "{id: tint, type: background, maxzoom: 3, paint: {background-color: 'rgba(0,0,0,0.1)'}}",
        at: 0)
    }
    if let background {
      drawn.insert(
        "{id: ground, type: background, paint: {background-color: \"\(background)\"}}", at: 0)
    }
    return """
      version: 1
      name: edited
      sources:
        places: {type: csv, data: places.csv, id: id, cluster: true, clusterMaxZoom: 3}
        lots: {type: geojson, data: lots.geojson}
        \(hasImage ? image : "")
      layers:
      \(drawn.map { "  - \($0)" }.joined(separator: "\n"))
      tiles: {minzoom: 2, maxzoom: \(maxZoom), snap: \(snap), bounds: [1, 1, 22, 21]\(taps)}
      output: {path: edited.mbtiles, layout: \(layout)}
      """
  }

  // MARK: Builds

  package func build(
    force: Bool = false, noCache: Bool = false, output: String? = nil, threads: Int = 2,
    cancellation: Cancellation = Cancellation(),
    progress: @escaping ProgressHandler = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    options.force = force
    options.noCache = noCache
    options.threads = threads
    options.output = output.flatMap { folder?.path($0) }
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    return try PipelineRunner.build(
      definition, options: options, cancellation: cancellation, progress: progress)[0]
  }

  /// The archive that is in place.
  package func archive() throws -> [UInt8] { try folder?.bytes("edited.mbtiles") ?? [] }

  /// The bytes of an archive that is painted as a whole.
  package func wholeArchive() throws -> [UInt8] {
    _ = try build(force: true, noCache: true, output: "whole.mbtiles")
    return try folder?.bytes("whole.mbtiles") ?? []
  }

  /// The same by the program of ``reusedTiles()``: an archive names the program that made it.
  package func wholeArchiveOfProgram() throws -> [UInt8] {
    guard Program.isNamed else { return try wholeArchive() }
    try run("--force", "--no-cache", "-o", folder?.path("whole.mbtiles") ?? "")
    return try folder?.bytes("whole.mbtiles") ?? []
  }

  /// Builds, by the optimized program where there is one: a debug build takes seconds for a palette.
  ///
  /// - Returns: how many tiles were taken from the last archive.
  package func reusedTiles() throws -> Int {
    struct Report: Decodable {
      struct Tiles: Decodable { var reused: Int }
      var tiles: Tiles
    }
    guard Program.isNamed else { return try build().tiles.reused }
    let report = folder?.path("told.json") ?? ""
    try run("--report", report)
    let told = try Data(contentsOf: URL(fileURLWithPath: report))
    return try JSONDecoder().decode(Report.self, from: told).tiles.reused
  }

  private func run(_ options: String...) throws {
    let outcome = try Program.Run(["build", "-q", file] + options).finish()
    guard outcome.status == 0 else { throw SampleFailure(message: outcome.errors) }
  }

  /// Replaces a text of the pipeline file.
  package func replace(_ text: String, by other: String) throws {
    let old = try String(contentsOfFile: file, encoding: .utf8)
    try old.replacingOccurrences(of: text, with: other).write(
      toFile: file, atomically: true, encoding: .utf8)
  }

  /// Puts something in the place of the archive.
  package func put(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: folder?.path("edited.mbtiles") ?? ""))
  }

  /// The paths of the artifacts of a kind.
  package func artifacts(_ kind: String) throws -> [String] {
    let cache = folder?.path(".quadrille-cache/artifacts") ?? ""
    let names = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
    return names.filter { $0.hasPrefix("\(kind)-") }.sorted().map { "\(cache)/\($0)" }
  }
}
