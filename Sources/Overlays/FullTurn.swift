import Platform

/// A rotation clockwise on the screen about a point of the world.
struct FullTurn: Hashable, Sendable {
  private let centre: PlanePoint
  private let sine: Double
  private let cosine: Double

  init(degrees: Double, centre: PlanePoint) {
    self.centre = centre
    // Quarter turns are exact, so that they leave no slivers.
    switch degrees {
    case 90: (sine, cosine) = (1, 0)
    case -90: (sine, cosine) = (-1, 0)
    case 180, -180: (sine, cosine) = (0, -1)
    default:
      sine = sin(degrees * (Double.pi / 180))
      cosine = cos(degrees * (Double.pi / 180))
    }
  }

  private init(centre: PlanePoint, sine: Double, cosine: Double) {
    self.centre = centre
    self.sine = sine
    self.cosine = cosine
  }

  /// The numbers that define the rotation.
  var numbers: [Double] { [centre.x, centre.y, sine, cosine] }

  /// Returns the same rotation about a centre farther east.
  func shifted(byX distance: Double) -> FullTurn {
    FullTurn(centre: PlanePoint(x: centre.x + distance, y: centre.y), sine: sine, cosine: cosine)
  }

  /// Returns a point rotated clockwise; y runs south.
  func forward(_ point: PlanePoint) -> PlanePoint {
    let (x, y) = (point.x - centre.x, point.y - centre.y)
    return PlanePoint(x: centre.x + x * cosine - y * sine, y: centre.y + x * sine + y * cosine)
  }

  @inline(__always)
  func back(_ point: PlanePoint) -> PlanePoint {
    let (x, y) = (point.x - centre.x, point.y - centre.y)
    return PlanePoint(x: centre.x + x * cosine + y * sine, y: centre.y - x * sine + y * cosine)
  }
}
