import Dispatch
import Files
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

  /// Bytes of a copy that is complete when it is submitted.
  private static let longCopy = 4 << 20

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

  /// The checksums of what was written, if they are wanted.
  private let written: Mutex<[WrittenBlock]>?

  /// - Parameters:
  ///   - file: must stay open until ``wait()`` has returned for the last time.
  ///   - path: the path for messages.
  ///   - isRecording: whether to keep the checksum of each block.
  init(_ file: FileDescriptor, path: FilePath, isRecording: Bool) {
    self.file = file
    self.path = path
    written = isRecording ? Mutex([]) : nil
  }

  /// The blocks written so far, without those that were copied; empty unless they are recorded.
  var writtenBlocks: [WrittenBlock] { written?.withLock { $0 } ?? [] }

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

  /// Submits bytes of another file for copying within the system.
  func submitCopy(of source: StoredPages, at start: Int64, count: Int, to offset: Int64)
    throws(ArchiveError)
  {
    try checkFailure()
    queue.submit { [self] in
      attempt {
        try FileRange.copy(from: source.file, at: start, to: file, at: offset, count: count)
        // Much is copied in little time; the medium would have to write all of it at the end. Pages
        // of a short copy may be written again, which would wait for the medium.
        if count >= Self.longCopy { FileRange.beginWriting(file, at: offset, count: count) }
      }
    }
  }

  private func write(_ block: Block, count: Int, at offset: Int64) {
    attempt {
      let bytes = UnsafeRawBufferPointer(rebasing: block.bytes[..<count])
      _ = try file.writeAll(toAbsoluteOffset: offset, bytes)
      written?.withLock { $0.append(WrittenBlock(bytes, at: offset)) }
    }
  }

  /// Writes; nothing is written after an attempt that failed.
  private func attempt(_ body: () throws -> Void) {
    guard failure.withLock({ $0 == nil }) else { return }
    do {
      try body()
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
