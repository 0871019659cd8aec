import Foundation
import TestSupport

/// A small pipeline in a folder of its own: some hundred points in crowds around the globe.
struct Sample {
  let folder: TemporaryFolder
  let pipeline: String

  /// What a pipeline file says, apart from what all samples have.
  struct Settings {
    var source = "cluster: true\n    clusterCellSize: 64"
    var tiles = "minzoom: 0\n  maxzoom: 6\n  snap: 1"
    var output = "path: out.mbtiles"
    var more = ""
    var layers = """
        - id: disc
          type: circle
          source: places
          paint: {circle-radius: 6, circle-color: "#ff5f2a"}
      """
  }

  /// Writes pipeline and data.
  init(rows: Int = 400, _ settings: Settings = Settings()) throws {
    folder = try TemporaryFolder()
    try folder.write(Self.csv(Self.rows(rows)), to: "places.csv")
    pipeline = try folder.write(Self.yaml(settings), to: "sample.yml")
  }

  static func yaml(_ settings: Settings) -> String {
    """
    version: 1
    name: sample
    sources:
      places:
        type: csv
        data: places.csv
        \(settings.source)
    layers:
    \(settings.layers)
    tiles:
      \(settings.tiles)
    output:
      \(settings.output)
    \(settings.more)

    """
  }

  /// `lng,lat,name,kind` of crowds, a third of them at the antimeridian; the same every time.
  static func rows(_ count: Int, seed: UInt64 = 1) -> [String] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { row in
      let (west, south) = [(178.0, -20.0), (-74, 40), (13, 52)][row % 3]
      var longitude = west + random.number(in: 0..<5)
      if longitude > 180 { longitude -= 360 }
      let latitude = south + random.number(in: 0..<3)
      // Five digits after the point, without the locale's ways of writing.
      let text = [longitude, latitude].map { "\(($0 * 100_000).rounded() / 100_000)" }
      return "\(text[0]),\(text[1]),Place \(row),\(row % 4)"
    }
  }

  static func csv(_ rows: [String]) -> String {
    "lng,lat,name,kind\n" + rows.joined(separator: "\n") + "\n"
  }

  var archive: String { folder.path("out.mbtiles") }

  /// Runs `build` and returns the report that it wrote beside the archive.
  @discardableResult
  func build(_ options: String..., environment: [String: String] = [:]) throws -> Report {
    let run = try Program.Run(
      ["build", pipeline, "-q"] + options, in: folder, environment: environment
    ).finish()
    guard run.status == 0 else { throw SampleFailure(message: run.errors) }
    return try report()
  }

  func report(_ name: String = "out.report.json") throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(folder.bytes(name)))
  }
}

/// A build that should have gone well.
struct SampleFailure: Error {
  var message: String
}

/// The report of a build, as DESIGN.md section 6 has it.
struct Report: Decodable {
  struct Source: Decodable {
    var read: Int
    var used: Int
    var filtered: Int
    var noGeometry: Int
    var limited: Int
    var rejected: [String: Int]

    /// Whether every record is accounted for.
    var balances: Bool {
      read == used + filtered + noGeometry + limited + rejected.values.reduce(0, +)
    }
  }

  struct Zoom: Decodable {
    var zoom: Int
    var points: Int
    var clusters: Int
    var tiles: Int
    var empty: Int
    var distinct: Int
    var bytes: Int
  }

  struct Tiles: Decodable {
    var planned: Int
    var rendered: Int
    var reused: Int
    var distinct: Int
    var bytes: Int
  }

  struct Archive: Decodable {
    var path: String
    var bytes: Int
    var sha256: String
    var digest: String
  }

  struct Stage: Decodable {
    var name: String
    var seconds: Double
  }

  var pipeline: String
  var result: String
  var sources: [String: Source]
  var stages: [Stage]
  var zooms: [Zoom]
  var tiles: Tiles
  var archive: Archive
  var peakMemoryBytes: Int
}

/// The parts of a GeoJSON FeatureCollection of points that tests look at.
struct PointCollection: Decodable {
  struct Feature: Decodable {
    struct Geometry: Decodable {
      var type: String
      var coordinates: [Double]
    }

    struct Properties: Decodable {
      var point_count: Int?
      var name: String?
      var kind: Int?
    }

    var type: String
    var geometry: Geometry
    var properties: Properties
  }

  var type: String
  var features: [Feature]

  init(_ text: String) throws {
    self = try JSONDecoder().decode(PointCollection.self, from: Data(text.utf8))
  }
}
