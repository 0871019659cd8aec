import Tiling

/// A world drawn smaller: the place of its north-west corner and its width, in worlds.
struct ShrunkWorld: Hashable, Sendable {
  let factor: Double
  let originX: Double
  let originY: Double

  init(_ scaling: WorldScaling, turns: Int = 0) {
    factor = scaling.factor
    originX = scaling.scaled(x: Double(turns))
    originY = scaling.scaled(y: 0)
  }

  var numbers: [Double] { [factor, originX, originY] }

  func wholeX(_ x: Double) -> Double { (x - originX) / factor }
  func wholeY(_ y: Double) -> Double { (y - originY) / factor }

  func whole(_ point: PlanePoint) -> PlanePoint {
    PlanePoint(x: wholeX(point.x), y: wholeY(point.y))
  }

  func place(_ point: PlanePoint) -> PlanePoint {
    PlanePoint(x: originX + point.x * factor, y: originY + point.y * factor)
  }
}
