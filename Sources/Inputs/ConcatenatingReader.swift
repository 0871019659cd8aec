import Features
import Fetching

/// A reader of several inputs, one after the other, as one source: the files of a list, or the
/// responses to the requests of a template URL.
///
/// Columns are in the order in which the inputs first name them; records lack the columns that
/// their input lacks. Records on the common edge of two requests are in both responses and are
/// delivered once: see ``AnswerOverlap``.
struct ConcatenatingReader: FeatureReader {
  /// One of the inputs.
  struct Part {
    /// The name for the places of its records; `nil` for the name of the source.
    let name: String?

    /// Whether it is a further page of the response before.
    var isPage = false

    /// The number of records that match the request of the response; `nil` where only its content
    /// may say it.
    var matched: Int?

    let open: () throws(SourceError) -> any FeatureReader
  }

  private let parts: [Part]
  /// The names of the parts, for the places of their records; empty if they have none.
  private let names: [String]
  private var next = 0
  private var present: (any FeatureReader)?
  private var scratch = FeatureBatch()
  private var content = RecordContent()
  private var overlap: AnswerOverlap<ContentHash>?
  /// The ids of the earlier pages of the present response, and of the present page.
  private var ids = (earlier: Set<ContentHash>(), present: Set<ContentHash>())
  private var ended = SourceLedger()
  private var endedBytes = 0

  private(set) var propertyNames: [String] = []
  let geometryColumns: [String]
  let layer: String

  /// Opens the first input, which decides the geometry and the layer of all.
  ///
  /// - Parameters:
  ///   - parts: at least one.
  ///   - hasRepeats: whether a record that an earlier part had is left out.
  /// - Throws: ``SourceError`` where it cannot be read.
  init(_ parts: [Part], hasRepeats: Bool) throws(SourceError) {
    self.parts = parts
    names = parts.compactMap(\.name)
    overlap = hasRepeats && parts.count(where: { !$0.isPage }) > 1 ? AnswerOverlap() : nil
    let first = try parts[0].open()
    geometryColumns = first.geometryColumns
    layer = first.layer
    propertyNames = first.propertyNames
    if first.hasSchema {
      // Layers and 'select:' may use columns that only later files have.
      for part in parts.dropFirst() where part.name != nil {
        for name in try part.open().propertyNames where !propertyNames.contains(name) {
          propertyNames.append(name)
        }
      }
    }
    present = first
    next = 1
  }

  var ledger: SourceLedger {
    var ledger = ended
    if let present { ledger.add(presentLedger(of: present)) }
    ledger.repeated = overlap?.repeats ?? 0
    return ledger
  }

  var bytesRead: Int { endedBytes + (present?.bytesRead ?? 0) }

  mutating func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    batch.removeAll()
    while batch.count == 0 {
      if present == nil { try openNext() }
      guard present != nil else { return false }
      guard try present?.read(into: &scratch) == true else {
        endPart()
        continue
      }
      try checkPage()
      takeNew(into: &batch)
    }
    return true
  }

  /// The place of the present input.
  private var current: Int { next - 1 }

  /// Whether a further page follows the present input.
  private var isContinued: Bool { next < parts.count && parts[next].isPage }

  /// Returns the ledger of the present input. Each page of a response says how many records match.
  private func presentLedger(of reader: any FeatureReader) -> SourceLedger {
    var ledger = named(reader.ledger)
    let part = parts[current]
    ledger.matched = part.isPage ? nil : part.matched ?? ledger.matched
    // The pages of a response are fetched until none is missing.
    if isContinued || part.isPage { ledger.isCut = false }
    return ledger
  }

  /// Opens the next input, if there is one.
  private mutating func openNext() throws(SourceError) {
    guard next < parts.count else { return }
    present = try parts[next].open()
    next += 1
    // Its columns may differ while their number is the same.
    scratch = FeatureBatch()
    if parts[current].isPage {
      ids.earlier.formUnion(ids.present)
    } else {
      overlap?.beginAnswer()
      ids.earlier.removeAll()
    }
    ids.present.removeAll()
  }

  /// Notes the ids of a page.
  ///
  /// - Throws: ``SourceError`` if an earlier page has a record with one of them: the order of the
  ///   records has changed between the requests, so that others are on no page.
  private mutating func checkPage() throws(SourceError) {
    guard isContinued || parts[current].isPage else { return }
    for row in 0..<scratch.count {
      guard let id = scratch.ids.text(row) else { continue }
      let hash = Self.hash(of: id)
      guard !ids.earlier.contains(hash) else {
        throw SourceError(
          code: .badData, file: "page \(current + 1)",
          message: "the record '\(id)' is on an earlier page, too: the service does not keep the "
            + "order of its records, so others are on no page. Let the url ask for an order, such as "
            + "'sortBy=' (WFS) or 'orderByFields=' (ArcGIS).")
      }
      ids.present.insert(hash)
    }
  }

  /// Returns the ledger of the present input, whose examples name it.
  private func named(_ ledger: SourceLedger) -> SourceLedger {
    guard !names.isEmpty else { return ledger }
    var ledger = ledger
    ledger.nameFile(names[current])
    return ledger
  }

  private mutating func endPart() {
    if let present {
      ended.add(presentLedger(of: present))
      endedBytes += present.bytesRead
    }
    present = nil
  }

  /// Copies the records, without those that an earlier response had.
  private mutating func takeNew(into batch: inout FeatureBatch) {
    let columns = scratch.columns.map(\.name)
    for name in columns where !propertyNames.contains(name) { propertyNames.append(name) }
    var rows = Array(0..<scratch.count)
    if overlap != nil {
      content.adopt(columns, ignoring: [])
      rows.removeAll { row in
        let id = scratch.ids.text(row)
        let key = id.map { Self.hash(of: $0) } ?? content.hash(scratch, row)
        return overlap?.isNew(key) == false
      }
    }
    batch.take(rows, of: scratch, names: propertyNames)
    guard !names.isEmpty else { return }
    batch.otherFiles = names
    batch.origins.append(contentsOf: repeatElement(UInt16(next), count: rows.count))
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
