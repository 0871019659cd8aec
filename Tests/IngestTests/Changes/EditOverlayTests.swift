import Features
import Ingest
import TestSupport
import Testing

@testable import RecordChanges

@Suite("A log of edits laid over records")
struct EditOverlayTests {
  @Test("edits laid over records give what reading the source with them gives", arguments: 0..<60)
  func equality(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let model = EditModel(
      records: seed % 20 == 0 ? 9000 : Int.random(in: 1...30, using: &random),
      entries: Int.random(in: 0...60, using: &random), isPlaced: true, &random)
    for logIsCSV in [true, false] {
      let source = EditedSource(
        base: model.base(isCSV: true), log: model.log(isCSV: logIsCSV), logIsCSV: logIsCSV)
      let laid = try #require(try source.laidOver())
      #expect(try laid == source.whole(), "CSV log \(logIsCSV)")
    }
  }

  private static let base = "id,lng,lat,name,value\na,1,2,A,1\nb,3,4,B,2\nc,5,6,C,3\n"
  private static let titles = "op,id,lng,lat,name,value\n"

  @Test(
    "edits are laid over records beside ones that the reader itself rejects",
    arguments: [
      "update,b,,,New,", "upsert,z,x,8,Z,9\nupsert,y,7,8,Y,9", "delete,a,,,,\nupdate,a,1,1,,",
      "update,a,1,95,,", "update,bad,1,2,,\nupsert,bad,1,2,Mended,4", "delete,,,,,\nmove,a,,,,",
      "delete,a,,,,\ndelete,b,,,,\ndelete,c,,,,",
    ])
  func rejects(log: String) throws {
    var source = EditedSource(base: Self.base + "bad,x,4,B,2\n", log: Self.titles + log + "\n")
    source.key = "id"
    let laid = try #require(try source.laidOver())
    #expect(try laid == source.whole())
  }

  @Test(
    "a source is read with its log where a record that was left out may depend on it",
    arguments: ["d,1,95,D,4", "d,1,88,D,4", "d,,,D,4", "a,1,2,Twice,4"])
  func leftOut(record: String) throws {
    let source = EditedSource(base: Self.base + record + "\n", log: Self.titles + "delete,b,,,,\n")
    #expect(try source.laidOver() == nil)
  }

  @Test("edits are laid over more records than a batch has")
  func many() throws {
    let keys = (0..<9000).map { "k\($0)" }
    let source = EditedSource(
      base: "id,lng,lat,name,value\n" + keys.map { "\($0),1,2,,\n" }.joined(),
      log: Self.titles + keys.map { "update,\($0),3,4,\($0),\n" }.joined())
    let laid = try #require(try source.laidOver())
    #expect(try laid == source.whole())
  }

  @Test("a source is read with its log where that brings properties, shapes or too many faults")
  func refusals() throws {
    func isLaid(_ log: String, isCSV: Bool = true, tolerance: Int = 9) throws -> Bool {
      try EditedSource(base: Self.base, log: log + "\n", logIsCSV: isCSV)
        .laidOver(tolerance: tolerance) != nil
    }
    #expect(try isLaid(Self.titles + "update,b,,,New,"))
    #expect(try !isLaid("op,id,more\nupdate,b,1"))
    #expect(try isLaid(Self.titles + "update,a,1,95,,", tolerance: 1))
    #expect(try !isLaid(Self.titles + "update,a,1,95,,", tolerance: 0))
    for geometry in [
      #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
      #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
    ] {
      let feature =
        #"{"type":"Feature","op":"update","geometry":\#(geometry),"properties":{"id":"b"}}"#
      #expect(try !isLaid(feature, isCSV: false), "\(geometry)")
    }
  }
}

/// Records as an ingest keeps them, in a form that can be compared.
private struct KeptRecords: Equatable {
  var rows: [String] = []
  var ledger: SourceLedger

  init(_ ingested: IngestedSource) {
    let points = ingested.points
    ledger = ingested.ledger
    for row in 0..<points.count {
      let values = points.columns.map { "\($0.name) \($0.kinds[row]) \($0.text(row) ?? "-")" }
      rows.append(
        "\(points.longitudes[row]) \(points.latitudes[row]) \(points.positions[row]) "
          + "\(points.lines[row]) \(points.records.id(row) ?? "-") \(points.record(of: row)) "
          + values.joined(separator: ", "))
    }
    rows.append("\(points.recordCount) records, \(ingested.shapes.count) shapes")
  }
}

extension EditedSource {
  private func options(_ tolerance: Int) -> IngestOptions {
    var options = IngestOptions()
    options.id = key
    options.tolerance = RejectTolerance(tolerance)
    options.onDuplicateID = .first
    return options
  }

  /// The records of the source read with its log.
  fileprivate func whole() throws -> KeptRecords {
    var reader = try edited()
    return KeptRecords(
      try IngestStage.read(&reader, file: Self.baseName, options: options(99)))
  }

  /// The records of the source read without its log, which is then laid over them.
  fileprivate func laidOver(tolerance: Int = 99) throws -> KeptRecords? {
    var reader = try reader().erased
    let read = try IngestStage.read(&reader, file: Self.baseName, options: options(99))
    guard let overlay = EditOverlay(read.points, read.shapes, ledger: read.ledger) else {
      return nil
    }
    let log = try edits(of: overlay.propertyNames)
    return overlay.edited(by: log, file: Self.baseName, options: options(tolerance))
      .map { KeptRecords($0) }
  }
}
