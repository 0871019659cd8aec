import Foundation
import TestSupport
import Testing

/// The exit codes that the help promises, each by a real run; 130 and 143 are in `SignalTests`, 70 is
/// a fault that no input may cause (`ErrorTests` has its mapping).
@Suite("The exit code of a run")
struct ExitCodeTests {
  /// A way to end, as arguments of a shell: `$0` is the program, `$1` the pipeline, `$2` the archive.
  struct Ending: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int32
    var script: String
    var source: String?
    var output: String?

    var testDescription: String { "\(status) \(name)" }
  }

  static let endings = [
    Ending(name: "published", status: 0, script: "\"$0\" build -q \"$1\""),
    Ending(
      name: "unchanged", status: 0, script: "\"$0\" build -q \"$1\" && \"$0\" build -q \"$1\""),
    Ending(name: "usage", status: 64, script: "\"$0\" build \"$1\" --max-seconds=-1"),
    Ending(
      name: "metrics that no collector would read", status: 64,
      script: "\"$0\" build \"$1\" --metrics out.txt"),
    Ending(
      name: "bad data", status: 65, script: "echo 1,95,x,1 >>places.csv; \"$0\" build \"$1\""),
    Ending(
      name: "an archive that is none", status: 65,
      script: "echo no >\"$2\"; \"$0\" verify \"$2\""),
    Ending(name: "no input", status: 66, script: "rm places.csv; \"$0\" build \"$1\""),
    Ending(
      name: "not fetched", status: 69, script: "\"$0\" build \"$1\" --offline",
      source: "http://127.0.0.1:9/places.csv"),
    Ending(
      name: "no folder", status: 73, script: "\"$0\" build \"$1\"",
      output: "path: no/such/out.mbtiles"),
    Ending(
      name: "no folder for metrics", status: 73,
      script: "\"$0\" build -q \"$1\" --metrics no/such/out.prom"),
    Ending(
      name: "standard output is full", status: 74,
      script: "\"$0\" build -q \"$1\" && \"$0\" inspect \"$2\" >/dev/full"),
    Ending(
      name: "a file may not grow", status: 74,
      script: "trap '' XFSZ; ulimit -f 8; \"$0\" build \"$1\""),
    Ending(
      name: "out of time", status: 75, script: "\"$0\" build \"$1\" --max-seconds 0.000001"),
    Ending(
      name: "out of time again, no farther", status: 76,
      script: """
        "$0" build -q "$1" --max-seconds 0.000001 2>/dev/null
        "$0" build "$1" --max-seconds 0.000001
        """),
    Ending(
      name: "not permitted", status: 77, script: "\"$0\" build \"$1\"",
      output: "path: /sys/out.mbtiles"),
    Ending(
      name: "bad pipeline", status: 78, script: "echo nonsense: 1 >>\"$1\"; \"$0\" build \"$1\""),
  ]

  @Test("the exit code of a run is the documented one, with one sentence", arguments: endings)
  func code(ending: Ending) throws {
    #if os(Linux)
      var settings = Sample.Settings()
      if let output = ending.output { settings.output = output }
      let sample = try Sample(settings)
      if let source = ending.source {
        let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
        try sample.folder.write(
          text.replacing("data: places.csv", with: "data: \(source)"), to: "sample.yml")
      }
      let run = try Program.Run(
        ["-c", ending.script, Program.url.path, sample.pipeline, sample.archive],
        in: sample.folder, program: "/bin/sh"
      ).finish()
      #expect(run.status == ending.status, "\(run.errors)")
      #expect(run.errors.isEmpty == (ending.status == 0), "\(run.errors)")
      if ending.status != 64, ending.status != 0 {
        #expect(run.errorLines.last?.hasPrefix("error: ") == true, "\(run.errors)")
      }
      #expect(try !sample.folder.names().contains { $0.contains("tmp") })
    #endif
  }
}
