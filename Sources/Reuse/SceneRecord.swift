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

  /// Each scene's image in the archive.
  private(set) var images: Column<ImageRef>

  /// The number of the row that holds each scene's image: of `images` or, where an archive repeats
  /// its images, of `tiles`.
  private(set) var rows: Column<UInt64>

  /// Whether the image was painted in this run.
  private(set) var isPainted: Column<Bool>

  /// The inputs of the compact taps; `nil` without taps.
  package var taps: TapState?

  package func append(
    _ scene: StableHash, _ digest: MD5Digest, _ image: ImageRef,
    row: UInt64, isPainted: Bool
  ) {
    scenes.append(scene)
    digests.append(digest)
    images.append(image)
    rows.append(row)
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
    images = Column(in: scratch)
    rows = Column(in: scratch)
    isPainted = Column(in: scratch)
  }
}
