import Features
import Ingest
import TestSupport
import Testing

@testable import RecordChanges

@Suite("Joined tables")
struct JoinedReaderTests {
  private let lots = "bbl,lng,lat\n10,1,1\n20,2,2\n,3,3\n40,4,4\n010,5,5\n10,6,6\n"
  private let owners = "bbl,owner,beds\n10,Ann,2\n30,Bob,\n20,Cyd,3\n,Nil,4\n50,Eve,5\n"

  private func join(
    _ base: String, isCSV: Bool = true, _ table: String, left: String = "bbl",
    _ change: (inout JoinOptions) -> Void = { _ in }
  ) throws -> RecordDump {
    var options = JoinOptions(left: left, right: "bbl")
    change(&options)
    let source = ByteSource(bytes: Array(base.utf8), name: "lots", chunk: 9)
    let reader: any FeatureReader =
      isCSV ? try CSVReader(source) : GeoJSONReader(source: source)
    let bytes = ByteSource(bytes: Array(table.utf8), name: "owners.csv", chunk: 11)
    let joined = JoinedReader(reader, table: try JoinTable(reading: bytes, options: options))
    return try RecordDump(joined)
  }

  private func feature(_ key: String, _ more: String = "") -> String {
    #"{"type":"Feature","geometry":null,"properties":{"bbl":\#(key)\#(more)}}"#
  }

