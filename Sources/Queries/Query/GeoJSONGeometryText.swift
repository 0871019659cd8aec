import Features
import JSON
import Tiling

/// A writer of the geometry of a record as GeoJSON (RFC 7946, 3.1).
enum GeoJSONGeometryText {
  /// Appends a geometry, `null` where the record has none.
  ///
  /// - Complexity: O(positions).
  static func append(_ column: GeometryColumn, _ record: Int, to bytes: inout [UInt8]) {
    let parts = column.partRange(record)
    guard column.kinds[record] != .none, !parts.isEmpty else {
      append("null", to: &bytes)
      return
    }
    if column.kinds[record] == .point {
      append(#"{"type":"Point","coordinates":"#, to: &bytes)
      append(column.positions[column.positionRange(parts.lowerBound).lowerBound], to: &bytes)
      append("}", to: &bytes)
      return
    }
    let members = column.members(of: record)
    if column.kinds[record] == .collection {
      append(#"{"type":"GeometryCollection","geometries":["#, to: &bytes)
      list(members, to: &bytes) { member, bytes in
        append("{\"type\":\"\(member.name)\",\"coordinates\":", to: &bytes)
        append(member, of: column, to: &bytes)
        append("}", to: &bytes)
      }
      append("]}", to: &bytes)
      return
    }
    let isMulti = [.multiPoint, .multiLineString, .multiPolygon].contains(column.kinds[record])
    guard let first = members.first else { return append("null", to: &bytes) }
    append(
      "{\"type\":\"\(isMulti ? "Multi" : "")\(first.name)\",\"coordinates\":", to: &bytes)
    if isMulti { append("[", to: &bytes) }
    list(members, to: &bytes) { append($0, of: column, to: &$1) }
    append(isMulti ? "]}" : "}", to: &bytes)
  }

  private static func append(
    _ member: SimpleGeometry, of column: GeometryColumn, to bytes: inout [UInt8]
  ) {
    switch member {
    case .point(let position): append(position, to: &bytes)
    case .line(let range):
      append("[", to: &bytes)
      list(column.positions[range], to: &bytes) { append($0, to: &$1) }
      append("]", to: &bytes)
    case .polygon(let rings):
      append("[", to: &bytes)
      var isOuter = true
      list(rings, to: &bytes) { ring, bytes in
        append("[", to: &bytes)
        var isFirst = true
        column.forEachPosition(ofRing: ring, isOuter: isOuter) { position in
          if !isFirst { append(",", to: &bytes) }
          isFirst = false
          append(position, to: &bytes)
        }
        append("]", to: &bytes)
        isOuter = false
      }
      append("]", to: &bytes)
    }
  }

  private static func append(_ position: LngLat, to bytes: inout [UInt8]) {
    append("[", to: &bytes)
    JSONWriter.append(position.longitude, to: &bytes)
    append(",", to: &bytes)
    JSONWriter.append(position.latitude, to: &bytes)
    append("]", to: &bytes)
  }

  /// Appends items separated by commas.
  private static func list<Items: Sequence>(
    _ items: Items, to bytes: inout [UInt8], _ body: (Items.Element, inout [UInt8]) -> Void
  ) {
    var isFirst = true
    for item in items {
      if !isFirst { append(",", to: &bytes) }
      isFirst = false
      body(item, &bytes)
    }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
  }
}

extension SimpleGeometry {
  /// The name of the type in GeoJSON.
  var name: String {
    switch self {
    case .point: "Point"
    case .line: "LineString"
    case .polygon: "Polygon"
    }
  }
}
