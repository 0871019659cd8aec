package import Clustering
package import Features
import OrderedCollections
import Styling
import Tiling

/// The rows of a source at a zoom: clusters and single points, or all points, or all shapes.
package final class FeatureView: LookFeature {
  /// The places in which a name's value is found: a column of the records and a property of
  /// clusters.
  private struct Slot {
    var column: Int?
    var cluster: ClusterProperty?
  }

  /// The properties that a cluster has.
  private enum ClusterProperty {
    case isCluster
    case id
    case count
    case abbreviatedCount
    case aggregate(Int)
  }

  private let records: RecordColumns
  private let points: PointSet?
  private let shapes: GeometryColumn?
  private let level: ClusterLevel?

  /// Whether clusters are seen as their areas and not as their centres.
  private var isOfAreas = false
  private let aggregateNames: [String]
  private var slots: [Slot] = []
  private var known: [[Slot]?] = []

  /// The vector from a spread point to the middle of its stack, in style pixels; set with ``row``.
  package var leg: SIMD2<Double>?

  /// The row of ``level``, or of the points if there is no level.
  package var row = 0

  /// The places of the properties that make a feature's ``values``.
  private var valueSlots: [Slot] = []

  /// Creates a view of points, or of their clusters at a zoom.
  ///
  /// - Parameters:
  ///   - level: the clusters of the zoom; `nil` if every point stands alone.
  ///   - aggregateNames: the names of the level's aggregates.
  package init(points: PointSet, level: ClusterLevel?, aggregateNames: [String] = []) {
    records = points.records
    self.points = points
    shapes = nil
    self.level = level
    self.aggregateNames = aggregateNames
  }

  /// Creates a view of lines and polygons.
  package init(shapes: ShapeSet) {
    records = shapes.records
    points = nil
    self.shapes = shapes.geometry
    level = nil
    aggregateNames = []
  }

  /// Creates a view of clusters that are areas.
  ///
  /// - Parameter areas: the area of each row; `nil` if no expression reads positions.
  package init(_ clusters: SymbolSource, areas: GeometryColumn?) {
    isOfAreas = true
    records = clusters.points.records
    points = clusters.points
    shapes = areas
    level = clusters.level
    aggregateNames = clusters.aggregateNames
  }

  /// The number of rows.
  package var count: Int { level?.count ?? records.count }

  /// The number of points that the row stands for; 1 for a shape.
  package var pointCount: Int { level.map { Int($0.counts[row]) } ?? 1 }

  /// Whether the row is a cluster.
  private var isCluster: Bool { level?.isCluster(row) ?? false }

  /// The row of a single point or a shape in the columns.
  private var record: Int { level.map { Int($0.firstMembers[row]) } ?? row }

  package func bind(_ names: [String], list: Int) {
    if list >= known.count {
      known.append(contentsOf: repeatElement(nil, count: list + 1 - known.count))
    }
    if let bound = known[list] {
      slots = bound
      return
    }
    slots = slots(of: names)
    known[list] = slots
  }

  private func slots(of names: [String]) -> [Slot] {
    names.map { name in
      Slot(
        column: records.columns.firstIndex { $0.name == name }, cluster: clusterProperty(name))
    }
  }

  /// The values of some properties, and how many points the row stands for.
  struct Values: Hashable {
    fileprivate let isCluster: Bool
    fileprivate let count: Int
    fileprivate let values: [PropertyValue?]
  }

  /// Sets the properties that ``values`` are of.
  func setValues(of names: [String]) { valueSlots = slots(of: names) }

  /// The values of the row, equal only for rows that no expression over these properties can tell
  /// apart; `nil` for rows whose values do not say all: a number that is written in its own way, a
  /// negative zero, a list.
  var values: Values? {
    var values: [PropertyValue?] = []
    values.reserveCapacity(valueSlots.count)
    for slot in valueSlots {
      let value: PropertyValue?
      if isCluster {
        value = slot.cluster.flatMap(self.value)
      } else {
        guard let column = slot.column else {
          values.append(nil)
          continue
        }
        value = records.columns[column].value(record)
        if case .number? = value, records.columns[column].spelling(record) != nil { return nil }
      }
      switch value {
      case .array, .object, .whole: return nil
      case .number(let number) where number == 0 && number.sign == .minus: return nil
      default: values.append(value)
      }
    }
    return Values(isCluster: isCluster, count: pointCount, values: values)
  }

  private func clusterProperty(_ name: String) -> ClusterProperty? {
    switch name {
    case "cluster": .isCluster
    case "cluster_id": .id
    case "point_count": .count
    case "point_count_abbreviated": .abbreviatedCount
    default: aggregateNames.firstIndex(of: name).map { .aggregate($0) }
    }
  }

  package func property(_ slot: Int) -> PropertyValue? {
    if isCluster { return slots[slot].cluster.flatMap(value) }
    guard let column = slots[slot].column else { return nil }
    return records.columns[column].value(record)
  }

  package func spelling(_ slot: Int) -> String? {
    guard !isCluster, let column = slots[slot].column else { return nil }
    return records.columns[column].spelling(record)
  }

  package var idSpelling: String? {
    guard !isCluster else { return nil }
    if let column = records.idColumn, !records.columns[column].isNull(record) {
      return records.columns[column].spelling(record)
    }
    return records.ids?.spelling(record)
  }

  private func value(_ property: ClusterProperty) -> PropertyValue? {
    guard let level else { return nil }
    switch property {
    case .isCluster: return .bool(true)
    case .id: return .number(Double(level.ids[row]))
    case .count: return .number(Double(pointCount))
    case .abbreviatedCount: return PropertyValue(abbreviatedCount: pointCount)
    case .aggregate(let index): return level.aggregate(index, of: row)
    }
  }

  package var id: PropertyValue? {
    if isCluster { return level.map { .number(Double($0.ids[row])) } }
    if let column = records.idColumn, !records.columns[column].isNull(record) {
      return records.columns[column].value(record)
    }
    return records.ids?.value(record)
  }

  package var geometryType: String? {
    shapes.map { $0.kinds[row].featureType } ?? (isOfAreas ? "Polygon" : "Point")
  }

  /// The geometry of a shape, the position of a point as its file gives it, or the position of a
  /// cluster as it was computed.
  package var geometry: RecordGeometry {
    if let shapes { return .shape(shapes, record: row) }
    if isCluster, let level {
      return .points([LngLat(longitude: level.longitudes[row], latitude: level.latitudes[row])])
    }
    guard let points else { return .none }
    return .points([
      LngLat(longitude: points.longitudes[record], latitude: points.latitudes[record])
    ])
  }

  package var allProperties: PropertyValue {
    if isCluster { return clusterProperties }
    return .object(
      .init(
        records.columns.compactMap { column in column.value(record).map { (column.name, $0) } }
      ) { first, _ in first })
  }

  /// All properties of a cluster, as one object.
  package var clusterProperties: PropertyValue {
    var members: [(String, PropertyValue)] = [
      ("cluster", .bool(true)), ("cluster_id", value(.id) ?? .null),
      ("point_count", .number(Double(pointCount))),
      ("point_count_abbreviated", PropertyValue(abbreviatedCount: pointCount)),
    ]
    for (index, name) in aggregateNames.enumerated() {
      members.append((name, value(.aggregate(index)) ?? .null))
    }
    return .object(.init(members) { $1 })
  }
}