  @Test("joined records gain the columns of their row, and misses of both sides are counted")
  func leftJoin() throws {
    let dump = try join(lots, owners)
    #expect(
      dump.records == [
        "point point(1.0 1.0) bbl=10 beds=2 lat=1 lng=1 owner=Ann",
        "point point(2.0 2.0) bbl=20 beds=3 lat=2 lng=2 owner=Cyd",
        "point point(3.0 3.0) lat=3 lng=3",
        "point point(4.0 4.0) bbl=40 lat=4 lng=4",
        "point point(5.0 5.0) bbl=010 lat=5 lng=5",
        "point point(6.0 6.0) bbl=10 beds=2 lat=6 lng=6 owner=Ann",
      ])
    let counts = try #require(dump.ledger.joins.first)
    #expect((counts.matched, counts.missing, counts.unused, counts.repeated) == (3, 3, 3, 0))
    #expect(counts.firstMissing?.line == 4)
    #expect(counts.firstMissing?.message == "the record has no 'bbl'")
    #expect(counts.firstUnused?.line == 3)
    #expect(counts.firstUnused?.message == "no record has 'bbl' '30'")
    #expect(counts.firstUnused?.file == "owners.csv")
  }

  @Test(
    "join keys are compared as text, numbers in their shortest form",
    arguments: [
      ("1234", "1234", true), ("1234", "1234.0", true), ("1234.0", "1234", true),
      ("1234", "1.234e3", true), (#""1234""#, "1234", true), (#""01234""#, "01234", true),
      ("1234", "01234", false), (#""1234.0""#, "1234", false), ("0.5", "0.50", true),
      ("-0", "0", true), ("-7", "-7", true), (#""a b""#, "a b", true), ("true", "true", true),
      // Beyond what a Double tells apart, digits decide.
      (#""12345678901234567""#, "12345678901234567", true),
      (#""12345678901234567""#, "12345678901234568", false),
      ("1e300", "1e300", true), (#""A""#, "a", false), ("null", "null", false),
    ])
  func keys(left: String, right: String, isFound: Bool) throws {
    let base = #"{"type":"FeatureCollection","features":[\#(feature(left))]}"#
    let dump = try join(base, isCSV: false, "bbl,owner\n\(right),Ann\n")
    #expect(dump.records.first?.contains("owner=Ann") == isFound)
    let counts = try #require(dump.ledger.joins.first)
    #expect(counts.matched == (isFound ? 1 : 0))
    #expect(counts.unused == (isFound ? 0 : 1))
  }

  @Test("the id of a Feature is the join key 'id'")
  func featureID() throws {
    let base = #"{"type":"Feature","id":7,"geometry":null,"properties":{}}"#
    let dump = try join(base, isCSV: false, "bbl,owner\n7,Ann\n", left: "id")
    #expect(dump.records == ["#7 none owner=Ann"])
  }

  /// A reader of one record in a part of its file.
  private struct PartReader: FeatureReader {
    let propertyNames = ["bbl"]
    let ledger = SourceLedger()
    var bytesRead = 0
    let columnNames = ["bbl"]

    func part(ofRow row: Int) -> String? { "3/4/\(row)" }

    mutating func read(into batch: inout FeatureBatch) -> Bool {
      batch.removeAll()
      defer { bytesRead = 1 }
      return bytesRead == 0
    }
  }

  @Test("a joined record is in the part of the file in which its own is")
  func part() throws {
    let bytes = ByteSource(bytes: Array(owners.utf8), name: "owners.csv", chunk: 11)
    let table = try JoinTable(reading: bytes, options: JoinOptions(left: "bbl", right: "bbl"))
    let joined = JoinedReader(PartReader(), table: table)
    #expect(joined.part(ofRow: 5) == "3/4/5")
    #expect(joined.columnNames == ["bbl", "owner", "beds"])
  }

  @Test("a duplicate key in a joined table follows the policy")
  func duplicates() throws {
    let table = "bbl,owner\n10,Ann\n20,Bob\n10.0,Cyd\n"
    let error = #expect(throws: SourceError.self) { try join(lots, table) }
    #expect(
      error?.description
        == "owners.csv:4: the key '10' is also that of line 2. Set 'onDuplicate: first' or 'last' of "
        + "the join to keep one of them.")
    let first = try join(lots, table) { $0.onDuplicate = .first }
    #expect(first.records[0].hasSuffix("owner=Ann"))
    #expect(first.ledger.joins[0].repeated == 1)
    #expect(first.ledger.joins[0].firstRepeated?.line == 4)
    let last = try join(lots, table) { $0.onDuplicate = .last }
    #expect(last.records[0].hasSuffix("owner=Cyd"))
    #expect(last.ledger.joins[0].firstRepeated?.line == 2)
    #expect(last.ledger.joins[0].unused == 0)
  }

  @Test("a property on both sides of a join is refused unless a prefix separates them")
  func collisions() throws {
    let base = "bbl,lng,lat,owner\n10,1,1,me\n"
    let error = #expect(throws: SourceError.self) { try join(base, owners) }
    #expect(
      error?.description
        == "owners.csv: the source has a property 'owner' too (its line 2). Set 'prefix:' of the "
        + "join, or leave the column out with 'select:'.")
    #expect(
      try join(base, owners) { $0.prefix = "o_" }.records
        == ["point point(1.0 1.0) bbl=10 lat=1 lng=1 o_beds=2 o_owner=Ann owner=me"])
    #expect(
      try join(base, owners) { $0.select = ["beds"] }.records
        == ["point point(1.0 1.0) bbl=10 beds=2 lat=1 lng=1 owner=me"])
    // The key itself comes only where it is asked for.
    #expect(
      try join(base, owners) {
        $0.select = ["bbl"]
        $0.prefix = "o_"
      }.records == ["point point(1.0 1.0) bbl=10 lat=1 lng=1 o_bbl=10 owner=me"])
    #expect(
      try join(base, owners) {
        $0.prefix = "o_"
        $0.wanted = ["o_beds", "beds", "x"]
      }.records == ["point point(1.0 1.0) bbl=10 lat=1 lng=1 o_beds=2 owner=me"])
  }

  @Test("a column on both sides of a join is refused by its name, even if it is not read")
  func unreadCollisions() throws {
    let base = "bbl,lng,lat,owner\n10,1,1,me\n"
    func fault(_ change: (inout CSVOptions, inout JoinOptions) -> Void) throws -> String? {
      var csv = CSVOptions()
      var options = JoinOptions(left: "bbl", right: "bbl")
      csv.wanted = ["bbl"]
      options.wanted = ["beds"]
      change(&csv, &options)
      let reader = try CSVReader(
        ByteSource(bytes: Array(base.utf8), name: "lots"), options: csv)
      let owners = ByteSource(bytes: Array(owners.utf8), name: "owners.csv")
      let joined = JoinedReader(reader, table: try JoinTable(reading: owners, options: options))
      do {
        _ = try RecordDump(joined)
        return nil
      } catch let error as SourceError {
        return error.description
      }
    }
    #expect(
      try fault { _, _ in }
        == "owners.csv: the source has a property 'owner' too (its line 2). Set 'prefix:' of the "
        + "join, or leave the column out with 'select:'.")
    #expect(try fault { $1.select = ["beds"] } == nil)
    #expect(try fault { $1.prefix = "o_" } == nil)
    #expect(try fault { csv, _ in csv.select = ["bbl", "lng"] } == nil)
  }

  @Test("a join collision is found wherever the source first has the property")
  func lateCollision() throws {
    let quiet = (0..<5000).map { _ in feature("10") }
    let base =
      #"{"type":"FeatureCollection","features":["#
      + (quiet + [feature("10", #","owner":1"#)]).joined(separator: ",") + "]}"
    let error = #expect(throws: SourceError.self) { try join(base, isCSV: false, owners) }
    #expect(error?.message.hasPrefix("the source has a property 'owner' too") == true)
  }

  @Test("columns that the source finds late keep their own values in a join")
  func lateColumns() throws {
    let quiet = (0..<5000).map { _ in feature("10") }
    let base =
      #"{"type":"FeatureCollection","features":["#
      + (quiet + [feature("20", #","late":1"#)]).joined(separator: ",") + "]}"
    let dump = try join(base, isCSV: false, owners)
    #expect(dump.records.first == "none bbl=10 beds=2 owner=Ann")
    #expect(dump.records.last == "none bbl=20 beds=3 late=1 owner=Cyd")
    #expect(dump.ledger.joins[0].matched == 5001)
  }

  @Test("broken rows of a joined table are counted with their place, and its limits hold")
  func brokenRows() throws {
    let dump = try join(lots, "bbl,owner\n10,Ann,x\n20,Bob\n")
    #expect(dump.ledger.rejected == [.raggedRow: 1])
    #expect(dump.ledger.examples.map(\.file) == ["owners.csv"])
    #expect(throws: SourceError.self) { try join(lots, owners) { $0.limits.rows = 4 } }
    #expect(throws: Never.self) { try join(lots, owners) { $0.limits.rows = 5 } }
    #expect(throws: SourceError.self) { try join(lots, owners) { $0.limits.bytes = 20 } }
    let long = try join(lots, "bbl,owner\n10,\(String(repeating: "x", count: 500))\n") {
      $0.limits.row = 100
    }
    #expect(long.ledger.rejected == [.tooLarge: 1])
    let error = #expect(throws: SourceError.self) { try join(lots, "lot,owner\n1,x\n") }
    #expect(
      error?.description
        == "owners.csv:1: no column named 'bbl' in owners.csv; columns are lot, owner. Set 'on:'.")
  }

  @Test("a join equals a brute-force comparison of all rows", arguments: 0..<20)
  func bruteForce(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    func key() -> String {
      ["", "7", "07", "x", "\(Int.random(in: 0..<30, using: &random))"][
        Int.random(in: 0..<5, using: &random)]
    }
    let left = (0..<Int.random(in: 0...60, using: &random)).map { _ in key() }
    let right = (0..<Int.random(in: 0...40, using: &random)).map { _ in key() }
    let dump = try join(
      "bbl,lng,lat\n" + left.map { "\($0),1,1\n" }.joined(),
      "bbl,n\n" + right.enumerated().map { "\($1),\($0)\n" }.joined()
    ) { $0.onDuplicate = seed % 2 == 0 ? .first : .last }
    let found = left.map { key in
      key.isEmpty ? nil : seed % 2 == 0 ? right.firstIndex(of: key) : right.lastIndex(of: key)
    }
    let values = dump.records.map { record in
      record.split(separator: " ").first { $0.hasPrefix("n=") }.flatMap { Int($0.dropFirst(2)) }
    }
    #expect(values == found)
    let counts = try #require(dump.ledger.joins.first)
    #expect(counts.missing == found.filter { $0 == nil }.count)
    let kept = Set(right.filter { !$0.isEmpty })
    let withoutKey = right.filter { $0.isEmpty }.count
    #expect(counts.unused == kept.subtracting(left).count + withoutKey)
    #expect(counts.repeated + kept.count + withoutKey == right.count)
  }

  @Test("a joined reader passes on the form of the source's reader")
  func form() throws {
    struct Table: FeatureReader {
      let propertyNames: [String] = []
      let ledger = SourceLedger()
      let bytesRead = 3
      let byteCount: Int? = 7
      let geometryColumns = ["lng", "lat"]
      let layer = "lots"
      mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool { false }
    }
    let owners = ByteSource(bytes: Array(owners.utf8), name: "owners.csv")
    let options = JoinOptions(left: "bbl", right: "bbl")
    let joined = JoinedReader(Table(), table: try JoinTable(reading: owners, options: options))
    #expect(joined.geometryColumns == ["lng", "lat"])
    #expect(joined.layer == "lots")
    #expect((joined.bytesRead, joined.byteCount) == (3, 7))
  }

  @Test("edits precede joins: a record inserted by the log finds its row")
  func edited() throws {
    let source = EditedSource(base: lots, log: "op,bbl,lng,lat\n,30,9,9\ndelete,20,,\n", key: "bbl")
    let table = ByteSource(bytes: Array(owners.utf8), name: "owners.csv")
    let options = JoinOptions(left: "bbl", right: "bbl")
    let dump = try RecordDump(
      JoinedReader(
        try source.edited(), table: try JoinTable(reading: table, options: options)))
    #expect(dump.records.last == "point point(9.0 9.0) bbl=30 lat=9 lng=9 owner=Bob")
    #expect(dump.places.last == "edits:2")
    #expect(dump.ledger.edits?.deleted == 1)
    #expect(dump.ledger.joins[0].unused == 3)
  }
}
