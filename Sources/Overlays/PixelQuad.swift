/// The corners of a tile's pixel in the pixels of an image, in order round it.
struct PixelQuad {
  var topLeft: PlanePoint
  var topRight: PlanePoint
  var bottomRight: PlanePoint
  var bottomLeft: PlanePoint

  var points: [PlanePoint] { [topLeft, topRight, bottomRight, bottomLeft] }

  /// The least and the greatest x, and y.
  var box: (left: Double, right: Double, top: Double, bottom: Double) {
    (
      min(min(topLeft.x, topRight.x), min(bottomRight.x, bottomLeft.x)),
      max(max(topLeft.x, topRight.x), max(bottomRight.x, bottomLeft.x)),
      min(min(topLeft.y, topRight.y), min(bottomRight.y, bottomLeft.y)),
      max(max(topLeft.y, topRight.y), max(bottomRight.y, bottomLeft.y))
    )
  }

  /// How far a step of one pixel of the tile leads across the image and down it, at least 1: the
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
