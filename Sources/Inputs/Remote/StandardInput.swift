import Definition
import Files
import Foundation
import Runs
import SystemPackage

/// The stage that copies standard input to a temporary file: a build reads its inputs more than
/// once, and a pipe delivers its bytes once.
struct StandardInput {
  let options: BuildOptions
  let cancellation: Cancellation

  /// The longest time without a look at the cancellation, in milliseconds.
  private static let patience: Int32 = 200

  /// Copies and hashes everything up to the end of the input.
  ///
  /// - Parameter advance: called with the number of bytes so far.
  /// - Throws: ``PipelineError``: `usage` for a terminal, `cannotCreate`, `inputOutput`.
  func spool(
    for source: SourceDefinition, advance: (Int) throws -> Void
  ) throws -> SpooledInput {
    let place = source.node["data"]?.place ?? source.place
    guard isatty(FileDescriptor.standardInput.rawValue) == 0 else {
      throw PipelineError(
        .usage,
        "source '\(source.name)' reads standard input, which is a terminal. Pipe the records into the "
          + "program, or name a file.", at: place)
    }
    let folder = options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
    do {
      let file = try SpooledFile(in: FilePath(folder), for: "input") { sink in
        try copy(to: &sink, in: folder, advance)
      }
      return SpooledInput(file, name: DataLocation.standardInputName)
    } catch let error as Errno {
      throw PipelineError(
        .cannotCreate,
        "no temporary file for standard input can be made in \(folder). Name another with --tmpdir.",
        cause: "\(error)")
    }
  }

  private func copy(
    to sink: inout SpooledFile.Sink, in folder: String, _ advance: (Int) throws -> Void
  ) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = try next(into: &buffer), count > 0 {
      try buffer.withUnsafeBytes { buffer in
        do {
          try sink.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        } catch {
          throw PipelineError(
            .inputOutput,
            "the temporary file for standard input cannot be written in \(folder). Name a folder with "
              + "more room with --tmpdir.", cause: "\(error)")
        }
      }
      try advance(sink.count)
    }
  }

  /// Waits for bytes; 0 at the end of the input.
  private func next(into buffer: inout [UInt8]) throws -> Int {
    let input = FileDescriptor.standardInput
    var wanted = pollfd(fd: input.rawValue, events: Int16(POLLIN), revents: 0)
    // A signal interrupts the wait, and ends the run by the cancellation.
    while case let ready = poll(&wanted, 1, Self.patience), ready <= 0 {
      try cancellation.check()
      guard ready == 0 || errno == EINTR else { break }
    }
    do {
      return try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
    } catch {
      throw PipelineError(
        .inputOutput, "standard input cannot be read.", cause: "\(error)")
    }
  }
}
