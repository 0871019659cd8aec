import Raster

extension Pixmap {
  /// Draws a sprite over the picture, with its anchor at a pixel; clipped.
  func blend(_ sprite: SymbolSprite, x: Int, y: Int) {
    let left = x + sprite.originX
    let top = y + sprite.originY
    let firstRow = max(0, -top)
    let lastRow = min(sprite.height, height - top)
    guard firstRow < lastRow else { return }
    sprite.pixels.withUnsafeBufferPointer { source in
      sprite.edges.withUnsafeBufferPointer { marks in
        for row in firstRow..<lastRow {
          let first = max(Int(sprite.rowStarts[row]), -left)
          let last = min(Int(sprite.rowEnds[row]), width - left)
          guard first < last else { continue }
          let place = (top + row) * width + left
          let target = pixels.baseAddress.unsafelyUnwrapped + place
          let from = source.baseAddress.unsafelyUnwrapped + row * sprite.width
          for column in first..<last where from[column] >> 24 != 0 {
            target[column] = sourceOver(from[column], target[column])
          }
          guard let edges = edges.baseAddress, !self.edges.isEmpty else { continue }
          let below = edges + place
          let mark = marks.baseAddress.unsafelyUnwrapped + row * sprite.width
          for column in first..<last {
            below[column] = edge(mark[column], of: from[column], below[column])
          }
        }
      }
    }
  }
}
