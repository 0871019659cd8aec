import Baking
import Definition
import Foundation
import PNG
import Pipeline
import Raster
import Reports
import Runs
import Shards
import TestSupport
import Tiling

/// A small pipeline of one kind, with a build on one machine to compare its shards with.
struct ShardSample {
  /// The kind of data that the pipeline draws.
  enum Kind: String, CaseIterable {
    /// Clustered points whose labels collide over the borders of tiles.
    case labels
    /// Polygons and lines with UTFGrid taps.
    case grids
    /// Points, clusters and polygons with compact taps.
    case compact
    /// An image with a world file, below points.
    case image
    /// An image in a SpatialConnect config, whose resolution ends the zooms, below points; two zooms
    /// between theirs have no tile.
    case config
    /// Frames below lots at two densities, of which one is broken and the oldest is not kept.
    case series
    /// Points by weeks, below lots at two densities.
    case weeks
    /// Points as icons of a sprite and an image, over a pattern, at two densities.
    case icons
    /// Heights in a national grid, which GDAL warps, below points.
    case warped
    /// Points and polygons with taps within a budget that lowers the zoom and takes WebP.
    case budget
    /// Hexagons with classes and a first text, with compact taps.
    case cells
    /// Donuts of clusters that keep apart, with UTFGrid taps, at two densities.
    case charts
    /// Spread points with legs, and compact taps.
    case stacks
    /// A folder of vector tiles below points, with compact taps.
    case vector
    /// Vector tiles and pictures that a server has, one file each, below points.
    case templates

    /// The kinds whose programs are installed.
    static let installed = allCases.filter { $0 != .warped || InstalledGDAL.isThere }
  }

  let folder: TemporaryFolder
  let kind: Kind

  /// The ceiling of memory of all runs but those that are told otherwise.
  var memory: MemoryCeiling?

  /// The server of tiles.
  private let served: ServedTiles?

  /// Whether a build makes frames.
  private var isSeries: Bool { kind == .series || kind == .weeks }

  /// The path of the plan's folder.
  var plan: String { folder.path("plan") }

