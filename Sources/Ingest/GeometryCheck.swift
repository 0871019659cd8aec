package import Features
import Tiling

/// The check whether a record's geometry is usable.
package enum GeometryCheck {
  package enum Verdict: Sendable {
    case used
    case noGeometry
    /// Valid, but no part of it lies on the map.
    case beyondMap
    case rejected(RejectReason, String)
  }

  /// Longitudes beyond are invalid, however often the world is circled.
  private static let longitudeLimit = 540.0

  /// Checks a record without keeping any of it.
  ///
  /// - Complexity: O(positions).
  package static func verdict(on geometry: GeometryColumn, _ row: Int) -> Verdict {
    verdict(on: geometry, row, point: { _ in }, shape: {})
  }

  /// Returns whether a used record has points on the map, and lines or rings of which a part may lie
  /// on it.
  ///
  /// - Complexity: O(positions).
  package static func uses(of geometry: GeometryColumn, _ row: Int) -> (points: Bool, shapes: Bool)
  {
    var uses = (points: false, shapes: false)
    _ = verdict(on: geometry, row) { _ in
      uses.points = true
    } shape: {
      uses.shapes = true
    }
    return uses
  }

  /// Checks a record, whose geometry is used if any part of it lies on the map.
  ///
  /// - Parameters:
  ///   - point: receives each point on the map.
  ///   - shape: called for each line or ring of which a part may lie on the map.
  @inline(__always)
  static func verdict(
    on geometry: GeometryColumn, _ row: Int, point: (LngLat) -> Void, shape: () -> Void
  ) -> Verdict {
    if geometry.kinds[row] == .none { return .noGeometry }
    var isUsed = false
    var isBeyond = false
    for part in geometry.partRange(row) {
      let range = geometry.positionRange(part)
      let isPoint = geometry.parts[part] == .point
      for index in range {
        let position = geometry.positions[index]
        if let refusal = refusal(of: position) { return refusal }
        guard isPoint else { continue }
        if abs(position.latitude) <= WorldPoint.maxLatitude {
          isUsed = true
          point(position)
        } else {
          isBeyond = true
        }
      }
      guard !isPoint, !range.isEmpty else { continue }
      if isBeyondMap(geometry.positions[range]) {
        isBeyond = true
      } else {
        isUsed = true
        shape()
      }
    }
    if isUsed { return .used }
    // A collection or multi-geometry without members has no position at all.
    return isBeyond ? .beyondMap : .noGeometry
  }

  /// Returns the reason to refuse a position; `nil` if it can be used, on the map or not.
  static func refusal(of position: LngLat) -> Verdict? {
    guard abs(position.latitude) <= 90 else {
      return .rejected(.latitudeOutOfRange, "latitude \(position.latitude) is beyond ±90°")
    }
    guard abs(position.longitude) <= longitudeLimit else {
      return .rejected(
        .longitudeOutOfRange, "longitude \(position.longitude) is beyond ±540°")
    }
    return nil
  }

  /// Whether a line or ring lies entirely between the map's end and one of the poles. One that
  /// reaches into the map is clipped there.
  static func isBeyondMap(_ positions: ArraySlice<LngLat>) -> Bool {
    let limit = WorldPoint.maxLatitude
    return positions.allSatisfy { $0.latitude > limit }
      || positions.allSatisfy { $0.latitude < -limit }
  }
}

extension GeometryColumn {
  /// Whether a record has an edge that is drawn the short way round the world and may mean the long one;
  /// see ``LongEdges``.
  ///
  /// - Complexity: O(positions).
  func hasAmbiguousEdges(_ row: Int) -> Bool {
    guard tile(of: row) == nil else { return false }
    return partRange(row).contains { part in
      guard parts[part] != .point else { return false }
      let run = positions[positionRange(part)]
      let isRing = parts[part] != .line
      guard var last = isRing ? run.last : run.first else { return false }
      var isLong = false
      for position in run {
        if LongEdges.contain(from: last, to: position) { isLong = true }
        last = position
      }
      return isLong && LongEdges(of: run, isRing: isRing)?.areAmbiguous ?? false
    }
  }
}
