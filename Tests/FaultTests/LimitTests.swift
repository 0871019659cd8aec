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

  @Test("a limit of processes leaves a run fewer threads, and the archive of any other")
  func processes() throws {
    guard Machine.changesUser else {
      print("faults: skipped the limit of processes: \(Machine.root)")
      return
    }
    // Root has no such limit. What other tests run as that user counts, too.
    let limits = runsSlowTests ? Array(1...12) + [20, 40, 64, 72, 100] : [1, 3, 64]
    for scenario in [Scenario.full, .incremental] {
      let ground = try FaultGround(scenario)
      for limit in limits {
        let folder = try ground.folder()
        try PlaceTests.give(folder.url, to: 65534)
        let launcher = Machine.asNobody + ["timeout", "120", "prlimit", "--nproc=\(limit)"]
        let outcome = try ground.run(in: folder, launcher, more: ["-j", "70"])
        let trial = try ground.judge(outcome, in: folder.url) {
          try ground.run(in: folder, Machine.asNobody, again: true)
        }
        #expect(outcome.status == 0, "\(limit): \(outcome.status) \(outcome.errors)")
        #expect(trial.complaints.isEmpty, "\(limit): \(trial.complaints)")
      }
    }
  }

  @Test("a limit of processes that refuses a child ends a run with 74 and one sentence")
  func children() throws {
    guard Machine.changesUser, Machine.converts else {
      print("faults: skipped the limit of children: \(Machine.root), and GDAL's programs")
      return
    }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>a</name>
      <Point><coordinates>8,50</coordinates></Point></Placemark></kml>
      """, to: "a.kml")
    try folder.write(
      """
      version: 1
      sources: {s: {type: ogr, data: a.kml}}
      layers: [{id: a, type: circle, source: s}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "sample.yml")
    try PlaceTests.give(folder.url, to: 65534)
    for (limit, status) in [(1, 74), (200, 0)] as [(Int, Int32)] {
      let launcher = Machine.asNobody + ["timeout", "120", "prlimit", "--nproc=\(limit)"]
      let run = try Program.Run(["build", "-q", "sample.yml"], in: folder, launcher: launcher)
        .finish()
      #expect(
        run.status == status && run.errorLines.count == (status == 0 ? 0 : 1), "\(run.errors)")
      #expect(run.errors.contains("cannot start") == (status != 0), "\(run.errors)")
    }
  }

  @Test("a run with too little address space ends with 74 and a sentence, and never by a signal")
  func addressSpace() throws {
    let ground = try FaultGround(.incremental)
    var ends: Set<Int32> = []
    // In kB: below what the libraries take, the loader ends the process.
    for size in stride(from: 250_000, through: 700_000, by: runsSlowTests ? 25_000 : 90_000) {
      let trial = try ground.trial(
        launcher: ["env", "SWIFT_BACKTRACE=enable=no"] + Self.shell("ulimit -v \(size)"))
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      #expect([0, 74, 127].contains(status), "\(size) kB: \(status) \(errors)")
      #expect(status != 74 || errors.contains("error: "), "\(size) kB: \(errors)")
      ends.insert(status)
    }
    #expect(ends.contains(0))
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
