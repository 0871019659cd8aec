import Clustering
import Definition
import Features
import Ingest
package import Inputs
import JSON
import OrderedCollections
import Scenes
import Tiling

/// A source prepared for hit tests: the keys of its features, and their entries.
package struct TapSource: Sendable {
  let name: String

  private let points: PointSet
  private let shapes: ShapeSet
  private let pyramid: ClusterPyramid?
  private let aggregateNames: [String]

  /// The options of grid clusters; `nil` for those by radius.
  private let gridOptions: GridOptions?

  /// The parts of a key for the source and its layer, each followed by a point.
  private let prefix: [UInt8]

  /// The columns of the requested fields, by name; of points and of shapes.
  private let pointFields: [PropertyColumn]
  private let shapeFields: [PropertyColumn]

  private let text: TapTextWriter?

  /// Whether answers contain a text.
  var hasText: Bool { text != nil }

  /// The names of members that every entry has; properties with these names are left out.
  package static let ownNames: Set = [
    "id", "source", "cluster", "cluster_id", "point_count", "point_count_abbreviated", "bbox",
    "expansion_zoom", "members",
  ]

  /// - Parameters:
  ///   - fields: the properties in answers, `nil` for all that were read.
  ///   - text: the text of answers.
  init(_ source: ClusteredSource, fields: [String]?, text: TapText? = nil, tileSize: Int) {
    // A text that does not compile was refused with the definition.
    self.text = text.flatMap { try? $0.compiled() }.map(TapTextWriter.init)
    let loaded = source.source
    name = loaded.definition.name
    points = loaded.points
    shapes = loaded.shapes
    pyramid = source.pyramid
    aggregateNames = source.aggregateNames
    gridOptions = source.gridOptions(tileSize: tileSize)
    let layer = loaded.resolved.keyLayer
    prefix = Array("\(FeatureKey.encode(name)).\(FeatureKey.encode(layer)).".utf8)
    let ownNames = Self.ownNames.union(text == nil ? [] : [TapTextWriter.member])
    pointFields = Self.columns(of: points.records, fields, without: ownNames)
    shapeFields = Self.columns(of: shapes.records, fields, without: ownNames)
  }

  private static func columns(
    of records: RecordColumns, _ fields: [String]?, without ownNames: Set<String>
  ) -> [PropertyColumn] {
    let names = fields ?? records.columns.map(\.name)
    return names.filter { !ownNames.contains($0) }.compactMap { name in
      records.columns.first { $0.name == name }
    }
  }

  /// The names of the fields that answers may contain.
  var fieldNames: [String] {
    var names = pointFields.map(\.name)
    for field in shapeFields where !names.contains(field.name) { names.append(field.name) }
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

  /// Returns the clusters of a zoom; `nil` where every point stands alone.
  func level(_ zoom: Int) -> ClusterLevel? {
    pyramid.flatMap { zoom <= $0.clusterMaxZoom ? $0.level(zoom) : nil }
  }

  /// Returns the item of a drawn feature; all rows of a record share the item of its first row.
  func item(_ feature: TapFeature, _ level: ClusterLevel?) -> Item {
    if feature.isShape {
      return .shape(shapes.owners.rows(sharingRecordOf: feature.row).lowerBound)
    }
    var point = feature.row
    if let level {
      if level.isCluster(point) { return .cluster(zoom: level.zoom, row: point) }
      point = Int(level.firstMembers[point])
    }
    return .point(points.owners.rows(sharingRecordOf: point).lowerBound)
  }

  /// Returns the key of a feature: the ``FeatureKey`` that a query gives it. A cluster's has
  /// `cluster_id` in its third part, and a fourth, its zoom.
  ///
  /// - Parameter level: the level of the item's zoom.
  func key(of item: Item, _ level: ClusterLevel?) -> [UInt8] {
    switch item {
    case .point(let row): return prefix + FeatureKey.encode(points.records.identifier(row)).utf8
    case .shape(let row): return prefix + FeatureKey.encode(shapes.records.identifier(row)).utf8
    case .cluster(let zoom, let row):
      let id = level.map { $0.ids[row] } ?? 0
      return prefix + "\(FeatureKey.encode("\(id)")).\(zoom)".utf8
    }
  }

  // MARK: Entries

  /// Returns the members of a zoom's clusters, for their entries.
  func members(_ level: ClusterLevel) -> ClusterMembers {
    ClusterMembers(level, of: points, gridOptions)
  }

  /// Returns the entry of a key, as JSON.
  ///
  /// - Parameter members: the first members of a cluster, as rows of the points.
  func entry(of item: Item, key: [UInt8], _ level: ClusterLevel?, _ members: [Int]) -> [UInt8] {
    var json: [UInt8] = []
    json.append(UInt8(ascii: "{"))
    switch item {
    case .point(let row): appendFields(pointFields, row, to: &json)
    case .shape(let row): appendFields(shapeFields, row, to: &json)
    case .cluster(_, let row):
      guard let level else { break }
      appendCluster(row, of: level, members, to: &json)
    }
    if let text {
      append(TapTextWriter.member, to: &json)
      JSONWriter.append(string: text.text(of: view(of: item, level)), to: &json)
    }
    append("source", to: &json)
    JSONWriter.append(string: name, to: &json)
    append("id", to: &json)
    json.append(UInt8(ascii: "\""))
    json.append(contentsOf: key)
    json.append(contentsOf: "\"}".utf8)
    return json
  }

  /// Returns the feature of an item in the form that expressions evaluate.
  private func view(of item: Item, _ level: ClusterLevel?) -> FeatureView {
    let view: FeatureView
    switch item {
    case .point(let row):
      view = FeatureView(points: points, level: nil)
      view.row = row
    case .shape(let row):
      view = FeatureView(shapes: shapes)
      view.row = row
    case .cluster(_, let row):
      view = FeatureView(points: points, level: level, aggregateNames: aggregateNames)
      view.row = row
    }
    return view
  }

  /// Calls `body` with the entry of each record and its place, until that returns `false`.
  ///
  /// - Returns: whether all records were passed.
  func forEachRecord(_ body: (_ json: [UInt8], _ place: LngLat) throws -> Bool) rethrows -> Bool {
    func pass(_ item: Item, at place: WorldPoint) throws -> Bool {
      try body(entry(of: item, key: key(of: item, nil), nil, []), LngLat(place))
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

  private func appendFields(_ fields: [PropertyColumn], _ row: Int, to json: inout [UInt8]) {
    for field in fields where field.kinds[row] != .missing {
      append(field.name, to: &json)
      field.appendJSON(row, to: &json)
    }
  }

  private func appendCluster(
    _ row: Int, of level: ClusterLevel, _ members: [Int], to json: inout [UInt8]
  ) {
    let view = view(of: .cluster(zoom: level.zoom, row: row), level)
    if case .object(let properties) = view.clusterProperties {
      for (name, value) in properties {
        append(name, to: &json)
        JSONWriter.append(value, to: &json)
      }
    }
    let box = level.boxes[row]
    let northWest = LngLat(WorldPoint(x: box.west, y: box.north))
    let southEast = LngLat(WorldPoint(x: box.east, y: box.south))
    append("bbox", to: &json)
    let edges = [
      northWest.longitude, southEast.latitude, southEast.longitude, northWest.latitude,
    ]
    JSONWriter.append(
      .array(edges.map { .number(($0 * 1e7).rounded() / 1e7) }), to: &json)
    append("expansion_zoom", to: &json)
    JSONWriter.append(Double(level.expansionZooms[row]), to: &json)
    append("members", to: &json)
    json.append(UInt8(ascii: "["))
    for (number, member) in members.enumerated() {
      json.append(contentsOf: (number == 0 ? "{" : ",{").utf8)
      appendFields(pointFields, member, to: &json)
      append("id", to: &json)
      json.append(UInt8(ascii: "\""))
      json.append(contentsOf: key(of: .point(member), nil))
      json.append(contentsOf: "\"}".utf8)
    }
    json.append(UInt8(ascii: "]"))
  }

  /// Appends the name of the next member, with a comma unless it is the first.
  private func append(_ name: String, to json: inout [UInt8]) {
    if json.last != UInt8(ascii: "{") { json.append(UInt8(ascii: ",")) }
    JSONWriter.append(string: name, to: &json)
    json.append(UInt8(ascii: ":"))
  }
}

extension ResolvedSource {
  /// The table or layer of the source in feature keys; empty for formats with only one.
  package var keyLayer: String {
    if let layerName { return layerName }
    guard let format = records?.format, Swift.type(of: format).ownsIDs else { return "" }
    return
      (try? origin.content().first().map { try format.reader(of: $0, ReadRequest()).layer }) ?? ""
  }
}
