import Archives
import Dispatch
import Foundation
import MBTiles
import Synchronization
import SystemPackage

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

  private let outcome = Mutex(Outcome.first)
  private let group = DispatchGroup()

  /// Starts counting.
  ///
  /// - Parameters:
  ///   - content: the file that holds the old archive, if it is another.
  ///   - isStopped: called at each tile that differs; returns whether the run is to end.
  init(
    from old: FilePath, content: FilePath? = nil, to new: FilePath,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    guard FileManager.default.fileExists(atPath: old.string) else { return }
    DispatchQueue(label: "quadrille.archive.changes").async(group: group) {
      let found = Self.count(from: old, content, to: new, isStopped: isStopped)
      self.outcome.withLock { $0 = found }
    }
  }

  /// Waits for the result.
  func wait() -> Outcome {
    group.wait()
    return outcome.withLock { $0 }
  }

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
