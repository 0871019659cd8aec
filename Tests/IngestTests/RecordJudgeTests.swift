import Features
import Ingest
import Testing
import Tiling

@testable import Examination

@Suite("The judge of records")
struct RecordJudgeTests {
  /// Answers what it was told to, record by record.
  private struct Scripted: RepetitionFinder {
    var answers: [Int: Repetition] = [:]
    private(set) var asked: [Int] = []

    init(_ answers: [Int: Repetition] = [:]) { self.answers = answers }

    mutating func repetition(
      of batch: FeatureBatch, _ row: Int, _ geometry: UnkeptGeometry, record: Int
    ) -> Repetition {
      asked.append(record)
      return answers[record] ?? .unique
    }
  }

  /// A point for each latitude, none for `nil`; lines 2, 3, 4 …, all but the first from `edits`.
  private static func batch(_ latitudes: [Double?]) -> FeatureBatch {
    var batch = FeatureBatch()
    batch.otherFiles = ["edits"]
    for (row, latitude) in latitudes.enumerated() {
      if let latitude {
        batch.geometry.add(LngLat(longitude: 0, latitude: latitude))
        batch.geometry.endPart(.point)
        batch.geometry.endRecord(.point)
      } else {
        batch.geometry.endRecord(.none)
      }
      batch.lines.append(row + 2)
      batch.origins.append(row == 0 ? 0 : 1)
    }
    batch.ids.append(.missing, count: latitudes.count)
    return batch
  }

  private func fates<Finder: RepetitionFinder>(
    _ judge: inout RecordJudge<UnkeptGeometry, Finder>, _ batch: FeatureBatch
  ) throws -> [RecordFate] {
    try (0..<batch.count).map { try judge.decide(batch, $0) }
  }

