import Features
import Tiling

/// The rows of an archive in archive order, each with the slot (``SceneUses``) of the scene that it
/// shows.
package struct TileRows {
  /// A row of the archive.
  package struct Row: Sendable {
    let tile: TileCoord
    let slot: UInt32
    /// The index of the drawn tile among the zoom's scenes, −1 for a transparent one.
    var drawn: Int32 = -1
  }

  /// A batch of rows, with the scenes that occur in them for the first time.
  package struct Batch: Sendable {
    /// The rows of the batch's zoom, and its index among the zooms.
    package let zoom: PlannedRows.Zoom
    package let zoomIndex: Int
    package internal(set) var rows: [Row] = []
    /// The drawn tile of each new slot, in the order of first use, and whether no other tile shows
    /// it.
    package internal(set) var fresh: [(slot: UInt32, tile: Int, isShownOnce: Bool)] = []

    /// Returns the hash of the n-th new scene.
    func hash(_ index: Int) -> StableHash { zoom.hashes[fresh[index].tile] }
  }

  /// The number of rows in a batch: some 5 ms of painting for sparse tiles, and half a MB of PNG.
  package static let batchSize = 1024

  /// The number of rows in a batch where tiles show areas, lines or images: some 20 to 80 ms of
  /// painting and a MB of PNG. 1,024 of them would leave one worker alone with the last of a
  /// frame's 1,177 tiles or with the closest zoom of a city's lots, and hold 300 MB of images.
  static let areaBatchSize = 32

  /// All rows of the archive.
  let planned: PlannedRows

  /// The number of rows in a batch of a zoom whose tiles show symbols only.
  private let symbolBatchSize: Int

  /// The number of rows still to come.
  private var rest: Int
  /// The greatest slot so far.
  private var lastSlot: UInt32 = 0
  private var zoom = 0
  private var drawn = 0
  private var blank = 0

  /// - Parameters:
  ///   - range: the rows to return, of all rows of the archive.
  ///   - size: the number of rows in a batch of a zoom whose tiles show symbols only.
  /// - Complexity: O(rows before the range).
  package init(_ planned: PlannedRows, in range: Range<Int>, batchSize size: Int = batchSize) {
    self.planned = planned
    symbolBatchSize = size
    rest = range.lowerBound
    while next() != nil {}
    rest = range.count
  }

  /// Continues with the rows after the range.
  ///
  /// - Parameter count: their number.
  package mutating func go(on count: Int) { rest = count }

  /// Returns the next rows, or `nil` at the end; a batch never spans two zooms.
  package mutating func next() -> Batch? {
    while zoom < planned.zooms.count, drawn == planned.zooms[zoom].keys.count,
      blank == planned.zooms[zoom].blanks.count
    {
      zoom += 1
      (drawn, blank) = (0, 0)
    }
    guard rest > 0, zoom < planned.zooms.count else { return nil }
    // Copied once for all rows: each access through the arrays would do reference counting.
    let (rows, slots) = (planned.zooms[zoom], planned.uses.slots[zoom])
    let (keys, blanks) = (rows.keys, rows.blanks)
    var batch = Batch(zoom: rows, zoomIndex: zoom)
    let size = min(rest, rows.hasAreas ? Self.areaBatchSize : symbolBatchSize)
    batch.rows.reserveCapacity(size)
    while batch.rows.count < size {
      let nextDrawn = drawn < keys.count ? keys[drawn] : .max
      let nextBlank = blank < blanks.count ? blanks[blank] : .max
      if nextDrawn < nextBlank {
        let slot = slots[drawn]
        if slot > lastSlot {
          batch.fresh.append((slot, drawn, planned.uses.isShownOnce(slot)))
          lastSlot = slot
        }
        batch.rows.append(
          Row(
            tile: TileCoord(TileKey(rawValue: nextDrawn), z: rows.zoom), slot: slot,
            drawn: Int32(truncatingIfNeeded: drawn)))
        drawn += 1
      } else if nextBlank < .max {
        batch.rows.append(
          Row(tile: TileCoord(TileKey(rawValue: nextBlank), z: rows.zoom), slot: 0))
        blank += 1
      } else {
        break
      }
    }
    rest -= batch.rows.count
    return batch
  }
}
