import Columns
import MBTiles
import SystemPackage

/// The images of an archive that is complete but not yet published: a run whose time ends before
/// that leaves them to the next one.
package struct UnpublishedTiles {
  /// The images that earlier runs left, without their bytes: a series has one of these for each of
  /// its frames.
  private let painted: KeptPictures
  private let record: SceneRecord
  private let layout: ArchiveLayout

  /// The archive, under its temporary name.
  private let archive: FilePath

  init(
    _ record: SceneRecord, of archive: FilePath, layout: ArchiveLayout, beside painted: KeptPictures
  ) {
    self.painted = painted.withoutImages
    self.record = record
    self.layout = layout
    self.archive = archive
  }

  /// Stores the images that the run painted, read from the archive.
  ///
  /// - Complexity: O(bytes painted).
  package func keep(in cache: ArtifactCache) {
    guard record.isPainted.contains(true), let images = try? StoredImages(archive, layout: layout)
    else { return }
    var image: [UInt8] = []
    painted.keep(record, in: cache) { number, bytes in
      image.removeAll(keepingCapacity: true)
      guard images.append(Int64(record.rows[number]), to: &image) else { return false }
      bytes.append(contentsOf: image)
      return true
    }
  }

  /// Removes the images that earlier runs left, since the archive is published.
  package func remove(from cache: ArtifactCache) {
    painted.remove(from: cache)
  }
}
