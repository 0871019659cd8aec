import Features
import Foundation
import PipelineSamples
import SQLite
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Queries
@testable import Reports
@testable import Runs

/// What a query reads from GeoPackages that queries wrote.
@Suite struct GeoPackageReadingTests {
  /// Points with values of all types, and areas of one kind.
  private func sample() throws -> QuerySample {
    let points = (0..<40).map { index in
      let place = "[\(Double(index) * 8.7 - 170), \(80 - Double(index) * 3.9)]"
      return
        #"{"type":"Feature","geometry":{"type":"Point","coordinates":\#(place)},"properties":{"name":"n\#(index)","count":\#(index),"ratio":\#(Double(index) + 0.1),"even":\#(index % 2 == 0),"none":\#(index == 3 ? "null" : "\"é\"")}}"#
    }
    let areas = (0..<6).map { index in
      let (west, south) = (index * 20 - 60, index * 10 - 30)
      return
        #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[\#(west),\#(south)],[\#(west + 9),\#(south)],[\#(west + 9),\#(south + 9)],[\#(west),\#(south)]]]},"properties":{"name":"a\#(index)"}}"#
    }
    return try QuerySample(
      [
        ("points", "type: geojsonseq, data: p.jsonl"), ("areas", "type: geojsonseq, data: a.jsonl"),
      ],
      files: [
        ("p.jsonl", points.joined(separator: "\n")), ("a.jsonl", areas.joined(separator: "\n")),
      ])
  }

  /// The same records, written as a GeoPackage.
  private func reread(_ sample: QuerySample, _ sources: [(name: String, keys: String)]) throws
    -> QuerySample
  {
    let reread = try QuerySample(sources, files: [])
    _ = try sample.text { ($0.format, $0.output) = (.gpkg, reread.folder.path("out.gpkg")) }
    return reread
  }

  private static let tables = [
    (name: "points", keys: "type: gpkg, data: out.gpkg, table: points"),
    (name: "areas", keys: "type: gpkg, data: out.gpkg, table: areas"),
  ]

