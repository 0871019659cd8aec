package import Raster

extension Pixmap {
  /// Whether all pixels within a number of rows and columns of a pixel have its colour.
  ///
  /// - Precondition: they lie in the picture.
  package func isFlat(aroundX x: Int, y: Int, radius: Int) -> Bool {
    let color = pixels[y * width + x]
    for row in y - radius...y + radius {
      for column in x - radius...x + radius where pixels[row * width + column] != color {
        return false
      }
    }
    return true
  }

  /// The largest differences of a premultiplied channel from another picture of the same size: on
  /// the edges of this one, and elsewhere.
  package func largestDifferencesAtEdges(to other: Pixmap) -> (edge: Int, elsewhere: Int) {
    guard width == other.width, height == other.height else { return (256, 256) }
    var (edge, elsewhere) = (0, 0)
    for index in pixels.indices {
      for shift: UInt32 in [0, 8, 16, 24] {
        let (mine, others) = (pixels[index] >> shift & 255, other.pixels[index] >> shift & 255)
        let distance = abs(Int(mine) - Int(others))
        if edges[index] != 0 {
          edge = max(edge, distance)
        } else {
          elsewhere = max(elsewhere, distance)
        }
      }
    }
    return (edge, elsewhere)
  }
}
