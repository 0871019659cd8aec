import Foundation
import TestSupport
import Testing

/// A month of cron in a minute or two: one pipeline, runs at intervals, and everything that goes wrong
/// on a machine that nobody looks after.
@Suite(
  "A month of cron",
  .enabled(
    if: ProcessInfo.processInfo.environment["QUADRILLE_SLOW"] == "1", "long: set QUADRILLE_SLOW=1"))
struct CronMonthTests {
  @Test(
    "a month of cron never leaves a broken archive, a stale one after a good run, or a stray file",
    arguments: [1])
  func month(seed: UInt64) throws {
    var month = try CronMonth(seed: seed)
    for run in 0..<40 { try month.step(run) }
  }
}

/// The state of the simulated machine.
private struct CronMonth {
  /// What may happen at one of cron's times.
  enum Event: CaseIterable {
    case nothing, edit, style, overlap, kill, terminate, timeOut, halfWritten, missing,
      overTolerance
    case badPipeline, full, held

    /// How often it comes, relative to the others.
    var weight: Int {
      switch self {
      case .edit: 6
      case .nothing, .style, .kill: 3
      default: 2
      }
    }
  }

  private let sample: Sample
  private var random: SplitMix64
  private var rows: [String]
  private var radius = 6
  private var nextRow = 300
  /// The good inputs of the archive in place.
  private var digest = ""
  private var lastSuccess = 0.0

  init(seed: UInt64) throws {
    random = SplitMix64(seed: seed)
    rows = Sample.rows(300)
    var settings = Sample.Settings()
    settings.source = "onError: {max: 2}\n    cluster: true\n    clusterCellSize: 64"
    sample = try Sample(rows: 300, settings)
  }

  /// One of cron's times: something happens, the program runs, and everything must be as it should.
  mutating func step(_ number: Int) throws {
    // Each event once, the first of them a plain build; then by chance.
    let event = number < Event.allCases.count ? Event.allCases[number] : draw()
    try writeInputs()
    let note: Comment = "run \(number), \(event)"
    switch event {
    case .nothing: try expectSuccess(note)
    case .edit:
      edit()
      try writeInputs()
      try expectSuccess(note)
    case .style:
      radius = radius % 12 + 1
      try writeInputs()
      try expectSuccess(note)
    case .overlap: try overlap(note)
    case .kill: try interrupt(by: SIGKILL, note)
    case .terminate: try interrupt(by: [SIGTERM, SIGINT][draw(2)], note)
    case .timeOut: try timeOut(note)
    case .halfWritten, .missing, .overTolerance, .badPipeline: try badInput(event, note)
    case .full: try fullDisk(note)
    case .held: try held(note)
    }
    try checkArchive(note)
  }

  // MARK: Events

  /// Changes a few rows: some go, some move, some come.
  private mutating func edit() {
    for _ in 0...draw(4) where rows.count > 100 {
      let index = draw(rows.count)
      switch draw(3) {
      case 0: rows.remove(at: index)
      case 1: rows[index] = newRow()
      default: rows.append(newRow())
      }
    }
  }

  private mutating func newRow() -> String {
    nextRow += 1
    return Sample.rows(1, seed: UInt64(nextRow))[0].replacing("Place 0", with: "Place \(nextRow)")
  }

  /// Two runs at once: one publishes, the other does too, after it, or finds the lock.
  private mutating func overlap(_ note: Comment) throws {
    edit()
    try writeInputs()
    let runs = [try start("--force"), try start("--force")]
    let outcomes = try runs.map { try $0.finish() }
    let statuses = outcomes.map(\.status).sorted()
    #expect(statuses == [0, 0] || statuses == [0, 75], "\(note) \(outcomes)")
    try expectSuccess(note)
  }

  /// A signal at a random time of a run; the next run makes good.
  private mutating func interrupt(by signal: Int32, _ note: Comment) throws {
    edit()
    try writeInputs()
    let run = try start("--force", "-z", "9")
    usleep(UInt32(draw(400_000)))
    kill(run.process.processIdentifier, signal)
    let status = try run.finish().status
    // It may have been over, or not yet have listened.
    let ends = signal == SIGKILL ? [-SIGKILL, 0] : [128 + signal, -signal, 0]
    #expect(ends.contains(status), "\(note) \(status)")
    #expect(try Program.run("verify", "-q", sample.archive).status == 0, note)
    if signal != SIGKILL, status == 128 + signal {
      #expect(try temporaryFiles().isEmpty, note)
    }
    try expectSuccess(note)
  }

  private mutating func timeOut(_ note: Comment) throws {
    edit()
    try writeInputs()
    let run = try start("--force", "--max-seconds", "0.05").finish()
    #expect(run.status == 75 || run.status == 0, "\(note) \(run.errors)")
    if run.status == 75 {
      #expect(run.errors.contains("--max-seconds"), note)
      try checkMetrics(75, note)
    } else {
      try noteSuccess(note)
    }
    try expectSuccess(note)
  }

  /// Inputs that may not be published; the archive in place stays.
  private mutating func badInput(_ event: Event, _ note: Comment) throws {
    edit()
    let good = Sample.csv(rows)
    let part = good.utf8.count / 5
    var status: Int32 = 65
    switch event {
    case .halfWritten: try sample.folder.write(String(good.prefix(part)), to: "places.csv")
    case .missing:
      try FileManager.default.removeItem(atPath: sample.folder.path("places.csv"))
      status = 66
    case .overTolerance:
      try sample.folder.write(good + "1,95,N,1\n2,95,N,1\n3,95,N,1\n", to: "places.csv")
    default:
      try sample.folder.write("version: 1\nsources: [", to: "sample.yml")
      status = 78
    }
    let run = try start().finish()
    #expect(run.status == status && run.errorLines.count == 1, "\(note) \(run.errors)")
    try checkMetrics(status, note)
    try checkArchive(note)
    try writeInputs()
    try expectSuccess(note)
  }

