package import Features
import Scenes
import Styling
import Tiling

/// The rows of an archive as they are planned, without the content of their scenes: enough to
/// divide them, to number their images and to write them.
package struct PlannedRows: Sendable {
  /// The rows of one zoom; both columns of keys are in archive order.
  package struct Zoom: Sendable {
    package let zoom: Int

    /// The keys (`TileKey`) of the drawn tiles, ascending.
    package let keys: Column<UInt64>

    /// The hash of the scene of each drawn tile.
    package let hashes: Column<StableHash>

    /// The keys of the transparent tiles that fill gaps, ascending.
    package let blanks: Column<UInt64>

    /// Whether tiles show areas, lines or images, so that each takes long to paint.
    package let hasAreas: Bool

    package init(
      zoom: Int, keys: Column<UInt64>, hashes: Column<StableHash>,
      blanks: Column<UInt64>, hasAreas: Bool
    ) {
      self.zoom = zoom
      self.keys = keys
      self.hashes = hashes
      self.blanks = blanks
      self.hasAreas = hasAreas
    }

    /// Creates the rows of the scenes of a zoom.
    init(_ scenes: ZoomScenes, blanks: Column<UInt64>) {
      self.init(
        zoom: scenes.grid.zoom, keys: scenes.tileKeys, hashes: scenes.hashes, blanks: blanks,
        hasAreas: scenes.hasAreas)
    }

    /// The number of rows.
    package var count: Int { keys.count + blanks.count }
  }

  package let zooms: [Zoom]

  /// The images of the rows.
  let uses: SceneUses

  /// - Complexity: O(tiles).
  package init(_ zooms: [Zoom]) {
    self.init(zooms, SceneUses(zooms))
  }

  init(_ zooms: [Zoom], _ uses: SceneUses) {
    self.zooms = zooms
    self.uses = uses
  }

  /// The number of rows of all zooms.
  package var count: Int { zooms.reduce(0) { $0 + $1.count } }

  /// The number of distinct scenes.
  package var imageCount: Int { uses.count }

  /// The rows in archive order, in batches.
  var batches: TileRows { TileRows(self, in: 0..<count) }
}
