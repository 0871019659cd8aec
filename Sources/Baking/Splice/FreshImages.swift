import Columns
import Features
import MBTiles
import Painting
import Reuse
import Runs
import SystemPackage
import Tiling

/// The images of the scenes that differ from those of the last archive: painted, or found there at
/// other tiles.
final class FreshImages {
  /// An image and where its bytes are.
  struct Image {
    let md5: MD5Digest
    let size: StoredSize
    let source: Source
  }

  enum Source {
    /// The row of the last archive that holds it.
    case row(UInt64)
    /// The place in ``store``.
    case painted(UnsafeRawBufferPointer)
  }

  private let store: ImageStore
  private(set) var images: [StableHash: Image] = [:]

  /// The number of images that were painted.
  private(set) var paintedCount = 0

  /// - Parameter path: the path of an unlinked file for the painted images.
  init(path: FilePath) throws(ArchiveError) {
    store = try ImageStore(path: path)
  }

  /// Finds or paints the images of all added rows.
  func make(
    for difference: RowDifference, of planned: PlannedTiles, after state: TileState,
    threads: Int, _ cancellation: Cancellation
  ) throws {
    var wanted: [StableHash: PlannedRowCursor.Row] = [:]
    for row in difference.added where wanted[row.scene] == nil { wanted[row.scene] = row }
    for (scene, tile) in state.firstTiles(showing: wanted.keys) {
      wanted[scene] = nil
      images[scene] = Image(ofTile: tile, in: state.contents)
    }
    if wanted.removeValue(forKey: TileState.blankScene) != nil {
      let blank = try planned.blank()
      try add(TileState.blankScene, blank[...], MD5Digest(ofArray: blank))
    }
    try paint(
      wanted.values.sorted { $0.number < $1.number }, of: planned, threads: threads, cancellation)
    try store.flush()
  }

  private func paint(
    _ rows: [PlannedRowCursor.Row], of planned: PlannedTiles, threads: Int,
    _ cancellation: Cancellation
  ) throws {
    let zooms = planned.rows.zooms
    let stage = TileStage(
      painters: planned.painters, scenes: planned.zooms, reuse: .none, threads: threads,
      cancellation: cancellation)
    var start = 0
    try stage.run {
      guard start < rows.count else { return nil }
      let index = Int(rows[start].zoom)
      var batch = TileRows.Batch(zoom: zooms[index], zoomIndex: index)
      let size = zooms[index].hasAreas ? TileRows.areaBatchSize : TileRows.batchSize
      while start < rows.count, Int(rows[start].zoom) == index, batch.fresh.count < size {
        batch.fresh.append((slot: 0, tile: Int(rows[start].drawn), isShownOnce: false))
        start += 1
      }
      return batch
    } consume: { painted in
      for (index, scene) in painted.scenes.enumerated() {
        let bytes = painted.bytes[(index == 0 ? 0 : painted.ends[index - 1])..<painted.ends[index]]
        try add(scene, bytes, painted.digests[index])
        paintedCount += 1
      }
    }
  }

  private func add(_ scene: StableHash, _ bytes: ArraySlice<UInt8>, _ md5: MD5Digest) throws {
    images[scene] = try bytes.withUnsafeBytes {
      Image(md5: md5, size: StoredSize(of: $0), source: .painted(try store.store($0)))
    }
  }
}

extension FreshImages.Image {
  /// Returns the image of a tile of the last archive.
  init(ofTile index: Int, in contents: ArchiveContents) {
    md5 = contents.images[index]
    size = contents.sizes[index]
    source = .row(contents.imageRows[index])
  }
}

extension MD5Digest {
  fileprivate init(ofArray bytes: [UInt8]) {
    self = bytes.withUnsafeBytes { MD5Digest(of: $0) }
  }
}
