import Raster
import Scenes

/// A small premultiplied picture with its visible extent: one symbol at one sub-pixel phase.
///
/// The origin is the position of the top left pixel relative to the symbol's anchor pixel. The
/// picture is tight: its first and last row and column contain a visible pixel, unless it is empty.
package struct SymbolSprite: Hashable, Sendable {
  package let originX: Int
  package let originY: Int
  package let width: Int
  package let height: Int

  /// The premultiplied RGBA pixels, row by row.
  package let pixels: ContiguousArray<UInt32>

  /// One byte per pixel: 1 if an antialiased edge crosses it, as in ``Pixmap/edges``.
  package let edges: ContiguousArray<UInt8>

  /// The first visible column of each row.
  package let rowStarts: ContiguousArray<Int16>

  /// The column after the last visible one of each row; equal to the start if the row is blank.
  package let rowEnds: ContiguousArray<Int16>

  package var isEmpty: Bool { height == 0 }

  /// Creates a sprite by trimming a picture to its visible pixels.
  ///
  /// - Complexity: O(width · height).
  init(
    originX: Int, originY: Int, width: Int, height: Int, pixels: ContiguousArray<UInt32>,
    edges: ContiguousArray<UInt8>
  ) {
    var starts = ContiguousArray<Int16>(repeating: 0, count: height)
    var ends = ContiguousArray<Int16>(repeating: 0, count: height)
    var (left, right, top, bottom) = (width, 0, height, 0)
    for y in 0..<height {
      var start = 0
      var end = width
      while start < end, pixels[y * width + start] >> 24 == 0 { start += 1 }
      while end > start, pixels[y * width + end - 1] >> 24 == 0 { end -= 1 }
      guard start < end else { continue }
      starts[y] = Int16(start)
      ends[y] = Int16(end)
      left = min(left, start)
      right = max(right, end)
      top = min(top, y)
      bottom = y + 1
    }
    if top >= bottom { (left, right, top, bottom) = (0, 0, 0, 0) }
    self.originX = originX + left
    self.originY = originY + top
    self.width = right - left
    self.height = bottom - top
    var tight = ContiguousArray<UInt32>()
    tight.reserveCapacity(self.width * self.height)
    var tightEdges = ContiguousArray<UInt8>()
    tightEdges.reserveCapacity(self.width * self.height)
    for y in top..<bottom {
      tight.append(contentsOf: pixels[(y * width + left)..<(y * width + right)])
      tightEdges.append(contentsOf: edges[(y * width + left)..<(y * width + right)])
      if ends[y] > starts[y] {
        starts[y] -= Int16(left)
        ends[y] -= Int16(left)
      }
    }
    self.pixels = tight
    self.edges = tightEdges
    rowStarts = ContiguousArray(starts[top..<bottom])
    rowEnds = ContiguousArray(ends[top..<bottom])
  }

  /// The extent of the visible pixels.
  var extent: SpriteExtent {
    SpriteExtent(
      originX: originX, originY: originY, width: width, height: height, rowStarts: rowStarts,
      rowEnds: rowEnds, gapMask: hasGaps ? mask : [])
  }

  /// Whether a row shows the background between its first and its last visible pixel.
  private var hasGaps: Bool {
    for y in 0..<height {
      for x in Int(rowStarts[y])..<Int(rowEnds[y]) where pixels[y * width + x] >> 24 == 0 {
        return true
      }
    }
    return false
  }

  /// One bit per pixel, set if the pixel is visible.
  private var mask: ContiguousArray<UInt64> {
    var mask = ContiguousArray<UInt64>(repeating: 0, count: (pixels.count + 63) / 64)
    for index in pixels.indices where pixels[index] >> 24 != 0 {
      mask[index / 64] |= 1 << UInt64(index % 64)
    }
    return mask
  }
}

/// A growing picture in which a sprite is composed, anchored at pixel (0, 0).
struct SpriteCanvas {
  let left: Int
  let top: Int
  let width: Int
  let height: Int
  var pixels: ContiguousArray<UInt32>

  /// The antialiased edges that cross pixels, as in ``SymbolSprite/edges``.
  private var edges: ContiguousArray<UInt8>

  /// Creates a canvas of one premultiplied colour that covers all of the boxes (origin x, origin y,
  /// width, height).
  init(covering boxes: [(x: Int, y: Int, width: Int, height: Int)], background: UInt32 = 0) {
    let solid = boxes.filter { $0.width > 0 && $0.height > 0 }
    left = solid.map(\.x).min() ?? 0
    top = solid.map(\.y).min() ?? 0
    width = (solid.map { $0.x + $0.width }.max() ?? left) - left
    height = (solid.map { $0.y + $0.height }.max() ?? top) - top
    pixels = ContiguousArray(repeating: background, count: width * height)
    edges = ContiguousArray(repeating: 0, count: width * height)
  }

