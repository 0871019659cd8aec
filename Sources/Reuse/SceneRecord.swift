package import Features
package import MBTiles

/// The image of each distinct scene of a run, in the order of first use.
///
/// Filled by the tile stage on one thread; the content is valid at any time, also after the stage
/// ended early.
package final class SceneRecord {
  package private(set) var scenes: Column<StableHash>

  /// The MD5 of each scene's image.
  private(set) var digests: Column<MD5Digest>

  /// The checksum of each scene's image.
  private(set) var checksums: Column<UInt64>

  /// Each scene's image in the archive.
  private(set) var images: Column<ImageRef>

  /// The row, counted from 1, of the first tile that shows the scene.
  private(set) var firstRows: Column<UInt32>

  /// Whether the image was painted in this run.
  private(set) var isPainted: Column<Bool>

  package func append(
    _ scene: StableHash, _ digest: MD5Digest, _ checksum: UInt64, _ image: ImageRef,
    firstRow: Int, isPainted: Bool
  ) {
    scenes.append(scene)
    digests.append(digest)
    checksums.append(checksum)
    images.append(image)
    firstRows.append(UInt32(truncatingIfNeeded: firstRow))
    self.isPainted.append(isPainted)
  }

  /// The number of scenes that were painted.
  package var painted: Int { isPainted.reduce(0) { $0 + ($1 ? 1 : 0) } }

  /// The number of scenes whose bytes were reused.
  package var reused: Int { isPainted.count - painted }

  /// - Parameter scratch: decides where the columns lie; `nil` for memory.
  package init(in scratch: Scratch? = nil) {
    scenes = Column(in: scratch)
    digests = Column(in: scratch)
    checksums = Column(in: scratch)
    images = Column(in: scratch)
    firstRows = Column(in: scratch)
    isPainted = Column(in: scratch)
  }

  /// Returns the index of the scenes in a published archive.
  ///
  /// - Parameters:
  ///   - rows: see ``PlannedTiles/rowsHash``.
  ///   - hashes: the fingerprints of the archive's tiles.
  package func index(_ layout: ArchiveLayout, rows: StableHash, hashes: TileHashes) -> SceneIndex {
    SceneIndex(
      layout: layout, hashes: hashes, rowsHash: rows, scenes: scenes, digests: digests,
      checksums: checksums, rows: self.rows(layout))
  }

  /// Returns the row, counted from 1, that holds each scene's image: of `images` or, where an
  /// archive repeats its images, of `tiles`.
  func rows(_ layout: ArchiveLayout) -> Column<UInt32> {
    layout == .flat
      ? firstRows
      : Column(
        images.lazy.map { UInt32(truncatingIfNeeded: $0.number) + 1 }, in: images.scratch)
  }
}
