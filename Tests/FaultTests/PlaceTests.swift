import Foundation
import TestSupport
import Testing

/// What stands where the archive, its lock or its folder should be.
@Suite("A place to publish")
struct PlaceTests {
  /// Something done to the folder, and how the run then ends.
  struct Obstacle: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int32
    var says: String
    /// Whether the run is that of a user without the rights of root.
    var isForeign = false
    var arguments: [String] = []
    var place: @Sendable (TemporaryFolder) throws -> Void
    var remove: @Sendable (TemporaryFolder) throws -> Void

    var testDescription: String { name }
  }

  private static func mode(_ mode: Int, _ name: String)
    -> @Sendable (TemporaryFolder) throws -> Void
  {
    { folder in
      try FileManager.default.setAttributes(
        [.posixPermissions: mode], ofItemAtPath: name.isEmpty ? folder.url.path : folder.path(name))
    }
  }

  private static func remove(_ name: String) -> @Sendable (TemporaryFolder) throws -> Void {
    { try FileManager.default.removeItem(atPath: $0.path(name)) }
  }

  static let obstacles = [
    Obstacle(
      name: "the lock is a folder", status: 73, says: ".out.mbtiles.lock",
      place: { try $0.write("", to: ".out.mbtiles.lock/x") }, remove: remove(".out.mbtiles.lock")),
    Obstacle(
      name: "the lock is a symbolic link", status: 74, says: ".out.mbtiles.lock",
      place: { folder in
        try FileManager.default.createSymbolicLink(
          atPath: folder.path(".out.mbtiles.lock"), withDestinationPath: folder.path("places.csv"))
      }, remove: remove(".out.mbtiles.lock")),
    Obstacle(
      name: "the folder may not be written", status: 77, says: "out.mbtiles",
      isForeign: true, place: mode(0o555, ""), remove: mode(0o755, "")),
    Obstacle(
      name: "the lock belongs to somebody else", status: 77, says: "out.mbtiles",
      isForeign: true,
      place: { folder in
        try folder.write("", to: ".out.mbtiles.lock")
        try FileManager.default.setAttributes(
          [.ownerAccountID: 0, .posixPermissions: 0o600],
          ofItemAtPath: folder.path(".out.mbtiles.lock"))
      }, remove: remove(".out.mbtiles.lock")),
    Obstacle(
      name: "the data may not be read", status: 77, says: "places.csv", isForeign: true,
      place: mode(0, "places.csv"), remove: mode(0o644, "places.csv")),
    Obstacle(
      name: "the pipeline may not be read", status: 77, says: "sample.yml", isForeign: true,
      place: mode(0, "sample.yml"), remove: mode(0o644, "sample.yml")),
    Obstacle(
      name: "the folder for temporary files is not there", status: 73, says: "no-such",
      arguments: ["--tmpdir", "DIR/no-such"], place: { _ in }, remove: { _ in }),
    Obstacle(
      name: "the folder for temporary files is a file", status: 73, says: "places.csv",
      arguments: ["--tmpdir", "DIR/places.csv"], place: { _ in }, remove: { _ in }),
  ]

  @Test(
    "a publication over an obstacle ends the run with its status; the next run publishes",
    arguments: runsSlowTests ? obstacles : [obstacles[0], obstacles[2], obstacles[6]])
  func obstacle(obstacle: Obstacle) throws {
    guard !obstacle.isForeign || Machine.changesUser else {
      print("faults: skipped '\(obstacle.name)': \(Machine.root)")
      return
    }
    let ground = try FaultGround(.full)
    let folder = try ground.folder()
    if obstacle.isForeign { try Self.give(folder.url, to: 65534) }
    try obstacle.place(folder)
    let launcher = obstacle.isForeign ? Machine.asNobody : []
    let outcome = try ground.run(in: folder, launcher, more: obstacle.arguments)
    #expect(outcome.status == obstacle.status, "\(outcome.errors)")
    #expect(outcome.errors.contains(obstacle.says), "\(outcome.errors)")
    let trial = try ground.judge(outcome, in: folder.url) {
      try obstacle.remove(folder)
      return try ground.run(in: folder, launcher, again: true)
    }
    #expect(trial.complaints.isEmpty, "\(trial.complaints)")
  }

  static func give(_ folder: URL, to owner: Int) throws {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    for path in [folder.path] + paths.map({ folder.appendingPathComponent($0).path }) {
      try FileManager.default.setAttributes([.ownerAccountID: owner], ofItemAtPath: path)
    }
  }

  /// What stands where a file should be put, and a word of the sentence about it.
  private static let targets:
    [(name: String, place: @Sendable (TemporaryFolder) -> String, says: String)] = [
      (
        "pipe",
        { folder in
          mkfifo(folder.path("target.mbtiles"), 0o644)
          return "target.mbtiles"
        }, "is a pipe, a socket or a device"
      ),
      (
        "device",
        { folder in
          symlink("/dev/null", folder.path("target.mbtiles"))
          return "target.mbtiles"
        }, "is a pipe, a socket or a device"
      ),
      (
        "folder",
        { folder in
          mkdir(folder.path("target.mbtiles"), 0o755)
          return "target.mbtiles"
        }, "is a folder"
      ),
      ("long name", { _ in String(repeating: "n", count: 240) + ".mbtiles" }, "is too long"),
      (
        "long path",
        { folder in
          let name = String(repeating: "f", count: 120)
          let path = [name, name, name, name].joined(separator: "/")
          try? FileManager.default.createDirectory(
            atPath: folder.path(path), withIntermediateDirectories: true)
          return path + "/target.mbtiles"
        }, "is too long"
      ),
    ]

  @Test(
    "a place where no archive can be put is refused at once, by 'check' too",
    arguments: targets.indices)
  func target(index: Int) throws {
    let (name, place, says) = Self.targets[index]
    let sample = try Sample(rows: 60)
    try sample.build()
    let target = place(sample.folder)
    let text = try String(contentsOfFile: sample.pipeline, encoding: .utf8)
    try sample.folder.write(text.replacing("out.mbtiles", with: target), to: "into.yml")
    let before = try sample.folder.names()
    for command in [
      ["build", "into.yml"], ["check", "into.yml"], ["build", sample.pipeline, "-o", target],
      ["extract", sample.archive, "-o", target],
    ] {
      let run = try Program.Run(
        command, in: sample.folder, launcher: ["timeout", "-s", "KILL", "60"]
      )
      .finish()
      #expect(run.status == 73 && run.errors.contains(says), "\(name), \(command): \(run.errors)")
      #expect(run.errorLines.count == 1, "\(name), \(command): \(run.errors)")
    }
    #expect(try sample.folder.names() == before)
    // Pictures and answers are not limited by SQLite.
    guard name != "long path" else { return }
    for command in [
      ["tile", sample.pipeline, "0/0/0", "-o", target], ["query", sample.pipeline, "-o", target],
      ["render", sample.pipeline, "--bbox=-9,-9,9,9", "-o", target],
      ["build", sample.pipeline, "--report", target],
    ] {
      let run = try Program.Run(command, in: sample.folder).finish()
      #expect(run.status == 73 && run.errors.contains(says), "\(name), \(command): \(run.errors)")
    }
    #expect(try sample.folder.names() == before)
  }

  @Test("a folder with the archive's name is refused, and stays")
  func folderOfTheName() throws {
    let sample = try Sample(rows: 60)
    try sample.folder.write("kept", to: "out.mbtiles/file")
    let run = try Program.run("build", "-q", sample.pipeline)
    #expect(run.status == 73 && run.errorLines.count == 1, "\(run.errors)")
    #expect(try sample.folder.bytes("out.mbtiles/file") == Array("kept".utf8))
    // Before anything was read.
    #expect(run.errors.contains("is a folder"))
    #expect(try sample.folder.names() == ["out.mbtiles", "places.csv", "sample.yml"])
  }

  @Test("a symbolic link is replaced by the archive; its target stays")
  func link() throws {
    let sample = try Sample(rows: 60)
    try sample.folder.write("elsewhere", to: "other/old.mbtiles")
    try FileManager.default.createSymbolicLink(
      atPath: sample.archive, withDestinationPath: sample.folder.path("other/old.mbtiles"))
    try sample.build()
    #expect(try sample.folder.bytes("other/old.mbtiles") == Array("elsewhere".utf8))
    let type = try FileManager.default.attributesOfItem(atPath: sample.archive)[.type]
    #expect(type as? FileAttributeType == .typeRegular)
    #expect(try Program.run("verify", sample.archive).status == 0)
  }

  @Test(
    "an unreadable archive is a permission error for each reader",
    .enabled(if: Machine.changesUser, "\(Machine.root)"))
  func unreadable() throws {
    let sample = try Sample(rows: 60)
    try sample.build()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sample.archive)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: sample.folder.url.path)
    for command in [
      ["verify", sample.archive], ["inspect", sample.archive],
      ["extract", sample.archive, "-o", sample.folder.path("part.mbtiles")],
      ["export", sample.archive, sample.folder.path("out.pmtiles")],
      ["diff", sample.archive, sample.archive], ["query", "--tap", "0,0", sample.archive],
    ] {
      let run = try Program.Run(command, launcher: Machine.asNobody).finish()
      #expect(run.status == 77 && run.errorLines.count == 1, "\(command): \(run.errors)")
      #expect(run.errors.contains("may not be read; give this user read permission."))
    }
  }

  @Test("leftovers of killed runs are removed, whoever has their number now; others stay")
  func leftovers() throws {
    let sample = try Sample(rows: 60)
    // Above the highest number of a process that Linux gives, so it is nobody's.
    let dead = ["tmp-4194305", "tmp-4194305-journal", "tmp-4194305-images"]
    for name in dead { try sample.folder.write("x", to: ".out.mbtiles.\(name)") }
    try sample.folder.write("x", to: ".out.report.json.tmp-4194305")
    // Who holds the lock is the only one who writes, so a living process of that number is another.
    let number = ProcessInfo.processInfo.processIdentifier
    try sample.folder.write("x", to: ".out.mbtiles.tmp-\(number)")
    let foreign = [".other.mbtiles.tmp-4194305", ".out.mbtiles.tmp-x", "out.mbtiles.tmp-4194305"]
    for name in foreign { try sample.folder.write("x", to: name) }
    try sample.build("--no-cache")
    #expect(
      try Set(sample.folder.names())
        == Set(
          foreign + [
            "out.legend.json", "out.legend.png", "out.mbtiles", "out.report.json", "out.style.json",
            "out.tilejson", "places.csv", "sample.yml",
          ]))
  }

  @Test(
    "a published file takes its mode from the umask, whatever the old archive's was",
    arguments: [0, 0o002, 0o022, 0o077])
  func umask(mask: Int) throws {
    let sample = try Sample(rows: 60)
    try sample.build()
    let first = try sample.folder.bytes("out.mbtiles")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: sample.archive)
    let run = try Program.Run(
      ["build", "-q", "--force", sample.pipeline],
      launcher: ["sh", "-c", "umask \(String(mask, radix: 8)); exec \"$@\"", "sh"]
    ).finish()
    #expect(run.status == 0, "\(run.errors)")
    let mode = try FileManager.default.attributesOfItem(atPath: sample.archive)[.posixPermissions]
    #expect(mode as? Int == 0o666 & ~mask)
    #expect(try sample.folder.bytes("out.mbtiles") == first)
  }
}
