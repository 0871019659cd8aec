import Dispatch
import Synchronization
import SystemPackage
import Workers

/// A writer of blocks of a file on its own thread while the next ones are filled.
///
/// At most ``blocksInFlight`` blocks are pending, so memory is bounded and the faster side waits.
/// Only one thread may fill blocks.
final class BlockWriter: Sendable {
  /// Bytes of a block: large enough for the cost of a system call to vanish.
  private static let blockSize = 1 << 20

  private static let blocksInFlight = 3

  /// A buffer of bytes to be filled.
  final class Block: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: BlockWriter.blockSize, alignment: 4096)

    deinit { bytes.deallocate() }
  }

  private let path: FilePath
  private let file: FileDescriptor
  private let queue = SerialWork()
  private let slots = DispatchSemaphore(value: BlockWriter.blocksInFlight)
  private let spare = Mutex<[Block]>([])
  private let failure = Mutex<ArchiveError?>(nil)

  /// - Parameters:
  ///   - file: must stay open until ``wait()`` has returned for the last time.
  ///   - path: the path for messages.
  init(_ file: FileDescriptor, path: FilePath) {
    self.file = file
    self.path = path
  }

  /// Returns a block to fill and ``submit(_:count:at:)``.
  func block() -> Block { spare.withLock { $0.popLast() } ?? Block() }

  /// Submits the first bytes of a block for writing at an offset in the file; blocks while too many
  /// are pending.
  ///
  /// - Throws: the error of an earlier block.
  func submit(_ block: Block, count: Int, at offset: Int64) throws(ArchiveError) {
    try checkFailure()
    slots.wait()
    queue.submit { [self] in
      write(block, count: count, at: offset)
      spare.withLock { $0.append(block) }
      slots.signal()
    }
  }

  /// Writes a block; nothing is written after a block that failed.
  private func write(_ block: Block, count: Int, at offset: Int64) {
    guard failure.withLock({ $0 == nil }) else { return }
    do {
      _ = try file.writeAll(
        toAbsoluteOffset: offset, UnsafeRawBufferPointer(rebasing: block.bytes[..<count]))
    } catch {
      let error = ArchiveError(error as? Errno ?? .ioError, doing: "write", path: path)
      failure.withLock { $0 = error }
    }
  }

  private func checkFailure() throws(ArchiveError) {
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// Waits for all blocks.
  func wait() { queue.wait() }

  /// Waits for all blocks.
  ///
  /// - Throws: the error of one of them.
  func finish() throws(ArchiveError) {
    wait()
    try checkFailure()
  }
}
