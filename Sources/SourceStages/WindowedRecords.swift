import Calendar
import Columns
import Definition
import Features
import Files
import Hashing
import Ingest
package import Overlays
import RecordChanges
package import Runs
import Tiling

/// The records of a source in the order of their instants, divided into the windows of frames.
///
/// A frame is a function of the records in its window, not of their order in the file, nor of other
/// records: where instants are equal, the hashes of the records decide.
package struct WindowedRecords {
  /// All records, in the order of the file.
  package let source: LoadedSource

  /// The frames that have records, those that are kept; a step without records is a gap.
  package let series: FrameSeries

  /// The records by instant.
  private let order: TimeOrder

  /// The ranges of ``order`` of all windows with records, by the instants of their frames.
  private let windows: [FrameTime: Range<Int>]

  /// Sorts the records and finds the windows.
  ///
  /// - Throws: ``PipelineError`` where there are no records or too many frames, and where a frame is
  ///   missing and must not be.
  /// - Complexity: O(bytes of the records + n log n); O(log n) for each frame.
  package init(_ source: LoadedSource) throws(PipelineError) {
    guard let windows = source.definition.records?.windows else {
      throw PipelineError(
        .bug, "source '\(source.definition.name)' has no windows.", at: source.definition.place)
    }
    self.source = source
    let place = windows.series.place
    guard source.points.count > 0 else {
      throw PipelineError(
        .badData,
        "source '\(source.definition.name)' has no point with an instant in '\(windows.property)', so "
          + "there is no frame. Check 'property' of 'time', and the filters.", at: place)
    }
    order = try TimeOrder(of: source.points, by: windows.property)
    let limit = SeriesLimits().maxFrames
    guard let ranges = windows.ranges(of: order.instants, limit: limit) else {
      throw place.fault(
        "source '\(source.definition.name)' makes more than \(ReportNumber.count(limit)) frames. Set "
          + "a longer 'every' in 'time'.")
    }
    self.windows = Dictionary(ranges, uniquingKeysWith: { first, _ in first })
    let entries = ranges.map { time, _ in
      FrameEntry(time: time, location: .file(source.definition.name), place: "\(place)")
    }
    do {
      series = try FrameSeries(entries, options: windows.series.options)
    } catch {
      throw PipelineError(error, at: place)
    }
  }

  /// Returns the number of records in the window of a frame.
  package func count(in time: FrameTime) -> Int { windows[time]?.count ?? 0 }

  /// Returns the records in the window of a frame, in the order of their instants.
  ///
  /// - Complexity: O(bytes of the records).
  package func records(of time: FrameTime) -> LoadedSource {
    let window = windows[time] ?? 0..<0
    var ledger = SourceLedger()
    ledger.read = window.count
    ledger.used = window.count
    return LoadedSource(
      resolved: source.resolved,
      points: source.points.selecting(
        order.points(of: window), sortsColumns: sortsColumns),
      shapes: source.shapes, ledger: ledger, bytes: 0, geometryColumns: source.geometryColumns,
      propertyNames: source.propertyNames, isCached: source.isCached)
  }

  /// Returns a SHA-256 of everything in the records of a frame from which its archive follows, 64
  /// hexadecimal digits.
  ///
  /// - Complexity: O(records of the window).
  package func digest(of time: FrameTime) -> String {
    let window = windows[time] ?? 0..<0
    let points = order.points(of: window)
    // Taps list properties in the order of the columns.
    var names = source.points.columns.filter { column in
      points.contains { column.kinds[Int($0)] != .missing }
    }.map(\.name)
    if sortsColumns { names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    var digest = SHA256()
    digest.update(data: Array(names.joined(separator: "\0").utf8))
    order.hashes[window].withUnsafeBytes { digest.update(bufferPointer: $0) }
    return Hexadecimal.text(digest.finalize())
  }

  /// Whether properties are sorted by name: those of a table are in its order, whatever the order of
  /// the records, and others in that in which the records have them.
  private var sortsColumns: Bool { !(source.definition.records?.format is CSVSource) }

  /// The box of all points, with a margin for what is drawn around them.
  package var extent: ImageExtent {
    let positions = source.points.positions
    let box = positions.reduce(into: WorldBox(positions[0])) { $0.formUnion(WorldBox($1)) }
    let side = max(box.east - box.west, box.south - box.north)
    return ImageExtent(box.widened(by: max(side / 16, 1 << 20)))
  }
}

extension LoadedSource {
  /// Returns what is shown of records with frames: all of them, or those of one frame.
  ///
  /// - Throws: ``PipelineError`` with code `usage` where there is no such frame.
  func shown() throws(PipelineError) -> LoadedSource {
    guard let windows = definition.records?.windows, case .frame(let text)? = windows.view else {
      return self
    }
    let frames = try WindowedRecords(self)
    return frames.records(
      of: try frames.series.time(
        at: text, windows.series.presentation, of: definition.name, windows.series.place))
  }
}

extension FrameSeries {
  /// Returns the instant of the requested frame, otherwise of the default one.
  ///
  /// - Parameters:
  ///   - text: the requested instant as the user wrote it; `nil` for the default.
  ///   - source: the name of the source in messages.
  ///   - place: the place of the default frame, or of the source.
  /// - Throws: ``PipelineError`` with code `usage` or `definition`.
  package func time(
    at text: String?, _ presentation: FramePresentation, of source: String, _ place: DocumentPlace
  ) throws(PipelineError) -> FrameTime {
    let wanted: FrameTime
    switch (text, presentation.defaultFrame) {
    case (let text?, _):
      do {
        wanted = try FrameTime(iso8601: text)
      } catch {
        throw PipelineError(.usage, "--frame: \(error.message)")
      }
    case (nil, .first): wanted = entries[0].time
    case (nil, .latest): wanted = latest.time
    case (nil, .at(let time)): wanted = time
    }
    if entries.contains(where: { $0.time == wanted }) { return wanted }
    let range = "\(entries[0].time) to \(latest.time)"
    guard text == nil else {
      throw PipelineError(
        .usage, "--frame: the series '\(source)' has no frame of \(wanted); it runs from \(range).")
    }
    throw PipelineError(
      .definition, "the series has no frame of \(wanted) to show first; it runs from \(range).",
      at: place)
  }
}

extension FrameWindows {
  /// Returns the windows that have records, in the order of time, with the instants of their frames.
  ///
  /// - Parameters:
  ///   - instants: ascending, at least one.
  ///   - limit: the maximum number of windows, beyond which `nil` is returned.
  /// - Complexity: O(windows · log instants).
  func ranges(
    of instants: ContiguousArray<Int64>, limit: Int
  ) -> [(FrameTime, Range<Int>)]? {
    var found: [(FrameTime, Range<Int>)] = []
    var start = step(of: instants[0])
    let last = step(of: instants[instants.count - 1])
    while start <= last {
      let end = start + (length ?? every)
      let fresh = instants.bisectedIndex { $0 < start }
      let upper = instants.bisectedIndex { $0 < end }
      if fresh < upper, let time = FrameTime(seconds: start) {
        guard found.count < limit else { return nil }
        found.append((time, (length == nil ? 0 : fresh)..<upper))
      }
      // The next step whose window reaches the next record.
      let skipped = upper > fresh ? start : instants[fresh] - (length ?? every)
      start = (skipped > start ? step(of: skipped) : start) + every
    }
    return found
  }

  /// Returns the beginning of the step of an instant.
  private func step(of instant: Int64) -> Int64 {
    instant - (instant - ISOTimeReader.range.lowerBound) % every
  }
}

/// Records in the order of their instants, then of their hashes.
private struct TimeOrder {
  /// The instants, ascending, in seconds since 1970-01-01T00:00:00Z.
  let instants: ContiguousArray<Int64>

  /// The hashes of the records.
  let hashes: ContiguousArray<ContentHash>

  /// The points of each record.
  private let points: ContiguousArray<Range<UInt32>>

  init(of points: PointSet, by property: String) throws(PipelineError) {
    let records = points.records
    guard let column = records.index(of: property).map({ points.columns[$0] }) else {
      throw PipelineError(.bug, "the property '\(property)' was not kept.")
    }
    var content = PointContent(points)
    var all: ContiguousArray<(instant: Int64, hash: ContentHash, points: Range<UInt32>)> = []
    all.reserveCapacity(points.recordCount)
    var first = 0
    while first < points.count {
      var end = first + 1
      while end < points.count, points.record(of: end) == points.record(of: first) { end += 1 }
      guard let instant = column.instant(first) else {
        throw PipelineError(.bug, "a record without an instant was not rejected.")
      }
      all.append((instant, content.hash(first..<end), UInt32(first)..<UInt32(end)))
      first = end
    }
    all.sort { one, other in
      if one.instant != other.instant { return one.instant < other.instant }
      let (own, its) = (one.hash, other.hash)
      if own != its { return (own.high, own.low) < (its.high, its.low) }
      return one.points.lowerBound < other.points.lowerBound
    }
    instants = ContiguousArray(all.lazy.map(\.instant))
    hashes = ContiguousArray(all.lazy.map(\.hash))
    self.points = ContiguousArray(all.lazy.map(\.points))
  }

  /// Returns the points of a range of records, in their order.
  func points(of range: Range<Int>) -> Column<UInt32> {
    Column(points[range].lazy.joined())
  }
}

/// The content of records of points as bytes: positions, properties as the file spells them, ids.
private struct PointContent {
  private let points: PointSet

  /// The columns sorted by name: those of some formats come in the order in which they are found.
  private let columns: [PropertyColumn]
  private var bytes: [UInt8] = []

  init(_ points: PointSet) {
    self.points = points
    columns =
      points.columns.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      + [points.records.ids, points.records.identifiers].compactMap(\.self)
  }

  /// Returns the hash of the record of some points.
  ///
  /// - Complexity: O(bytes).
  mutating func hash(_ rows: Range<Int>) -> ContentHash {
    bytes.removeAll(keepingCapacity: true)
    for row in rows {
      append(points.longitudes[row].bitPattern)
      append(points.latitudes[row].bitPattern)
    }
    for column in columns where column.kinds[rows.lowerBound] != .missing {
      append(UInt64(column.name.utf8.count))
      bytes += column.name.utf8
      bytes.append(column.kinds[rows.lowerBound].rawValue)
      column.withBytes(rows.lowerBound) { value in
        append(UInt64(value.count))
        bytes += value
      }
    }
    return bytes.withUnsafeBytes { ContentHash($0) }
  }

  private mutating func append(_ word: UInt64) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }
}
