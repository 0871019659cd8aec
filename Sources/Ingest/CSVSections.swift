import Features
import Workers

/// The rest of a CSV file, cut into sections that several threads read.
///
/// Whether a line end ends a record depends on all quotes before it, so the thread that reads a
/// section guesses where its first record begins (``CSVSectionStart``). Its result counts only if
/// the section before ended exactly there; otherwise the section is read again from the right place.
/// So batches, lines and rejected records are those of reading the file from front to back.
final class CSVSections {
  /// The outcomes of records that never reach a batch.
  struct Tally: Sendable {
    var ledger = SourceLedger()
    var tooLong = 0
    var tooShort = 0

    /// Adds the outcomes of what was read next, from a line of the file on.
    mutating func add(_ later: Tally, movedBy lines: Int) {
      tooLong += later.tooLong
      tooShort += later.tooShort
      guard later.ledger != SourceLedger() else { return }
      var moved = later.ledger
      moved.moveLines(by: lines)
      ledger = ledger.followed(by: moved)
    }
  }

  /// The outcomes so far, as of the end of the batch that was read last.
  private(set) var tally: Tally

  /// The number of bytes read for the batches so far.
  private(set) var bytesRead: Int

  private let ahead: ReadAhead<Section, Contents>
  private let pool = BatchPool()
  private let limit: Int
  private let sectionBytes: Int
  private let byteCount: Int
  /// The end of the last section that was submitted.
  private var submitted: Int
  /// The end of the section ``contents``; at first, the beginning of the first one.
  private var place: CSVPlace
  private var contents = Contents(limit: 0)
  private var nextBatch = 0
  /// The line of the first record of ``contents``.
  private var firstLine: Int
  /// The outcomes before ``contents``.
  private var settled: Tally
  private var isStarted = false
  private let firstBegin: Int

  /// Continues for a reader that needs more of its file.
  init(_ store: ByteStore, of reader: CSVReader, threads: ReadingThreads) {
    place = reader.cursor.place
    firstLine = place.line
    bytesRead = place.bufferEnd
    submitted = place.bufferEnd
    firstBegin = place.bufferEnd
    byteCount = store.byteCount
    tally = Tally(ledger: reader.ledger, tooLong: reader.tooLong, tooShort: reader.tooShort)
    settled = tally
    limit = threads.limit
    let chunk = reader.cursor.source.chunk
    // Sections end where the buffer of a reader that goes from front to back would.
    sectionBytes = max(threads.sectionBytes / chunk, 1) * chunk
    let form = reader.form
    ahead = ReadAhead(threads: threads.count - 1, caller: .helps) { [pool] in
      let rows = CSVRows(
        columnCount: max(1, form.schema.names.count), order: form.geometryOrder)
      return { section in
        CSVSectionReader(store: store, form: form, rows: rows, pool: pool, chunk: chunk)
          .read(section)
      }
    }
  }

  /// Reads the next batch; see ``FeatureReader/read(into:)``.
  func read(into batch: inout FeatureBatch) throws(SourceError) -> Bool {
    while true {
      if nextBatch < contents.batches.count {
        hand(over: &contents.batches[nextBatch], to: &batch)
        nextBatch += 1
        return true
      }
      if isStarted {
        settled.add(contents.tally, movedBy: firstLine)
        contents.tally = Tally()
        tally = settled
        switch contents.end {
        case .failure(let error): throw error
        case .file:
          batch.removeAll()
          bytesRead = byteCount
          return false
        case .place(let end): place = end.moved(by: firstLine)
        }
      }
      isStarted = true
      firstLine = place.line
      nextBatch = 0
      contents = nextContents()
    }
  }

  private func hand(over read: inout Contents.Batch, to batch: inout FeatureBatch) {
    swap(&batch, &read.batch)
    pool.put(read.batch)
    read.batch = FeatureBatch()
    batch.moveLines(by: firstLine)
    tally = settled
    tally.add(read.tally, movedBy: firstLine)
    bytesRead = read.bytesRead
  }

