import Foundation
import TestSupport
import Testing

/// Disks that are full, and disks that may not be written.
@Suite("A disk", .enabled(if: Machine.mounts, "\(Machine.root)"))
struct FullDiskTests {
  private static let page = 4096

  /// Runs a scenario on a disk of a size, then again with more room.
  private func trial(_ ground: FaultGround, pages: Int) throws -> FaultGround.Trial {
    let disk = try PrivateDisk("size=\(pages * Self.page)")
    try ground.fill(disk.url)
    let outcome = try ground.run(in: disk.folder, disk.launcher)
    return try ground.judge(outcome, in: disk.url) {
      try disk.remount("size=64m")
      return try ground.run(in: disk.folder, disk.launcher, again: true)
    }
  }

  @Test(
    "a disk too small for the new archive ends the run with 74 at each size; the old one stays",
    arguments: runsSlowTests ? [Scenario.full, .incremental] : [.full])
  func output(scenario: Scenario) throws {
    let ground = try FaultGround(scenario)
    // The template's files fit, and a few of the new archive's 12 pages or more.
    let least = try ground.size(page: Self.page) / Self.page + 2
    let sizes = runsSlowTests ? Array(least...(least + 40)).filter { $0 % 3 == 0 } : [least]
    var failures = 0
    for pages in sizes {
      let trial = try trial(ground, pages: pages)
      let (status, errors) = (trial.outcome.status, trial.outcome.errors)
      #expect([0, 74].contains(status), "\(pages) pages: \(status) \(errors)")
      #expect(trial.complaints.isEmpty, "\(pages) pages: \(status) \(trial.complaints)")
      if status != 0 { failures += 1 }
    }
    #expect(failures > 0)
    if runsSlowTests { print("faults: full disk: \(failures) of \(sizes.count) sizes were full") }
  }

  @Test("a disk too small for a GeoPackage ends the run with 74, and the file is named")
  func geoPackage() throws {
    let sample = try Sample()
    try #require(
      Program.run("build", sample.pipeline, "-q", in: sample.folder).status == 0)
    let commands = [
      ["query", sample.pipeline, "--format", "gpkg", "-o"],
      ["export", sample.folder.path("out.mbtiles")],
    ]
    for command in commands {
      let disk = try PrivateDisk("size=\(4 * Self.page)")
      let path = disk.folder.path("t.gpkg")
      let outcome = try Program.Run(
        command + [path], in: sample.folder, launcher: disk.launcher
      ).finish()
      let isNamed = outcome.errors.contains("cannot write \(path): ")
      #expect(outcome.status == 74 && isNamed, "\(outcome)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: disk.url.path) == [])
    }
  }

  @Test("a disk too small for temporary files ends the run with 74")
  func temporary() throws {
    let ground = try FaultGround(.full)
    for pages in runsSlowTests ? [0, 1, 2, 4, 8] : [0] {
      let disk = try PrivateDisk("size=\(max(1, pages) * Self.page)")
      if pages == 0 { try Data(count: Self.page).write(to: disk.url.appendingPathComponent("x")) }
      let trial = try ground.trial(
        launcher: disk.launcher, more: ["--tmpdir", disk.folder.url.path])
      // A page may hold what a small archive needs: the images that come back.
      let isEnough = pages > 0 && trial.outcome.status == 0
      #expect(trial.outcome.status == 74 || isEnough, "\(pages) pages: \(trial.outcome)")
      #expect(trial.complaints.isEmpty, "\(pages) pages: \(trial.complaints)")
      let left = try FileManager.default.contentsOfDirectory(atPath: disk.url.path)
      #expect(left.allSatisfy { $0 == "x" }, "\(left)")
    }
  }

  @Test("a disk too small for the cache fails no build, at each size")
  func cache() throws {
    let ground = try FaultGround(.first)
    for pages in runsSlowTests ? [1, 2, 3, 5, 8, 12, 20] : [1] {
      // The whole folder is a disk with room; the cache folder within it another one.
      let disk = try PrivateDisk("size=64m")
      try ground.fill(disk.url)
      let cache = disk.folder.path(".quadrille-cache")
      try disk.command("mkdir", cache)
      try disk.command("mount", "-t", "tmpfs", "-o", "size=\(pages * Self.page)", "tmpfs", cache)
      let outcome = try ground.run(in: disk.folder, disk.launcher)
      #expect(outcome.status == 0, "\(pages) pages: \(outcome.errors)")
      try disk.command("umount", "-l", cache)
      let trial = try ground.judge(outcome, in: disk.url) {
        try ground.run(in: disk.folder, disk.launcher, more: ["--force"], again: true)
      }
      #expect(trial.complaints.isEmpty, "\(pages) pages: \(trial.complaints)")
    }
  }

  @Test("a read-only disk ends the run with 73")
  func readOnly() throws {
    let ground = try FaultGround(.full)
    let disk = try PrivateDisk("size=64m")
    try ground.fill(disk.url)
    try disk.remount("ro")
    let outcome = try ground.run(in: disk.folder, disk.launcher)
    #expect(outcome.status == 73, "\(outcome.errors)")
    let trial = try ground.judge(outcome, in: disk.url) {
      try disk.remount("rw")
      return try ground.run(in: disk.folder, disk.launcher, again: true)
    }
    #expect(trial.complaints.isEmpty, "\(trial.complaints)")
  }
}
