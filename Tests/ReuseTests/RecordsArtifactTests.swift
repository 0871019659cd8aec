import Features
import Foundation
import Ingest
import TestSupport
import Testing
import Tiling

@testable import Reuse

@Suite("Stored records")
struct RecordsArtifactTests {
  /// A ledger with any of its parts there or not.
  private func ledger(_ random: inout SplitMix64) -> SourceLedger {
    func texts() -> String? { random.pick([nil, "", "a.csv", "Straße;\n"]) }
    func example(_ reason: RejectReason) -> SourceLedger.Example {
      SourceLedger.Example(
        reason: reason, file: texts(), line: random.below(1 << 40), column: random.below(9),
        message: texts() ?? "message")
    }
    func note() -> LedgerNote? {
      random.below(2) == 0
        ? nil : LedgerNote(file: texts(), line: random.below(99), message: texts() ?? "")
    }
    var ledger = SourceLedger()
    ledger.read = random.below(1 << 40)
    ledger.used = random.below(100)
    ledger.filtered = random.below(100)
    ledger.noGeometry = random.below(100)
    ledger.limited = random.below(100)
    ledger.repeated = random.below(100)
    ledger.beyondMap = random.below(100)
    for repair in RecordRepair.allCases where random.below(2) == 0 {
      ledger.repaired[repair] = 1 + random.below(100)
      guard random.below(2) == 0 else { continue }
      ledger.restore(
        SourceLedger.RecordPlace(record: 1 + random.below(99), line: random.below(99)), of: repair)
    }
    for _ in 0..<random.below(12) {
      let reason = random.pick(RejectReason.allCases)
      let example = example(reason)
      ledger.reject(example, as: reason)
    }
    if random.below(2) == 0 {
      var edits = EditCounts()
      edits.edited = random.below(9)
      edits.deleted = random.below(9)
      edits.inserted = random.below(9)
      edits.dangling = random.below(9)
      edits.firstDangling = note()
      ledger.edits = edits
    }
    for _ in 0..<random.below(3) {
      var join = JoinCounts(file: texts() ?? "join")
      join.matched = random.below(9)
      join.missing = random.below(9)
      join.unused = random.below(9)
      join.repeated = random.below(9)
      join.firstMissing = note()
      join.firstUnused = note()
      join.firstRepeated = note()
      ledger.joins.append(join)
    }
    return ledger
  }

  @Test("stored ledgers are restored with all their parts", arguments: 0..<60 as Range<UInt64>)
  func ledgers(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let ledger = ledger(&random)
    var writer = ArtifactWriter()
    writer.append(ledger)
    let sample = try ArtifactSample()
    sample.cache().store(sample.key(), writer)
    let restored = sample.cache().value(sample.key()) { reader throws(ArtifactDamage) in
      try reader.ledger()
    }
    #expect(restored == ledger)
  }

  /// Points, MultiPoints, lines, polygons and collections, with ids, late columns and every kind of
  /// value.
  private static let features = """
    {"type":"Feature","id":"é","properties":{"a":1},"geometry":{"type":"Point","coordinates":[1,2]}}
    {"type":"Feature","properties":{"b":[1,{"c":null}]},"geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4],[-170,80]]}}
    {"type":"Feature","id":7,"properties":{"a":null,"late":true},"geometry":{"type":"LineString","coordinates":[[1,2],[190,4]]}}
    {"type":"Feature","properties":{"a":"","b":false},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}}
    {"type":"Feature","properties":{},"geometry":{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[5,5]},{"type":"LineString","coordinates":[[1,2],[3,4]]},{"type":"LineString","coordinates":[[5,6],[7,8]]}]}}
    {"type":"Feature","properties":{"a":-0.5},"geometry":null}
    """

  private func ingested(_ text: String, id: String? = nil) throws -> RecordsArtifact {
    var reader = GeoJSONSequenceReader(
      source: ByteSource(bytes: Array(text.utf8), name: "f"), options: GeoJSONOptions())
    var options = IngestOptions()
    options.id = id
    options.onDuplicateID = .last
    let source = try IngestStage.read(&reader, file: "f", options: options)
    return RecordsArtifact(
      points: source.points, shapes: source.shapes, ledger: source.ledger, bytes: text.utf8.count)
  }

  private func expectEqual(_ left: RecordColumns, _ right: RecordColumns) {
    #expect(left.columns.map(\.name) == right.columns.map(\.name))
    for (left, right) in zip(
      left.columns + [left.ids].compactMap(\.self), right.columns + [right.ids].compactMap(\.self))
    {
      #expect(left.kinds == right.kinds && left.ends == right.ends && left.bytes == right.bytes)
    }
    #expect((left.ids == nil) == (right.ids == nil))
    #expect(left.lines == right.lines && left.idColumn == right.idColumn)
  }

