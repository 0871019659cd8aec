import Columns
import Features
import Scenes

/// The tiles of an archive grouped by equal scenes.
///
/// Equal scenes share a slot; slots are numbered from 1 in the order of first use, and slot 0 is
/// the shared transparent tile. This is where scenes are deduplicated before drawing. It takes four
/// bytes per tile.
struct SceneUses: Sendable {
  /// The slot of each drawn tile, by the index of its zoom.
  private(set) var slots: [Column<UInt32>] = []

  /// The tiles that show a scene for the first time, in archive order: the index of the zoom and of
  /// the drawn tile. The tile of slot n has index n − 1.
  private(set) var first: Column<(zoom: Int, tile: Int)>

  /// Whether only one tile shows the scene, at slot − 1.
  private var isSingle: Column<Bool>

  private let scratch: Scratch?

  init(in scratch: Scratch?) {
    self.scratch = scratch
    first = Column(in: scratch)
    isSingle = Column(in: scratch)
  }

  /// - Complexity: O(tiles).
  init(_ zooms: [PlannedRows.Zoom]) {
    self.init(in: zooms.first?.keys.scratch)
    var seen = SceneTable(in: scratch)
    for zoom in zooms { add(zoom.hashes, &seen) }
  }

  /// Adds the scenes of the next zoom's tiles.
  ///
  /// - Parameters:
  ///   - seen: the scenes so far.
  ///   - isStopped: whether the run should stop; the slots are then meaningless.
  /// - Complexity: O(tiles).
  mutating func add(
    _ hashes: Column<StableHash>, _ seen: inout SceneTable, isStopped: () -> Bool = { false }
  ) {
    let zoom = slots.count
    var slots = Column<UInt32>(in: scratch)
    slots.reserveCapacity(hashes.count)
    for (tile, hash) in hashes.enumerated() {
      if isStopped() { break }
      let (number, isNew) = seen.insert(hash)
      if isNew {
        first.append((zoom, tile))
        isSingle.append(true)
      } else {
        isSingle[number] = false
      }
      slots.append(UInt32(truncatingIfNeeded: number + 1))
    }
    self.slots.append(slots)
  }

  /// The number of distinct scenes.
  var count: Int { first.count }

  /// Whether no other tile shows the scene of a slot, which is not 0.
  func isShownOnce(_ slot: UInt32) -> Bool { isSingle[Int(slot) - 1] }
}
