import Calendar
package import Features
package import Ingest
import Tiling

/// Options for connecting points to tracks: one line for each value of a property, or one of all; or
/// each point to a second place.
///
/// The vertices of a line follow the values of another property: as numbers where all values are
/// numbers, as instants where all are instants, as times such as `19/01/2014 06:00` where all are such,
/// otherwise as texts by code units; equal values stay in the order of the file. A line has the properties of its first vertex, and its id is the value
/// that its points share.
package struct TrackLines: Hashable, Sendable {
  /// The property whose distinct values are the lines; `nil` for one line of all points.
  package var by: String?

  /// The property that orders the vertices; nil for the order of the file.
  package var order: String?

  /// The order of day and month in times such as `19/01/2014`; `nil` to take it from the values.
  package var dates: DateOrder?

  /// The second place of each point, to which a great circle leads, instead of ``by`` and ``order``.
  package var end: End?

  /// The properties that hold a place, in degrees.
  package struct End: Hashable, Sendable {
    package var x: String
    package var y: String

    package init(x: String, y: String) { (self.x, self.y) = (x, y) }
  }

  /// The properties that decide about lines.
  package var properties: [String] { [by, order, end?.x, end?.y].compactMap(\.self) }

  package init(
    by: String?, order: String? = nil, dates: DateOrder? = nil, end: End? = nil
  ) {
    self.by = by
    self.order = order
    self.dates = dates
    self.end = end
  }

  /// Returns a source with lines in place of its points; its own lines and polygons stay before
  /// them.
  ///
  /// Points without a value for the track or the order are rejected. A lone point does not make a
  /// line: its record is counted as one without geometry. Records with lines or polygons of their
  /// own are used whatever becomes of their points.
  ///
  /// - Parameters:
  ///   - file: the file as the user named it, for messages.
  ///   - tolerance: rejected records that are tolerated.
  /// - Throws: ``SourceError`` where a property does not exist, or too many records are rejected.
  /// - Complexity: O(points · log points).
  package func lines(
    of source: IngestedSource, file: String, tolerance: RejectTolerance
  ) throws(SourceError) -> IngestedSource {
    var source = source
    let points = source.points
    guard points.count > 0 else { return source }
    if let end { return try connections(of: source, to: end, file: file, tolerance: tolerance) }
    let by = try by.map { name throws(SourceError) in
      try column(named: name, of: points, file: file)
    }
    let order = try order.map { name throws(SourceError) in
      try column(named: name, of: points, file: file)
    }
    if let order {
      let request = QuantityRequest(points.columns[order].name, .order)
      var census: [QuantityRequest: QuantityCensus] = [:]
      census.add(points, ShapeSet(), [request])
      if dates != nil { census = census.filter { !$1.isWrittenDate } }
      source.ledger.numbers.merge(census) { $1 }
    }
    var tracks: [[Int]] = []
    // Different bytes are different values, even where they spell the same letter.
    var numbers: [[UInt8]: Int] = [:]
    var fates = PointFates(source)
    for point in 0..<points.count {
      let lack = [by, order].compactMap { $0 }.first { points.columns[$0].isNull(point) }
      guard lack == nil, let value = by.map({ points.columns[$0].text(point) }) ?? "" else {
        fates.reject(
          point, of: &source, as: .noTrack,
          "the point has no '\((lack ?? by).map { points.columns[$0].name } ?? "")', which 'line' asks for"
        )
        continue
      }
      if let message = order.flatMap({ contradiction(points.columns[$0], at: point) }) {
        fates.reject(point, of: &source, as: .noTrack, message)
        continue
      }
      let bytes = Array(value.utf8)
      if let number = numbers[bytes] {
        tracks[number].append(point)
      } else {
        numbers[bytes] = tracks.count
        tracks.append([point])
      }
    }
    if let error = source.ledger.excess(over: tolerance, file: file) { throw error }
    fates.leaveAlone(tracks.filter { $0.count == 1 }.map { $0[0] }, of: &source)
    tracks.removeAll { $0.count == 1 }
    if let order {
      let keys = TrackOrder(points.columns[order], dates: dates)
      for track in tracks.indices { tracks[track] = keys.sorted(tracks[track]) }
    }
    source.shapes.append(batch(of: tracks, points), rows: ContiguousArray(tracks.indices))
    source.shapes.idColumn = by
    (source.points, source.mixedRecords) = (PointSet(), [])
    return source
  }

  /// Returns the sentence about a value that cannot have been written in the order of ``dates``.
  private func contradiction(_ column: PropertyColumn, at point: Int) -> String? {
    guard let dates, let text = column.text(point), let time = WrittenTime(text),
      !time.fits(dates)
    else { return nil }
    return "'\(text)' in '\(column.name)' is no date by 'dates: \(dates.rawValue)' of 'line'"
  }

  /// Returns a source with a great circle from each point to its second place.
  private func connections(
    of source: IngestedSource, to end: End, file: String, tolerance: RejectTolerance
  ) throws(SourceError) -> IngestedSource {
    var source = source
    let points = source.points
    let x = points.columns[try column(named: end.x, of: points, file: file)]
    let y = points.columns[try column(named: end.y, of: points, file: file)]
    var fates = PointFates(source)
    var (rows, lone): ([Int], [Int]) = ([], [])
    var geometry = GeometryColumn()
    for point in 0..<points.count {
      guard let longitude = x.number(point), let latitude = y.number(point) else {
        let name = x.number(point) == nil ? end.x : end.y
        fates.reject(
          point, of: &source, as: .noTrack, "the point has no '\(name)', which 'line' asks for")
        continue
      }
      guard abs(latitude) <= 90, abs(longitude) <= 540 else {
        let isHigh = abs(latitude) > 90
        fates.reject(
          point, of: &source, as: isHigh ? .latitudeOutOfRange : .longitudeOutOfRange,
          "'\(isHigh ? end.y : end.x)' is no \(isHigh ? "latitude" : "longitude")")
        continue
      }
      let start = LngLat(
        longitude: points.longitudes[point], latitude: points.latitudes[point])
      let second = LngLat(longitude: longitude, latitude: latitude)
      guard start.latitude != latitude || start.longitude != second.wrappedLongitude else {
        lone.append(point)
        continue
      }
      rows.append(point)
      for position in GreatCircle(from: start, to: second).positions { geometry.add(position) }
      geometry.endPart(.line)
      geometry.endRecord(.lineString)
    }
    if let error = source.ledger.excess(over: tolerance, file: file) { throw error }
    fates.leaveAlone(lone, of: &source)
    var batch = FeatureBatch()
    let kept = points.records.keeping(rows: rows)
    batch.columns = kept.columns
    batch.lines = ContiguousArray(kept.lines.lazy.map { Int($0) })
    batch.geometry = geometry
    if let ids = kept.ids { batch.ids = ids } else { batch.ids.append(.missing, count: rows.count) }
    if let identifiers = kept.identifiers {
      batch.identifiers = identifiers
    } else {
      batch.identifiers.append(.missing, count: rows.count)
    }
    source.shapes.append(batch, rows: ContiguousArray(rows.indices))
    source.shapes.idColumn = points.idColumn
    (source.points, source.mixedRecords) = (PointSet(), [])
    return source
  }

  private func column(
    named name: String, of points: PointSet, file: String
  ) throws(SourceError) -> Int {
    guard let column = points.records.index(of: name) else {
      throw SourceError(
        UnknownColumn(
          .property(name), " in \(file)", known: points.columns.map(\.name), key: "line"),
        file: file)
    }
    return column
  }

  /// Returns the lines as records.
  private func batch(of tracks: [[Int]], _ points: PointSet) -> FeatureBatch {
    let kept = points.records.keeping(rows: tracks.map { $0[0] })
    var batch = FeatureBatch()
    batch.columns = kept.columns
    batch.lines = ContiguousArray(kept.lines.lazy.map { Int($0) })
    batch.ids.append(.missing, count: tracks.count)
    batch.identifiers.append(.missing, count: tracks.count)
    for track in tracks {
      var last: Double?
      for point in track {
        // The short way: across the antimeridian longitudes continue beyond ±180.
        var longitude = points.longitudes[point]
        if let last { longitude += ((last - longitude) / 360).rounded() * 360 }
        last = longitude
        batch.geometry.add(LngLat(longitude: longitude, latitude: points.latitudes[point]))
      }
      batch.geometry.endPart(.line)
      batch.geometry.endRecord(.lineString)
    }
    return batch
  }
}

