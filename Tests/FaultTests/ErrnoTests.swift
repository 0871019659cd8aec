import Foundation
import TestSupport
import Testing

/// System calls that fail: one sentence, the right status, old or new, and the next run makes good.
@Suite("A system call that fails", .enabled(if: Machine.traces, "\(Machine.strace)"))
struct ErrnoTests {
  /// An error, the calls that give it, and how a run may end for it.
  struct Fault: Sendable, CustomTestStringConvertible {
    var error: String
    var calls: [String]
    /// 0 always may be: the failed call was one that a run can do without.
    var statuses: Set<Int32>

    var testDescription: String { "\(error) of \(calls.joined(separator: ", "))" }
  }

  /// Whether the call that failed was not one of the program: its number counts in each thread, and
  /// may be that of the loader (status 127).
  private static func isOfOthers(_ call: SystemCall, _ status: Int32) -> Bool {
    status == 127 || call.name == "mmap" && call.ordinal <= loaderMappings && status == -11
  }

  /// The loader maps more than so many pieces of libraries on the first thread, and dies of a signal
  /// where it cannot: a call of another thread may have the same number.
  private static let loaderMappings = 20

  /// The faults that are tried: all of them in the long tests, else two.
  static let faults = runsSlowTests ? known : known.filter { ["EIO", "EXDEV"].contains($0.error) }

