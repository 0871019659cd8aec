import Features
import TestSupport
import Testing
import Tiling

@testable import Ingest

/// A record read by the extent that a reader of the whole file reported is the same record.
@Suite("Extents of records")
struct RecordExtentTests {
  /// A record as a batch holds it, without properties that it lacks.
  private struct Record: Hashable {
    var extent: RecordExtent
    var values: [String]
    var id: String?
    var kind: GeometryColumn.Kind
    var positions: [LngLat]

    init(_ batch: FeatureBatch, _ row: Int, extent: RecordExtent) {
      self.extent = extent
      values = batch.columns.compactMap { column in
        guard column.kinds[row] != .missing else { return nil }
        return "\(column.name) \(column.kinds[row]) \(column.text(row) ?? "")"
      }
      id = batch.ids.text(row)
      kind = batch.geometry.kinds[row]
      positions = batch.geometry.partRange(row).flatMap {
        Array(batch.geometry.positions[batch.geometry.positionRange($0)])
      }
    }
  }

  /// Reads to the end.
  ///
  /// - Parameter extents: the extents of the records, `nil` for those of the batches.
  private func records(
    _ reader: some FeatureReader, at extents: [RecordExtent]? = nil
  ) throws -> [Record] {
    var reader = reader
    var batch = FeatureBatch()
    var records: [Record] = []
    while try reader.read(into: &batch) {
      if extents == nil { try #require(batch.extents.count == batch.count) }
      for row in 0..<batch.count {
        records.append(
          Record(batch, row, extent: extents?[records.count] ?? batch.extents[row]))
      }
    }
    return records
  }

  /// Compares some of the records with the same records read alone.
  private func check(
    _ whole: [Record], _ part: ([RecordExtent]) throws -> any FeatureReader
  ) throws {
    for step in 1...3 {
      for first in 0..<step {
        let some = stride(from: first, to: whole.count, by: step).map { whole[$0] }
        let extents = some.map(\.extent)
        #expect(try records(try part(extents), at: extents) == some)
      }
    }
    for record in whole {
      #expect(try records(try part([record.extent]), at: [record.extent]) == [record])
    }
  }

  private func checkCSV(_ text: String, _ options: CSVOptions, chunk: Int) throws {
    func source(_ chunk: Int) -> ByteSource {
      ByteSource(bytes: Array(text.utf8), name: "a.csv", chunk: chunk)
    }
    guard let reader = try? CSVReader(source(chunk), options: options.with { $0.locates = true })
    else { return }
    try check(try records(reader)) { try CSVReader(source(7), options: options, at: $0) }
  }

  @Test("records of every CSV file that is hard to cut", arguments: [3, 16, 1 << 16])
  func csv(chunk: Int) throws {
    for text in CSVReaderTests.shapes.map(\.0) + CSVSectionTests.nasty {
      try checkCSV(text, .plain, chunk: chunk)
      try checkCSV(
        text,
        .plain.with {
          $0.extraFields = .join
          $0.missingFields = .null
        }, chunk: chunk)
      try checkCSV(text, .headerless("a", "b").with { $0.skip = 1 }, chunk: chunk)
    }
    try checkCSV("sep=;\nlng;lat;n\n1;2;\"a\n;b\"\n3;4;c", CSVOptions(), chunk: chunk)
  }

  @Test("long runs of plain records, with others between them")
  func runs() throws {
    let rows = (0..<9000).map { row in
      row % 1000 == 999 ? "\"\(row % 90)\",1,\"x\ny\"" : "\(row % 180).5,\(row % 80),name \(row)"
    }
    let text = "lng,lat,name\n" + rows.joined(separator: "\n")
    let source = ByteSource(bytes: Array(text.utf8), name: "a.csv")
    let all = try records(
      try CSVReader(source, options: CSVOptions().with { $0.locates = true }))
    #expect(all.count == 9000)
    #expect(all.first?.extent.begin == 13)
    #expect(all.last?.extent.end == text.utf8.count)
    for (one, next) in zip(all, all.dropFirst()) { #expect(one.extent.end == next.extent.begin) }
    let some = stride(from: 500, to: 9000, by: 1000).map { all[$0] } + [all[8999]]
    let extents = some.map(\.extent)
    let part = try CSVReader(
      ByteSource(bytes: Array(text.utf8), name: "a.csv"), options: CSVOptions(), at: extents)
    #expect(try records(part, at: extents) == some)
    #expect(part.byteCount == extents.reduce(0) { $0 + $1.count })
  }

  @Test("text in another encoding is read without extents")
  func encodings() throws {
    let bytes: [UInt8] = Array("lng,lat,n\n1,2,".utf8) + [0xE4, 10]
    var reader = try CSVReader(
      ByteSource(bytes: bytes, name: "a.csv"),
      options: CSVOptions().with { ($0.locates, $0.encoding) = (true, .latin1) })
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(batch.extents.isEmpty && batch.count == 1)
  }

  @Test("features of collections", arguments: [64, 1 << 16])
  func collections(chunk: Int) throws {
    let features =
      GeoJSONSectionTests.features + [
        #"{"type":"Feature","crs":{"type":"name","properties":{"name":"none"}},"geometry":null}"#
      ]
    for end in ["]}", "\n], \"x\": 1}\n"] {
      let text = "\u{FEFF} " + GeoJSONSectionTests.collection(features + features, end: end)
      let bytes = Array(text.utf8)
      var options = GeoJSONOptions()
      options.locates = true
      let reader = GeoJSONReader(
        source: ByteSource(bytes: bytes, name: "a", chunk: chunk), options: options)
      let all = try records(reader)
      #expect(all.count == 20)
      for record in all {
        #expect(bytes[record.extent.begin] == UInt8(ascii: "{"))
        #expect(bytes[record.extent.end - 1] == UInt8(ascii: "}"))
      }
      let names = reader.propertyNames
      try check(all) {
        try GeoJSONExtentReader(
          ByteSource(bytes: bytes, name: "a", chunk: chunk), isSequence: false,
          options: GeoJSONOptions(), records: LocatedRecords(extents: $0, names: names))
      }
    }
  }

  @Test("texts of sequences, by lines and by separators")
  func sequences() throws {
    let flat = GeoJSONSectionTests.features.map { $0.replacing("\n", with: " ") }
    let broken = ["{\"a\"", "", "   ", "[1]", "{}{}"]
    let lines = (flat + broken + flat).joined(separator: "\n")
    let texts = [
      lines, "\n\n" + lines + "\n", lines.replacing("\n", with: "\r\n"),
      "\u{1E}" + lines.replacing("\n", with: "\n\u{1E}"),
    ]
    for text in texts {
      var options = GeoJSONOptions()
      options.locates = true
      func source() -> ByteSource { ByteSource(bytes: Array(text.utf8), name: "a", chunk: 100) }
      let reader = GeoJSONSequenceReader(source: source(), options: options)
      let all = try records(reader)
      #expect(all.count == 18)
      let names = reader.propertyNames
      try check(all) {
        try GeoJSONExtentReader(
          source(), isSequence: true, options: GeoJSONOptions(),
          records: LocatedRecords(extents: $0, names: names))
      }
    }
  }

  @Test("features of one text have no bytes of their own")
  func collectionInSequence() throws {
    let text = GeoJSONSectionTests.collection(Array(GeoJSONSectionTests.features.prefix(2)))
    var options = GeoJSONOptions()
    options.locates = true
    let reader = GeoJSONSequenceReader(
      source: ByteSource(bytes: Array(text.utf8), name: "a"), options: options)
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(batch.extents.map(\.count) == [0, 0])
  }

  @Test("an extent that holds no record, or two, is refused")
  func moved() throws {
    let text = GeoJSONSectionTests.features[0]
    let two = Array((text + "\n" + text).utf8)
    for extent in [
      RecordExtent(begin: 1, end: text.utf8.count), RecordExtent(begin: 0, end: two.count),
      RecordExtent(begin: 0, end: two.count + 9),
    ] {
      let reader = try GeoJSONExtentReader(
        ByteSource(bytes: two, name: "a"), isSequence: true, options: GeoJSONOptions(),
        records: LocatedRecords(extents: [extent]))
      var batch = FeatureBatch()
      #expect(throws: SourceError.self) { try reader.read(into: &batch) }
    }
  }
}
