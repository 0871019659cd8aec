import Archives
import MBTiles
import Reports
import Runs
import SystemPackage

extension Build {
  /// Returns a few of the tiles that differ from the archive that was replaced, with both images.
  ///
  /// The list is empty without an earlier archive, or where it cannot be read: the archive is
  /// published by then, and missing pictures are not a reason to fail.
  func changedTiles(since replaced: ArchiveReader?, _ report: BuildReport) -> [ChangedTile] {
    guard let replaced, let new = try? ArchiveReader.opening(FilePath(report.archive.path)) else {
      return []
    }
    for reader in [replaced, new] { reader.stopWhen(cancellation.isStopped) }
    return (try? ArchiveComparison(old: replaced, new: new).samples().tiles) ?? []
  }
}
