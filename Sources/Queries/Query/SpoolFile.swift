import Files
import Runs
import SystemPackage

/// A temporary file of sorted runs of records. It has no name once it is open, so the system
/// removes it however the run ends.
final class SpoolFile {
  /// A sorted part of the file, in bytes.
  struct Run {
    var start: Int64
    var end: Int64
  }

  /// The size of a record's header: key length, record length.
  static let headerSize = 2 * MemoryLayout<Int>.size

  private static let bufferSize = 1 << 20

  private let file: FileDescriptor
  private var buffer: [UInt8] = []
  /// The offset of the next byte, not counting those in the buffer.
  private var position: Int64 = 0
  private var runStart: Int64 = 0

  init(in folder: FilePath) throws(PipelineError) {
    do {
      file = try UnnamedFile.open(in: folder, for: "query")
    } catch {
      throw PipelineError(
        .cannotCreate, "no temporary file can be made in \(folder). Name another with --tmpdir.",
        cause: "\(error)")
    }
  }

  deinit {
    try? file.close()
  }

  /// Appends a record to the run that is being written.
  func append(
    key: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer
  ) throws(PipelineError) {
    withUnsafeBytes(of: key.count) { buffer += $0 }
    withUnsafeBytes(of: record.count) { buffer += $0 }
    buffer += key
    buffer += record
    if buffer.count >= Self.bufferSize { try flush() }
  }

  /// Ends the run.
  func endRun() throws(PipelineError) -> Run {
    try flush()
    defer { runStart = position }
    return Run(start: runStart, end: position)
  }

  private func flush() throws(PipelineError) {
    do {
      try file.writeAll(toAbsoluteOffset: position, buffer)
    } catch {
      throw PipelineError(
        .inputOutput, "the temporary file for sorting cannot be written.", cause: "\(error)")
    }
    position += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }

  /// Fills a buffer from an offset in the file.
  func read(at offset: Int64, into bytes: UnsafeMutableRawBufferPointer) throws(PipelineError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count: Int
      do {
        count = try file.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
      } catch {
        throw PipelineError(
          .inputOutput, "the temporary file for sorting cannot be read.", cause: "\(error)")
      }
      guard count > 0 else {
        throw PipelineError(.inputOutput, "the temporary file for sorting became shorter.")
      }
      done += count
    }
  }
}
