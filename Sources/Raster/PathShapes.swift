import Platform

extension Path {
  /// Returns a circle that runs clockwise on the screen, empty if the radius is not positive.
  ///
  /// It is a polygon of equal area, symmetric about both axes and both diagonals, whose sides
  /// deviate by less than 1/1024 px from the circle: no pixel's coverage is wrong by a step of 255.
  ///
  /// - Parameters:
  ///   - centerX: the centre's x in 1/256 px.
  ///   - centerY: the centre's y in 1/256 px.
  ///   - radius: the radius in pixels, at most 2²⁰.
  /// - Complexity: O(√radius).
  package static func circle(centerX: Int32, centerY: Int32, radius: Double) -> Path {
    var path = Path()
    path.addCircle(centerX: centerX, centerY: centerY, radius: radius, clockwise: true)
    return path
  }

  /// Returns a rectangle that runs clockwise on the screen, in 1/256 px.
  package static func rectangle(x: Int32, y: Int32, width: Int32, height: Int32) -> Path {
    guard width > 0, height > 0 else { return Path() }
    let right = Int32(clamping: Int(x) + Int(width))
    let bottom = Int32(clamping: Int(y) + Int(height))
    var path = Path()
    path.move(toX: x, y: y)
    path.addLine(toX: right, y: y)
    path.addLine(toX: right, y: bottom)
    path.addLine(toX: x, y: bottom)
    path.close()
    return path
  }

  private mutating func addCircle(
    centerX: Int32, centerY: Int32, radius: Double, clockwise: Bool
  ) {
    guard radius > 0 else { return }
    let octant = Path.octant(radius: min(radius, 0x1p20))
    guard octant.last?.x ?? 0 > 0 else { return }
    // Eight mirrored copies, each the reverse of the one before it; the orientation is the sign of
    // y.
    let turn = clockwise ? 1 : -1
    var isFirst = true
    for part in 0..<8 {
      for index in octant.indices {
        let point = part & 1 == 0 ? octant[index] : octant[octant.count - 1 - index]
        let (x, y) = Path.mirrored(point, intoOctant: part)
        let vertexX = Int(centerX) + x
        let vertexY = Int(centerY) + y * turn
        if isFirst {
          move(toX: Int32(clamping: vertexX), y: Int32(clamping: vertexY))
          isFirst = false
        } else {
          append(x: vertexX, y: vertexY)
        }
      }
    }
    close()
  }

  /// Returns the vertices from 0° to 45°, relative to the centre, in 1/256 px.
  private static func octant(radius: Double) -> [(x: Int, y: Int)] {
    // The sagitta of a side is radius · (π / sides)² / 2.
    let sides = min((Double.pi * (512 * radius).squareRoot() / 8).rounded(.up) * 8, 8192)
    let steps = Int(max(sides / 8, 2))
    let step = Double.pi / 4 / Double(steps)
    // The polygon through points of the circle has sin(step) / step of its area.
    let grown = radius * (step / sin(step)).squareRoot() * Double(unitsPerPixel)
    return (0...steps).map { index in
      let angle = Double(index) * step
      let x = Int((grown * cos(angle)).rounded())
      return (x, index == steps ? x : Int((grown * sin(angle)).rounded()))
    }
  }

  private static func mirrored(_ point: (x: Int, y: Int), intoOctant octant: Int) -> (Int, Int) {
    switch octant {
    case 0: (point.x, point.y)
    case 1: (point.y, point.x)
    case 2: (-point.y, point.x)
    case 3: (-point.x, point.y)
    case 4: (-point.x, -point.y)
    case 5: (-point.y, -point.x)
    case 6: (point.y, -point.x)
    default: (point.x, -point.y)
    }
  }
}
