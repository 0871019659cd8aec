/// The sprites of one tile whose boxes do not overlap.
///
/// If no box overlaps another, the index above a sprite's index belongs to the same sprite. So
/// each row has the same tokens as in the sprite alone: the tokens are copied, and only the blank
/// gaps between sprites are generated. Sprites that cross the tile's edge are clipped and coded
/// again.
struct PlacedSprites {
  /// One sprite, trivial to copy; the placements keep its memory alive.
  struct Placed {
    fileprivate let indices: IndexedRows
    fileprivate let coded: UnsafePointer<PreparedSprite.CodedRow>
    fileprivate let words: UnsafePointer<UInt64>

    /// The tile's column and row of the sprite's north-west corner.
    fileprivate let x: Int
    fileprivate let y: Int

    /// The columns and rows of the tile in which the sprite is visible.
    fileprivate let columns: Range<Int>
    fileprivate let rows: Range<Int>

    /// Whether the sprite is not clipped.
    fileprivate let isWhole: Bool

    /// The sums of the whole sprite for a corner at offset 0.
    fileprivate let sums: IndexSums
  }

  /// The sprites from west to east; since the boxes do not overlap, that is the order within every
  /// row.
  private let sprites: UnsafeBufferPointer<Placed>
  private let rows: Range<Int>
  private let width: Int

  /// Sorts the sprites that reach into the tile; `nil` if two boxes share a pixel.
  ///
  /// - Parameters:
  ///   - placements: the placements, which keep the sprites' memory alive, so they must outlive
  ///     this value.
  ///   - memory: uninitialized memory for as many elements as there are placements.
  /// - Complexity: O(n²), for the few sprites of a tile.
  init?(
    _ placements: [SpritePlacement], width: Int, height: Int,
    memory: UnsafeMutableBufferPointer<Placed>
  ) {
    var count = 0
    var (top, bottom) = (height, 0)
    for placement in placements {
      guard let placed = Placed(placement, width: width, height: height) else { continue }
      for other in 0..<count where memory[other].overlaps(placed) { return nil }
      memory.initializeElement(at: count, to: placed)
      count += 1
      top = min(top, placed.rows.lowerBound)
      bottom = max(bottom, placed.rows.upperBound)
      var position = count - 1
      while position > 0,
        memory[position].columns.lowerBound < memory[position - 1].columns.lowerBound
      {
        memory.swapAt(position, position - 1)
        position -= 1
      }
    }
    sprites = UnsafeBufferPointer(rebasing: memory[0..<count])
    rows = top..<max(top, bottom)
    self.width = width
  }

  /// Emits the tokens of the tile up to the last byte that is not background.
  ///
  /// - Parameter lead: the bytes of a row before its first index.
  /// - Returns: the sums, and the offset after the last byte written.
  /// - Complexity: O(rows × sprites + coded bits + indices of clipped sprites).
  @inline(__always)
  func write(into sink: inout TokenCode.Sink, lead: Int) -> (sums: IndexSums, end: Int) {
    var sums = IndexSums()
    var position = 0
    guard let first = sprites.baseAddress else { return (sums, 0) }
    let rowSize = width &+ lead
    for sprite in first..<first + sprites.count where sprite.pointee.isWhole {
      sums.add(sprite.pointee.sums, at: lead &+ sprite.pointee.y &* rowSize &+ sprite.pointee.x)
    }
    for row in rows {
      // Through pointers, since a copy of a sprite takes longer than most of its rows.
      for sprite in first..<first + sprites.count where sprite.pointee.rows.contains(row) {
        let corner = lead &+ row &* rowSize &+ sprite.pointee.x
        if sprite.pointee.isWhole {
          let coded = sprite.pointee.coded + (row &- sprite.pointee.y)
          if coded.pointee.count == 0 { continue }
          let start = corner &+ Int(coded.pointee.start)
          sink.blank(start &- position)
          sink.coded(
            sprite.pointee.words + Int(coded.pointee.firstWord),
            bitCount: Int(coded.pointee.bitCount))
          position = start &+ Int(coded.pointee.count)
        } else {
          let span = sprite.pointee.span(row: row, width: width)
          if span.count == 0 { continue }
          let start = corner &+ span.start
          sink.blank(start &- position)
          span.write(into: &sink, above: sprite.pointee.above(span, row: row, width: width))
          sums.add(span, at: start)
          position = start &+ span.count
        }
      }
    }
    return (sums, position)
  }
}

extension PlacedSprites.Placed {
  /// Creates the placed sprite; `nil` if no part of it is visible in the tile.
  fileprivate init?(_ placement: SpritePlacement, width: Int, height: Int) {
    let (sprite, x, y) = (placement.sprite.sprite, placement.x, placement.y)
    let (across, down) = (sprite.shownColumns, sprite.shownRows)
    // Nothing is added to the corner, so that corners arbitrarily far away do not overflow.
    guard !down.isEmpty, x < width - across.lowerBound, x > -across.upperBound,
      y < height - down.lowerBound,
      y > -down.upperBound
    else { return nil }
    self.x = x
    self.y = y
    columns = max(0, x + across.lowerBound)..<min(width, x + across.upperBound)
    rows = max(0, y + down.lowerBound)..<min(height, y + down.upperBound)
    isWhole = columns.count == across.count && rows.count == down.count
    indices = sprite.unownedRows
    coded = placement.sprite.coded
    words = placement.sprite.words
    sums = placement.sprite.sums
  }

  /// Whether the boxes share a pixel.
  @inline(__always)
  fileprivate func overlaps(_ other: Self) -> Bool {
    columns.lowerBound < other.columns.upperBound && other.columns.lowerBound < columns.upperBound
      && rows.lowerBound < other.rows.upperBound && other.rows.lowerBound < rows.upperBound
  }

  /// Returns the visible part of the sprite in a row of the tile, in columns of the sprite.
  fileprivate func span(row: Int, width: Int) -> IndexedSpan {
    indices.span(row: row &- y, left: 0 &- x, right: width &- x)
  }

  /// Returns the indices above a visible span in a row of the tile; `nil` if none is visible there.
  fileprivate func above(
    _ span: IndexedSpan, row: Int, width: Int
  ) -> UnsafePointer<UInt8>? {
    guard rows.contains(row &- 1), self.span(row: row &- 1, width: width).count > 0 else {
      return nil
    }
    return span.first - indices.stride
  }
}
