import Features
import Ingest

/// The hashes of the ids of examined records, in bounded memory; the first record of an id counts.
struct ExaminedIdentifiers: RepetitionFinder {
  private var columns: IdentifierColumns
  private var table = RepetitionTable()

  init(_ subject: ExaminationSubject) {
    columns = IdentifierColumns(name: subject.id, comparesGiven: subject.comparesGivenIDs)
  }

  mutating func begin(_ batch: FeatureBatch, names: [String]) {
    columns.begin(batch, names: names)
  }

  mutating func repetition(
    of batch: FeatureBatch, _ row: Int, _ geometry: UnkeptGeometry, record: Int
  ) -> Repetition {
    guard let ids = columns.ids(of: batch, row), var text = ids.text(row) else { return .unique }
    var hash = text.withUTF8 { ValueHash.hash(UnsafeRawBufferPointer($0), seed: 0) }
    var first: Int?
    withUnsafePointer(to: &hash) { hash in
      let lines: ContiguousArray = [batch.lines[row]]
      _ = table.add(UnsafeBufferPointer(start: hash, count: 1), lines: lines) { first = $1 }
    }
    return first.map { .repeated(id: text, line: $0) } ?? .unique
  }
}