  init(_ kind: Kind, seed: UInt64 = 3) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    served = kind == .templates ? try ServedTiles(picture: Self.photo) : nil
    var random = SplitMix64(seed: seed)
    var points = "lng,lat,name,rank\n"
    for row in 0..<150 {
      let lng = Double(random.below(34_000)) / 100 - 170
      let lat = Double(random.below(13_000)) / 100 - 65
      points += "\(lng),\(lat),Place \(row),\(row % 7)\n"
    }
    try folder.write(points, to: "places.csv")
    let events = (0..<90).map { "\($0 % 19 * 9 - 80),\($0 % 7 * 12 - 40),2024-01-\($0 % 28 + 1)" }
    try folder.write("lng,lat,when\n" + events.joined(separator: "\n"), to: "events.csv")
    var shapes = ""
    for row in 0..<40 {
      let x = Double(random.below(30_000)) / 100 - 160
      let y = Double(random.below(10_000)) / 100 - 50
      shapes +=
        #"{"type":"Feature","properties":{"name":"Lot \#(row)"},"geometry":{"type":"Polygon","#
        + #""coordinates":[[[\#(x),\#(y)],[\#(x + 9),\#(y)],[\#(x),\#(y + 7)],[\#(x),\#(y)]]]}}"#
        + "\n"
    }
    try folder.write(shapes, to: "lots.geojsonl")
    try folder.write(Self.text(kind, served), to: "sample.yml")
    if kind == .vector {
      let layers = ["parks", "roads", "towns"].map { "{\"id\": \"\($0)\", \"fields\": {}}" }
      try folder.write(
        "{\"tilejson\": \"3.0.0\", \"tiles\": [\"{z}/{x}/{y}.pbf\"], \"attribution\": \"© Cutters\", "
          + "\"vector_layers\": [\(layers.joined(separator: ", "))]}", to: "tiles/tiles.json")
      for (tile, bytes) in VectorTilesSample.tiles {
        let name = "tiles/\(tile.z)/\(tile.x)/\(tile.y).pbf"
        try folder.write("", to: name)
        try Data(bytes).write(to: folder.url.appending(path: name))
      }
    }
    if kind == .icons {
      for name in ["pin.png", "pin@2x.png", "sheet.png"] {
        try Data(Self.picture).write(to: folder.url.appending(path: name))
      }
      try folder.write(
        #"{"net": {"x": 2, "y": 3, "width": 20, "height": 12, "pixelRatio": 1}}"#,
        to: "sheet.json")
    }
    if kind == .image {
      try Data(Self.picture).write(to: folder.url.appending(path: "sea.png"))
      try folder.write("5.0\n0.0\n0.0\n-5.0\n-170.0\n60.0\n", to: "sea.wld")
    }
    if kind == .config {
      try Data(Self.picture).write(to: folder.url.appending(path: "sea.png"))
      try folder.write("0.1\n0.0\n0.0\n-0.1\n-17.0\n60.0\n", to: "sea.wld")
    }
    if kind == .warped {
      let rows = (0..<20).map { row in
        (0..<30).map { $0 < 3 ? "-9999" : "\($0 * 10 + row).5" }.joined(separator: " ")
      }
      try folder.write(
        "ncols 30\nnrows 20\nxllcorner 500000\nyllcorner 5500000\ncellsize 9000\n"
          + "NODATA_value -9999\n" + rows.joined(separator: "\n"), to: "heights.asc")
    }
    if kind == .series {
      try folder.write("", to: "in/.keep")
      for hour in 1...5 { try write(hour) }
      try Data(Self.picture.prefix(60)).write(to: folder.url.appending(path: Self.frame(4)))
    }
  }

  /// The name of the image of an hour.
  static func frame(_ hour: Int) -> String { "in/201401190\(hour).png" }

  /// Writes the image of an hour.
  func write(_ hour: Int) throws {
    let pixmap = Pixmap(width: 60, height: 24)
    pixmap.clear()
    for index in 0..<60 * 24 where (index / 60 + index % 60 + hour) % 7 < 3 {
      pixmap.pixels[index] = 0xFF00_0000 | UInt32(hour) << 20 | UInt32(index % 60)
    }
    try Data(PNGEncoder().encode(pixmap)).write(to: folder.url.appending(path: Self.frame(hour)))
  }

  private static func text(_ kind: Kind, _ served: ServedTiles?) -> String {
    let points =
      "  places: {type: csv, data: places.csv, cluster: true, clusterMaxZoom: 2, id: name}\n"
    let lots = "  lots: {type: geojsonseq, data: lots.geojsonl}\n"
    let disc =
      "  - {id: disc, type: circle, source: places, paint: {circle-radius: 7, "
      + "circle-color: [case, [has, point_count], red, [==, [get, rank], 3], blue, green]}}\n"
    let label =
      "  - {id: label, type: symbol, source: places, layout: {text-field: [coalesce, [get, name], "
      + "[to-string, [get, point_count]]], text-font: [DejaVu Sans], text-size: 13}}\n"
    let area =
      "  - {id: area, type: fill, source: lots, paint: {fill-color: orange, fill-opacity: 0.5}}\n"
      + "  - {id: edge, type: line, source: lots, paint: {line-color: brown, line-width: 2}}\n"
    let head = "version: 1\nname: sample\nsources:\n"
    let tiles: String
    switch kind {
    case .labels:
      return head + points + "layers:\n" + disc + label
        + "tiles: {maxzoom: 3, scale: [1, 2]}\noutput: {path: out.mbtiles}\n"
    case .config:
      return "stores:\n"
        + "  - {id: sea, type: image, version: 1, uri: sea.png, projection: equirectangular}\n"
        + "  - {id: places, type: csv, version: 1, uri: places.csv}\nlayers:\n"
        + "  - {id: sea, type: raster, source: sea, maxzoom: 1}\n"
        + "  - {id: disc, type: circle, source: places, minzoom: 3}\n"
        + "output: {path: out.mbtiles}\n"
    case .grids: tiles = "{maxzoom: 2, interactivity: {}}"
    case .budget:
      tiles = "{maxzoom: 5, interactivity: {}, budget: 140kB, quality: 70, format: webp}"
    case .compact: tiles = "{maxzoom: 2, interactivity: {format: compact}}"
    case .series:
      return head
        + "  rain: {type: image-series, frames: 'in/*.png', time: '%Y%m%d%H', keep: 3, "
        + "bounds: [-20, 40, 30, 65]}\n" + lots
        + "layers:\n  - {id: rain, type: raster, source: rain}\n" + area
        + "tiles: {maxzoom: 1, scale: [1, 2]}\noutput: {path: out.mbtiles}\n"
    case .weeks:
      return head
        + "  events: {type: csv, data: events.csv, cluster: true, "
        + "time: {property: when, every: 7d, keep: 4}}\n" + lots + "layers:\n" + area
        + "  - {id: disc, type: circle, source: events, paint: {circle-radius: 9}}\n"
        + "tiles: {maxzoom: 1, scale: [1, 2]}\noutput: {path: out.mbtiles}\n"
    case .cells:
      return head
        + "  places: {type: csv, data: places.csv, id: name, cluster: true, clusterMethod: hexagon, "
        + "clusterCellSize: 40, clusterMaxZoom: 2, classes: {n: 3}, clusterProperties: "
        + "{top: [first, [get, name], {orderBy: [rank, desc]}]}}\n"
        + "layers:\n  - {id: cell, type: fill, source: places, paint: {fill-opacity: 0.6, "
        + "fill-color: [match, [get, class], 0, yellow, 1, orange, red]}}\n"
        + "  - {id: top, type: symbol, source: places, layout: {text-field: [coalesce, [get, top], "
        + "[get, name]], text-font: [DejaVu Sans], text-size: 11}}\n"
        + "tiles: {maxzoom: 3, interactivity: {format: compact}}\noutput: {path: out.mbtiles}\n"
    case .charts:
      return head
        + "  places: {type: csv, data: places.csv, cluster: true, clusterMethod: bubble, "
        + "clusterMaxZoom: 2, clusterProperties: {low: [+, [case, [<, [get, rank], 3], 1, 0]], "
        + "high: [+, [case, [<, [get, rank], 3], 0, 1]]}}\n"
        + "layers:\n  - {id: donut, type: chart, source: places, filter: [has, point_count], "
        + "layout: {chart-type: donut, chart-slices: [{value: [get, low], color: teal}, "
        + "{value: [get, high], color: gold}]}, paint: {chart-radius: 14, chart-stroke-width: 1}}\n"
        + disc.replacing("circle, ", with: "circle, filter: ['!', [has, point_count]], ")
        + "tiles: {maxzoom: 3, scale: [1, 2], interactivity: {}}\noutput: {path: out.mbtiles}\n"
    case .stacks:
      return head
        + "  places: {type: csv, data: places.csv, stacks: {from: 1, distance: 20, spacing: 14}}\n"
        + "layers:\n  - {id: leg, type: leg, source: places}\n" + disc
        + "tiles: {maxzoom: 3, interactivity: {format: compact}}\noutput: {path: out.mbtiles}\n"
    case .icons:
      return "version: 1\nname: sample\nsprite: sheet\nimages: {pin: pin.png}\nsources:\n" + points
        + lots + "layers:\n"
        + "  - {id: area, type: fill, source: lots, paint: {fill-pattern: net}}\n"
        + "  - {id: pin, type: symbol, source: places, layout: {icon-image: pin, icon-size: 0.4}}\n"
        + "tiles: {maxzoom: 2, scale: [1, 2]}\noutput: {path: out.mbtiles}\n"
    case .warped:
      return head + "  heights: {type: image, url: heights.asc, crs: 'EPSG:25832', "
        + "colorRamp: [[0, '#203040'], [150, '#e0d080'], [400, white]]}\n" + points
        + "layers:\n  - {id: heights, type: raster, source: heights}\n" + disc
        + "tiles: {maxzoom: 4, scale: [1, 2]}\noutput: {path: out.mbtiles}\n"
    case .vector, .templates:
      let last = VectorTilesSample.lastZoom
      let data =
        served.map { "tiles: ['\($0.template("mvt"))'], maxzoom: \(last)" } ?? "data: tiles"
      let photo = served.map { "tiles: ['\($0.template("png"))'], maxzoom: 1" }
      return head + points + "  town: {type: vector, \(data)}\n"
        + (photo.map { "  photo: {type: raster, \($0)}\n" } ?? "") + "layers:\n"
        + (photo == nil ? "" : "  - {id: photo, type: raster, source: photo}\n")
        + "  - {id: park, type: fill, source: town, source-layer: parks, paint: {fill-color: "
        + "green, fill-opacity: 0.5}}\n"
        + "  - {id: road, type: line, source: town, source-layer: roads, paint: {line-width: 5}}\n"
        + disc
        + "  - {id: town, type: symbol, source: town, source-layer: towns, layout: {text-field: "
        + "[get, name], text-font: [DejaVu Sans]}}\n"
        + "tiles: {maxzoom: 3\(photo == nil ? ", interactivity: {format: compact}" : "")}\n"
        + "output: {path: out.mbtiles}\n"
    case .image:
      return head + "  sea: {type: image, url: sea.png, projection: equirectangular}\n" + points
        + "layers:\n  - {id: sea, type: raster, source: sea}\n" + disc
        + "tiles: {maxzoom: 2}\noutput: {path: out.mbtiles}\n"
    }
    return head + points + lots + "layers:\n" + area + disc
      + "tiles: \(tiles)\noutput: {path: out.mbtiles}\n"
  }

  /// A square picture.
  private static var photo: [UInt8] {
    let pixmap = Pixmap(width: 64, height: 64)
    for index in 0..<64 * 64 {
      pixmap.pixels[index] = 0xFF20_4060 | UInt32(index % 64) << 16 | UInt32(index / 64) << 8
    }
    return PNGEncoder().encode(pixmap)
  }

  /// A picture of 60 × 24 pixels.
  private static var picture: [UInt8] {
    let pixmap = Pixmap(width: 60, height: 24)
    for index in 0..<60 * 24 {
      let (x, y) = (UInt32(index % 60), UInt32(index / 60))
      pixmap.pixels[index] = 0xFF00_0000 | (x * 4) << 16 | (y * 10) << 8 | (x * y) & 0xFF
    }
    return PNGEncoder().encode(pixmap)
  }

  private func definition(_ variables: [String: String]) throws -> PipelineDefinition {
    try PipelineDefinition(
      contentsOf: folder.path("sample.yml"), environment: { variables[$0] })
  }

  private func options(_ output: String?, threads: Int) throws -> BuildOptions {
    var options = BuildOptions()
    options.output = output.map { folder.path(place($0)) }
    options.threads = threads
    options.noCache = true
    options.memory = memory
    // Another test of this process removes the fetched files of the common one.
    options.temporaryFolder = folder.url.path
    if isSeries, let output = options.output {
      try FileManager.default.createDirectory(
        atPath: String(output.dropLast("/out.mbtiles".count)), withIntermediateDirectories: true)
    }
    return options
  }

  /// Builds on one machine.
  @discardableResult
  func build(
    to output: String, _ variables: [String: String] = [:]
  ) throws -> [BuildReport] {
    try PipelineRunner.build(
      definition(variables), options: try options(output, threads: 2), cancellation: Cancellation(),
      progress: { _ in })
  }

  @discardableResult
  func plan(
    shards: Int, _ variables: [String: String] = [:]
  ) throws -> ShardPlanSummary {
    try PipelineRunner.plan(
      definition(variables), shards: shards, into: plan, options: try options(nil, threads: 2),
      cancellation: Cancellation(), progress: { _ in })
  }

  @discardableResult
  func paint(_ shard: Int, threads: Int = 1) throws -> ShardPainter.Outcome {
    try PipelineRunner.paint(
      shard: "\(shard)", of: plan, environment: { _ in nil },
      options: try options(nil, threads: threads), cancellation: Cancellation(), progress: { _ in })
  }

  @discardableResult
  func merge(to output: String, threads: Int = 1) throws -> [BuildReport] {
    try PipelineRunner.merge(
      plan, options: try options(output, threads: threads), cancellation: Cancellation(),
      progress: { _ in })
  }

  /// The path of an archive: that of a series, whose files have its name inside, is in a folder of
  /// its own.
  private func place(_ output: String) -> String {
    isSeries ? "\(output.dropLast(".mbtiles".count))/out.mbtiles" : output
  }

  /// The files of the archives of a build, by the suffix of their density; for a series all files,
  /// each behind its name.
  func archives(_ output: String) throws -> [[UInt8]] {
    let stem = output.dropLast(".mbtiles".count)
    if isSeries {
      let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(String(stem)))
        .filter { $0.contains(".") && !$0.hasSuffix("report.json") && !$0.hasPrefix(".") }
      return try names.sorted().flatMap { [Array($0.utf8), try folder.bytes("\(stem)/\($0)")] }
    }
    let hasTwin = [.labels, .warped, .charts].contains(kind)
    let names = hasTwin ? [output, "\(stem)@2x.mbtiles"] : [output]
    return try names.map { try folder.bytes($0) }
  }

  /// The names in a folder, sorted; none where there is no folder.
  func files(in name: String) throws -> [String] {
    let path = folder.path(name)
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  /// Removes the inputs: a plan does not need them.
  func removeInputs() throws {
    served?.close()
    for name in [
      "places.csv", "events.csv", "lots.geojsonl", "sample.yml", "sea.png", "sea.wld", "in",
      "heights.asc", "tiles",
    ] {
      let path = folder.path(name)
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
