/// A painter of lines with exact area coverage at their sides; the scratch memory of one worker.
///
/// All runs painted between ``begin(_:width:height:)`` and ``composite(color:onto:)`` are united:
/// where they overlap, the colour is composited over the picture once.
package final class LinePainter {
  private var cache = StrokeProfileCache()
  private var cover = CoveragePlane()
  private var outer = CoveragePlane()
  private var inner = CoveragePlane()
  private var plan: StrokePlan?
  private var style: StrokeStyle?

  package init() {}

  /// Draws one feature over a picture.
  ///
  /// - Complexity: O(pixels near the lines).
  package func draw(
    _ runs: [StrokeRun], style: StrokeStyle, color: PremultipliedColor, into pixmap: Pixmap
  ) {
    begin(style, width: pixmap.width, height: pixmap.height)
    runs.withUnsafeBufferPointer { add($0) }
    composite(color: color, onto: pixmap)
  }

  /// Begins one feature, or all features of a layer with one style and one opaque colour.
  ///
  /// The united shapes must follow from the style, never from a tile's content.
  package func begin(_ style: StrokeStyle, width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    if self.style != style || plan == nil {
      plan = StrokePlan(style, cache: &cache)
      self.style = style
    }
    cover.begin(width: width, height: height)
    if let lines = plan?.lines, lines.contains(where: { $0.contains { $0.plane != .cover } }) {
      outer.begin(width: width, height: height)
      inner.begin(width: width, height: height)
    }
  }

  /// Paints the runs of one feature.
  ///
  /// - Complexity: O(pixels near the lines).
  package func add(_ runs: UnsafeBufferPointer<StrokeRun>) {
    guard let plan, plan.style.width > 0 else { return }
    for line in plan.lines {
      for pass in line {
        switch pass.plane {
        case .cover: LinePainter.paint(runs, plan, pass, &cover)
        case .outer: LinePainter.paint(runs, plan, pass, &outer)
        case .inner:
          LinePainter.paint(runs, plan, pass, &inner)
          cover.unite(&outer, without: &inner, isBlurred: plan.isBlurred)
        }
      }
    }
  }

  /// Composites the painted runs over a picture of the size given at the beginning.
  package func composite(color: PremultipliedColor, onto pixmap: Pixmap) {
    precondition(pixmap.width == cover.width && pixmap.height == cover.height)
    cover.composite(color, onto: pixmap, isBlurred: plan?.isBlurred ?? false)
  }

  /// Composites the painted runs in colours of their pixels over a picture of the size given at the
  /// beginning.
  ///
  /// - Parameter color: returns the bits of the premultiplied colour of a pixel.
  package func composite(onto pixmap: Pixmap, color: (_ x: Int, _ y: Int) -> UInt32) {
    precondition(pixmap.width == cover.width && pixmap.height == cover.height)
    cover.composite(onto: pixmap, isBlurred: plan?.isBlurred ?? false, color: color)
  }

  private static func paint(
    _ runs: UnsafeBufferPointer<StrokeRun>, _ plan: StrokePlan, _ pass: StrokePass,
    _ plane: inout CoveragePlane
  ) {
    guard let brush = StrokeBrush(plane) else { return }
    var stroker = LineStroker(brush: brush, plan: plan, pass: pass)
    for run in runs { stroker.stroke(run) }
    plane.touched.extend(toRows: stroker.brush.rows)
  }
}
