import Dispatch
import Synchronization
import SystemPackage

/// Writes blocks of a file on a thread of its own while the next ones are filled.
///
/// At most ``blocksInFlight`` blocks wait, so memory is bounded and the faster side waits. For one
/// thread that fills blocks.
final class BlockWriter: Sendable {
  /// Bytes of a block: enough for the system's cost of a call to vanish.
  private static let blockSize = 1 << 20

  private static let blocksInFlight = 3

  /// Bytes to be filled.
  final class Block: @unchecked Sendable {
    let bytes = UnsafeMutableRawBufferPointer.allocate(
      byteCount: BlockWriter.blockSize, alignment: 4096)

    deinit { bytes.deallocate() }
  }

  private let path: FilePath
  private let file: FileDescriptor
  private let queue = DispatchQueue(label: "quadrille.archive.pages")
  private let slots = DispatchSemaphore(value: BlockWriter.blocksInFlight)
  private let spare = Mutex<[Block]>([])
  private let failure = Mutex<ArchiveError?>(nil)

  /// - Parameters:
  ///   - file: stays open until ``wait()`` returned for the last time.
  ///   - path: for messages.
  init(_ file: FileDescriptor, path: FilePath) {
    self.file = file
    self.path = path
  }

  /// A block to fill and ``submit(_:count:at:)``.
  func block() -> Block { spare.withLock { $0.popLast() } ?? Block() }

  /// Hands over the first bytes of a block and where in the file they belong; waits while too many
  /// wait.
  ///
  /// - Throws: what went wrong with an earlier block.
  func submit(_ block: Block, count: Int, at offset: Int64) throws(ArchiveError) {
    try checkFailure()
    slots.wait()
    queue.async { [self] in
      write(block, count: count, at: offset)
      spare.withLock { $0.append(block) }
      slots.signal()
    }
  }

  /// Nothing is written behind a block that could not be.
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
  func wait() { queue.sync {} }

  /// Waits for all blocks.
  ///
  /// - Throws: what went wrong with one of them.
  func finish() throws(ArchiveError) {
    wait()
    try checkFailure()
  }
}
