/// The corners of a tile's pixel in pixels of an image, in order around it.
struct PixelQuad {
  var topLeft: PlanePoint
  var topRight: PlanePoint
  var bottomRight: PlanePoint
  var bottomLeft: PlanePoint

  var points: [PlanePoint] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The smallest and the greatest x, and y.
  var box: (left: Double, right: Double, top: Double, bottom: Double) {
    (
      min(min(topLeft.x, topRight.x), min(bottomRight.x, bottomLeft.x)),
      max(max(topLeft.x, topRight.x), max(bottomRight.x, bottomLeft.x)),
      min(min(topLeft.y, topRight.y), min(bottomRight.y, bottomLeft.y)),
      max(max(topLeft.y, topRight.y), max(bottomRight.y, bottomLeft.y))
    )
  }

  /// The distance in the image that one pixel of the tile spans across and down, at least 1: the
  /// lengths of the map's derivatives, from the means of opposite edges.
  var scale: (x: Double, y: Double) {
    func length(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      let (right, below) = ((b - a + c - d) / 2, (d - a + c - b) / 2)
      return max((right * right + below * below).squareRoot(), 1)
    }
    return (
      length(topLeft.x, topRight.x, bottomRight.x, bottomLeft.x),
      length(topLeft.y, topRight.y, bottomRight.y, bottomLeft.y)
    )
  }
}
