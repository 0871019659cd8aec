import Children
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A child process") struct ChildCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func shell(_ script: String) throws -> ChildCommand {
    let shell = try #require(InstalledProgram.path(of: "sh"))
    return ChildCommand(shell, ["-c", script], in: FilePath(folder.url.path))
  }

  private struct Stop: Error {}

  /// Whether the process whose number a script wrote to `pid` is gone.
  private func isGone() throws -> Bool {
    let text = String(decoding: try folder.bytes("pid"), as: UTF8.self)
    let number = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    for _ in 0..<200 {
      if kill(number, 0) != 0 { return true }
      usleep(10_000)
    }
    return false
  }

  #if canImport(Glibc)
    @Test("what libraries do in a forked process is not done in it: it may wait for ever there")
    func handlers() throws {
      // As PROJ's closes a database, whose lock another thread may have held.
      #expect(pthread_atfork(nil, nil) { _exit(111) } == 0)
      for _ in 0..<3 { #expect(try shell("echo a").run {}.output == Array("a\n".utf8)) }
    }
  #endif

  @Test("its output, its messages and its end are those of the program, in the given folder")
  func outcome() throws {
    let outcome = try shell("pwd -P; echo warning >&2; exit 3").run {}
    let place = folder.url.resolvingSymlinksInPath().path
    #expect(String(decoding: outcome.output, as: UTF8.self) == "\(place)\n")
    #expect(outcome.messages == "warning\n" && outcome.end == .status(3))
    #expect(try shell("kill -9 $$").run {}.end == .signal(SIGKILL))
  }

  @Test("it reads the given file as its input, and one that is not there is its failure to start")
  func input() throws {
    var command = try shell("cat")
    command.input = FilePath(try folder.write("1 2\n", to: "positions"))
    #expect(try command.run {}.output == Array("1 2\n".utf8))
    command.input = FilePath(folder.path("absent"))
    #expect(throws: ChildFault.self) { try command.run {} }
  }

  @Test("it has the given variables, no input, no open files and a process group of its own")
  func surroundings() throws {
    let file = try FileDescriptor.open(
      FilePath(folder.path("open")), .writeOnly, options: [.create], permissions: .ownerReadWrite)
    defer { try? file.close() }
    var command = try shell("env; cat; ls /proc/$$/fd | wc -l; ps -o pgid= -p $$; echo $$")
    command.environment = ["ONE": "1", "PATH": InstalledProgram.searchPath]
    let lines = String(decoding: try command.run {}.output, as: UTF8.self)
      .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("ONE=1") && !lines.contains { $0.hasPrefix("HOME=") })
    let numbers = lines.suffix(3).compactMap { Int($0) }
    #expect(numbers.count == 3 && numbers[0] <= 4 && numbers[1] == numbers[2], "\(lines)")
  }

  @Test("a program that does nothing is ended, with what it started")
  func silence() throws {
    var command = try shell("sleep 600 & echo $! > pid; wait")
    command.silence = 0.5
    #expect(throws: ChildFault.wasSilent(program: "sh", seconds: 0.5)) { try command.run {} }
    #expect(try isGone())
  }

  @Test("growth of what it writes is a sign of life")
  func growth() throws {
    var command = try shell("for i in 1 2 3 4 5 6; do sleep 0.3; echo $i >> file; done")
    command.silence = 1
    let file = folder.url.appendingPathComponent("file")
    let outcome = try command.run(growth: { (try? Data(contentsOf: file).count) ?? 0 }) {}
    #expect(outcome.end == .status(0))
  }

  @Test("what outlives it is ended, although it holds the pipes")
  func orphan() throws {
    // Whoever waits for it waits for ever.
    let outcome = try shell("sleep 1000000 & echo $! > pid; echo done").run {}
    #expect(String(decoding: outcome.output, as: UTF8.self) == "done\n")
    #expect(try isGone())
  }

  @Test("more text than the limit ends it", arguments: ["", " >&2"])
  func flood(target: String) throws {
    var command = try shell("echo $$ > pid; exec yes flood\(target)")
    command.outputLimit = 1 << 16
    #expect(throws: ChildFault.self) { try command.run {} }
    #expect(try isGone())
  }

  @Test("a larger file than the limit ends it")
  func fileLimit() throws {
    var command = try shell("exec dd if=/dev/zero of=file bs=65536 count=64 2>/dev/null")
    command.environment = ["PATH": InstalledProgram.searchPath]
    command.fileLimit = 1 << 20
    #expect(try command.run {}.end != .status(0))
    #expect(try folder.bytes("file").count <= 1 << 20)
  }

  @Test("an error of the caller ends it")
  func checkpoint() throws {
    let pid = folder.path("pid")
    let command = try shell("echo $$ > pid; sleep 600")
    #expect(throws: Stop.self) {
      try command.run {
        if FileManager.default.contents(atPath: pid)?.isEmpty == false { throw Stop() }
      }
    }
    #expect(try isGone())
  }

  @Test("a program that cannot start is told from one that fails")
  func start() throws {
    let path = try folder.write("no program", to: "program")
    let command = ChildCommand(FilePath(path), [], in: FilePath(folder.url.path))
    #expect(throws: ChildFault.cannotStart(program: "program", .permissionDenied)) {
      try command.run {}
    }
    #expect(InstalledProgram.path(of: "no-such-program-anywhere") == nil)
  }
}