  @Test(
    "stored records are restored column by column, with every geometry and value",
    arguments: [(features, nil), (features + "\n" + features, "a"), ("", nil)])
  func records(text: String, id: String?) throws {
    let records = try ingested(text, id: id)
    let sample = try ArtifactSample()
    sample.cache().store(sample.key(), records.writer)
    // Within the macro the closure crashes the compiler (Swift 6.3.1).
    let stored = sample.cache().value(sample.key(), RecordsArtifact.init)
    let restored = try #require(stored)
    #expect(restored.bytes == records.bytes && restored.ledger == records.ledger)
    #expect(restored.points.longitudes == records.points.longitudes)
    #expect(restored.points.latitudes == records.points.latitudes)
    #expect(restored.points.positions == records.points.positions)
    #expect(restored.points.owners.records == records.points.owners.records)
    #expect(restored.points.recordCount == records.points.recordCount)
    expectEqual(restored.points.records, records.points.records)
    let (left, right) = (restored.shapes.geometry, records.shapes.geometry)
    #expect(left.kinds == right.kinds && left.partEnds == right.partEnds)
    #expect(left.parts == right.parts && left.positionEnds == right.positionEnds)
    #expect(left.positions == right.positions)
    expectEqual(restored.shapes.records, records.shapes.records)
    #expect(restored.shapes.owners.records == records.shapes.owners.records)
    #expect(restored.shapes.recordCount == records.shapes.recordCount)
  }

  @Test("inconsistent stored columns are refused")
  func misfits() throws {
    let records = try ingested(Self.features)
    let (points, geometry) = (records.points, records.shapes.geometry)
    let shapeRecords = records.shapes.records
    func set(
      longitudes: Column<Double>? = nil, owners: Column<UInt32>?? = nil,
      recordCount: Int? = nil, records: RecordColumns? = nil
    ) -> PointSet? {
      PointSet(
        longitudes: longitudes ?? points.longitudes, latitudes: points.latitudes,
        positions: points.positions, records: records ?? points.records,
        owners: owners ?? points.owners.records, recordCount: recordCount ?? points.recordCount)
    }
    #expect(set() != nil)
    #expect(set(longitudes: []) == nil && set(owners: .some(nil)) == nil)
    #expect(set(owners: [0]) == nil && set(recordCount: 1) == nil && set(recordCount: 99) == nil)
    #expect(set(recordCount: -1) == nil && set(records: RecordColumns()) == nil)
    func column(
      _ kinds: Column<PropertyColumn.Kind>, _ ends: Column<UInt32>, bytes: Int
    ) -> PropertyColumn? {
      PropertyColumn(
        name: "c", kinds: kinds, ends: ends, bytes: Column(repeating: 65, count: bytes))
    }
    #expect(column([.text, .null, .text], [2, 2, 5], bytes: 5) != nil)
    #expect(column([], [], bytes: 0) != nil)
    for (ends, bytes) in [([2, 1, 5], 5), ([2, 2, 5], 4), ([2, 2, 5], 6), ([2, 5], 5), ([], 0)] {
      let ends = Column(ends.map { UInt32($0) })
      #expect(column([.text, .null, .text], ends, bytes: bytes) == nil)
    }
    #expect(RecordColumns(columns: [], ids: nil, lines: [1], idColumn: 0) == nil)
    #expect(
      RecordColumns(columns: points.records.columns, ids: nil, lines: [], idColumn: nil) == nil)
    func shapes(
      _ owners: Column<UInt32>?, recordCount: Int = 3, records: RecordColumns? = nil
    ) -> ShapeSet? {
      ShapeSet(
        geometry: geometry, records: records ?? shapeRecords, owners: owners,
        recordCount: recordCount)
    }
    #expect(shapes([0, 1, 2, 2]) != nil)
    #expect(shapes([0, 1, 2, 2], records: RecordColumns()) == nil)
    #expect(shapes(nil) == nil && shapes([0, 1, 2]) == nil && shapes([0, 1, 2, 3]) == nil)
    #expect(shapes([0, 1, 2, 2], recordCount: 5) == nil)
    #expect(
      GeometryColumn(
        kinds: geometry.kinds, partEnds: geometry.partEnds, parts: [], positionEnds: [],
        positions: geometry.positions) == nil)
  }
}