/// The records whose points are not used, each counted once; those with shapes of their own are
/// used whatever becomes of their points.
struct PointFates {
  private let mixed: Set<Int>

  /// The numbers of the rejected records.
  private(set) var rejected: Set<Int> = []

  init(_ source: IngestedSource) { mixed = Set(source.mixedRecords) }

  mutating func reject(
    _ point: Int, of source: inout IngestedSource, as reason: RejectReason, _ message: String
  ) {
    let record = source.points.record(of: point)
    guard !mixed.contains(record), rejected.insert(record).inserted else { return }
    source.ledger.used -= 1
    source.ledger.reject(
      SourceLedger.Example(
        reason: reason, line: Int(source.points.lines[point]), column: 0, message: message),
      as: reason)
  }

  /// Counts points that are alone on their line as records without geometry.
  func leaveAlone(_ points: [Int], of source: inout IngestedSource) {
    let lone = Set(points.map(source.points.record)).subtracting(mixed)
    source.ledger.used -= lone.count
    source.ledger.noGeometry += lone.count
  }
}

/// The values of a property as keys of one kind.
private enum TrackOrder {
  /// The digits of whole numbers beyond ±2⁵³ tell apart those that share a Double; none if there are
  /// no such numbers.
  case numbers([Double], [WholeNumber?])
  case instants([Instant])
  case texts([String])

