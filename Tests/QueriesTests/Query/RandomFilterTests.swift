import JSON
import PipelineSamples
import SQLite
import TestSupport
import Testing

@testable import Queries

/// Random conditions over the same records in three formats, beside SQLite's own answer.
@Suite struct RandomFilterTests {
  @Test(
    "random conditions find the rows in CSV, GeoJSON and GeoPackage that SQLite finds",
    arguments: [1, 2, 3] as [UInt64])
  func sameRows(seed: UInt64) throws {
    let rows = FilterRows(count: 60, seed: seed)
    let texts = try sample(rows)
    let package = texts.folder.path("rows.gpkg")
    _ = try texts.text { ($0.sources, $0.format, $0.output) = (["json"], .gpkg, package) }
    let packed = try QuerySample([("packed", "type: gpkg, data: \(package)")], files: [])
    let database = try rows.database()
    var maker = RandomFilterMaker(seed: seed)
    var telling = 0
    for _ in 0..<40 {
      let filter = maker.filter()
      let expected = try numbers(where: filter.sql, in: database)
      if !expected.isEmpty, expected.count < 60 { telling += 1 }
      for (sample, source) in [(texts, "csv"), (texts, "json"), (packed, "packed")] {
        let found = try sample.lines {
          ($0.sources, $0.select, $0.format) = ([source], ["i"], .geojsonseq)
          $0.whereText = filter.cql2
        }
        let numbers = found.compactMap { line in
          line.firstMatch(of: #/"i":(\d+)/#).flatMap { Int($0.1) }
        }
        #expect(numbers == expected, "\(source): \(filter.cql2)")
        #expect(numbers.count == found.count)
      }
    }
    #expect(telling >= 15, "conditions that all or none fulfil tell nothing")
  }

  private func sample(_ rows: FilterRows) throws -> QuerySample {
    try QuerySample(
      [
        ("csv", "type: csv, data: rows.csv, types: {b: boolean}"),
        ("json", "type: geojson, data: rows.json"),
      ],
      files: [("rows.csv", rows.csv), ("rows.json", rows.geojson)])
  }

  private func numbers(where condition: String, in database: Database) throws -> [Int] {
    let statement = try database.prepare("SELECT i FROM x WHERE \(condition) ORDER BY i")
    var numbers: [Int] = []
    while try statement.step() { numbers.append(Int(statement.integer(0))) }
    return numbers
  }
}
