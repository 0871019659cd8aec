import Columns
import Features
import Reuse
import Scenes
import Tiling

/// A cursor over the rows of an archive in archive order, by their numbers.
struct PlannedRowCursor {
  /// A row: a drawn tile, or a transparent one.
  struct Row: BitwiseCopyable {
    /// See `TileCoord.number`.
    let number: UInt64
    /// The hash of the scene; ``Reuse/TileState/blankScene`` for a transparent tile.
    let scene: StableHash
    /// The index of the zoom among the planned ones.
    let zoom: Int32
    /// The index of the drawn tile among the zoom's scenes, −1 for a transparent one.
    let drawn: Int32
  }

  private let rows: PlannedRows
  private var zoom = 0
  private var drawn = 0
  private var blank = 0

  // The zoom's columns, each access to which through the rows would count references.
  private var keys: Column<UInt64> = []
  private var hashes: Column<StableHash> = []
  private var blanks: Column<UInt64> = []
  private var firstNumber: UInt64 = 0

  init(_ rows: PlannedRows) {
    self.rows = rows
    open()
  }

  private mutating func open() {
    (drawn, blank) = (0, 0)
    guard zoom < rows.zooms.count else { return }
    let those = rows.zooms[zoom]
    (keys, hashes, blanks) = (those.keys, those.hashes, those.blanks)
    firstNumber = TileCoord.firstNumber(ofZoom: those.zoom)
  }

  /// Returns the next row; `nil` after the last.
  mutating func next() -> Row? {
    while zoom < rows.zooms.count {
      let nextDrawn = drawn < keys.count ? keys[drawn] : .max
      let nextBlank = blank < blanks.count ? blanks[blank] : .max
      if nextDrawn < nextBlank {
        defer { drawn += 1 }
        return Row(
          number: firstNumber + nextDrawn, scene: hashes[drawn], zoom: Int32(zoom),
          drawn: Int32(truncatingIfNeeded: drawn))
      }
      if nextBlank < .max {
        blank += 1
        return Row(
          number: firstNumber + nextBlank, scene: TileState.blankScene, zoom: Int32(zoom), drawn: -1
        )
      }
      zoom += 1
      open()
    }
    return nil
  }

  /// Moves behind the row with a number, and returns the number of rows left out.
  ///
  /// - Complexity: O(zooms + log rows).
  mutating func skip(through number: UInt64) -> Int {
    var skipped = 0
    while zoom < rows.zooms.count, firstNumber <= number {
      let key = number - firstNumber
      let (drawnBefore, blankBefore) = (drawn, blank)
      drawn = Self.end(of: keys, through: key, from: drawn)
      blank = Self.end(of: blanks, through: key, from: blank)
      skipped += drawn - drawnBefore + blank - blankBefore
      guard drawn == keys.count, blank == blanks.count else { break }
      zoom += 1
      open()
    }
    return skipped
  }

  /// Returns the index of the first key that is greater than another.
  private static func end(of keys: Column<UInt64>, through key: UInt64, from start: Int) -> Int {
    keys[start...].bisectedIndex(notBefore: { $0 <= key })
  }
}

extension PlannedRows {
  /// Returns the scene of each row, in archive order.
  func scenes(in scratch: Scratch?) -> Column<StableHash> {
    var scenes = Column<StableHash>(in: scratch)
    scenes.reserveCapacity(count)
    var cursor = PlannedRowCursor(self)
    while let row = cursor.next() { scenes.append(row.scene) }
    return scenes
  }
}

extension PlannedTiles {
  /// Returns the quadrants of each row that show pixels, in archive order; none of a transparent one.
  func quadrants(in scratch: Scratch?) -> Column<UInt8> {
    let rows = rows
    let shown = zooms.map(\.quadrants)
    var quadrants = Column<UInt8>(in: scratch)
    quadrants.reserveCapacity(rows.count)
    var cursor = PlannedRowCursor(rows)
    while let row = cursor.next() {
      quadrants.append(row.drawn < 0 ? 0 : shown[Int(row.zoom)][Int(row.drawn)])
    }
    return quadrants
  }
}
