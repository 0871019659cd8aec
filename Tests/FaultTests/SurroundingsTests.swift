import Foundation
import TestSupport
import Testing

/// What surrounds a process: environment, streams, folder, clock.
@Suite("The surroundings of a run")
struct SurroundingsTests {
  /// A launcher, and how the run ends in spite or because of it.
  struct Surroundings: Sendable, CustomTestStringConvertible {
    var name: String
    var launcher: [String]
    var status: Int32 = 0
    /// Without `-q`, so that a summary goes to standard output.
    var isLoud = false
    /// Whether it is tried in the short run as well.
    var isTelling = false

    var testDescription: String { name }
  }

  private static func shell(_ script: String) -> [String] { ["sh", "-c", script, "sh"] }

  static let surroundings: [Surroundings] = [
    .init(
      name: "an empty environment",
      launcher: ["env", "-i"]
        + (ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ["LD_LIBRARY_PATH=\($0)"] }
          ?? [])),
    .init(name: "no HOME", launcher: ["env", "-u", "HOME", "-u", "USER", "-u", "TMPDIR"]),
    .init(name: "an empty PATH", launcher: shell("PATH= ; export PATH; exec \"$@\"")),
    .init(
      name: "Turkish", launcher: ["env", "LC_ALL=tr_TR.UTF-8", "LANG=tr_TR.UTF-8"], isTelling: true),
    .init(name: "German", launcher: ["env", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de"]),
    .init(name: "a locale that there is not", launcher: ["env", "LC_ALL=xx_YY.klingon"]),
    .init(name: "Kiritimati", launcher: ["env", "TZ=Pacific/Kiritimati"]),
    .init(name: "a time zone that there is not", launcher: ["env", "TZ=:/dev/full"]),
    .init(name: "the root folder", launcher: shell("cd /; exec \"$@\"")),
    .init(
      name: "a folder that is gone",
      launcher: shell("d=$(mktemp -d); cd \"$d\"; rmdir \"$d\"; exec \"$@\"")),
    .init(
      name: "a large environment",
      launcher: shell("A=$(head -c 100000 /dev/zero | tr '\\0' x); export A; exec \"$@\"")),
    .init(name: "a low stack", launcher: shell("ulimit -s 1024; exec \"$@\"")),
    .init(name: "no standard input", launcher: shell("exec \"$@\" <&-")),
    .init(name: "no standard error", launcher: shell("exec \"$@\" 2>&-"), isLoud: true),
    .init(name: "a full standard error", launcher: shell("exec \"$@\" 2>/dev/full"), isLoud: true),
    .init(name: "no standard output, quiet", launcher: shell("exec \"$@\" >&-"), isTelling: true),
    .init(name: "no streams, quiet", launcher: shell("exec \"$@\" <&- >&- 2>&-")),
    .init(
      name: "no standard output", launcher: shell("exec \"$@\" >&-"), status: 74, isLoud: true),
    .init(
      name: "a full standard output", launcher: shell("exec \"$@\" >/dev/full"), status: 74,
      isLoud: true),
    .init(
      name: "no streams", launcher: shell("exec \"$@\" <&- >&- 2>&-"), status: 74, isLoud: true,
      isTelling: true),
  ]

  /// What all of them must make.
  private static let expected = Result {
    let sample = try Sample(rows: 60)
    try sample.build("--no-cache")
    return try sample.folder.bytes("out.mbtiles")
  }

  @Test(
    "the surroundings of a run change no byte of the archive",
    arguments: surroundings.filter { runsSlowTests || $0.isTelling })
  func same(surroundings: Surroundings) throws {
    let sample = try Sample(rows: 60)
    let run = try Program.Run(
      ["build", sample.pipeline] + (surroundings.isLoud ? [] : ["-q"]),
      launcher: surroundings.launcher
    ).finish()
    #expect(run.status == surroundings.status, "\(run.errors)")
    #expect(run.output.isEmpty || surroundings.isLoud)
    #expect(try sample.folder.bytes("out.mbtiles") == Self.expected.get())
    #expect(try sample.folder.names().allSatisfy { !$0.contains("tmp") && !$0.contains("lock") })
    #expect(try Program.run("build", "-q", sample.pipeline).status == 0)
  }

  @Test(
    "a run works with any clock", .enabled(if: Machine.clockLibrary != nil, "needs libfaketime"),
    arguments: ["1971-01-01 00:00:00", "2037-12-31 23:59:59", "+0 x-100", "2106-02-07 06:28:15"])
  func clock(time: String) throws {
    let sample = try Sample(rows: 60)
    let launcher = [
      "env", "LD_PRELOAD=\(Machine.clockLibrary ?? "")", "FAKETIME=\(time)",
      "FAKETIME_DONT_FAKE_MONOTONIC=1",
      // The library sets a variable in the first process that it is loaded into, and a Swift program
      // then finds no arguments: so that is not ours.
      "env",
    ]
    let run = try Program.Run(["build", sample.pipeline, "-q"], launcher: launcher).finish()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == Self.expected.get())
    // And back to the true time: nothing that was remembered confuses the next runs.
    try sample.folder.write(Sample.csv(Sample.rows(61)), to: "places.csv")
    let other = try Sample(rows: 61)
    #expect(try sample.build().archive.digest == other.build().archive.digest)
  }
}