  /// Geometry and properties of an answer, feature by feature.
  private func features(
    _ sample: QuerySample, _ change: (inout QueryOptions) -> Void = { _ in }
  ) throws -> [NSDictionary] {
    let text = try sample.text {
      $0.format = .geojsonseq
      change(&$0)
    }
    return try text.split(whereSeparator: { $0.isNewline || $0 == "\u{1E}" }).map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let feature = try #require(value as? [String: Any])
      return [
        "geometry": feature["geometry"] ?? NSNull(),
        "properties": feature["properties"] ?? NSNull(),
      ]
    }
  }

  @Test("a GeoPackage written by a query is read back with equal rows")
  func roundTrip() throws {
    let sample = try sample()
    let wanted = try features(sample)
    #expect(wanted.count == 46)
    #expect(try features(try reread(sample, Self.tables)) == wanted)
  }

  @Test(
    "a box in a query's GeoPackage finds the same as in the source",
    arguments: [
      GeoBounds(west: -100, south: -20, east: 30, north: 40),
      GeoBounds(west: 170, south: -90, east: -160, north: 90), .world,
      GeoBounds(west: 1, south: 1, east: 1.5, north: 1.5),
    ])
  func boxes(_ bounds: GeoBounds) throws {
    let sample = try sample()
    let reread = try reread(sample, Self.tables)
    let wanted = try features(sample) { $0.bounds = bounds }
    #expect(try features(reread) { $0.bounds = bounds } == wanted)
  }

  @Test(
    "all tables of a GeoPackage are one source: the union of their columns, keys with the table")
  func allTables() throws {
    let sample = try sample()
    let all = try reread(sample, [("both", "type: gpkg, data: out.gpkg, table: '*'")])
    let each = try reread(sample, Self.tables)
    #expect(try features(all).count == 46)
    #expect(
      try all.names() == (0..<6).map { "a\($0)" } + (0..<40).map { "n\($0)" })
    let bounds = GeoBounds(west: -100, south: -20, east: 30, north: 40)
    let boxed = try all.names { $0.bounds = bounds }
    #expect(boxed.sorted() == (try each.names { $0.bounds = bounds }).sorted())
    #expect(boxed.count < 46 && boxed.count > 5)
    let keys = try all.text().matches(of: #/"key":"([^"]*)"/#).map { String($0.1) }
    #expect(Set(keys).count == 46)
    let parts = try #require(keys.first).split(separator: ".")
    #expect(parts[1] == "YXJlYXM")
    let last = try #require(keys.last).split(separator: ".")
    #expect(last[1] == "cG9pbnRz")
    #expect(try all.names { $0.ids = [keys[3], keys[10]] } == ["a3", "n4"])
  }

  @Test("a condition on a column that only some tables have is applied to these")
  func conditions() throws {
    let sample = try sample()
    let all = try reread(sample, [("both", "type: gpkg, data: out.gpkg, table: '*'")])
    #expect(try all.names { $0.whereText = "count < 3" } == ["n0", "n1", "n2"])
    #expect(try all.names { $0.whereText = "count IS NULL" }.count == 6)
    #expect(try all.names { $0.limit = 8 }.last == "n1")
    let chosen = try reread(
      sample, [("both", "type: gpkg, data: out.gpkg, table: '*', select: [count]")])
    #expect(try chosen.text { $0.limit = 7 }.contains(#""properties":{"count":0}"#))
    let wrong = try reread(
      sample, [("both", "type: gpkg, data: out.gpkg, table: '*', select: [nome]")])
    #expect(wrong.fault { _ in }.contains("no column named 'nome' in "))
  }

  @Test("a condition on the primary key, which is not a property, gets no note")
  func primaryKey() throws {
    let reread = try reread(try sample(), Self.tables)
    for counts in [false, true] {
      #expect(try reread.notes { ($0.whereText, $0.countsOnly) = ("fid = 1", counts) } == [])
      #expect(
        try reread.notes { ($0.whereText, $0.countsOnly) = ("nam = 'n1'", counts) }
          == ["no feature that was read has a property named 'nam'; did you mean 'name'?"])
    }
  }

  @Test("too many tables, or too many columns, are refused as one source")
  func limits() throws {
    func fault(_ count: Int, columns: Int) throws -> String {
      let sample = try QuerySample([("all", "type: gpkg, data: many.gpkg, table: '*'")], files: [])
      let database = try Database(path: sample.folder.path("many.gpkg"), mode: .create)
      let tables = (0..<count).map { table in
        let names = (0..<columns).map { "c\(table)_\($0) TEXT" }.joined(separator: ", ")
        return "CREATE TABLE t\(table) (\(names)); INSERT INTO gpkg_contents VALUES "
          + "('t\(table)', 'attributes');"
      }
      try database.execute(
        "BEGIN; CREATE TABLE gpkg_contents (table_name TEXT, data_type TEXT);" + tables.joined()
          + "COMMIT")
      return sample.fault { _ in }
    }
    #expect(try fault(501, columns: 1).contains("has 501 tables, and 500 are the limit"))
    #expect(
      try fault(3, columns: 700).contains("has tables with 2100 columns, and 2000 are the limit"))
    #expect(try fault(3, columns: 600) == "none")
  }

  @Test("a store of a GeoPackage has all its tables of features, or the named ones")
  func stores() throws {
    let sample = try sample()
    let folder = try TemporaryFolder()
    _ = try sample.text { ($0.format, $0.output) = (.gpkg, folder.path("out.gpkg")) }
    func names(_ keys: String) throws -> [String] {
      let file = try folder.write(
        "stores: [{id: g, type: gpkg, version: 1, uri: out.gpkg\(keys)}]", to: "x.yml")
      let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      let build = try PipelineRunner.plan(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      return build.sources.map { "\($0.name) \($0.ledger.used)" }
    }
    #expect(try names("") == ["g 46"])
    #expect(try names(", default_layers: [points, areas]") == ["g/points 40", "g/areas 6"])
    #expect(try names(", default_layers: [areas]") == ["g 6"])
  }
}