  @Test(
    "an edge that is drawn the short way though it may be a long one is counted, with its record",
    arguments: [
      ([[178, 0], [-178, 1]], .lineString, true),
      ([[170, 0], [-170, 1], [-160, 2]], .lineString, true),
      ([[179.8, 0], [-179.9, 1]], .lineString, false),
      ([[-120, 0], [120, 1]], .lineString, false),
      ([[-170, -9], [170, -9], [170, 9], [-170, 9]], .polygon, true),
      ([[-170, -60], [170, -60], [170, 60], [-170, 60]], .polygon, false),
      ([[-180, -60], [180, -60], [180, 60], [-180, 60]], .polygon, false),
      ([[-150, 70], [-30, 72], [90, 71], [170, 73]], .polygon, false),
    ] as [([[Double]], GeometryColumn.Kind, Bool)])
  func longEdges(positions: [[Double]], kind: GeometryColumn.Kind, isCounted: Bool) throws {
    var batch = Self.batch([1])
    for position in positions {
      batch.geometry.add(LngLat(longitude: position[0], latitude: position[1]))
    }
    batch.geometry.endPart(kind == .polygon ? .outerRing : .line)
    batch.geometry.endRecord(kind)
    batch.lines.append(7)
    batch.origins.append(0)
    batch.ids.append(.missing, count: 1)
    var judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: Scripted?.none, filter: nil)
    #expect(try fates(&judge, batch) == [.used, .used])
    #expect(judge.ledger.repaired == (isCounted ? [.turnedEdges: 1] : [:]))
    let sentences = judge.ledger.repairSentences(file: "a.json")
    #expect(sentences.count == (isCounted ? 1 : 0))
    #expect(sentences.allSatisfy { $0.contains("(it is record 2, a.json:7)") })
  }

  @Test("asks the filter, then the geometry, then the id, and counts every record once")
  func order() throws {
    var judge = RecordJudge(
      geometry: UnkeptGeometry(),
      repetitions: Scripted([5: .repeated(id: "a", line: 2), 6: .replaced(id: "b", line: 3)]),
      filter: { batch, row in batch.lines[row] != 2 })
    // The filtered one would be rejected for its place.
    let batch = Self.batch([91, nil, 86, 91, 1, 1, 1])
    #expect(
      try fates(&judge, batch)
        == [.filtered, .noGeometry, .beyondMap, .rejected, .repeated, .used, .used])
    #expect(judge.repetitions.asked == [5, 6, 7])
    let ledger = judge.ledger
    #expect(ledger.read == 7 && ledger.filtered == 1 && ledger.noGeometry == 1)
    // The sixth record took the place of one that counted as used.
    #expect(ledger.beyondMap == 1 && ledger.used == 1)
    #expect(ledger.rejected == [.latitudeOutOfRange: 1, .duplicateKey: 2])
    #expect(
      ledger.examples == [
        SourceLedger.Example(
          reason: .latitudeOutOfRange, file: "edits", line: 5, column: 0,
          message: "latitude 91.0 is beyond ±90°"),
        SourceLedger.Example(
          reason: .duplicateKey, file: "edits", line: 6, column: 0,
          message: "the id 'a' is also that of line 2"),
      ])
    #expect(
      ledger.furtherExamples == [
        SourceLedger.Example(
          reason: .duplicateKey, line: 3, column: 0, message: "the id 'b' is also that of line 7")
      ])
  }

  @Test("compares no ids without a finder")
  func options() throws {
    var judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: Scripted?.none, filter: nil)
    #expect(try fates(&judge, Self.batch([0, 0, 91])) == [.used, .used, .rejected])
    #expect(judge.ledger.balances)
  }

  @Test("ends the reading where more is rejected than tolerated, what the reader rejected included")
  func tolerance() throws {
    var judge = RecordJudge(
      geometry: UnkeptGeometry(), repetitions: Scripted([2: .repeated(id: "a", line: 2)]),
      filter: nil)
    _ = try fates(&judge, Self.batch([0, 0, 91]))
    var read = SourceLedger()
    try judge.checkTolerance(with: read, 1, refusesRepetitions: false, file: "t")
    let repeated = #expect(throws: SourceError.self) {
      try judge.checkTolerance(with: read, 1, refusesRepetitions: true, file: "t")
    }
    #expect(
      repeated?.description
        == "edits:3: the id 'a' is also that of line 2. Set 'onDuplicateId: first' or 'last' to "
        + "keep one of them.")
    read.reject(
      SourceLedger.Example(reason: .raggedRow, line: 1, column: 0, message: "short"),
      as: .raggedRow)
    let excess = #expect(throws: SourceError.self) {
      try judge.checkTolerance(with: read, 1, refusesRepetitions: false, file: "t")
    }
    #expect(excess?.description.contains("short; 2 rejected so far") == true, "\(excess as Any)")
    #expect(judge.totals(with: read).rejectedTotal == 3)
  }

  @Test("decides for a build and for check alike")
  func agreement() throws {
    let text = """
      id,lng,lat
      a,10,20
      b,,
      a,11,21
      c,10,86
      d,10,91
      b,12,22
      skip,1,1
      b,13,23
      e,600,1
      """
    func reader() throws -> CSVReader {
      try CSVReader(ByteSource(bytes: Array(text.utf8), name: "t.csv"), options: CSVOptions())
    }
    let filter: (FeatureBatch, Int) -> Bool = { batch, row in batch.columns[0].text(row) != "skip" }
    var options = IngestOptions()
    (options.id, options.onDuplicateID, options.tolerance) = ("id", .first, 100)
    options.filter = filter
    var base = try reader()
    let built = try IngestStage.read(&base, file: "t.csv", options: options).ledger
    var subject = ExaminationSubject(format: .csv(CSVOptions()), file: "t.csv")
    (subject.id, subject.onDuplicateID, subject.tolerance) = ("id", .first, 100)
    subject.filter = filter
    let checked = try SourceExaminer.examine(subject, open: reader, advance: { _ in }).ledger
    #expect(built == checked)
    #expect(built.read == 9 && built.used == 2 && built.filtered == 1 && built.balances)
    #expect(built.rejected[.duplicateKey] == 2)
  }
}
