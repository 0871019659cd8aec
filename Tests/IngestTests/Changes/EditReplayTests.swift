import Features
import Ingest
import TestSupport
import Testing

@Suite("Replaying an edit log")
struct EditReplayTests {
  @Test("replaying an edit log gives the records of a snapshot, in its order", arguments: 0..<20)
  func snapshot(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    // Every tenth source is longer than a batch.
    let model = EditModel(
      records: seed % 10 == 0 ? 4200 : Int.random(in: 0...30, using: &random),
      entries: Int.random(in: 0...60, using: &random), &random)
    let chunk = seed % 3 == 0 ? 7 : 1 << 16
    for baseIsCSV in [true, false] {
      for logIsCSV in [true, false] {
        let source = EditedSource(
          base: model.base(isCSV: baseIsCSV), baseIsCSV: baseIsCSV,
          log: model.log(isCSV: logIsCSV), logIsCSV: logIsCSV, chunk: chunk)
        let edited = try source.read()
        var snapshot = source
        snapshot.base = model.snapshot(isCSV: baseIsCSV)
        let expected = try RecordDump(try snapshot.reader().erased)
        #expect(edited == expected, "CSV base \(baseIsCSV), CSV log \(logIsCSV)")
        try expectBalance(source, snapshot, edited.ledger, model)
      }
    }
  }

  /// The ingest stage counts the edited source and its snapshot alike.
  private func expectBalance(
    _ source: EditedSource, _ snapshot: EditedSource, _ ledger: SourceLedger, _ model: EditModel
  ) throws {
    let edits = try #require(ledger.edits)
    #expect(edits.dangling == model.dangling)
    #expect(
      model.baseKeys.count - edits.deleted + edits.inserted == model.finalKeys.count)
    #expect(edits.deleted == Set(model.baseKeys).subtracting(model.finalKeys).count)
    var reader = try source.edited()
    var options = IngestOptions()
    options.id = "id"
    options.filter = { batch, row in batch.lines[row] > 0 }
    let ingested = try IngestStage.read(&reader, file: "shops", options: options).ledger
    var plain = AnyReader(base: try snapshot.reader())
    let expected = try IngestStage.read(&plain, file: "shops", options: options).ledger
    #expect(ingested.balances)
    #expect(ingested.read == expected.read && ingested.used == expected.used)
    #expect(ingested.noGeometry == expected.noGeometry)
  }

  @Test(
    "replaying an edit log by the ids of Features gives the records of a snapshot",
    arguments: 0..<20)
  func featureIDs(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 1000)
    let model = EditModel(
      records: Int.random(in: 0...30, using: &random), entries: 40, &random)
    for logIsCSV in [true, false] {
      let source = EditedSource(
        base: model.base(isCSV: false, usesFeatureID: true), baseIsCSV: false,
        log: model.log(isCSV: logIsCSV, usesFeatureID: true), logIsCSV: logIsCSV, key: nil)
      var snapshot = source
      snapshot.base = model.snapshot(isCSV: false, usesFeatureID: true)
      #expect(try source.read() == RecordDump(try snapshot.reader().erased))
    }
  }
}

extension FeatureReader {
  var erased: AnyReader { AnyReader(base: self) }
}

/// A reader of any kind as one of a known kind.
struct AnyReader: FeatureReader {
  var base: any FeatureReader
  var propertyNames: [String] { base.propertyNames }
  var ledger: SourceLedger { base.ledger }
  var bytesRead: Int { base.bytesRead }
  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    try base.read(into: &batch)
  }
}