  private static let known = [
    Fault(
      error: "EIO",
      calls: ["pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "link"],
      statuses: [74]),
    Fault(error: "EIO", calls: ["read", "pread64", "mmap", "close"], statuses: [74]),
    Fault(error: "EIO", calls: ["openat"], statuses: [74]),
    Fault(
      error: "ENOSPC", calls: ["pwrite64", "write", "openat", "ftruncate", "rename", "link"],
      statuses: [74]),
    Fault(error: "EDQUOT", calls: ["pwrite64", "write", "fsync"], statuses: [74]),
    Fault(error: "EXDEV", calls: ["rename", "link"], statuses: [74]),
    Fault(error: "EMFILE", calls: ["openat"], statuses: [74]),
    // SQLite tells of a file that it cannot open, or a journal that it cannot remove, and not why.
    Fault(error: "EACCES", calls: ["openat", "rename"], statuses: [74, 77]),
    Fault(error: "EROFS", calls: ["openat", "rename", "unlink"], statuses: [73, 74]),
    Fault(error: "ENOMEM", calls: ["mmap", "openat"], statuses: [74]),
    Fault(
      error: "EAGAIN",
      calls: ["openat", "read", "pread64", "write", "pwrite64", "fsync", "rename"],
      statuses: [74]),
  ]

  @Test(
    "a failing system call ends the run with its status, and the old archive or the new one stays",
    arguments: faults)
  func failed(fault: Fault) throws {
    let ground = try FaultGround(.incremental)
    let all = try ground.calls(fault.calls)
    let calls = runsSlowTests ? all.sample(6) : all.sample(0)
    var failures = 0
    for call in calls.prefix(runsSlowTests ? .max : 3) {
      let trial = try ground.inject("error=\(fault.error)", into: call)
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      if Self.isOfOthers(call, status) { continue }
      #expect(status == 0 || fault.statuses.contains(status), "\(call): \(status) \(errors)")
      #expect(trial.complaints.isEmpty, "\(fault.error) of \(call): \(status) \(trial.complaints)")
      if status != 0 { failures += 1 }
    }
    if runsSlowTests {
      print("faults: \(fault.testDescription): \(failures) of \(calls.count) calls ended a run")
    }
  }

  @Test("a failing mapping of the new archive is not an error: it is read instead")
  func unmapped() throws {
    let ground = try FaultGround(.full)
    let folder = try TemporaryFolder()
    // Detached, so that the shell's number is that of the program, which is in the file's name.
    let script =
      "exec strace -D -f -qq -o \"$0\" -P \"$PWD/.out.mbtiles.tmp-$$\" -e trace=mmap"
      + " -e inject=mmap:error=EIO \"$@\""
    let trial = try ground.trial(launcher: ["sh", "-c", script, folder.path("trace")])
    #expect(trial.outcome.status == 0, "\(trial.outcome.errors)")
    #expect(trial.complaints.isEmpty, "\(trial.complaints)")
    // The tracer ends a little later than the program.
    let patience = ContinuousClock.now + .seconds(20)
    var trace = ""
    while !trace.contains("INJECTED"), ContinuousClock.now < patience {
      trace = (try? String(contentsOfFile: folder.path("trace"), encoding: .utf8)) ?? ""
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(trace.contains("INJECTED"))
  }

  @Test(
    "failing system calls for the program's file, arguments, signals and threads do not trap",
    arguments: ["EIO", "EAGAIN", "EMFILE"])
  func ownFile(error: String) throws {
    let ground = try FaultGround(.taps)
    let places = ["/proc/self/exe", "/proc/self/maps", Program.url.path]
    var calls = try ground.calls(["openat", "read", "readlink"], concerning: places)
    calls += ["epoll_create1", "eventfd2", "clone3"].map {
      SystemCall(name: $0, ordinal: 1, line: "whatever it is for")
    }
    #expect(calls.contains { $0.name == "read" && $0.line.contains(Program.url.path) })
    for call in calls.sample(runsSlowTests ? 20 : 2) {
      let trial = try ground.inject("error=\(error)", into: call)
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      if Self.isOfOthers(call, status) { continue }
      #expect(status == 0 || status == 74, "\(error) of \(call): \(status) \(errors)")
      #expect(trial.complaints.isEmpty, "\(error) of \(call): \(status) \(trial.complaints)")
    }
  }

  @Test("a failing read of the output, or of an archive, is a failure of the disk in every command")
  func unreadable() throws {
    for scenario in [Scenario.extraction, .verification] {
      let ground = try FaultGround(scenario)
      let calls = try ground.calls(["pread64"])
      #expect(calls.count > 3)
      for call in calls.sample(runsSlowTests ? 40 : 4) {
        let trial = try ground.inject("error=EIO", into: call)
        let (status, errors) = (trial.outcome.status, trial.outcome.errors)
        if Self.isOfOthers(call, status) { continue }
        #expect(status == 0 || status == 74, "\(call): \(status) \(errors)")
        #expect(status == 0 || errors.contains("mbtiles"), "\(call): \(errors)")
        #expect(trial.complaints.isEmpty, "\(call): \(trial.complaints)")
      }
    }
  }

  /// A scenario with the ends of the names of files that it reads, and an error that strace gives.
  static let machineFaults: [(Scenario, [String], String)] = ["EMFILE", "ENOMEM", "EIO"].flatMap {
    [
      (.unpacking, ["/out.pmtiles"], $0), (.part, ["/artifacts/", "/plan.json"], $0),
      (.label, [".ttf", "/dejavu"], $0),
    ]
  }

  @Test(
    "a want or defect of the machine is told in its words, and never as a fault of the file",
    arguments: machineFaults)
  func machine(scenario: Scenario, files: [String], error: String) throws {
    let ground = try FaultGround(scenario)
    let calls = try ground.calls(["openat"], concerning: files)
    #expect(!calls.isEmpty)
    var failures = 0
    for call in calls.sample(runsSlowTests ? 20 : 2) {
      let trial = try ground.inject("error=\(error)", into: call)
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      if Self.isOfOthers(call, status) { continue }
      #expect(status == 0 || status == 74, "\(call): \(status) \(errors)")
      #expect(trial.complaints.isEmpty, "\(call): \(trial.complaints)")
      if status != 0 { failures += 1 }
    }
    #expect(failures > 0)
  }

  @Test("a system call that fails once with EINTR is retried")
  func interrupted() throws {
    let ground = try FaultGround(.full)
    let names = ["openat", "read", "pread64", "write", "pwrite64", "fsync", "flock"]
    for call in try ground.calls(names).sample(runsSlowTests ? 4 : 0) {
      let trial = try ground.inject("error=EINTR", into: call)
      if Self.isOfOthers(call, trial.outcome.status) { continue }
      #expect(trial.outcome.status == 0, "\(call): \(trial.outcome.errors)")
      #expect(trial.complaints.isEmpty, "\(call): \(trial.complaints)")
    }
  }
}
