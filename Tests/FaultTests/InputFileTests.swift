import Foundation
import Platform
import TestSupport
import Testing

/// Inputs that are no ordinary files: refused in one sentence, at once.
@Suite("An input that is not a file")
struct InputFileTests {
  /// Something in the place of the data.
  enum Kind: String, CaseIterable, Sendable {
    case pipe
    case folder
    case zeros = "/dev/zero"
    case nothing = "/dev/null"
    case loop
    case socket
    case below
  }

  static let commands: [[String]] =
    [["build", "-q"]] + (runsSlowTests ? [["check"], ["plan"], ["query"]] : [])

  static let kinds: [Kind] = runsSlowTests ? Kind.allCases : [.pipe, .folder, .zeros]

  @Test(
    "an input that is not a file is refused by each command without waiting", arguments: kinds,
    commands)
  func refused(kind: Kind, command: [String]) throws {
    // Who reads once waits for the writer of a pipe, as every program does; a build reads twice.
    guard kind != .pipe || command[0] == "build" else { return }
    let sample = try Sample(rows: 60)
    try sample.build()
    let before = try sample.folder.bytes("out.mbtiles")
    let names = try sample.folder.names()
    let data = sample.folder.path("places.csv")
    try FileManager.default.removeItem(atPath: data)
    switch kind {
    case .pipe: #expect(mkfifo(data, 0o644) == 0)
    case .folder:
      try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
    case .loop: symlink("places.csv", data)
    case .zeros, .nothing: symlink(kind.rawValue, data)
    case .socket: try Self.socket("places.csv", in: sample.folder)
    case .below: symlink("sample.yml/places.csv", data)
    }
    let run = try Program.Run(
      command + [sample.pipeline], launcher: ["timeout", "-s", "KILL", "30"]
    ).finish()
    #expect([65, 66, 74, 77, 78].contains(run.status), "\(run.status) \(run.errors)")
    #expect(run.errorLines.count == 1 && run.errors.contains("places.csv"), "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    unlink(data)
    try? FileManager.default.removeItem(atPath: data)
    try sample.folder.write(Sample.csv(Sample.rows(60)), to: "places.csv")
    try sample.build("--force")
    #expect(try sample.folder.bytes("out.mbtiles") == before)
    #expect(try sample.folder.names() == names)
  }

  /// Binds a socket to a name, relative since an address has room for 100 bytes only.
  private static func socket(_ name: String, in folder: TemporaryFolder) throws {
    let script = "import socket as s; s.socket(s.AF_UNIX).bind('\(name)')"
    _ = try Program.runInstalled(["python3", "-c", script], in: folder.url)
  }
}
