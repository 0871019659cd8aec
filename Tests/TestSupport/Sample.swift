import Foundation

/// A small pipeline in a folder of its own: some hundred points in crowds around the globe.
package struct Sample {
  package let folder: TemporaryFolder
  package let pipeline: String

  /// What a pipeline file says, apart from what all samples have.
  package struct Settings {
    package var source = "cluster: true\n    clusterCellSize: 64"
    package var tiles = "minzoom: 0\n  maxzoom: 6\n  snap: 1"
    package var output = "path: out.mbtiles"
    package var more = ""
    package var layers = """
        - id: disc
          type: circle
          source: places
          paint: {circle-radius: 6, circle-color: "#ff5f2a"}
      """

    package init() {}
  }

  /// Writes pipeline and data.
  package init(rows: Int = 400, _ settings: Settings = Settings()) throws {
    folder = try TemporaryFolder()
    try folder.write(Self.csv(Self.rows(rows)), to: "places.csv")
    pipeline = try folder.write(Self.yaml(settings), to: "sample.yml")
  }

  package static func yaml(_ settings: Settings) -> String {
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
  package static func rows(_ count: Int, seed: UInt64 = 1) -> [String] {
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

  package static func csv(_ rows: [String]) -> String {
    "lng,lat,name,kind\n" + rows.joined(separator: "\n") + "\n"
  }

  package var archive: String { folder.path("out.mbtiles") }

  /// Runs `build` and returns the report that it wrote beside the archive.
  @discardableResult
  package func build(_ options: String..., environment: [String: String] = [:]) throws -> Report {
    let run = try Program.Run(
      ["build", pipeline, "-q"] + options, in: folder, environment: environment
    ).finish()
    guard run.status == 0 else { throw SampleFailure(message: run.errors) }
    return try report()
  }

  package func report(_ name: String = "out.report.json") throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(folder.bytes(name)))
  }
}

/// A build that should have gone well.
package struct SampleFailure: Error {
  package var message: String

  package init(message: String) {
    self.message = message
  }
}

/// The report of a build, as `NAME.report.json` holds it.
package struct Report: Decodable {
  package struct Source: Decodable {
    package var read: Int
    package var used: Int
    package var filtered: Int
    package var noGeometry: Int
    package var beyondMap: Int
    package var limited: Int
    package var rejected: [String: Int]

    /// Whether every record is accounted for.
    package var balances: Bool {
      read == used + filtered + noGeometry + beyondMap + limited + rejected.values.reduce(0, +)
    }
  }

  package struct Zoom: Decodable {
    package var zoom: Int
    package var points: Int
    package var clusters: Int
    package var tiles: Int
    package var empty: Int
    package var distinct: Int
    package var bytes: Int
  }

  package struct Tiles: Decodable {
    package var planned: Int
    package var rendered: Int
    package var reused: Int
    package var distinct: Int
    package var bytes: Int
  }

  package struct Archive: Decodable {
    package var path: String
    package var bytes: Int
    package var sha256: String
    package var digest: String
  }

  package struct Stage: Decodable {
    package var name: String
    package var seconds: Double
    package var peakAnonymousBytes: Int?
  }

  package var pipeline: String
  package var result: String
  package var sources: [String: Source]
  package var stages: [Stage]
  package var zooms: [Zoom]
  package var tiles: Tiles
  package var archive: Archive
  package var peakAnonymousBytes: Int
  package var peakMappedBytes: Int
}

/// The parts of a GeoJSON FeatureCollection of points that tests look at.
package struct PointCollection: Decodable {
  package struct Feature: Decodable {
    package struct Geometry: Decodable {
      package var type: String
      package var coordinates: [Double]
    }

    package struct Properties: Decodable {
      package var point_count: Int?
      package var name: String?
      package var kind: Int?
    }

    package var type: String
    package var geometry: Geometry
    package var properties: Properties
  }

  package var type: String
  package var features: [Feature]

  package init(_ text: String) throws {
    self = try JSONDecoder().decode(PointCollection.self, from: Data(text.utf8))
  }
}