  /// No file may grow beyond some kilobytes, as on a full disk.
  private mutating func fullDisk(_ note: Comment) throws {
    edit()
    try writeInputs()
    let run = try Program.Run(
      [
        "-c", "trap '' XFSZ; ulimit -f \(8 + draw(60)); exec \"$0\" build -q --force \"$1\"",
        Program.url.path, sample.pipeline,
      ], in: sample.folder, program: "/bin/sh"
    ).finish()
    #expect(run.status == 74 || run.status == 0, "\(note) \(run.status) \(run.errors)")
    #expect(try temporaryFiles().isEmpty, note)
    try checkArchive(nil)
    try expectSuccess(note)
  }

  /// Another program holds the lock: all the time, and for a while.
  private mutating func held(_ note: Comment) throws {
    let lock = try FileLockHolder(sample.folder.path(".out.mbtiles.lock"))
    let run = try start("--force").finish()
    #expect(run.status == 75 && run.errorLines.count == 1, "\(note) \(run.errors)")
    try checkMetrics(75, note)
    let before = try sample.folder.bytes("out.mbtiles")
    let skipped = try start("--force", "--if-locked", "skip").finish()
    #expect(skipped.status == 0 && skipped.errors.isEmpty, "\(note) \(skipped.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == before, note)
    edit()
    try writeInputs()
    let waiting = try start("--if-locked", "wait")
    usleep(UInt32(50_000 + draw(200_000)))
    #expect(waiting.process.isRunning, note)
    lock.release()
    let waited = try waiting.finish()
    #expect(waited.status == 0 && waited.errors.isEmpty, "\(note) \(waited.errors)")
    try noteSuccess(note)
    try expectSuccess(note)
  }

  // MARK: Runs

  private func start(_ options: String...) throws -> Program.Run {
    try Program.Run(
      ["build", "-q", "--metrics", "out.prom", sample.pipeline] + options, in: sample.folder)
  }

  private func writeInputs() throws {
    var settings = Sample.Settings()
    settings.source = "onError: {max: 2}\n    cluster: true\n    clusterCellSize: 64"
    settings.more = "expect: {features: {min: 90}}"
    settings.layers = settings.layers.replacing(
      "circle-radius: 6", with: "circle-radius: \(radius)")
    try sample.folder.write(Sample.yaml(settings), to: "sample.yml")
    let text = Sample.csv(rows)
    guard (try? sample.folder.bytes("places.csv")) != Array(text.utf8) else { return }
    try sample.folder.write(text, to: "places.csv")
  }

  /// A run that must publish, or find that nothing changed, without a word.
  private mutating func expectSuccess(_ note: Comment) throws {
    let run = try start().finish()
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(note) \(run.errors)")
    try noteSuccess(note)
    digest = try fullBuildDigest()
  }

  private mutating func noteSuccess(_ note: Comment) throws {
    let metrics = try Metrics(sample.folder.bytes("out.prom"))
    let time = metrics["last_success_timestamp_seconds"] ?? -1
    #expect(metrics["last_run_exit_code"] == 0 && time >= lastSuccess, note)
    lastSuccess = time
  }

  /// The bytes' hash of an archive built from the same inputs elsewhere, without anything to go on.
  private func fullBuildDigest() throws -> String {
    let other = try TemporaryFolder()
    for name in ["sample.yml", "places.csv"] {
      try other.write(String(decoding: sample.folder.bytes(name), as: UTF8.self), to: name)
    }
    let run = try Program.run(
      "build", "-q", "--no-cache", other.path("sample.yml"), in: other)
    #expect(run.status == 0, "\(run.errors)")
    let isEqual = try other.bytes("out.mbtiles") == sample.folder.bytes("out.mbtiles")
    #expect(isEqual, "the archive is not that of a full build")
    return Self.digest(try Program.run("verify", other.path("out.mbtiles")))
  }

  // MARK: Checks

  /// The archive is whole and that of the last good run, and nothing lies about.
  private func checkArchive(_ note: Comment?) throws {
    let verified = try Program.run("verify", sample.archive)
    #expect(verified.status == 0, "\(verified.errors)")
    if let note {
      #expect(Self.digest(verified) == digest, note)
      #expect(try temporaryFiles().isEmpty, note)
      #expect(try sample.leftovers().filter { $0 != "out.prom" }.isEmpty, note)
    }
  }

  private func checkMetrics(_ status: Int32, _ note: Comment) throws {
    let metrics = try Metrics(sample.folder.bytes("out.prom"))
    #expect(metrics["last_run_exit_code"] == Double(status), note)
    #expect(metrics["last_success_timestamp_seconds"] == lastSuccess, note)
  }

  private func temporaryFiles() throws -> [String] {
    try sample.folder.names().filter { $0.contains(".tmp-") }
  }

  /// The digest that `verify` computes.
  private static func digest(_ run: Program.Outcome) -> String {
    run.output.split(separator: " ").last.map(String.init) ?? ""
  }

  // MARK: Chance

  private mutating func draw(_ count: Int) -> Int { random.below(count) }

  private mutating func draw() -> Event {
    var rest = draw(Event.allCases.reduce(0) { $0 + $1.weight })
    for event in Event.allCases {
      rest -= event.weight
      if rest < 0 { return event }
    }
    return .nothing
  }
}