  /// Adds `color × coverage` channel by channel: for shapes that share edges without overlap.
  ///
  /// - Parameter isBlurred: whether partial coverage is an intended fade rather than an edge.
  mutating func add(
    _ mask: CoverageMask, color: PremultipliedColor, dx: Int, dy: Int, isBlurred: Bool
  ) {
    let box = mask.box(dx: dx, dy: dy)
    mask.coverage.withUnsafeBufferPointer { coverage in
      add(
        coverage,
        in: PixelBox(
          left: box.x, top: box.y, right: box.x + box.width, bottom: box.y + box.height),
        color: color, isBlurred: isBlurred)
    }
  }

  /// Adds `color × coverage` in a box of pixels within the canvas, given row by row.
  mutating func add(
    _ coverage: UnsafeBufferPointer<UInt8>, in box: PixelBox, color: PremultipliedColor,
    isBlurred: Bool
  ) {
    let (left, top, stride) = (left, top, width)
    pixels.withUnsafeMutableBufferPointer { pixels in
      edges.withUnsafeMutableBufferPointer { edges in
        for row in 0..<box.height {
          let first = (box.top + row - top) * stride + box.left - left
          let line = UnsafeBufferPointer(rebasing: coverage[(row * box.width)...].prefix(box.width))
          for column in line.indices where line[column] > 0 {
            let index = first &+ column
            if line[column] < 255, !isBlurred { edges[index] = 1 }
            let source = line[column] == 255 ? color : color.covered(line[column])
            pixels[index] = Self.sum(source.bits, pixels[index])
          }
        }
      }
    }
  }

  /// Draws `color × coverage` over the existing picture.
  ///
  /// - Parameter isBlurred: whether partial coverage is an intended fade rather than an edge.
  mutating func over(
    _ mask: CoverageMask, color: PremultipliedColor, dx: Int, dy: Int, isBlurred: Bool = false
  ) {
    var result = pixels
    var marks = edges
    let hides = Int(color.alpha) >= Pixmap.hidingAlpha
    forEachPixel(of: mask, dx: dx, dy: dy) { index, coverage in
      result[index] = sourceOver(color.covered(coverage).bits, result[index])
      if coverage < 255 {
        if !isBlurred { marks[index] = 1 }
      } else if hides {
        marks[index] = 0
      }
    }
    pixels = result
    edges = marks
  }

  /// Draws a sprite over the existing picture.
  mutating func over(_ sprite: SymbolSprite, dx: Int = 0, dy: Int = 0) {
    for y in 0..<sprite.height {
      let row = (sprite.originY + dy + y - top) * width + sprite.originX + dx - left
      for x in Int(sprite.rowStarts[y])..<Int(sprite.rowEnds[y]) {
        let color = sprite.pixels[y * sprite.width + x]
        pixels[row + x] = sourceOver(color, pixels[row + x])
        edges[row + x] = edge(sprite.edges[y * sprite.width + x], of: color, edges[row + x])
      }
    }
  }

  /// Returns the finished, trimmed sprite.
  consuming func sprite() -> SymbolSprite {
    SymbolSprite(
      originX: left, originY: top, width: width, height: height, pixels: pixels, edges: edges)
  }

  private func forEachPixel(
    of mask: CoverageMask, dx: Int, dy: Int, _ body: (Int, UInt8) -> Void
  ) {
    for y in 0..<mask.height {
      let row = (mask.originY + dy + y - top) * width + mask.originX + dx - left
      for x in 0..<mask.width {
        let coverage = mask.coverage[y * mask.width + x]
        if coverage > 0 { body(row + x, coverage) }
      }
    }
  }

  /// Returns the sum of two premultiplied colours; no channel exceeds alpha.
  @inline(__always)
  private static func sum(_ one: UInt32, _ other: UInt32) -> UInt32 {
    let alpha = min(one >> 24 &+ other >> 24, 255)
    func channel(_ shift: UInt32) -> UInt32 {
      min((one >> shift & 0xFF) &+ (other >> shift & 0xFF), alpha) &<< shift
    }
    return alpha << 24 | channel(0) | channel(8) | channel(16)
  }
}

/// Returns the edge mark of a pixel after a sprite's pixel is drawn over it.
@inline(__always)
func edge(_ mark: UInt8, of source: UInt32, _ below: UInt8) -> UInt8 {
  if source == 0 { return below }
  return source >> 24 >= Pixmap.hidingAlpha ? mark : mark | below
}

/// Returns source over destination for the bits of premultiplied colours: the rule of
/// ``PremultipliedColor/over(_:)``, repeated here because one call per pixel takes a tenth of the
/// painting time (Swift 6.3 does not inline `package` functions of another module).
@inline(__always)
func sourceOver(_ source: UInt32, _ destination: UInt32) -> UInt32 {
  let inverse = 255 &- (source >> 24)
  if inverse == 0 || destination == 0 { return source }
  let lanes: UInt32 = 0x00FF_00FF
  let even = (destination & lanes) &* inverse &+ 0x0080_0080
  let odd = (destination >> 8 & lanes) &* inverse &+ 0x0080_0080
  return source
    &+ (((even &+ (even >> 8 & lanes)) >> 8 & lanes) | ((odd &+ (odd >> 8 & lanes)) & ~lanes))
}
