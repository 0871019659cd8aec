import TestSupport

@testable import Raster

extension SplitMix64 {
  /// A closed path of straight and curved edges with vertices in the range, in 1/256 px.
  mutating func path(in range: ClosedRange<Int32>, edges: Int) -> Path {
    func pick() -> Int32 { Int32.random(in: range, using: &self) }
    var path = Path()
    path.move(toX: pick(), y: pick())
    for _ in 0..<edges {
      switch UInt8.random(in: 0..<4, using: &self) {
      case 0: path.addQuad(controlX: pick(), controlY: pick(), toX: pick(), y: pick())
      case 1:
        path.addCubic(
          control1X: pick(), control1Y: pick(), control2X: pick(), control2Y: pick(), toX: pick(),
          y: pick())
      default: path.addLine(toX: pick(), y: pick())
      }
    }
    path.close()
    return path
  }
}

extension Pixmap {
  var bits: [UInt32] { Array(pixels) }
}
