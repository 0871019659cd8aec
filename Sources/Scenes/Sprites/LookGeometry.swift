package import Raster
package import Styling
import Tiling

/// The geometry of a look's pixels within a window, as far as its numbers determine it without
/// drawing the look.
package struct LookGeometry: Sendable {
  /// The number of device pixels per style pixel.
  package let scale: Double

  package init(scale: Int) {
    self.scale = Double(scale)
  }

  /// Returns a length of the style in steps of a position.
  package func steps(_ length: Double) -> Int {
    Int((length * scale * Double(PixelGrid.phases)).rounded())
  }

  /// Returns whether a stack shows a pixel within a window.
  ///
  /// - Parameter meter: the meter that decides if the geometry does not.
  /// - Complexity: O(looks) if the geometry decides, otherwise O(pixels of the window).
  func shows(
    _ stack: LookStack, phaseX: Int, phaseY: Int, within window: PixelBox, meter: any SpriteMeter
  ) throws -> Bool {
    try stack.contains { entry in
      if let color = onlyColor(of: entry.look, phaseX: phaseX, phaseY: phaseY, within: window) {
        return color != .transparent
      }
      if surelyShows(entry.look, phaseX: phaseX, phaseY: phaseY, within: window) { return true }
      return try meter.shows(entry.look, phaseX: phaseX, phaseY: phaseY, within: window)
    }
  }

  /// Returns the uppermost layer of a stack that covers all pixels of a window with an opaque
  /// colour.
  func opaqueLayer(
    of stack: LookStack, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> Int? {
    stack.last { entry in
      onlyColor(of: entry.look, phaseX: phaseX, phaseY: phaseY, within: window)?.alpha == 255
    }?.layer
  }

  /// Returns the colour of all pixels of a window if the whole window lies in a disc, in its stroke,
  /// or outside of both or of a chart; `nil` if an edge may cross it.
  package func onlyColor(
    of look: Look, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> PremultipliedColor? {
    if case .chart(let chart) = look, chart.isRound {
      let (near, _) = distances(of: look, phaseX, phaseY, window)
      return near > chart.shape(scale: scale).reach.x + Self.edge ? .transparent : nil
    }
    guard case .circle(let circle) = look else { return nil }
    let shape = circle.shape(scale: scale)
    let (near, far) = distances(of: look, phaseX, phaseY, window)
    if near > shape.drawnOuterRadius + Self.edge { return .transparent }
    guard !shape.isBlurred else { return nil }
    if far < shape.drawnRadius - Self.edge { return PremultipliedColor(circle.color) }
    if near > shape.drawnRadius + Self.edge, far < shape.drawnOuterRadius - Self.edge {
      return PremultipliedColor(circle.strokeColor)
    }
    return nil
  }

  /// Returns whether some pixel of a window certainly lies inside a visible disc or stroke.
  private func surelyShows(
    _ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox
  ) -> Bool {
    guard case .circle(let circle) = look else { return false }
    let shape = circle.shape(scale: scale)
    let (near, far) = distances(of: look, phaseX, phaseY, window)
    if shape.isBlurred {
      guard shape.strokeWidth == 0 else { return false }
      return near < shape.visibleRadius(alpha: PremultipliedColor(circle.color).alpha) - Self.edge
    }
    if PremultipliedColor(circle.color).alpha > 0, near < shape.drawnRadius - Self.edge {
      return true
    }
    return PremultipliedColor(circle.strokeColor).alpha > 0
      && max(near, shape.drawnRadius + Self.edge) < min(far, shape.drawnOuterRadius - Self.edge)
  }

  /// The number of pixels to both sides of a rim that may be covered in part.
  private static let edge = 2.0

  /// Returns the distances of the nearest and the farthest point of a window from a look's centre,
  /// in px.
  private func distances(
    of look: Look, _ phaseX: Int, _ phaseY: Int, _ window: PixelBox
  ) -> (near: Double, far: Double) {
    let x = Double(phaseX + steps(look.translateX)) / Double(PixelGrid.phases)
    let y = Double(phaseY + steps(look.translateY)) / Double(PixelGrid.phases)
    let (left, right) = (Double(window.left) - x, Double(window.right) - x)
    let (top, bottom) = (Double(window.top) - y, Double(window.bottom) - y)
    let (nearX, nearY) = (max(left, -right, 0), max(top, -bottom, 0))
    let (farX, farY) = (max(abs(left), abs(right)), max(abs(top), abs(bottom)))
    return (
      (nearX * nearX + nearY * nearY).squareRoot(), (farX * farX + farY * farY).squareRoot()
    )
  }
}

extension CircleShape {
  /// Returns the radius within which a blurred disc without a stroke certainly shows, in px; 0 if
  /// it may not show.
  ///
  /// A smoothstep is at least the square of its position, so 1 / 128 of the whole opacity is
  /// reached at a position of √(255 / 128 / alpha).
  fileprivate func visibleRadius(alpha: UInt8) -> Double {
    guard alpha > 1, drawnOuterRadius > 0 else { return 0 }
    let fade = max(blur, 1 / drawnOuterRadius)
    let position = (255 / 128 / Double(alpha)).squareRoot()
    return position < 1 ? max(drawnOuterRadius * (1 - fade * position), 0) : 0
  }
}
