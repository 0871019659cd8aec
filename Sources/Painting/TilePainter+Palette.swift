import Columns
import PNG
import Raster
import Scenes

// Tiles in palette indexes: sprites that lie apart, and painted pixels that the palette nearly has.

extension TilePainter {
  /// Composes prepared sprites; returns `false`, with nothing written, if they overlap or the
  /// palette lacks their colours.
  func paintIndexed(
    _ range: Range<Int>, of scenes: borrowing ZoomScenes, _ originX: Int, _ originY: Int,
    _ sparse: SparseStyle, into bytes: inout [UInt8]
  ) throws -> Bool {
    placements.removeAll(keepingCapacity: true)
    for index in range {
      let entry = scenes.entries[index]
      let sprite = Int(scenes.symbolSprites[Int(entry >> 2)])
      guard let prepared = try prepared(sprite, of: scenes) else { return false }
      let place = scenes.place(of: entry, originX: originX, originY: originY)
      placements.append(
        SpritePlacement(
          prepared, x: place.x + scenes.sprites[sprite].extent.originX,
          y: place.y + scenes.sprites[sprite].extent.originY))
    }
    if let count = sparse.encoder.encode(placements, into: scratch) {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      return true
    }
    guard try isApart(range, of: scenes) else { return false }
    for placement in placements {
      canvas.draw(placement.sprite.sprite, x: placement.x, y: placement.y)
    }
    append(to: &bytes, sparse) { sparse.encoder.encode(canvas, into: $0) }
    canvas.clear()
    return true
  }

  /// Returns whether no two symbols of a tile cover the same pixel.
  func isApart(_ range: Range<Int>, of scenes: borrowing ZoomScenes) throws -> Bool {
    for index in range.dropFirst() {
      let entry = scenes.entries[index]
      let place = scenes.place(of: entry, originX: 0, originY: 0)
      let sprite = try sprite(Int(scenes.symbolSprites[Int(entry >> 2)]), of: scenes)
      for other in range.lowerBound..<index {
        let otherEntry = scenes.entries[other]
        let otherPlace = scenes.place(of: otherEntry, originX: 0, originY: 0)
        let second = try self.sprite(Int(scenes.symbolSprites[Int(otherEntry >> 2)]), of: scenes)
        if sprite.overlaps(second, dx: otherPlace.x - place.x, dy: otherPlace.y - place.y) {
          return false
        }
      }
    }
    return true
  }

  /// Writes the touched rows to the canvas; returns `false` if the palette and the tile's own
  /// colours exceed the 256 of a file.
  func writeIndexes(_ sparse: SparseStyle) -> Bool {
    guard var own = matcher.take() else { return false }
    defer { matcher = own }
    extras.removeAll(keepingCapacity: true)
    var isNearEnough = true
    touched.forEach { y, columns in
      guard isNearEnough else { return }
      indices.withUnsafeMutableBufferPointer { row in
        for x in columns {
          let color = pixmap.pixels[y * side + x]
          let isEdge = pixmap.edges[y * side + x] & Pixmap.mixedEdge != 0
          var index = own.index(of: color, isEdge: isEdge)
          if index & PaletteMatcher.outOfTolerance != 0 {
            index = extraIndex(
              of: isEdge ? EdgeLattice.nearest(to: color) : color,
              after: sparse.palette.colors.count)
            if index > 255 { isNearEnough = false }
          }
          row[x - columns.lowerBound] = UInt8(truncatingIfNeeded: index)
        }
        canvas.setRow(
          y: y, start: columns.lowerBound,
          indices: UnsafeBufferPointer(rebasing: row[0..<columns.count]))
      }
    }
    return isNearEnough
  }

  /// Returns the index of a colour among the tile's own colours, adding it if it is missing.
  func extraIndex(of color: UInt32, after paletteCount: Int) -> UInt16 {
    if let index = extras.firstIndex(of: color) { return UInt16(paletteCount + index) }
    extras.append(color)
    return UInt16(paletteCount + extras.count - 1)
  }

  func append(
    to bytes: inout [UInt8], _ sparse: SparseStyle,
    _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let written = body(scratch)
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<written]))
  }
}
