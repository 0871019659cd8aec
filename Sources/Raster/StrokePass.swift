/// One kind of coverage that makes up a line, and the plane that it is painted into.
struct StrokePass {
  enum Plane {
    /// The area that is drawn.
    case cover

    /// The area that is drawn unless it lies in ``inner``: a line with its gap, and the gap. Each
    /// is united over all edges first, so that the gap stays open where a line bends or crosses
    /// itself.
    case outer, inner
  }

  let plane: Plane

  /// The profiles of both sides of the line's direction; nil for an empty side.
  var right: StrokeProfile?
  var left: StrokeProfile?

  /// Whether both sides have equal profiles, so that they are painted together.
  var isSymmetric = false

  /// The distance in pixels of both outer sides from the geometry, where a bevel cuts; nil where
  /// they differ.
  var outset: Double?

  /// The disk of a round cap, and the distance of its centre to the right of the vertex, in pixels.
  var disk: StrokeProfile?
  var diskOffset = 0.0
}
