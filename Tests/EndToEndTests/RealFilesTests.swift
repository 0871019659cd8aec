import Foundation
import TestSupport
import Testing

@Suite(
  "A real point file",
  .enabled(if: SharedData.isThere, "shared/data is not beside the repository"))
struct RealFilesTests {
  /// A file, how its source reads it, and how many points must be used.
  struct File: Sendable, CustomTestStringConvertible {
    var name: String
    var source: String
    var used: Int

    var testDescription: String { name }
  }

  static let files = [
    File(name: "ufo_sightings.csv", source: "onError: {max: 20}", used: 80_312),
    File(name: "uk_accidents_lnglat.csv", source: "", used: 140_029),
    File(
      name: "openflights_airports.dat",
      source: """
        columns: [id, name, city, country, iata, icao, lat, lng, alt, utc, dst, zone, type, source]
            nullValues: ["\\\\N"]
            onError: {max: 10}
        """, used: 7696),
    File(name: "us_zipcodes.csv", source: "types: {zip_code: string}", used: 42_049),
    File(name: "nz_addresses_10k.csv", source: "", used: 10_000),
    File(name: "radio_stations.tsv", source: "delimiter: tab", used: 25_653),
  ]

  @Test("a real point file is built with every row accounted for", arguments: files)
  func builds(file: File) throws {
    var settings = Sample.Settings()
    settings.source = "cluster: true\n    \(file.source)"
    settings.tiles = "maxzoom: 4"
    let sample = try Sample(rows: 1, settings)
    let text = Sample.yaml(settings).replacing(
      "places.csv", with: SharedData.path("points/\(file.name)"))
    try sample.folder.write(text, to: "sample.yml")
    let report = try sample.build()
    let source = try #require(report.sources["places"])
    #expect(source.used == file.used && source.balances)
    #expect(report.zooms.count == 5 && report.zooms.allSatisfy { $0.tiles > 0 })
    #expect(try Program.run("verify", "-q", sample.archive).status == 0)
  }

  @Test("a point file of supercluster's own tests gives its clusters by radius")
  func supercluster() throws {
    let sample = try Sample(rows: 1)
    let text = """
      version: 1
      name: places
      sources:
        places:
          type: geojson
          data: \(SharedData.path("points/supercluster_places.json"))
          cluster: true
          clusterMethod: radius
          clusterRadius: 40
      layers:
        - {id: disc, type: circle, source: places}
      tiles: {maxzoom: 4, tileSize: 512}
      output: {path: out.mbtiles}
      """
    try sample.folder.write(text, to: "sample.yml")
    let report = try sample.build()
    let source = try #require(report.sources["places"])
    #expect(source.used == 162 && source.noGeometry == 1 && source.balances)
    let run = try Program.run("query", sample.pipeline, "--clusters", "0")
    let counts = try PointCollection(run.output).features.map { $0.properties.point_count ?? 1 }
    // The clusters of supercluster's first tile with a radius of 40 of 512.
    #expect(counts.reduce(0, +) == 162)
    #expect(report.zooms[0].clusters == counts.count)
    let expected = try expectedCounts()
    #expect(counts.sorted() == expected.sorted())
  }

  /// The counts of the items of tile 0/0/0 as supercluster gives them, copies at the edges left out.
  private func expectedCounts() throws -> [Int] {
    let file = SharedData.path("points/supercluster_expected/places-z0-0-0.json")
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: file)))
    let features = (json as? [String: Any])?["features"] as? [[String: Any]] ?? []
    return features.compactMap { feature in
      guard let geometry = feature["geometry"] as? [[NSNumber]],
        (0..<512).contains(geometry[0][0].intValue), let tags = feature["tags"] as? [String: Any]
      else { return nil }
      return (tags["point_count"] as? NSNumber)?.intValue ?? 1
    }
  }
}
