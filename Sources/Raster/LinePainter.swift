/// A painter of lines as MapLibre's shaders draw them; the scratch memory of one worker.
///
/// All runs painted between ``begin(_:color:width:height:)`` and ``composite(onto:)`` have one
/// colour: the coverages of all triangles are united first, and the colour is composited over the
/// picture once.
package final class LinePainter {
  private var cover = CoveragePlane()
  private var style = StrokeStyle(width: 0)
  private var ramp = StrokeRamp(StrokeStyle(width: 0).bounded)
  private var dashes: DashTexture?
  private var given: StrokeStyle?
  private var color = Color.transparent

  package init() {}

  /// Draws one feature over a picture.
  ///
  /// - Complexity: O(pixels near the lines).
  package func draw(
    _ runs: [StrokeRun], style: StrokeStyle, color: Color, into pixmap: Pixmap
  ) {
    begin(style, color: color, width: pixmap.width, height: pixmap.height)
    runs.withUnsafeBufferPointer { add($0) }
    composite(onto: pixmap)
  }

  /// Begins one feature, or all features of a layer with one style and one colour.
  ///
  /// Which shapes are united must follow from the style, never from a tile's content.
  package func begin(_ style: StrokeStyle, color: Color, width: Int, height: Int) {
    precondition(width > 0 && height > 0)
    use(style)
    self.color = color
    cover.begin(width: width, height: height)
  }

  private func use(_ style: StrokeStyle) {
    guard given != style else { return }
    given = style
    self.style = style.bounded
    ramp = StrokeRamp(self.style)
    dashes = DashTexture(self.style)
  }

  /// Paints the runs of one feature.
  ///
  /// - Complexity: O(pixels near the lines).
  package func add(_ runs: UnsafeBufferPointer<StrokeRun>) {
    guard style.width > 0,
      let target = PlaneTarget(cover, opacity: color.alpha, takesGreatest: style.isGlow)
    else { return }
    if let dashes {
      fill(runs, DashShader(target, ramp, dashes))
    } else {
      fill(runs, SolidShader(target, ramp))
    }
  }

  private func fill(_ runs: UnsafeBufferPointer<StrokeRun>, _ shader: some StrokeShader) {
    let brush = StrokeBrush(shader, width: cover.width, height: cover.height)
    var mesher = LineMesher(
      brush, style, outset: ramp.outset, takesGreatest: style.isGlow)
    for run in runs { mesher.fill(run) }
    cover.touched.extend(toRows: mesher.brush.rows)
  }

  /// Composites the painted runs over a picture of the size given at the beginning.
  package func composite(onto pixmap: Pixmap) {
    precondition(pixmap.width == cover.width && pixmap.height == cover.height)
    var opaque = color
    opaque.alpha = 1
    cover.composite(
      PremultipliedColor(opaque), opacity: PremultipliedColor(color).alpha, onto: pixmap,
      isBlurred: style.blur > 0)
  }

  /// Draws a run over a picture with a colour for each pixel.
  ///
  /// - Parameters:
  ///   - length: the length of the whole line, in 1/256 px.
  ///   - color: returns the bits of the premultiplied colour at a place on the line.
  package func draw(
    _ run: StrokeRun, length: Int64, style: StrokeStyle, onto pixmap: Pixmap,
    color: (LinePlace) -> UInt32
  ) {
    use(style)
    guard self.style.width > 0 else { return }
    withoutActuallyEscaping(color) { color in
      let shader = PaintShader(
        pixmap: pixmap, ramp: ramp, isBlurred: self.style.blur > 0,
        length: Double(length) / 256, color: color)
      let brush = StrokeBrush(shader, width: pixmap.width, height: pixmap.height)
      var mesher = LineMesher(brush, self.style, outset: ramp.outset)
      mesher.fill(run)
    }
  }
}
