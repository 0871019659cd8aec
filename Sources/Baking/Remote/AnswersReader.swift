import Definition
import Features
import Fetching
import Ingest

/// A reader of the responses to the requests of a template URL, one after the other, as one source.
///
/// Records on the common edge of two requests are in both responses and are delivered once: see
/// ``AnswerOverlap``. Columns are in the order in which the responses first name them.
struct AnswersReader: FeatureReader {
  private let open: (SourceInput) throws(SourceError) -> any FeatureReader
  private var waiting: ArraySlice<SourceInput>
  private var present: (any FeatureReader)?
  private var scratch = FeatureBatch()
  private var content = RecordContent()
  private var overlap = AnswerOverlap<ContentHash>()
  private var ended = SourceLedger()
  private var endedBytes = 0

  private(set) var propertyNames: [String] = []
  let geometryColumns: [String]
  let layer: String

  /// Opens the first response; its declarations apply to all.
  ///
  /// - Throws: ``SourceError`` where it cannot be read.
  init(
    _ inputs: [SourceInput],
    open: @escaping (SourceInput) throws(SourceError) -> any FeatureReader
  ) throws(SourceError) {
    self.open = open
    waiting = inputs.dropFirst()
    present = try inputs.first.map { input throws(SourceError) in try open(input) }
    propertyNames = present?.propertyNames ?? []
    geometryColumns = present?.geometryColumns ?? []
    layer = present?.layer ?? ""
  }

  var ledger: SourceLedger {
    var ledger = ended
    if let present { ledger.add(present.ledger) }
    ledger.repeated = overlap.repeats
    return ledger
  }

  var bytesRead: Int { endedBytes + (present?.bytesRead ?? 0) }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    while batch.count == 0 {
      if present == nil { try openNext() }
      guard present != nil else { return false }
      guard try present?.read(into: &scratch) == true else {
        endAnswer()
        continue
      }
      takeNew(into: &batch)
    }
    return true
  }

  /// Opens the next response, if there is one.
  private mutating func openNext() throws(SourceError) {
    guard let input = waiting.popFirst() else { return }
    present = try open(input)
    // Its columns may differ while their number is the same.
    scratch = FeatureBatch()
    overlap.beginAnswer()
  }

  private mutating func endAnswer() {
    if let present {
      ended.add(present.ledger)
      endedBytes += present.bytesRead
    }
    present = nil
  }

  /// Copies the records that no earlier response had.
  private mutating func takeNew(into batch: inout FeatureBatch) {
    let names = scratch.columns.map(\.name)
    for name in names where !propertyNames.contains(name) { propertyNames.append(name) }
    content.adopt(names, ignoring: [])
    let rows = (0..<scratch.count).filter { row in
      let id = scratch.ids.text(row)
      let key = id.map { Self.hash(of: $0) } ?? content.hash(scratch, row)
      return overlap.isNew(key)
    }
    batch.take(rows, of: scratch, names: propertyNames)
  }

  private static func hash(of id: String) -> ContentHash {
    var id = id
    return id.withUTF8 { ContentHash(UnsafeRawBufferPointer($0)) }
  }
}

extension FeatureBatch {
  /// Appends rows of another batch, whose columns may be in another order.
  fileprivate mutating func take(_ rows: [Int], of other: FeatureBatch, names: [String]) {
    for name in names.dropFirst(columns.count) {
      var column = PropertyColumn(name: name)
      column.append(.missing, count: count)
      columns.append(column)
    }
    for place in columns.indices {
      guard let source = other.columns.first(where: { $0.name == columns[place].name }) else {
        columns[place].append(.missing, count: rows.count)
        continue
      }
      for row in rows { columns[place].append(row, of: source) }
    }
    for row in rows {
      ids.append(row, of: other.ids)
      geometry.append(row, of: other.geometry)
      lines.append(other.lines[row])
    }
  }
}
