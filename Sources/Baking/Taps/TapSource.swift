import Clustering
import Definition
import Features
import Ingest
import Inputs
import JSON
import OrderedCollections
import Scenes
import SourceStages
import TapBlocks
import Tiling

/// A source prepared for hit tests: the keys of its features, and their entries.
package final class TapSource: Sendable {
  let name: String

  /// Whether its features may have the keys of other sources' features: a feature of vector tiles is
  /// one at all zooms.
  let sharesKeys: Bool

  let points: PointSet
  let shapes: ShapeSet
  private let pyramid: ClusterPyramid?
  let aggregateNames: [String]

  /// The options of grid clusters; `nil` for those by radius.
  private let gridOptions: GridOptions?

  /// The parts of a key for the source and its layer, each followed by a point.
  private let prefix: [UInt8]

  /// The texts of the records' keys; `nil` where each is needed about once.
  private let pointKeys: TapKeyTexts?
  private let shapeKeys: TapKeyTexts?

  /// The name as JSON.
  private let nameJSON: [UInt8]
  let prefixHash: StableHash

  /// A property of records in answers, by reference: to pass on the value of its column counts the
  /// references of all that the column consists of.
  final class Field: Sendable {
    let column: PropertyColumn
    /// The name as a member of JSON.
    let label: [UInt8]

    init(_ column: PropertyColumn, label: [UInt8]) {
      (self.column, self.label) = (column, label)
    }
  }

  /// The requested fields of points and of shapes.
  let pointFields: [Field]
  let shapeFields: [Field]

  /// A property of clusters.
  private enum ClusterProperty: Sendable {
    case isCluster
    case id
    case count
    case abbreviatedCount
    case aggregate(Int)
  }

  /// The properties of clusters, each with its name as a member of JSON.
  private let clusterProperties: [(label: [UInt8], property: ClusterProperty)]

  let text: TapTextWriter?

  /// Whether answers contain a text.
  var hasText: Bool { text != nil }

  /// - Parameters:
  ///   - fields: the properties in answers, `nil` for all that were read.
  ///   - text: the text of answers.
  ///   - keepsKeys: whether to keep the texts of keys, for UTFGrids.
  init(
    _ source: ClusteredSource, fields: [String]?, text: TapText? = nil, tileSize: Int,
    keepsKeys: Bool = false
  ) {
    // A text that does not compile was refused with the definition.
    self.text = text.flatMap { try? $0.compiled() }.map(TapTextWriter.init)
    let loaded = source.source
    name = loaded.resolved.nameInFile
    nameJSON = Array(JSONWriter.text(name).utf8)
    sharesKeys = loaded.definition.vectorTiles != nil
    points = loaded.points
    shapes = loaded.shapes
    pyramid = source.pyramid
    aggregateNames = source.aggregateNames
    gridOptions = source.gridOptions(tileSize: tileSize)
    let layer = loaded.resolved.keyLayer
    prefix = Array("\(FeatureKey.encode(name)).\(FeatureKey.encode(layer)).".utf8)
    var hash = StableHash()
    hash.combine(name)
    hash.combine(layer)
    prefixHash = hash
    func keys(_ records: RecordColumns, _ rows: Int) -> TapKeyTexts? {
      keepsKeys ? TapKeyTexts(records, rows: rows, in: loaded.points.positions.scratch) : nil
    }
    pointKeys = keys(points.records, points.count)
    shapeKeys = keys(shapes.records, shapes.count)
    let ownNames = Interactivity.ownNames.union(text == nil ? [] : [TapTextWriter.member])
    pointFields = Self.fields(of: points.records, fields, without: ownNames)
    shapeFields = Self.fields(of: shapes.records, fields, without: ownNames)
    clusterProperties = Self.clusterProperties(source.aggregateNames)
  }

  private static func fields(
    of records: RecordColumns, _ fields: [String]?, without ownNames: Set<String>
  ) -> [Field] {
    let names = fields ?? records.columns.map(\.name)
    return names.filter { !ownNames.contains($0) }.compactMap { name in
      records.columns.first { $0.name == name }
    }.map { Field($0, label: label($0.name)) }
  }

  /// Returns the properties of clusters; an aggregate takes the place of another property with its
  /// name.
  private static func clusterProperties(
    _ aggregates: [String]
  ) -> [(label: [UInt8], property: ClusterProperty)] {
    var properties: OrderedDictionary<String, ClusterProperty> = [
      "cluster": .isCluster, "cluster_id": .id, "point_count": .count,
      "point_count_abbreviated": .abbreviatedCount,
    ]
    for (index, name) in aggregates.enumerated() { properties[name] = .aggregate(index) }
    return properties.map { (label($0), $1) }
  }

  /// Returns the name of a member of JSON, with its colon.
  private static func label(_ name: String) -> [UInt8] { Array((JSONWriter.text(name) + ":").utf8) }

  /// The names of the fields that answers may contain.
  var fieldNames: [String] {
    var names = pointFields.map(\.column.name)
    for field in shapeFields where !names.contains(field.column.name) {
      names.append(field.column.name)
    }
    return names
  }

  // MARK: Features

  /// An item that represents a feature, at any zoom.
  enum Item: Hashable, Sendable {
    /// A row of the points.
    case point(Int)
    /// A row of the shapes.
    case shape(Int)
    /// A row of a zoom's clusters.
    case cluster(zoom: Int, row: Int)
  }

  /// The positions of the points.
  var pointPositions: Column<WorldPoint> { points.positions }

  /// Returns the position of a shape's first vertex.
  func shapePosition(_ row: Int) -> WorldPoint {
    let geometry = shapes.geometry
    guard let part = geometry.partRange(row).first,
      let position = geometry.positionRange(part).first
    else { return WorldPoint(x: 0, y: 0) }
    return WorldPoint(geometry.positions[position]) ?? WorldPoint(x: 0, y: 0)
  }

  /// The numbers of points and shapes.
  var rowCounts: (points: Int, shapes: Int) { (points.count, shapes.count) }

  /// The clusters of a zoom by reference: to pass on the value counts the references of a dozen
  /// columns.
  final class Level: Sendable {
    let clusters: ClusterLevel

    fileprivate init(_ clusters: ClusterLevel) { self.clusters = clusters }
  }

  /// Returns the clusters of a zoom; `nil` where every point stands alone.
  func level(_ zoom: Int) -> Level? {
    pyramid.flatMap { zoom <= $0.clusterMaxZoom ? $0.level(zoom).map(Level.init) : nil }
  }

  /// Returns the clusters of all zooms.
  var levels: [Level?] { (0...TileCoord.maxZoom).map(level) }

  /// Returns the first row of the record that a point belongs to.
  func firstRow(ofPoint row: Int) -> Int {
    points.owners.rows(sharingRecordOf: row).lowerBound
  }

  /// Returns the first row of the record that a shape belongs to.
  func firstRow(ofShape row: Int) -> Int {
    shapes.owners.rows(sharingRecordOf: row).lowerBound
  }

  /// Returns the item of a drawn feature; all rows of a record share the item of its first row.
  func item(_ feature: TapFeature, _ level: Level?) -> Item {
    if feature.isShape { return .shape(firstRow(ofShape: feature.row)) }
    var point = feature.row
    if let level {
      if level.clusters.isCluster(point) {
        return .cluster(zoom: level.clusters.zoom, row: point)
      }
      point = Int(level.clusters.firstMembers[point])
    }
    return .point(firstRow(ofPoint: point))
  }

  /// Returns the key of a feature: the ``FeatureKey`` that a query gives it. A cluster's has
  /// `cluster_id` in its third part, and a fourth, its zoom.
  ///
  /// - Parameter level: the level of the item's zoom.
  func key(of item: Item, _ level: Level?) -> [UInt8] {
    var key: [UInt8] = []
    appendKey(of: item, level, to: &key)
    return key
  }

  /// Appends the key of a feature (``key(of:_:)``).
  func appendKey(of item: Item, _ level: Level?, to key: inout [UInt8]) {
    key.append(contentsOf: prefix)
    switch item {
    case .point(let row):
      if let pointKeys { return pointKeys.append(row, to: &key) }
      FeatureKey.append(points.records.identifier(row), to: &key)
    case .shape(let row):
      if let shapeKeys { return shapeKeys.append(row, to: &key) }
      FeatureKey.append(shapes.records.identifier(row), to: &key)
    case .cluster(let zoom, let row):
      FeatureKey.append("\(level.map { $0.clusters.ids[row] } ?? 0)", to: &key)
      key.append(contentsOf: ".\(zoom)".utf8)
    }
  }

  /// Returns a hash of the key of a feature, which is the same in every run.
  ///
  /// - Parameter level: the level of the item's zoom.
  func keyHash(of item: Item, _ level: Level?) -> UInt64 {
    var hash = prefixHash
    combineKey(of: item, level, into: &hash)
    return hash.high
  }

  // MARK: Entries

  /// Returns the entry of an item, as pieces of JSON.
  ///
  /// - Parameter members: the identifiers of the first members of a cluster.
  func pieces(of item: Item, _ level: Level?, _ members: [UInt64]) -> TapEntry {
    var entry = TapEntry(key: key(of: item, level), fields: [])
    entry.fields.reserveCapacity(128)
    appendFields(of: item, level, to: &entry.fields)
    appendMore(of: item, level, to: &entry.more)
    if case .cluster = item { entry.members = members }
    return entry
  }

  /// Returns the members of a zoom's clusters, for their entries.
  func members(_ level: Level) -> ClusterMembers {
    ClusterMembers(level.clusters, of: points, gridOptions)
  }

  /// Appends the entry of an item, as JSON.
  ///
  /// - Parameter members: the first members of a cluster, as rows of the points.
  func appendEntry(
    of item: Item, _ level: Level?, _ members: [Int], to json: inout [UInt8]
  ) {
    json.append(UInt8(ascii: "{"))
    appendFields(of: item, level, to: &json)
    if case .cluster = item {
      append(label: Self.membersLabel, to: &json)
      json.append(UInt8(ascii: "["))
      for (index, row) in members.enumerated() {
        if index > 0 { json.append(UInt8(ascii: ",")) }
        json.append(UInt8(ascii: "{"))
        append(pointFields, row, to: &json)
        endEntry(of: .point(row), nil, &json)
      }
      json.append(UInt8(ascii: "]"))
    }
    appendMore(of: item, level, to: &json)
    endEntry(of: item, level, &json)
  }

  /// Appends the key and the end of an entry.
  private func endEntry(of item: Item, _ level: Level?, _ json: inout [UInt8]) {
    append(label: Self.idLabel, to: &json)
    json.append(UInt8(ascii: "\""))
    appendKey(of: item, level, to: &json)
    json.append(UInt8(ascii: "\""))
    json.append(UInt8(ascii: "}"))
  }

  private func appendFields(of item: Item, _ level: Level?, to json: inout [UInt8]) {
    switch item {
    case .point(let row): append(pointFields, row, to: &json)
    case .shape(let row): append(shapeFields, row, to: &json)
    case .cluster(_, let row):
      if let level { appendCluster(row, of: level, to: &json) }
    }
  }

  private func appendMore(of item: Item, _ level: Level?, to json: inout [UInt8]) {
    if let text {
      append(label: Self.textLabel, to: &json)
      JSONWriter.append(string: text.text(of: view(of: item, level)), to: &json)
    }
    append(label: Self.sourceLabel, to: &json)
    json.append(contentsOf: nameJSON)
  }

  private static let textLabel = label(TapTextWriter.member)
  private static let sourceLabel = label("source")
  private static let idLabel = label("id")
  private static let membersLabel = label("members")
  private static let boxLabel = label("bbox")
  private static let expansionLabel = label("expansion_zoom")

  /// Returns the feature of an item in the form that expressions evaluate.
  func view(of item: Item, _ level: Level?) -> FeatureView {
    let view: FeatureView
    switch item {
    case .point(let row):
      view = FeatureView(points: points, level: nil)
      view.row = row
    case .shape(let row):
      view = FeatureView(shapes: shapes)
      view.row = row
    case .cluster(_, let row):
      view = FeatureView(points: points, level: level?.clusters, aggregateNames: aggregateNames)
      view.row = row
    }
    return view
  }

  /// Calls `body` with the entry of each record and its place, until that returns `false`.
  ///
  /// - Returns: whether all records were passed.
  func forEachRecord(_ body: (_ json: [UInt8], _ place: LngLat) throws -> Bool) rethrows -> Bool {
    var json: [UInt8] = []
    func pass(_ item: Item, at place: WorldPoint) throws -> Bool {
      json.removeAll(keepingCapacity: true)
      appendEntry(of: item, nil, [], to: &json)
      return try body(json, LngLat(place))
    }
    var row = 0
    while row < points.count {
      guard try pass(.point(row), at: points.positions[row]) else { return false }
      row = points.owners.rows(sharingRecordOf: row).upperBound
    }
    row = 0
    while row < shapes.count {
      guard try pass(.shape(row), at: shapePosition(row)) else { return false }
      row = shapes.owners.rows(sharingRecordOf: row).upperBound
    }
    return true
  }

  private func append(_ fields: [Field], _ row: Int, to json: inout [UInt8]) {
    for field in fields where field.column.kinds[row] != .missing {
      append(label: field.label, to: &json)
      field.column.appendJSON(row, to: &json)
    }
  }

  private func appendCluster(_ row: Int, of level: Level, to json: inout [UInt8]) {
    for (label, property) in clusterProperties {
      append(label: label, to: &json)
      switch property {
      case .isCluster: json.append(contentsOf: "true".utf8)
      case .id: JSONWriter.append(Double(level.clusters.ids[row]), to: &json)
      case .count: JSONWriter.append(Double(level.clusters.counts[row]), to: &json)
      case .abbreviatedCount:
        let count = Int(level.clusters.counts[row])
        JSONWriter.append(PropertyValue(abbreviatedCount: count), to: &json)
      case .aggregate(let index):
        JSONWriter.append(level.clusters.aggregate(index, of: row), to: &json)
      }
    }
    let box = level.clusters.boxes[row]
    let northWest = LngLat(WorldPoint(x: box.west, y: box.north))
    let southEast = LngLat(WorldPoint(x: box.east, y: box.south))
    append(label: Self.boxLabel, to: &json)
    json.append(UInt8(ascii: "["))
    JSONWriter.append(rounded: northWest.longitude, to: &json)
    for edge in [southEast.latitude, southEast.longitude, northWest.latitude] {
      json.append(UInt8(ascii: ","))
      JSONWriter.append(rounded: edge, to: &json)
    }
    json.append(UInt8(ascii: "]"))
    append(label: Self.expansionLabel, to: &json)
    JSONWriter.append(Double(level.clusters.expansionZooms[row]), to: &json)
  }

  /// Appends the name of the next member of an object, with a comma unless it is the first: no value
  /// ends with a brace that opens.
  private func append(label: [UInt8], to json: inout [UInt8]) {
    if let last = json.last, last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
    json.append(contentsOf: label)
  }
}
