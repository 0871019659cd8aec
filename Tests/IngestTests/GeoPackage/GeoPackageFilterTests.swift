import Expressions
import Features
import Ingest
import TestSupport
import Testing
import Tiling

@testable import GeoPackages

/// A record of a batch, bound to a filter's names.
private struct BatchSource: PropertySource {
  var batch: FeatureBatch
  var row: Int
  var places: [Int?]

  func property(_ slot: Int) -> PropertyValue? {
    places[slot].flatMap { batch.columns[$0].value(row) }
  }
  var id: PropertyValue? { nil }
  var geometryType: String? { nil }
  var allProperties: PropertyValue { .null }
  var geometry: RecordGeometry { .shape(batch.geometry, record: row) }
}

/// Ids of the records that a reader gives, and of those among them that pass the filter.
private func read(
  _ file: GeoPackageFile, _ filter: CompiledFilter, isPushed: Bool
) throws -> (given: [String], passed: [String], isExact: Bool) {
  var options = GeoPackageOptions()
  if isPushed { options.filters = [filter] }
  let reader = try GeoPackageReader(file, options: options)
  let places = filter.propertyNames.map { reader.propertyNames.firstIndex(of: $0) }
  var given: [String] = []
  var passed: [String] = []
  var batch = FeatureBatch()
  while try reader.read(into: &batch) {
    for row in 0..<batch.count {
      let id = batch.ids.text(row) ?? ""
      given.append(id)
      let source = BatchSource(batch: batch, row: row, places: places)
      if filter.matches(EvaluationContext(zoom: 0, feature: source)) { passed.append(id) }
    }
  }
  return (given, passed, reader.checksFilters)
}

struct GeoPackageFilterTests {
  private struct Row {
    var values: [String: PropertyValue] = [:]
    var sql: [String] = []
  }

  private static func table(_ random: inout SplitMix64) throws -> (GeoPackageFixture, [Row]) {
    let rows = (0..<60).map { _ in
      var row = Row()
      for name in FilterOracle.names where name != "nothing" {
        let (sql, value) = FilterOracle.value(&random, isBoolean: name == "flag")
        row.sql.append(sql)
        row.values[name] = value
      }
      return row
    }
    // Without a type, columns keep what they are given; NOCASE must not matter.
    let script = """
      CREATE TABLE t (fid INTEGER PRIMARY KEY, a COLLATE NOCASE, b, flag BOOLEAN, "select");
      CREATE INDEX ia ON t(a);
      INSERT INTO t(a, b, flag, "select") VALUES
      \(rows.map { "(" + $0.sql.joined(separator: ",") + ")" }.joined(separator: ","));
      """
    return (try GeoPackageFixture(script + GeoPackageFixture.attributes("t")), rows)
  }

  @Test("a pushed filter, one in memory and brute force agree on random records", arguments: 0..<6)
  func differential(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (fixture, rows) = try Self.table(&random)
    let file = try fixture.open()
    var exact = 0
    var narrowed = 0
    for _ in 0..<150 {
      let oracle = FilterOracle.random(&random)
      guard let filter = try? CompiledFilter.compile(cql2: oracle.cql) else { continue }
      let brute = rows.indices.filter { oracle.truth(rows[$0].values) == true }.map { "\($0 + 1)" }
      let plain = try read(file, filter, isPushed: false)
      let pushed = try read(file, filter, isPushed: true)
      #expect(plain.passed == brute, "\(oracle.cql)")
      #expect(pushed.passed == brute, "\(oracle.cql)")
      if pushed.isExact {
        exact += 1
        #expect(pushed.given == brute, "\(oracle.cql)")
      }
      if pushed.given.count < rows.count { narrowed += 1 }
    }
    #expect(exact > 30)
    #expect(narrowed > 60)
  }

  @Test(
    "filters that SQL cannot express stay with the caller, the rest of an AND is pushed",
    arguments: [
      ("b > 1", true, true), ("b + 1 > 1", false, false), ("CASEI(a) = 'x'", false, false),
      ("b > 1 AND b + 1 > 1", true, false), ("b > 1 OR b + 1 > 1", false, false),
      ("NOT (b > 1 AND b + 1 > 1)", false, false), ("a LIKE 'x%'", true, true),
      ("a LIKE '%x%'", true, false), ("NOT a LIKE '%x%'", false, false),
      ("a < '\u{E000}'", false, false), ("a IN (1, 'x')", false, false), ("TRUE", true, true),
      ("FALSE", true, true), ("a = DATE('2020-01-01')", false, false),
    ])
  func translation(_ text: String, _ isPushed: Bool, _ isExact: Bool) throws {
    let filter = try CompiledFilter.compile(cql2: text)
    let condition = filter.sqlCondition { SQLColumn(quoted: "\"\($0)\"", isBoolean: false) }
    #expect((condition != nil) == isPushed)
    #expect((condition?.isExact ?? false) == isExact)
  }

  @Test(
    "a large or deep filter is pushed or left to the caller with the same meaning",
    arguments: [
      (0..<400).map { "b <> \($0 + 10)" }.joined(separator: " AND "),
      (0..<700).map { "b = \($0 + 10)" }.joined(separator: " OR ") + " OR b < 2",
      String(repeating: "NOT (", count: 30) + "b < 2" + String(repeating: ")", count: 30),
      "b IN (\((0..<2000).map { "\($0)" }.joined(separator: ", ")))",
      "a LIKE '\(String(repeating: "a", count: 300))%' OR b < 2",
    ])
  func large(_ text: String) throws {
    var random = SplitMix64(seed: 99)
    let file = try Self.table(&random).0.open()
    let filter = try CompiledFilter.compile(cql2: text)
    let plain = try read(file, filter, isPushed: false)
    let pushed = try read(file, filter, isPushed: true)
    #expect(plain.passed == pushed.passed)
    #expect(!plain.passed.isEmpty)
  }

  @Test(
    "a spatial filter reads what its box touches, with and without the index",
    arguments: [true, false])
  func spatial(_ isIndexed: Bool) throws {
    var random = SplitMix64(seed: 5)
    let points = (0..<2000).map { _ in
      (Double(random.next() % 3600) / 10 - 180, Double(random.next() % 1600) / 10 - 80)
    }
    var script = "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB, x REAL, y REAL);"
    let rows = points.map { "(\(GeometryBlob.point($0.0, $0.1).sql), \($0.0), \($0.1))" }
    script += GeoPackageFixture.features("t")
    script += "INSERT INTO t(geom, x, y) VALUES \(rows.joined(separator: ","));"
    if isIndexed {
      script += GeoPackageFixture.index("t", boxes: "SELECT fid, x, x, y, y FROM t")
    }
    let file = try GeoPackageFixture(script).open()
    for box in ["7, 50, 12, 53", "170, -20, -170, 20", "-180, -90, 180, 90", "-20, 0, 3, 0.05"] {
      for relation in ["S_INTERSECTS", "S_WITHIN", "S_DISJOINT"] {
        let filter = try CompiledFilter.compile(
          cql2: "\(relation)(geometry, BBOX(\(box))) AND x > -179")
        let plain = try read(file, filter, isPushed: false)
        let pushed = try read(file, filter, isPushed: true)
        #expect(plain.passed == pushed.passed)
        if relation != "S_DISJOINT", box.hasPrefix("7") || box.hasPrefix("170") {
          #expect(pushed.given.count < 100)
        }
      }
    }
  }
}