  /// Returns what the section that begins at ``place`` holds.
  private func nextContents() -> Contents {
    while true {
      while ahead.count < limit, submitted < byteCount {
        let begin = submitted
        submitted += sectionBytes
        let end = submitted < byteCount ? submitted : .max
        ahead.submit(
          Section(begin: begin == firstBegin ? .at(place.atLineZero) : .near(begin), end: end))
      }
      guard let read = ahead.next() else {
        return ahead.perform(Section(begin: .at(place.atLineZero), end: .max))
      }
      if read.start == place.atLineZero { return read }
      // A record that reaches over the whole section belongs to one before.
      if read.limit <= place.bufferEnd { continue }
      return ahead.perform(Section(begin: .at(place.atLineZero), end: read.limit))
    }
  }
}

// MARK: - A section

extension CSVSections {
  /// A part of the file that one thread reads.
  struct Section: Sendable {
    enum Begin: Sendable {
      /// A known place; its line is 0.
      case at(CSVPlace)
      /// In the record that a buffer ending at this position would cut.
      case near(Int)
    }

    var begin: Begin
    /// The position at or after which the section ends, as soon as the buffer does.
    var end: Int
  }

  /// The contents of a section; lines count from 0 at its first record.
  struct Contents: Sendable {
    struct Batch: Sendable {
      var batch: FeatureBatch
      /// The outcomes of the section up to the end of the batch.
      var tally: Tally
      /// The position of the end of the buffer.
      var bytesRead: Int
    }

    enum End: Sendable {
      case place(CSVPlace)
      case file
      case failure(SourceError)
    }

    /// The ``Section/end`` that was asked for.
    var limit: Int
    /// The place from which the section was read; `nil` if none was found.
    var start: CSVPlace?
    var batches: [Batch] = []
    /// All outcomes of the section.
    var tally = Tally()
    var end = End.file
  }
}

/// The reading of one section.
struct CSVSectionReader {
  let store: ByteStore
  let form: CSVForm
  let rows: CSVRows
  let pool: BatchPool
  let chunk: Int

  func read(_ section: CSVSections.Section) -> CSVSections.Contents {
    var contents = CSVSections.Contents(limit: section.end)
    do throws(SourceError) {
      switch section.begin {
      case .at(let place): contents.start = place
      case .near(let position):
        contents.start = try CSVSectionStart(form, rows).guess(in: store, near: position)
      }
      guard let start = contents.start else { return contents }
      try read(from: start, into: &contents)
    } catch {
      contents.end = .failure(error)
    }
    return contents
  }

  private func read(
    from start: CSVPlace, into contents: inout CSVSections.Contents
  ) throws(SourceError) {
    rows.removeAll()
    let cursor = try CSVCursor(store, at: start, scanner: form.scanner, chunk: chunk)
    var reader = CSVReader(cursor, form: form, rows: rows)
    while true {
      reader.scanRows()
      contents.tally = CSVSections.Tally(
        ledger: reader.ledger, tooLong: reader.tooLong, tooShort: reader.tooShort)
      if rows.count > 0 {
        var batch = pool.take()
        batch.removeAll()
        reader.deliver(to: &batch)
        contents.batches.append(
          .init(batch: batch, tally: contents.tally, bytesRead: reader.cursor.source.bytesRead))
        rows.removeAll()
      } else if reader.cursor.isLast {
        return
      } else if reader.cursor.source.bytesRead >= contents.limit {
        contents.end = .place(reader.cursor.place)
        return
      } else {
        try reader.cursor.refill()
      }
    }
  }
}

extension CSVPlace {
  /// The same place, as the first of a section.
  var atLineZero: CSVPlace {
    CSVPlace(offset: offset, bufferEnd: bufferEnd, line: 0, isSkipping: isSkipping)
  }

  /// The place with the lines before its section added.
  func moved(by lines: Int) -> CSVPlace {
    CSVPlace(offset: offset, bufferEnd: bufferEnd, line: line + lines, isSkipping: isSkipping)
  }
}
