import Features
import Scenes
import Tiling

/// The rows of an archive in archive order, each with the slot (``SceneUses``) of the scene that it
/// shows.
struct TileRows {
  /// A row of the archive.
  struct Row: Sendable {
    let tile: TileCoord
    let slot: UInt32
    /// The index of the drawn tile among the zoom's scenes, −1 for a transparent one.
    var drawn: Int32 = -1
  }

  /// A batch of rows, with the scenes that occur in them for the first time.
  struct Batch: Sendable {
    var scenes: ZoomScenes
    var rows: [Row] = []
    /// The drawn tile of each new slot, in the order of first use, and whether no other tile shows
    /// it.
    var fresh: [(slot: UInt32, tile: Int, isShownOnce: Bool)] = []

    /// Returns the hash of the n-th new scene.
    func hash(_ index: Int) -> StableHash { scenes.hashes[fresh[index].tile] }
  }

  /// The number of rows in a batch: some 5 ms of painting for sparse tiles, and half a MB of PNG.
  static let batchSize = 1024

  /// The number of rows in a batch where tiles show areas, lines or images: some 20 to 80 ms of
  /// painting and a MB of PNG. 1,024 of them would leave one worker alone with the last of a
  /// frame's 1,177 tiles or with the closest zoom of a city's lots, and hold 300 MB of images.
  static let areaBatchSize = 32

  private let zooms: [ZoomScenes]
  private let uses: SceneUses
  /// The greatest slot so far.
  private var lastSlot: UInt32 = 0
  private var zoom = 0
  private var drawn = 0
  private var blank = 0
  private let transparent: [ContiguousArray<UInt64>]

  /// - Parameter transparent: the transparent tiles of each zoom, in archive order.
  init(_ zooms: [ZoomScenes], _ uses: SceneUses, transparent: [ContiguousArray<UInt64>]) {
    self.zooms = zooms
    self.uses = uses
    self.transparent = transparent
  }

  /// Returns the next rows, or `nil` at the end; a batch never spans two zooms.
  mutating func next() -> Batch? {
    while zoom < zooms.count, drawn == zooms[zoom].count, blank == transparent[zoom].count {
      zoom += 1
      (drawn, blank) = (0, 0)
    }
    guard zoom < zooms.count else { return nil }
    // Copied once for all rows: each access through the arrays would do reference counting.
    let (scenes, blanks, slots) = (zooms[zoom], transparent[zoom], uses.slots[zoom])
    var batch = Batch(scenes: scenes)
    let size = scenes.hasAreas ? Self.areaBatchSize : Self.batchSize
    batch.rows.reserveCapacity(size)
    while batch.rows.count < size {
      let nextDrawn = drawn < scenes.count ? scenes.tileKeys[drawn] : .max
      let nextBlank = blank < blanks.count ? blanks[blank] : .max
      if nextDrawn < nextBlank {
        let slot = slots[drawn]
        if slot > lastSlot {
          batch.fresh.append((slot, drawn, uses.isShownOnce(slot)))
          lastSlot = slot
        }
        batch.rows.append(
          Row(tile: scenes.tile(drawn), slot: slot, drawn: Int32(truncatingIfNeeded: drawn)))
        drawn += 1
      } else if nextBlank < .max {
        let tile = TileCoord(TileKey(rawValue: nextBlank), z: scenes.grid.zoom)
        batch.rows.append(Row(tile: tile, slot: 0))
        blank += 1
      } else {
        break
      }
    }
    return batch
  }
}
