/// The feature part of the ``FeatureKey`` of every point.
///
/// It is the text of the id column, else the id that the file gives (GeoJSON), else a hash of the
/// record's positions and kept properties, 32 hexadecimal digits; the second record with the same
/// content gets `-1` behind it, the third `-2`. So it depends neither on the place in the file nor
/// on the order of the columns.
package struct FeatureIdentifiers: Sendable {
  private let points: PointSet
  /// The first point of every record that repeats the content of an earlier one, with how many
  /// there were before.
  private let ordinals: [Int: Int]
  private let sortedColumns: [Int]

  /// Finds the twins among the points without an id.
  ///
  /// - Complexity: O(bytes of the points without an id).
  package init(_ points: PointSet) {
    self.points = points
    sortedColumns = points.columns.indices.sorted {
      points.columns[$0].name.utf8.lexicographicallyPrecedes(points.columns[$1].name.utf8)
    }
    ordinals = Self.findTwins(points, columns: sortedColumns)
  }

  /// The identifier of a point; the points of one record share it.
  package func text(_ point: Int) -> String {
    if let id = points.records.id(point) { return id }
    let range = Self.recordRange(of: point, in: points)
    let hash = Self.hash(points, range, columns: sortedColumns)
    let ordinal = ordinals[range.lowerBound] ?? 0
    return ordinal == 0 ? hash.text : "\(hash.text)-\(ordinal)"
  }

  private static func findTwins(_ points: PointSet, columns: [Int]) -> [Int: Int] {
    var seen: [ContentHash: Int] = [:]
    var ordinals: [Int: Int] = [:]
    var first = 0
    while first < points.count {
      let range = recordRange(of: first, in: points)
      if points.records.id(first) == nil {
        let hash = hash(points, range, columns: columns)
        let before = seen[hash, default: 0]
        seen[hash] = before + 1
        if before > 0 { ordinals[first] = before }
      }
      first = range.upperBound
    }
    return ordinals
  }

  private static func recordRange(of point: Int, in points: PointSet) -> Range<Int> {
    let record = points.record(of: point)
    var start = point
    while start > 0, points.record(of: start - 1) == record { start -= 1 }
    var end = point + 1
    while end < points.count, points.record(of: end) == record { end += 1 }
    return start..<end
  }

  /// The hash of a record's canonical bytes: its positions as little-endian doubles, then by name
  /// every property that it has (length and text of the name, kind, length and bytes of the value).
  private static func hash(_ points: PointSet, _ range: Range<Int>, columns: [Int]) -> ContentHash {
    var bytes: [UInt8] = []
    func append(_ word: UInt64) { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    append(UInt64(range.count))
    for point in range {
      append(points.longitudes[point].bitPattern)
      append(points.latitudes[point].bitPattern)
    }
    for place in columns {
      let column = points.columns[place]
      let kind = column.kinds[range.lowerBound]
      guard kind != .missing else { continue }
      append(UInt64(column.name.utf8.count))
      bytes += column.name.utf8
      bytes.append(kind.rawValue)
      column.withBytes(range.lowerBound) {
        append(UInt64($0.count))
        bytes += $0
      }
    }
    return bytes.withUnsafeBytes { ContentHash($0) }
  }
}
