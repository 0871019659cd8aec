/// One kind of coverage that a line is made of, and the plane that it goes to.
struct StrokePass {
  enum Plane {
    /// What is drawn.
    case cover

    /// What is drawn unless it lies in ``inner``: a line with its gap, and the gap. Each is united
    /// over all edges first, so that the gap stays open where a line bends or crosses itself.
    case outer, inner
  }

  let plane: Plane

  /// Profiles of both sides of the line's direction; nil where a side has nothing.
  var right: StrokeProfile?
  var left: StrokeProfile?

  /// Whether both sides are alike, so that they are painted together.
  var isSymmetric = false

  /// Distance, px, of both outer sides from the geometry, where a bevel cuts; nil where they differ.
  var outset: Double?

  /// A round cap's disk, and how far right of the vertex its centre is, px.
  var disk: StrokeProfile?
  var diskOffset = 0.0
}
