import Features
import JSON
import Workers

/// A position in a file, and its line and column.
struct GeoJSONPosition: Hashable, Sendable {
  var offset: Int
  var place: JSONPlace
}

/// The rest of a GeoJSON file, cut into sections that several threads read: the features of a
/// collection, or the texts of a sequence.
///
/// A thread looks for the beginning of the first record of its section (``GeoJSONSectionReader``).
/// What it reads counts only if the section before ended exactly there; otherwise the section is
/// read again from the right position. Batches are filled as by reading from front to back, so
/// they, their lines and the rejected records are the same.
final class GeoJSONSections {
  /// The records that were refused so far, as of the end of the batch that was read last.
  private(set) var refused: SourceLedger
  /// The number of records with open rings.
  private(set) var closedRings: Int
  /// The names of the columns that any record so far has.
  private(set) var names: [String]
  /// The number of bytes read for the batches so far.
  private(set) var bytesRead: Int

  private let ahead: ReadAhead<Section, Contents>
  private let pool = BatchPool()
  private let options: GeoJSONOptions
  private let limit: Int
  private let sectionBytes: Int
  private let byteCount: Int
  /// The end of the last section that was submitted; every section but the first begins near the
  /// end of the one before.
  private var submitted: Int
  private var begin: Section.Begin

  private var contents = Contents(limit: 0)
  private var start: GeoJSONPosition
  private var nextUnit = 0
  private var nextReject = 0
  private var nextName = 0
  private var nextClosedRow = 0
  /// The column of each name in the batch of ``contents``.
  private var places: [Int?] = []
  private var isStarted = false
  private var hasSubmitted = false
  /// The same as ``names``.
  private var known: Set<String>

  /// Continues for a reader.
  ///
  /// - Parameters:
  ///   - begin: where it has stopped.
  ///   - refused: its ledger, without closed rings.
  init(
    _ store: ByteStore, chunk: Int, _ form: GeoJSONForm, from begin: Section.Begin,
    of parser: borrowing GeoJSONParser, refused: SourceLedger, options: GeoJSONOptions,
    threads: ReadingThreads
  ) {
    self.begin = begin
    self.refused = refused
    self.options = options
    start = begin.position
    closedRings = parser.closedRings
    names = parser.properties.columnNames
    known = Set(names)
    bytesRead = start.offset
    submitted = start.offset
    byteCount = store.byteCount
    limit = threads.limit
    sectionBytes = max(threads.sectionBytes, 1)
    ahead = ReadAhead(threads: threads.count - 1, caller: .helps) { [pool] in
      let reader = GeoJSONSectionReader(
        store: store, chunk: chunk, form: form, options: options, pool: pool)
      return { reader.read($0) }
    }
  }

  /// The ledger of the reader.
  var ledger: SourceLedger {
    var ledger = refused
    if closedRings > 0 { ledger.repaired[.closedRings] = closedRings }
    return ledger
  }

  /// Clears the batch and fills it with the next records.
  ///
  /// - Returns: the end of the sections, after which they hold no more records; `nil` if the batch
  ///   is full.
  func read(into batch: inout FeatureBatch) throws(JSONFailure) -> End? {
    batch.removeAll()
    if !batch.columns.lazy.map(\.name).elementsEqual(names) {
      batch.columns = names.map { PropertyColumn(name: $0) }
    }
    var bytes = 0
    while batch.count < options.batchRecords, bytes < options.batchBytes {
      if nextUnit < contents.units.count {
        bytes += take(into: &batch, holding: bytes)
        continue
      }
      if isStarted {
        reject(upTo: contents.units.count)
        switch contents.end {
        case .record(let end): begin = .at(end.moved(to: start.place))
        case .features(let end): return .features(end.moved(to: start.place))
        case .file:
          bytesRead = byteCount
          return .file
        case .failure(var failure):
          failure.place = failure.place.moved(to: start.place)
          throw failure
        }
      }
      isStarted = true
      advance()
    }
    return nil
  }

