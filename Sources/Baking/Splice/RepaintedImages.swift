import Columns
import Features
import MBTiles
import Reuse
import Runs
import SystemPackage
import Tiling

/// The images of the scenes that differ from those of the last archive, painted or found there at
/// other tiles, and the UTFGrids of the rows that differ.
final class RepaintedImages {
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

  /// A grid and its keys, ascending.
  struct Grid {
    let md5: MD5Digest
    let bytes: UnsafeRawBufferPointer
    let keys: [[UInt8]]
  }

  private let store: ImageStore
  private(set) var images: [StableHash: Image] = [:]

  /// The grids by the numbers of their tiles.
  private(set) var grids: [UInt64: Grid] = [:]

  /// The scenes whose images were painted, not kept by an earlier run.
  private var painted: [StableHash] = []
  var paintedCount: Int { painted.count }

  /// - Parameter path: the path of an unlinked file for the painted images.
  init(path: FilePath) throws(ArchiveError) {
    store = try ImageStore(path: path)
  }

  /// The number of different images.
  var count: Int { images.count }

  /// Finds or paints the images of all added rows, and their grids.
  ///
  /// - Parameter advance: receives the number of images so far; it throws to end the stage.
  func make(
    for difference: RowDifference, from feed: any SceneFeed, after state: TileState,
    _ cancellation: Cancellation, _ advance: (Int) throws -> Void
  ) throws {
    var wanted: [StableHash: PlannedRowCursor.Row] = [:]
    for row in difference.added where wanted[row.scene] == nil { wanted[row.scene] = row }
    for (scene, tile) in state.firstTiles(showing: wanted.keys) {
      wanted[scene] = nil
      images[scene] = Image(ofTile: tile, in: state.contents)
    }
    if wanted.removeValue(forKey: TileState.blankScene) != nil {
      let blank = try feed.blank()
      try add(TileState.blankScene, blank[...], MD5Digest(ofArray: blank))
    }
    let rows =
      feed.taps?.grids == nil
      ? wanted.values.sorted { $0.number < $1.number } : difference.added.filter { $0.drawn >= 0 }
    let total = images.count + wanted.count
    // The time may be over with the last image.
    func endRest() { if images.count == total { cancellation.endsRest = true } }
    endRest()
    try take(rows, from: feed) {
      wanted[$0.scene]?.number == $0.number
    } then: {
      endRest()
      try advance(images.count)
    }
    try store.flush()
  }

  /// Takes the grids of rows, and the images of some of them.
  ///
  /// - Parameters:
  ///   - isFirst: whether a row is the first one that shows its image.
  ///   - advance: is called after each batch.
  private func take(
    _ rows: [PlannedRowCursor.Row], from feed: any SceneFeed,
    isFirst: (PlannedRowCursor.Row) -> Bool, then advance: () throws -> Void
  ) throws {
    let zooms = feed.rows.zooms
    var start = 0
    try feed.forEachBatch {
      guard start < rows.count else { return nil }
      let index = Int(rows[start].zoom)
      var batch = TileRows.Batch(zoom: zooms[index], zoomIndex: index)
      let size = zooms[index].hasAreas ? TileRows.areaBatchSize : TileRows.batchSize
      while start < rows.count, Int(rows[start].zoom) == index, batch.rows.count < size {
        let row = rows[start]
        guard let tile = TileCoord(number: row.number) else { throw ArchiveSplice.StaleState() }
        batch.rows.append(TileRows.Row(tile: tile, slot: 0, drawn: row.drawn))
        if isFirst(row) {
          batch.fresh.append((slot: 0, tile: Int(row.drawn), isShownOnce: false))
        }
        start += 1
      }
      return batch
    } consume: { batch in
      let pictures = batch.pictures
      for (index, scene) in pictures.scenes.enumerated() {
        try add(scene, pictures[index], pictures.digests[index])
        if pictures.isPainted[index] { painted.append(scene) }
      }
      for (index, row) in batch.rows.enumerated() {
        grids[row.tile.number] = try batch.grids.withGrid(ofRow: index) { grid, bytes in
          Grid(
            md5: batch.grids.digests[grid], bytes: try store.store(bytes),
            keys: batch.grids.keys[grid])
        }
      }
      try advance()
    }
  }

  /// Keeps the images that were painted for the next run.
  func keep(beside reuse: TileReuse, in cache: ArtifactCache) {
    guard (try? store.flush()) != nil else { return }
    var keeping = TileReuse.Keeping(reuse, in: cache)
    for scene in painted {
      guard let image = images[scene], case .painted(let bytes) = image.source else { continue }
      keeping.append(scene, image.md5, Array(bytes)[...])
    }
    keeping.end()
  }

  private func add(_ scene: StableHash, _ bytes: ArraySlice<UInt8>, _ md5: MD5Digest) throws {
    images[scene] = try bytes.withUnsafeBytes {
      Image(md5: md5, size: StoredSize(of: $0), source: .painted(try store.store($0)))
    }
  }
}

extension RepaintedImages.Image {
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
