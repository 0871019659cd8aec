import Calendar
package import Features
import Tiling

/// Options for connecting points to tracks: one line for each value of a property, or one of all.
///
/// The vertices of a line follow the values of another property: as numbers where all values are
/// numbers, as instants where all are instants, otherwise as texts by code units; equal values stay
/// in the order of the file. A line has the properties of its first vertex, and its id is the value
/// that its points share.
package struct TrackLines: Hashable, Sendable {
  /// The property whose distinct values are the lines; `nil` for one line of all points.
  package var by: String?

  /// The property that orders the vertices; nil for the order of the file.
  package var order: String?

  package init(by: String?, order: String? = nil) {
    self.by = by
    self.order = order
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
      source.ledger.numbers.merge(census) { $1 }
    }
    var tracks: [[Int]] = []
    // Different bytes are different values, even where they spell the same letter.
    var numbers: [[UInt8]: Int] = [:]
    var rejected: Set<Int> = []
    let mixed = Set(source.mixedRecords)
    for point in 0..<points.count {
      let lack = [by, order].compactMap { $0 }.first { points.columns[$0].isNull(point) }
      guard lack == nil, let value = by.map({ points.columns[$0].text(point) }) ?? "" else {
        let record = points.record(of: point)
        if !mixed.contains(record), rejected.insert(record).inserted {
          source.ledger.used -= 1
          source.ledger.reject(
            SourceLedger.Example(
              reason: .noTrack, line: Int(points.lines[point]), column: 0,
              message:
                "the point has no '\((lack ?? by).map { points.columns[$0].name } ?? "")', which 'line' asks for"
            ),
            as: .noTrack)
        }
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
    let lone = Set(tracks.filter { $0.count == 1 }.map { points.record(of: $0[0]) })
      .subtracting(mixed)
    source.ledger.used -= lone.count
    source.ledger.noGeometry += lone.count
    tracks.removeAll { $0.count == 1 }
    if let order {
      let keys = TrackOrder(points.columns[order])
      for track in tracks.indices { tracks[track] = keys.sorted(tracks[track]) }
    }
    source.shapes.append(batch(of: tracks, points), rows: ContiguousArray(tracks.indices))
    source.shapes.idColumn = by
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

/// The values of a property as keys of one kind.
private enum TrackOrder {
  /// The digits of whole numbers beyond ±2⁵³ tell apart those that share a Double; none if there are
  /// no such numbers.
  case numbers([Double], [WholeNumber?])
  case instants([Instant])
  case texts([String])

  /// - Parameter column: rows with a null value are never compared.
  init(_ column: PropertyColumn) {
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
