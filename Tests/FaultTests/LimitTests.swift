import TestSupport
import Testing

#if os(Linux)
  import Glibc
#endif

/// Limits that a shell, a service file or a container sets on a run.
@Suite("A run under a limit")
struct LimitTests {
  private static func shell(_ limit: String) -> [String] {
    ["sh", "-c", "\(limit) || exit 99; exec \"$@\"", "sh"]
  }

  @Test("a limit of file size ends a run with 74, at each size, and never by SIGXFSZ")
  func fileSize() throws {
    let ground = try FaultGround(.full)
    // In blocks of 512 bytes; the archive has some 60 kB.
    let sizes = runsSlowTests ? Array(stride(from: 0, through: 160, by: 8)) : [0, 40]
    var failures = 0
    for size in sizes {
      let trial = try ground.trial(launcher: Self.shell("ulimit -f \(size)"))
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      // The errors themselves go to a file, so that nothing can be said under a limit of 0.
      #expect(
        [0, 74].contains(status) && errors.count > 0 || size == 0, "\(size): \(status) \(errors)")
      #expect(trial.complaints.isEmpty || size == 0, "\(size): \(status) \(trial.complaints)")
      if status != 0 { failures += 1 }
    }
    #expect(failures > 0)
  }

  @Test("a limit of open files ends a run with one sentence, or it succeeds")
  func openFiles() throws {
    let ground = try FaultGround(.incremental)
    var statuses: [Int32] = []
    for count in runsSlowTests ? Array(4...20) : [5, 10] {
      // The language's own report of that would go on while the run ends with a sentence.
      let trial = try ground.trial(
        launcher: ["env", "SWIFT_BACKTRACE=enable=no"] + Self.shell("ulimit -n \(count)"))
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      #expect([0, 74].contains(status), "\(count): \(status) \(errors)")
      #expect(trial.complaints.isEmpty, "\(count): \(status) \(trial.complaints)")
      statuses.append(status)
    }
    #expect(statuses.contains { $0 != 0 })
  }

  @Test(
    "a limit of memory ends a run somehow, and the old archive or the new one stays",
    .enabled(if: runsSlowTests, "a long test: make test-long"))
  func memory() throws {
    let ground = try FaultGround(.incremental)
    // In kB of address space: from too little for the program to start to enough.
    for size in stride(from: 60_000, through: 900_000, by: 60_000) {
      let trial = try ground.trial(
        launcher: ["env", "SWIFT_BACKTRACE=enable=no"] + Self.shell("ulimit -v \(size)"))
      // The language ends a process that gets no memory; what it says then is its own.
      let complaints = trial.complaints.filter { !$0.contains(", said ") }
      #expect(complaints.isEmpty, "\(size) kB: \(trial.outcome.status) \(complaints)")
    }
  }
}
