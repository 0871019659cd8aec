import Foundation
import TestSupport
import Testing

/// The lines for cron that the documents and the installation have, run as cron runs them.
@Suite("Lines of a crontab")
struct CrontabTests {
  /// A command with the environment that cron gives it.
  private struct Line {
    var environment: [String: String]
    var command: String
  }

  /// A machine with the program in `/usr/local/bin` and a pipeline in `/srv/maps`, both moved below
  /// a temporary folder.
  private struct Machine {
    let folder: TemporaryFolder
    let line: Line

    /// The folder of the pipeline and its archive.
    let maps: String

    init(_ text: String, hasUser: Bool) throws {
      folder = try TemporaryFolder()
      let moved = text.replacing("/usr/local/bin", with: folder.path("bin"))
        .replacing("/srv/maps", with: folder.path("maps"))
      line = try #require(Self.lines(of: moved, hasUser: hasUser, home: folder.url.path).last)
      let pipeline = try #require(line.command.split(separator: " ").last)
      let file = "maps/\(pipeline)"
      maps = file.split(separator: "/").dropLast().joined(separator: "/")
      try folder.write(Sample.yaml(Sample.Settings()), to: file)
      try folder.write(Sample.csv(Sample.rows(20)), to: "\(maps)/places.csv")
      try FileManager.default.createDirectory(
        atPath: folder.path("bin"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("bin/quadrille"), withDestinationPath: Program.url.path)
    }

    /// The lines with a time in a table; names with values are set for those after them.
    ///
    /// - Parameter hasUser: whether a user follows the time, as in `/etc/cron.d`.
    private static func lines(of text: String, hasUser: Bool, home: String) -> [Line] {
      // What cron sets by itself: see crontab(5).
      var environment = [
        "PATH": "/usr/bin:/bin", "SHELL": "/bin/sh", "HOME": home, "LOGNAME": "quadrille",
      ]
      var lines: [Line] = []
      for row in text.split(separator: "\n") where !row.hasPrefix("#") {
        if let setting = row.wholeMatch(of: /(\w+)=(.*)/) {
          environment[String(setting.1)] = String(setting.2)
          continue
        }
        let words = row.split(separator: " ", maxSplits: hasUser ? 6 : 5)
        // Cron takes a percent sign for the end of the line.
        guard let command = words.last, !command.contains("%") else { continue }
        lines.append(Line(environment: environment, command: String(command)))
      }
      return lines
    }

    /// Runs the line.
    func run() throws -> Program.Outcome {
      let settings = line.environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      let shell = line.environment["SHELL"] ?? "/bin/sh"
      return try Program.Run(
        ["-i"] + settings + [shell, "-c", line.command], in: folder, program: "/usr/bin/env"
      ).finish()
    }
  }

  private static let tables = ["docs/cron.md", "docs/tutorial.md", "dist/quadrille.cron"]

  private static func machine(_ document: String) throws -> Machine {
    guard document.hasSuffix(".md") else {
      return try Machine(CodeBlock.text(document), hasUser: true)
    }
    let block = try CodeBlock.blocks(of: document).last {
      $0.text.contains("* * *") && $0.text.contains("quadrille build")
    }
    return try Machine(try #require(block).text, hasUser: false)
  }

  @Test(
    "a line of a crontab publishes in cron's own environment, without a word", arguments: tables)
  func publishes(document: String) throws {
    let machine = try Self.machine(document)
    for _ in 0..<2 {
      let run = try machine.run()
      #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: machine.folder.path("maps"))
    #expect(try !machine.folder.bytes("\(machine.maps)/out.mbtiles").isEmpty)
    #expect(names.contains("quadrille.prom") == machine.line.command.contains("--metrics"))
  }

  @Test("a line of a crontab leaves the archive to another run, without a word", arguments: tables)
  func meets(document: String) throws {
    let machine = try Self.machine(document)
    let lock = try FileLockHolder(machine.folder.path("\(machine.maps)/.out.mbtiles.lock"))
    let run = try machine.run()
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run)")
    lock.release()
    #expect(try machine.run().status == 0)
    #expect(try !machine.folder.bytes("\(machine.maps)/out.mbtiles").isEmpty)
  }

  @Test("a line of a crontab says in one sentence that the data is not there", arguments: tables)
  func fails(document: String) throws {
    let machine = try Self.machine(document)
    try FileManager.default.removeItem(atPath: machine.folder.path("\(machine.maps)/places.csv"))
    let run = try machine.run()
    #expect(run.status == 66 && run.output.isEmpty && run.errorLines.count == 1, "\(run)")
  }
}
