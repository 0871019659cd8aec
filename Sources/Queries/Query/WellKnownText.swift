package import Features
import JSON
import Tiling

/// A writer of the geometry of a record as well-known text (OGC 06-103r4, clause 7).
package enum WellKnownText {
  /// Appends a geometry; nothing where the record has none.
  ///
  /// - Complexity: O(positions).
  package static func append(_ column: GeometryColumn, _ record: Int, to bytes: inout [UInt8]) {
    let members = column.members(of: record)
    guard column.kinds[record] != .none, let first = members.first else { return }
    switch column.kinds[record] {
    case .collection:
      append("GEOMETRYCOLLECTION(", to: &bytes)
      for (index, member) in members.enumerated() {
        if index > 0 { append(",", to: &bytes) }
        append(member.name.uppercased(), to: &bytes)
        append(member, of: column, to: &bytes)
      }
      append(")", to: &bytes)
    case .multiPoint, .multiLineString, .multiPolygon:
      append("MULTI\(first.name.uppercased())(", to: &bytes)
      for (index, member) in members.enumerated() {
        if index > 0 { append(",", to: &bytes) }
        append(member, of: column, to: &bytes)
      }
      append(")", to: &bytes)
    default:
      append(first.name.uppercased(), to: &bytes)
      append(first, of: column, to: &bytes)
    }
  }

  private static func append(
    _ member: SimpleGeometry, of column: GeometryColumn, to bytes: inout [UInt8]
  ) {
    append("(", to: &bytes)
    switch member {
    case .point(let position): append(position, isFirst: true, to: &bytes)
    case .line(let range):
      for index in range {
        append(column.positions[index], isFirst: index == range.lowerBound, to: &bytes)
      }
    case .polygon(let rings):
      for (index, ring) in rings.enumerated() {
        append(index == 0 ? "(" : ",(", to: &bytes)
        var isFirst = true
        column.forEachPosition(ofRing: ring, isOuter: index == 0) { position in
          append(position, isFirst: isFirst, to: &bytes)
          isFirst = false
        }
        append(")", to: &bytes)
      }
    }
    append(")", to: &bytes)
  }

  private static func append(_ position: LngLat, isFirst: Bool, to bytes: inout [UInt8]) {
    if !isFirst { append(",", to: &bytes) }
    JSONWriter.append(position.longitude, to: &bytes)
    append(" ", to: &bytes)
    JSONWriter.append(position.latitude, to: &bytes)
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: text.utf8)
  }
}
