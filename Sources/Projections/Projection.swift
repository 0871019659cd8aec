import CProj
package import Failures
import Platform
package import Tiling

/// The reason why positions cannot be converted.
package enum ProjectionError: Error, Hashable {
  /// PROJ is not installed.
  case absent
  /// PROJ does not know the system.
  case unknown
}

extension ProjectionError: Failure {
  package var failureCode: FailureCode { .definition }

  package var sentence: String {
    switch self {
    case .absent:
      "positions in this reference system need PROJ, which is not installed: apt install proj-bin, or "
        + "brew install proj. EPSG:3857 and EPSG:4326 need nothing."
    case .unknown:
      "PROJ knows no such coordinate reference system. 'projinfo' lists them."
    }
  }
}

/// A conversion of positions to longitude and latitude in degrees on WGS 84, for one thread at a time.
package final class Projection {
  private enum Way {
    case none, mercator
    case library(OpaquePointer)
  }

  private let way: Way

  /// - Throws: ``ProjectionError`` if the system needs PROJ, and PROJ is not installed or does not
  ///   know the system.
  package init(from system: ReferenceSystem) throws(ProjectionError) {
    switch system {
    case .degrees: way = .none
    case .webMercator: way = .mercator
    case .named(let name):
      var transform: OpaquePointer?
      switch cproj_make(name, &transform) {
      case CPROJ_OK: break
      case CPROJ_ABSENT: throw .absent
      default: throw .unknown
      }
      guard let transform else { throw .unknown }
      way = .library(transform)
    }
  }

  deinit {
    if case .library(let transform) = way { cproj_release(transform) }
  }

  /// The version of PROJ, such as `9.1.1`; `nil` where it is not installed.
  package static var libraryVersion: String? { cproj_version().map { String(cString: $0) } }

  /// Converts positions in place; x is stored as the longitude, y as the latitude. A position that
  /// has no longitude and latitude becomes infinite.
  package func apply(to positions: inout some MutableCollection<LngLat>) {
    switch way {
    case .none: break
    case .mercator:
      for index in positions.indices { positions[index] = Self.degrees(positions[index]) }
    case .library(let transform):
      _ = positions.withContiguousMutableStorageIfAvailable { buffer in
        buffer.withMemoryRebound(to: Double.self) { numbers in
          cproj_apply(transform, numbers.baseAddress, buffer.count)
        }
      }
    }
  }

  /// The radius of the sphere of Web Mercator in metres, the semi-major axis of WGS 84.
  private static let radius = 6_378_137.0

  /// Returns the degrees of metres of Web Mercator: λ = x / R, φ = atan(sinh(y / R)).
  private static func degrees(_ metres: LngLat) -> LngLat {
    let turn = 180 / Double.pi
    return LngLat(
      longitude: metres.longitude / radius * turn,
      latitude: atan(sinh(metres.latitude / radius)) * turn)
  }
}
