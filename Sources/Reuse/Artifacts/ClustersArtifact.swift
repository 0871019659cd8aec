package import Clustering
package import Columns
import Tiling

/// The clusters of a source: the content of an artifact of kind ``ArtifactKind/clusters``.
package struct ClustersArtifact {
  package var pyramid: StoredPyramid

  /// The value of each point for each aggregate, in the order of the points.
  package var aggregates: [Column<AggregateValue>]

  package init(pyramid: StoredPyramid, aggregates: [Column<AggregateValue>]) {
    self.pyramid = pyramid
    self.aggregates = aggregates
  }

  /// A writer of the columns, which shares its storage with the pyramid.
  package var writer: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append([
      pyramid.zooms.lowerBound, pyramid.zooms.upperBound, pyramid.clusterMaxZoom,
      pyramid.clustered.count, pyramid.points == nil ? 0 : 1, aggregates.count,
    ])
    writer.append(pyramid.order)
    for values in aggregates { writer.append(values) }
    for table in pyramid.tables { writer.append(table) }
    for level in pyramid.clustered { writer.append(level) }
    if let points = pyramid.points { writer.append(points) }
    return writer
  }
}

extension ClustersArtifact {
  /// Reads the columns of ``writer``.
  ///
  /// - Complexity: O(bytes), one copy.
  package init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    let counts = try reader.column(of: Int.self)
    let zooms = 0...TileCoord.maxZoom
    guard counts.count == 6, zooms.contains(counts[0]), zooms.contains(counts[1]),
      counts[0] <= counts[1], zooms.contains(counts[2]), (0...zooms.count).contains(counts[3]),
      (0...1).contains(counts[4]), (0...Self.aggregateLimit).contains(counts[5])
    else { throw ArtifactDamage("there are no such zooms") }
    let order = try reader.column(of: UInt32.self)
    aggregates = []
    for _ in 0..<counts[5] { aggregates.append(try reader.aggregateValues()) }
    var tables: [AggregateTable] = []
    for _ in 0..<counts[5] { tables.append(try reader.aggregateTable()) }
    var levels: [StoredPyramid.Level] = []
    for _ in 0..<counts[3] { levels.append(try reader.level(aggregates: counts[5])) }
    let points = counts[4] == 1 ? try reader.level(aggregates: counts[5]) : nil
    pyramid = StoredPyramid(
      zooms: counts[0]...counts[1], clusterMaxZoom: counts[2], order: order, clustered: levels,
      points: points, tables: tables)
  }

  /// The limit on the number of aggregates, more than a pipeline file has room for.
  private static let aggregateLimit = 1 << 20
}

extension ArtifactWriter {
  /// Appends values as a kind and eight bytes each.
  fileprivate mutating func append(_ values: Column<AggregateValue>) {
    append(Column(values.lazy.map(\.kind), in: values.scratch))
    append(Column(values.lazy.map(\.bits), in: values.scratch))
  }

  fileprivate mutating func append(_ table: AggregateTable) {
    append(table.texts)
    append(table.lists)
    append(texts: [table.separator])
  }

  fileprivate mutating func append(_ level: StoredPyramid.Level) {
    append([level.zoom, level.isAreal ? 1 : 0])
    append(level.members)
    append(level.clusters)
    append(level.positions)
    append(level.longitudes)
    append(level.latitudes)
    append(level.counts)
    append(level.boxes)
    append(level.expansionZooms)
    append(level.ids)
    for values in level.aggregates { append(values) }
  }
}

extension ArtifactReader {
  fileprivate mutating func aggregateValues() throws(ArtifactDamage) -> Column<
    AggregateValue
  > {
    let kinds = try column(of: UInt8.self)
    let bits = try column(of: UInt64.self)
    guard kinds.count == bits.count else { throw ArtifactDamage("values do not fit together") }
    return Column(
      zip(kinds, bits).lazy.map { AggregateValue(kind: $0, bits: $1) }, in: scratch)
  }

  fileprivate mutating func aggregateTable() throws(ArtifactDamage) -> AggregateTable {
    AggregateTable(
      texts: try propertyColumn(), lists: try aggregateValues(),
      separator: try texts().first ?? nil)
  }

  fileprivate mutating func level(
    aggregates count: Int
  ) throws(ArtifactDamage) -> StoredPyramid.Level {
    let head = try column(of: Int.self)
    guard head.count == 2 else { throw ArtifactDamage("a zoom has no head") }
    var level = StoredPyramid.Level(
      zoom: head[0], members: try column(of: UInt32.self),
      clusters: try column(of: UInt32.self), positions: try column(of: WorldPoint.self),
      longitudes: try column(of: Double.self), latitudes: try column(of: Double.self),
      counts: try column(of: UInt32.self), boxes: try column(of: WorldBox.self),
      expansionZooms: try column(of: UInt8.self), ids: try column(of: UInt64.self), aggregates: [])
    level.isAreal = head[1] == 1
    for _ in 0..<count { level.aggregates.append(try aggregateValues()) }
    return level
  }
}

extension AggregateValue {
  /// The encoded kind: 0 null, 1 false, 2 true, 3 a number, 4 a text, 5 a list.
  fileprivate var kind: UInt8 {
    switch self {
    case .null: 0
    case .boolean(let value): value ? 2 : 1
    case .number: 3
    case .text: 4
    case .list: 5
    }
  }

  /// The bits of a number, the row of a text, or the start and the count of a list.
  fileprivate var bits: UInt64 {
    switch self {
    case .null, .boolean: 0
    case .number(let number): number.bitPattern
    case .text(let row): UInt64(row)
    case .list(let start, let count): UInt64(start) << 32 | UInt64(count)
    }
  }

  fileprivate init(kind: UInt8, bits: UInt64) {
    switch kind {
    case 1: self = .boolean(false)
    case 2: self = .boolean(true)
    case 3: self = .number(Double(bitPattern: bits))
    case 4: self = .text(UInt32(truncatingIfNeeded: bits))
    case 5:
      self = .list(
        start: UInt32(truncatingIfNeeded: bits >> 32), count: UInt32(truncatingIfNeeded: bits))
    default: self = .null
    }
  }
}
