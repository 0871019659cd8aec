package import Features
import Tiling

/// What stands against using a record's geometry.
package enum GeometryCheck {
  package enum Verdict: Sendable {
    case used
    case noGeometry
    case rejected(RejectReason, String)
  }

  /// Longitudes beyond are no place, however often the world is gone around.
  private static let longitudeLimit = 540.0

  /// Looks at a record without keeping anything of it.
  ///
  /// - Complexity: O(positions).
  package static func verdict(on geometry: GeometryColumn, _ row: Int) -> Verdict {
    let parts = geometry.partRange(row)
    guard geometry.kinds[row] != .none, !parts.isEmpty else { return .noGeometry }
    for part in parts {
      let isPoint = geometry.parts[part] == .point
      for index in geometry.positionRange(part) {
        if let refusal = refusal(of: geometry.positions[index], isPoint: isPoint) {
          return refusal
        }
      }
    }
    return .used
  }

  /// Why a position cannot be used; `nil` if it can.
  static func refusal(of position: LngLat, isPoint: Bool) -> Verdict? {
    // Lines and polygons are clipped where the map ends; points there have no place on it.
    let latitudeLimit = isPoint ? WorldPoint.maxLatitude : 90
    guard abs(position.latitude) <= latitudeLimit else {
      let end = isPoint ? "±85.0511°, where Web Mercator ends" : "±90°"
      return .rejected(
        .latitudeOutOfRange, "latitude \(position.latitude) is beyond \(end)")
    }
    guard abs(position.longitude) <= longitudeLimit else {
      return .rejected(
        .longitudeOutOfRange, "longitude \(position.longitude) is beyond ±540°")
    }
    return nil
  }
}