  /// Goes on to the section that begins at ``begin``.
  private func advance() {
    pool.put(contents.batch)
    start = begin.position
    contents = Contents(limit: 0)
    contents = nextContents()
    bytesRead = min(contents.limit, byteCount)
    (nextUnit, nextReject, nextName, nextClosedRow) = (0, 0, 0, 0)
    let columns = Dictionary(
      contents.names.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    places = names.map { columns[$0] }
  }

  private func nextContents() -> Contents {
    while true {
      while ahead.count < limit, submitted < byteCount {
        let begin = submitted == start.offset && !hasSubmitted ? self.begin : .near(submitted)
        hasSubmitted = true
        submitted += sectionBytes
        let end = submitted < byteCount ? submitted : .max
        ahead.submit(Section(begin: begin, end: end, names: []))
      }
      var read: Contents
      if let next = ahead.next() {
        if next.start != start.offset {
          // A record that reaches over the whole section belongs to one before.
          if next.limit <= start.offset { continue }
          read = ahead.perform(Section(begin: begin, end: next.limit, names: []))
        } else {
          read = next
        }
      } else {
        read = ahead.perform(Section(begin: begin, end: .max, names: []))
      }
      if options.wanted == nil, mostNames(with: read) > options.maximumProperties {
        // A record may be one too many in the file, of which the section alone knows nothing.
        read = ahead.perform(Section(begin: begin, end: read.limit, names: names))
      }
      return read
    }
  }

  /// Returns the most names that can have been known at a time.
  private func mostNames(with read: Contents) -> Int {
    read.names.reduce(names.count + read.unsettledNames) { $0 + (known.contains($1.name) ? 0 : 1) }
  }

  /// Takes units until the batch is full or the section ends; returns their bytes.
  private func take(into batch: inout FeatureBatch, holding bytes: Int) -> Int {
    let firstRow = nextUnit == 0 ? 0 : contents.units[nextUnit - 1].endRow
    var added = 0
    var endRow = firstRow
    repeat {
      added += contents.units[nextUnit].bytes
      endRow = contents.units[nextUnit].endRow
      nextUnit += 1
    } while nextUnit < contents.units.count
      && batch.count + endRow - firstRow < options.batchRecords
      && bytes + added < options.batchBytes
    learnNames(of: endRow, &batch)
    let before = batch.count
    batch.append(rows: firstRow..<endRow, of: contents.batch, from: places)
    batch.moveLines(by: start.place.line - 1, from: before)
    reject(upTo: nextUnit - 1)
    while nextClosedRow < contents.closedRows.count, contents.closedRows[nextClosedRow] < endRow {
      closedRings += 1
      nextClosedRow += 1
    }
    return added
  }

  /// Adds a column for each name that first occurs before a row.
  private func learnNames(of endRow: Int, _ batch: inout FeatureBatch) {
    while nextName < contents.names.count, contents.names[nextName].firstRow < endRow {
      let name = contents.names[nextName].name
      if known.insert(name).inserted {
        names.append(name)
        places.append(nextName)
        var column = PropertyColumn(name: name)
        column.append(.missing, count: batch.count)
        batch.columns.append(column)
      }
      nextName += 1
    }
  }

  /// Counts the records refused before the end of a unit.
  private func reject(upTo unit: Int) {
    while nextReject < contents.rejects.count, contents.rejects[nextReject].unit <= unit {
      var example = contents.rejects[nextReject].example
      let place = JSONPlace(line: example.line, column: example.column).moved(to: start.place)
      example.line = place.line
      if example.column > 0 { example.column = place.column }
      refused.read += 1
      refused.reject(example, as: example.reason)
      nextReject += 1
    }
  }
}

// MARK: - A section

extension GeoJSONSections {
  /// The end of all sections.
  enum End: Hashable, Sendable {
    /// The features of the collection end before this position.
    case features(GeoJSONPosition)
    case file
  }

  /// A part of the file that one thread reads.
  struct Section: Sendable {
    enum Begin: Sendable {
      /// With the record at this position.
      case at(GeoJSONPosition)
      /// After the feature that ends at this position.
      case behind(GeoJSONPosition)
      /// With the first record at or after this position of the file.
      case near(Int)

      var position: GeoJSONPosition {
        switch self {
        case .at(let position), .behind(let position): position
        case .near(let offset):
          GeoJSONPosition(offset: offset, place: JSONPlace(line: 1, column: 1))
        }
      }
    }

    var begin: Begin
    /// The section ends before the first record at or after this position.
    var end: Int
    /// Names that the file has used before, where they matter.
    var names: [String]
  }

  /// The contents of a section; its places count from line and column 1 at its beginning.
  struct Contents: Sendable {
    /// The records between two moments at which a batch may be handed over.
    struct Unit: Sendable {
      var endRow: Int
      /// The bytes of values and positions.
      var bytes: Int
    }

    struct Name: Sendable {
      var name: String
      /// The first row of which the name is a column.
      var firstRow: Int
    }

    struct Reject: Sendable {
      /// The number of units before it.
      var unit: Int
      var example: SourceLedger.Example
    }

    enum End: Sendable {
      /// The next record begins here.
      case record(GeoJSONPosition)
      /// The features end before this position.
      case features(GeoJSONPosition)
      case file
      case failure(JSONFailure)
    }

    /// The ``Section/end`` that was asked for.
    var limit: Int
    /// The position of the beginning; `nil` where none was found.
    var start: Int?
    var batch = FeatureBatch()
    var units: [Unit] = []
    var names: [Name] = []
    /// The most names that a refused record alone had.
    var unsettledNames = 0
    /// The rows with rings that are open in the file.
    var closedRows: [Int] = []
    var rejects: [Reject] = []
    var end = End.file
  }
}

extension GeoJSONPosition {
  /// The position with the place that it has in a file in which the section begins at `start`.
  func moved(to start: JSONPlace) -> GeoJSONPosition {
    GeoJSONPosition(offset: offset, place: place.moved(to: start))
  }
}
