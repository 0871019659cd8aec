import Archives
import Foundation
import MBTiles
import SystemPackage
import Workers

/// A count of the tiles that differ between the archive in place and the one that will replace it,
/// made on a separate thread while the new one is verified.
final class ChangeCount: Sendable {
  /// The result of the count.
  enum Outcome: Sendable {
    /// There is no archive yet.
    case first
    case counted(TileChanges)
    /// The archive in place cannot be read; it is still replaced.
    case unreadable(String)
  }

  /// `nil` without an archive in place.
  private let work: SideWork<Outcome>?

  /// Starts counting.
  ///
  /// - Parameters:
  ///   - content: the file that holds the old archive, if it is another.
  ///   - isStopped: called at each tile that differs; returns whether the run is to end.
  init(
    from old: FilePath, content: FilePath? = nil, to new: FilePath,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    guard FileManager.default.fileExists(atPath: old.string) else {
      work = nil
      return
    }
    work = SideWork { Self.count(from: old, content, to: new, isStopped: isStopped) }
  }

  /// Waits for the result.
  func wait() -> Outcome { work?.wait() ?? .first }

  private static func count(
    from old: FilePath, _ content: FilePath?, to new: FilePath, isStopped: () -> Bool
  ) -> Outcome {
    do throws(ArchiveError) {
      let reader =
        if let content {
          try ArchiveReader(old, content: content)
        } else {
          try ArchiveReader.opening(old)
        }
      let comparison = ArchiveComparison(old: reader, new: try ArchiveReader.opening(new))
      return .counted(try comparison.count(isStopped: isStopped))
    } catch {
      return .unreadable(error.message)
    }
  }
}
