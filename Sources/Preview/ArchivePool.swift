import Archives
import MBTiles
import Synchronization
import SystemPackage

/// A pool of open archives by path: the most recently used stay open.
final class ArchivePool: Sendable {
  /// An archive, for one reader at a time.
  private final class Slot: Sendable {
    struct State {
      var reader: (any StoredTiles)?
      var stamp: FileStamp?
    }
    let state = Mutex(State())
  }

  private struct Slots {
    var slots: [String: Slot] = [:]
    /// The paths in order of use, the most recent last.
    var order: [String] = []
  }

  private let slots = Mutex(Slots())

  /// Maximum number of archives that stay open; a series may have thousands.
  private static let limit = 64

  /// Whether an archive that was replaced is reopened.
  private let followsReplacement: Bool

  /// Maximum seconds per response: views of malicious archives can run for ever.
  private let patience: Double

  init(followsReplacement: Bool = true, patience: Double = 5) {
    self.followsReplacement = followsReplacement
    self.patience = patience
  }

  /// Calls `body` with the reader of an archive.
  ///
  /// - Throws: what `body` throws, and ``ArchiveError`` if the archive does not exist.
  func read<Result: Sendable>(
    _ path: String, _ body: (any StoredTiles) throws -> Result
  ) throws -> Result {
    try slot(path).state.withLock { state in
      let stamp = FileStamp(path)
      if state.reader == nil || followsReplacement && state.stamp != stamp {
        state.reader = nil
        state.reader = try TileContainer.opening(FilePath(path), giveUpAfter: patience)
        state.stamp = stamp
      }
      guard let reader = state.reader else {
        throw ArchiveError(.file(.missing()), path: FilePath(path))
      }
      reader.giveUp(after: patience)
      return try body(reader)
    }
  }

  private func slot(_ path: String) -> Slot {
    slots.withLock { slots in
      slots.order.removeAll { $0 == path }
      slots.order.append(path)
      if let known = slots.slots[path] { return known }
      if slots.order.count > Self.limit {
        slots.slots[slots.order.removeFirst()] = nil
      }
      let made = Slot()
      slots.slots[path] = made
      return made
    }
  }
}
