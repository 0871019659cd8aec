import Foundation
import TestSupport
import Testing

@Suite("A ceiling of memory")
struct MemoryTests {
  /// Ten million points around two thousand places.
  private static func writePoints(_ count: Int, to folder: TemporaryFolder) throws {
    var random = SplitMix64(seed: 19)
    let places = (0..<2_000).map { _ in
      (random.number(in: -170..<170), random.number(in: -60..<70))
    }
    try folder.write("", to: "points.csv")
    let file = try FileHandle(forWritingTo: URL(filePath: folder.path("points.csv")))
    var text = "lng,lat,rooms\n"
    for row in 0..<count {
      let (lng, lat) = random.pick(places)
      let x = Int((lng + random.number(in: -0.5..<0.5)) * 1e5)
      let y = Int((lat + random.number(in: -0.5..<0.5)) * 1e5)
      text += "\(x)e-5,\(y)e-5,\(row % 300)\n"
      if text.utf8.count > 1 << 20 {
        try file.write(contentsOf: Data(text.utf8))
        text = ""
      }
    }
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  private static func pipeline(_ folder: TemporaryFolder, maxZoom: Int) throws {
    try folder.write(
      """
      version: 1
      name: points
      sources:
        points:
          type: csv
          data: points.csv
          cluster: true
          clusterMaxZoom: \(maxZoom)
          clusterProperties: {rooms: ["+", [get, rooms]]}
      layers:
        - {id: disc, type: circle, source: points, paint: {circle-radius: 6}}
      tiles: {maxzoom: \(maxZoom)}
      """, to: "points.yml")
  }

  /// The most anonymous memory of a run, from /proc, in bytes.
  private static func watch(_ run: Program.Run) -> Int {
    var most = 0
    while run.process.isRunning {
      let status = try? String(
        contentsOfFile: "/proc/\(run.process.processIdentifier)/status", encoding: .utf8)
      let line = status?.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
      most = max(
        most,
        line?.split(whereSeparator: \.isWhitespace).dropFirst().first
          .flatMap { Int($0) } ?? 0)
      usleep(20_000)
    }
    return most * 1024
  }

  @Test("a ceiling that is too low is refused with the least that works")
  func tooLow() throws {
    let folder = try TemporaryFolder()
    try Self.writePoints(10, to: folder)
    try Self.pipeline(folder, maxZoom: 2)
    let outcome = try Program.run("build", "points.yml", "-j", "2", "--memory", "8M", in: folder)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains("at least 224M"))
    let bad = try Program.run("build", "points.yml", "--memory", "much", in: folder)
    #expect(bad.status == 64 && bad.errors.contains("1.5G"))
  }

  @Test("a small build under a ceiling has the bytes of a build without")
  func small() throws {
    let folder = try TemporaryFolder()
    try Self.writePoints(20_000, to: folder)
    try Self.pipeline(folder, maxZoom: 6)
    for (name, more) in [("one", []), ("two", ["--memory", "256M", "-j", "1", "--tmpdir", "."])] {
      let arguments = ["build", "points.yml", "-q", "--no-cache", "-f", "-o", "\(name).mbtiles"]
      let outcome = try Program.Run(arguments + more, in: folder).finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(try folder.bytes("one.mbtiles") == folder.bytes("two.mbtiles"))
    #expect(try folder.names().allSatisfy { !$0.contains("scratch") })
  }

  #if os(Linux)
    @Test(
      "a build under a ceiling stays within a container that has a fifth more",
      .enabled(if: MemoryGroup.isAvailable, "needs root and a cgroup of its own"),
      arguments: runsSlowTests && Program.isNamed ? [20_000, 10_000_000] : [20_000])
    func container(points: Int) throws {
      let folder = try TemporaryFolder()
      try Self.writePoints(points, to: folder)
      try Self.pipeline(folder, maxZoom: points > 1_000_000 ? 10 : 4)
      let ceiling = points > 1_000_000 ? 512 << 20 : 256 << 20
      let group = try #require(MemoryGroup(limit: ceiling / 5 * 6))
      let run = try Program.Run(
        [
          "build", "points.yml", "-q", "--no-cache", "-f", "-o", "out.mbtiles", "-j", "2",
          "--memory", "\(ceiling)", "--tmpdir", ".",
        ], in: folder, launcher: group.launcher)
      var most = 0
      while run.process.isRunning {
        most = max(most, group.anonymousBytes)
        usleep(20_000)
      }
      let outcome = try run.finish()
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(most > 0 && most <= ceiling, "\(most) bytes under \(ceiling)")
    }

    @Test(
      "ten million points under 512M, 2G and no ceiling give one archive, within each ceiling",
      .enabled(if: runsSlowTests && Program.isNamed, "QUADRILLE_SLOW=1 and QUADRILLE_PROGRAM"))
    func tenMillion() throws {
      let folder = try TemporaryFolder()
      try Self.writePoints(10_000_000, to: folder)
      try Self.pipeline(folder, maxZoom: 10)
      var archives: [[UInt8]] = []
      for ceiling in [512 << 20, 2 << 30, Int.max] {
        var arguments = ["build", "points.yml", "-q", "--no-cache", "-f", "-o", "out.mbtiles"]
        arguments += ["-j", "2", "--tmpdir", "."]
        if ceiling < Int.max { arguments += ["--memory", "\(ceiling)"] }
        let run = try Program.Run(arguments, in: folder)
        let most = Self.watch(run)
        let outcome = try run.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(most > 0 && most <= ceiling, "\(most) bytes under \(ceiling)")
        archives.append(try folder.bytes("out.mbtiles"))
      }
      #expect(archives[0] == archives[2] && archives[1] == archives[2])
    }
  #endif
}
