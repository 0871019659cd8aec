import Columns
import PNG
import Raster
import Scenes

// Tiles in palette indexes: sprites that do not overlap, and painted pixels whose colours are in
// the palette or near it.

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
    defer { canvas.clear() }
    guard drawPlacements(after: sparse.palette.colors.count) else { return false }
    append(to: &bytes, sparse) { sparse.encoder.encode(canvas, extras: extras, into: $0) }
    return true
  }

  /// Draws the placed sprites onto the canvas, and gathers their extra colours, straight ones in
  /// ascending order, so that bytes do not depend on the order of the sprites; returns `false` if these
  /// and the palette exceed the 256 of a file.
  private func drawPlacements(after paletteCount: Int) -> Bool {
    extras.removeAll(keepingCapacity: true)
    for placement in placements { extras += placement.sprite.extras }
    extras = extras.sorted().withoutRepetitions()
    guard paletteCount + extras.count <= 256 else { return false }
    var table = (0..<256).map { UInt8($0) }
    for placement in placements {
      let sprite = placement.sprite
      for (index, color) in sprite.extras.enumerated() {
        let entry = extras.bisectedIndex { $0 < color }
        table[paletteCount + index] = UInt8(paletteCount + entry)
      }
      table.withUnsafeBufferPointer {
        canvas.draw(sprite.sprite, x: placement.x, y: placement.y, replacing: $0)
      }
    }
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
            let rounded = isEdge ? EdgeLattice.nearest(to: color) : color
            index = UInt16(sparse.palette.colors.count + extras.number(of: rounded))
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

  func append(
    to bytes: inout [UInt8], _ sparse: SparseStyle,
    _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) {
    let written = body(scratch)
    bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: scratch[..<written]))
  }
}
