import CChild
import Platform
package import SystemPackage

/// A program to run as a child process, under limits.
///
/// The child has a process group of its own, so that Ctrl-C reaches it through this process alone;
/// no open files but the pipes to this process; and no variables but the given ones. It and whatever
/// it started are killed when the run ends for any reason, on Linux also when this process dies.
package struct ChildCommand: Sendable {
  package var program: FilePath
  package var arguments: [String]

  /// All variables of its environment.
  package var environment: [String: String] = [:]

  /// Its current folder.
  package var folder: FilePath

  /// The file of its standard input; `nil` for an empty one.
  package var input: FilePath?

  /// The seconds without a sign of life after which it is ended.
  package var silence = 300.0

  /// Maximum bytes of its standard output; more ends it.
  package var outputLimit = 4 << 20

  /// Maximum bytes of each file that it writes.
  package var fileLimit = 1 << 40

  /// Maximum bytes of its address space.
  package var memoryLimit = 16 << 30

  package init(_ program: FilePath, _ arguments: [String], in folder: FilePath) {
    self.program = program
    self.arguments = arguments
    self.folder = folder
  }

  /// The name of the program, for messages.
  var name: String { program.lastComponent?.string ?? program.string }

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - growth: a number that changes when the child makes progress, for example the size of the
  ///     file that it writes.
  ///   - checkpoint: called several times per second; an error that it throws kills the child.
  /// - Throws: ``ChildFault``, and what `checkpoint` throws. The child is gone then.
  package func run(
    growth: () -> Int = { 0 }, checkpoint: () throws -> Void
  ) throws -> ChildOutcome {
    let output = try pipe()
    let errors = try pipe(output)
    let leash: FileDescriptor
    var run: ChildRun
    do {
      let child = try start(output, errors)
      leash = child.leash
      run = ChildRun(child.process, output.reading, errors.reading, of: self)
      try? output.writing.close()
      try? errors.writing.close()
    } catch {
      Self.close([output.reading, output.writing, errors.reading, errors.writing])
      throw error
    }
    defer { Self.close([output.reading, errors.reading, leash]) }
    do {
      try run.watch(growth, checkpoint)
    } catch {
      _ = run.end()
      throw error
    }
    return run.end()
  }

  private typealias Pipe = (reading: FileDescriptor, writing: FileDescriptor)

  /// Makes a pipe whose descriptors no other child inherits and of which reading does not wait.
  ///
  /// - Parameter other: a pipe that is closed if this one cannot be made.
  private func pipe(_ other: Pipe? = nil) throws(ChildFault) -> Pipe {
    do {
      let ends = try FileDescriptor.pipe()
      for end in [ends.readEnd, ends.writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
      _ = fcntl(ends.readEnd.rawValue, F_SETFL, O_NONBLOCK)
      return (ends.readEnd, ends.writeEnd)
    } catch {
      if let other { Self.close([other.reading, other.writing]) }
      throw .cannotStart(program: name, error as? Errno ?? .ioError)
    }
  }

  private static func close(_ files: [FileDescriptor]) {
    for file in files { try? file.close() }
  }

  /// Starts the program.
  ///
  /// - Returns: its process, and the descriptor whose closing kills it and whatever it started.
  private func start(
    _ output: Pipe, _ errors: Pipe
  ) throws(ChildFault) -> (process: pid_t, leash: FileDescriptor) {
    var leash: Int32 = -1
    let words = CStrings([program.string] + arguments)
    let variables = CStrings(environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" })
    let child = program.string.withCString { program in
      folder.string.withCString { folder in
        (input?.string ?? "/dev/null").withCString { input in
          var command = cchild_command(
            program: program, arguments: words.pointers.baseAddress,
            environment: variables.pointers.baseAddress, folder: folder, input: input,
            output: output.writing.rawValue, errors: errors.writing.rawValue,
            file_bytes: UInt64(max(fileLimit, 1)), memory_bytes: UInt64(max(memoryLimit, 1)))
          return cchild_start(&command, &leash)
        }
      }
    }
    guard child > 0 else { throw .cannotStart(program: name, Errno(rawValue: errno)) }
    return (child, FileDescriptor(rawValue: leash))
  }
}

/// Texts as C has them, in a list that ends with a null pointer.
private final class CStrings {
  let pointers: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

  init(_ texts: [String]) {
    pointers = .allocate(capacity: texts.count + 1)
    pointers.initialize(repeating: nil)
    for (index, text) in texts.enumerated() { pointers[index] = strdup(text) }
  }

  deinit {
    for pointer in pointers { free(pointer) }
    pointers.deallocate()
  }
}
