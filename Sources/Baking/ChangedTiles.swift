import MBTiles
import Reports
import Runs
import SystemPackage

extension Build {
  /// A few of the tiles that differ from the archive that was replaced, with both images.
  ///
  /// None where there was none, or where it cannot be read: the archive is published by then, and
  /// pictures are no reason to fail.
  func changedTiles(since replaced: ArchiveReader?, _ report: BuildReport) -> [ChangedTile] {
    guard let replaced, let new = try? ArchiveReader(FilePath(report.archive.path)) else {
      return []
    }
    for reader in [replaced, new] { reader.stopWhen(cancellation.isStopped) }
    return (try? ArchiveComparison(old: replaced, new: new).samples().tiles) ?? []
  }
}
