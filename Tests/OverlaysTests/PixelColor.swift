@testable import Overlays

extension OverlayImage {
  /// Returns the premultiplied colour of one pixel; for tests and single lookups, not for loops.
  func color(x: Int, y: Int) -> UInt32 {
    precondition(x >= 0 && x < width && y >= 0 && y < height)
    return withReader(SinglePixel(index: y * width + x))
  }

  private struct SinglePixel: TexelTask {
    let index: Int
    func run(_ reader: some TexelReader) -> UInt32 { reader.color(of: reader.sample(index)) }
  }
}