  /// - Parameters:
  ///   - column: rows with a null value are never compared.
  ///   - dates: the order of day and month, if it is known.
  init(_ column: PropertyColumn, dates: DateOrder?) {
    let values = (0..<column.count).map { column.isNull($0) ? nil : column.value($0) }
    let numbers = values.map { value -> Double? in
      if case .number(let number)? = value { number } else { nil }
    }
    if zip(values, numbers).allSatisfy({ $0 == nil || $1 != nil }) {
      let areLarge = numbers.contains { $0?.isBeyondExactWholes == true }
      self = .numbers(
        numbers.map { $0 ?? 0 }, areLarge ? (0..<column.count).map(column.wholeNumber) : [])
      return
    }
    let texts = (0..<column.count).map { column.isNull($0) ? nil : column.text($0) }
    let instants = texts.map { text in text.flatMap { Instant.parse($0)?.instant } }
    if zip(texts, instants).allSatisfy({ $0 == nil || $1 != nil }) {
      self = .instants(instants.map { $0 ?? .distantPast })
    } else if let times = WrittenTimes(texts, order: dates) {
      self = .numbers(times.keys, [])
    } else {
      self = .texts(texts.map { $0 ?? "" })
    }
  }

  func sorted(_ rows: [Int]) -> [Int] {
    switch self {
    case .numbers(let keys, let wholes):
      rows.sorted { first, second in
        if keys[first] != keys[second] { return keys[first] < keys[second] }
        if !wholes.isEmpty, let one = wholes[first], let other = wholes[second], one != other {
          return one < other
        }
        return first < second
      }
    case .instants(let keys): rows.sorted { (keys[$0], $0) < (keys[$1], $1) }
    case .texts(let keys):
      rows.sorted { first, second in
        let (one, other) = (keys[first].utf8, keys[second].utf8)
        if one.elementsEqual(other) { return first < second }
        return one.lexicographicallyPrecedes(other)
      }
    }
  }
}
