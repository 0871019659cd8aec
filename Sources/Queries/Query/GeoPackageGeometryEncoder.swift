package import Features
package import Tiling

/// An encoder of geometries for GeoPackage: a header with an envelope, then well-known binary, all
/// little-endian.
///
/// Source: OGC 12-128r19 (GeoPackage 1.4), clause 2.1.3; OGC 06-103r4, clause 8.
package struct GeoPackageGeometryEncoder {
  /// The reference system: WGS 84, longitude first.
  static let referenceSystem: Int32 = 4326

  /// The blob of the last encoded record.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Encodes a record.
  ///
  /// - Parameter promotes: whether a point, line or polygon becomes a collection of its type, so
  ///   that a table has one type.
  /// - Returns: the geometry's envelope; `nil`, with no bytes, where the record has no geometry.
  /// - Complexity: O(positions).
  package mutating func encode(
    _ column: GeometryColumn, _ record: Int, promotes: Bool
  ) -> Box<Double>? {
    bytes.removeAll(keepingCapacity: true)
    let members = column.members(of: record)
    guard column.kinds[record] != .none, let first = members.first,
      let envelope = Self.envelope(of: column, record)
    else { return nil }
    appendHeader(envelope, isPoint: column.kinds[record] == .point && !promotes)
    let kind = column.kinds[record]
    let isMulti = [.multiPoint, .multiLineString, .multiPolygon].contains(kind)
    if kind == .collection || isMulti || promotes {
      // The codes of multi-geometries are three above those of their members.
      append(code: kind == .collection ? 7 : first.code + 3)
      append(count: members.count)
      for member in members { append(member, of: column) }
    } else {
      append(first, of: column)
    }
    return envelope
  }

  /// Returns the smallest box in degrees around a record; `nil` without positions.
  static func envelope(of column: GeometryColumn, _ record: Int) -> Box<Double>? {
    let box = column.box(of: record)
    return box.isEmpty ? nil : box
  }

  /// Appends magic, version 0, flags, reference system, and for all but points the envelope.
  private mutating func appendHeader(_ envelope: Box<Double>, isPoint: Bool) {
    bytes += [0x47, 0x50, 0, isPoint ? 0b001 : 0b011]
    append(word: UInt32(bitPattern: Self.referenceSystem))
    if isPoint { return }
    append(envelope.minX)
    append(envelope.maxX)
    append(envelope.minY)
    append(envelope.maxY)
  }

  private mutating func append(_ member: SimpleGeometry, of column: GeometryColumn) {
    append(code: member.code)
    switch member {
    case .point(let position): append(position)
    case .line(let range):
      append(count: range.count)
      for index in range { append(column.positions[index]) }
    case .polygon(let rings):
      append(count: rings.count)
      for (index, ring) in rings.enumerated() {
        append(count: column.closedCount(ofRing: ring))
        column.forEachPosition(ofRing: ring, isOuter: index == 0) { append($0) }
      }
    }
  }

  private mutating func append(_ position: LngLat) {
    append(position.longitude)
    append(position.latitude)
  }

  /// Appends the byte order and the type of a geometry.
  private mutating func append(code: UInt32) {
    bytes.append(1)
    append(word: code)
  }

  private mutating func append(count: Int) {
    append(word: UInt32(clamping: count))
  }

  private mutating func append(word: UInt32) {
    withUnsafeBytes(of: word.littleEndian) { bytes += $0 }
  }

  private mutating func append(_ number: Double) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
  }
}

extension SimpleGeometry {
  /// The code of the type in well-known binary.
  fileprivate var code: UInt32 {
    switch self {
    case .point: 1
    case .line: 2
    case .polygon: 3
    }
  }
}
