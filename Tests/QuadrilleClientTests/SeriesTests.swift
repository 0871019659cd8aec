import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// A publisher of a series of frames.
struct SeriesScene {
  let folder: TemporaryFolder
  let manifest: URL
  var publisher: Publisher

  init() throws {
    folder = try TemporaryFolder()
    manifest = folder.url.appendingPathComponent("rain.frames.json")
    publisher = try Publisher()
  }

  /// Publishes frames by the minutes of their times.
  ///
  /// - Parameter deltas: earlier states of frames.
  mutating func publish(
    _ frames: [(minute: Int, archive: TinyArchive)], deltas: [(minute: Int, from: TinyArchive)] = []
  ) throws {
    var entries: [[String: Any]] = []
    var lines: [String] = []
    publisher.files = publisher.files.filter { $0.key.hasSuffix(".delta") }
    for (minute, archive) in frames {
      let (name, data) = (Self.name(minute), try archive.data() + Data(count: 100_000))
      publisher.files["rain/\(name)"] = data
      entries.append(Publisher.file(name, data, ["digest": archive.digest]))
      let sha256 = Hexadecimal.text(SHA256Hash.digest(of: Array(data)))
      lines.append(
        #"{"time":"\#(Self.time(minute))","file":"rain/\#(name)","sha256":"\#(sha256)","duration":500}"#
      )
    }
    let text =
      #"{"version":1,"name":"rain","bounds":[0,0,1,1],"minzoom":0,"maxzoom":3,"frameDuration":500,"#
      + #""loop":true,"default":"\#(Self.time(frames.last?.minute ?? 0))","latest":"#
      + #""rain/latest.mbtiles","frames":[\#(lines.joined(separator: ","))],"gaps":[],"unusable":[]}"#
    let manifest = Data(text.utf8)
    publisher.files["rain.frames.json"] = manifest
    var steps: [[String: Any]] = []
    for (minute, old) in deltas {
      guard let new = frames.first(where: { $0.minute == minute })?.archive else { continue }
      let name = "\(minute).\(old.digest.prefix(8)).delta"
      let data = try old.delta(to: new)
      publisher.files["rain/\(name)"] = data
      steps.append(
        Publisher.file(
          name, data, ["before": old.digest, "after": new.digest, "frame": Self.name(minute)]))
    }
    try publisher.publish([
      "series": [
        "manifest": Publisher.file("rain.frames.json", manifest, [:]), "folder": "rain",
        "frames": entries,
      ], "deltas": steps,
    ])
  }

  static func name(_ minute: Int) -> String { "10\(minute)Z.mbtiles" }

  private static func time(_ minute: Int) -> String { "2026-03-01T10:\(minute):00Z" }

  func updater(
    _ transport: any UpdateTransport, files: FileActions = FileActions()
  ) -> SeriesUpdater {
    SeriesUpdater(
      manifest: manifest, list: Publisher.seriesList, trusting: [publisher.signer.key],
      transport: transport, files: files)
  }

  /// Opens all frames of the manifest and proves their tiles.
  func digests() async throws -> [String] {
    let series = try FrameSeries(url: manifest)
    var digests: [String] = []
    for frame in series.frames {
      let archive = try series.archive(of: frame)
      try await archive.verify()
      digests.append(archive.info.digest ?? "")
    }
    return digests
  }
}

@Suite("Series of frames")
struct SeriesTests {
  private static let frames = (0..<4).map { TinyArchive(seed: 20 + $0, maxZoom: 1) }

  private var frames: [TinyArchive] { Self.frames }

  /// The third frame after its image was corrected.
  private static let corrected: TinyArchive = {
    var next = frames[2]
    next.tiles[TileAddress(zoom: 1, column: 1, row: 0)] = TinyArchive.bytes(4242)
    return next
  }()

  private var corrected: TinyArchive { Self.corrected }

  /// The publisher before and after frames have changed.
  private static let publishers = Result {
    var scene = try SeriesScene()
    try scene.publish([(10, frames[0]), (20, frames[1]), (30, frames[2])])
    let first = scene.publisher
    try scene.publish(
      [(20, frames[1]), (30, corrected), (40, frames[3])], deltas: [(30, frames[2])])
    return (first: first, second: scene.publisher)
  }

  private func started() async throws -> SeriesScene {
    var scene = try SeriesScene()
    scene.publisher = try Self.publishers.get().first
    _ = try await scene.updater(MemoryTransport(scene.publisher, piece: 65_536)).update()
    return scene
  }

  private func continued(_ scene: inout SeriesScene) throws {
    scene.publisher = try Self.publishers.get().second
  }

  @Test("frames come, change by deltas and go, and the rest is not fetched again")
  func update() async throws {
    var scene = try await started()
    #expect(try await scene.digests() == frames[0..<3].map(\.digest))
    try continued(&scene)
    let transport = MemoryTransport(scene.publisher)
    let plan = try await scene.updater(transport).update()
    #expect(plan.removed == [SeriesScene.name(10)])
    #expect(try await scene.digests() == [frames[1].digest, corrected.digest, frames[3].digest])
    let names = transport.requests.map(\.name)
    #expect(names.count == 4 && names.contains { $0.hasSuffix(".delta") })
    #expect(names.contains("rain/\(SeriesScene.name(40))"))
    let series = try FrameSeries(url: scene.manifest)
    #expect(try MapArchive(url: series.latest).info.digest == frames[3].digest)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scene.folder.path("rain")).sorted()
        == [20, 30, 40].map(SeriesScene.name) + ["latest.mbtiles"])
    #expect(try scene.folder.names() == ["rain", "rain.frames.json", "rain.update-state.json"])
    let again = MemoryTransport(scene.publisher)
    #expect(try await scene.updater(again).update().isEmpty)
    #expect(again.requests.count == 1)
  }

  @Test("any change that fails: a manifest whose archives are all whole, and the next try succeeds")
  func faults() async throws {
    var count = 0
    while true {
      var scene = try await started()
      try continued(&scene)
      let fault = UpdateFaultTests.Fault(after: count)
      do {
        let transport = MemoryTransport(scene.publisher, piece: 65_536)
        _ = try await scene.updater(transport, files: fault.actions).update()
        break
      } catch {
        let digests = try await scene.digests()
        #expect(digests.count == 3)
      }
      _ = try await scene.updater(MemoryTransport(scene.publisher, piece: 65_536)).update()
      #expect(try await scene.digests() == [frames[1].digest, corrected.digest, frames[3].digest])
      count += 1
    }
    #expect(count > 25)
  }

  @Test("frames that an interrupted update has brought are not fetched again, nor left for ever")
  func interrupted() async throws {
    var scene = try await started()
    let first = scene.publisher
    let stray = scene.folder.url.appendingPathComponent("rain/\(SeriesScene.name(40))")
    try frames[3].write(to: stray)
    try continued(&scene)
    let transport = MemoryTransport(scene.publisher)
    _ = try await scene.updater(transport).update()
    #expect(!transport.requests.contains { $0.name.hasSuffix(SeriesScene.name(40)) })
    #expect(try await scene.digests() == [frames[1].digest, corrected.digest, frames[3].digest])

    let other = try await started()
    try frames[3].write(
      to: other.folder.url.appendingPathComponent("rain/\(SeriesScene.name(40))"))
    let plan = try await other.updater(MemoryTransport(first)).update()
    #expect(plan.removed == [SeriesScene.name(40)])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: other.folder.path("rain")).count == 4)
  }

  @Test("a list whose frames are not those of its manifest is refused")
  func contradiction() async throws {
    var scene = try SeriesScene()
    try scene.publish([(10, frames[0]), (20, frames[1])])
    let manifest = try #require(scene.publisher.files["rain.frames.json"])
    let frame = try #require(scene.publisher.files["rain/\(SeriesScene.name(10))"])
    try scene.publisher.publish([
      "series": [
        "manifest": Publisher.file("rain.frames.json", manifest, [:]), "folder": "rain",
        "frames": [
          Publisher.file(SeriesScene.name(10), frame, ["digest": frames[0].digest]),
          Publisher.file("other.mbtiles", frame, ["digest": frames[0].digest]),
        ],
      ] as [String: Any], "deltas": [],
    ])
    await #expect {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    } throws: {
      if case .invalidList = $0 as? ClientError { true } else { false }
    }
  }

  @Test(
    "no manifest leads an update out of its folder",
    arguments: ["../victim.mbtiles", "other/victim.mbtiles", "victim.mbtiles", "rain/victim.txt"])
  func manifestPaths(path: String) async throws {
    var scene = try await started()
    let text = try String(contentsOf: scene.manifest, encoding: .utf8)
    let folder = scene.folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let victims = ["other/victim.mbtiles", "victim.mbtiles", "rain/victim.txt"].map {
      scene.folder.url.appendingPathComponent($0)
    }
    for victim in victims { try Data("not ours".utf8).write(to: victim) }
    try Data(text.replacingOccurrences(of: "rain/\(SeriesScene.name(10))", with: path).utf8)
      .write(to: scene.manifest)
    try continued(&scene)
    _ = try await scene.updater(MemoryTransport(scene.publisher, piece: 65_536)).update()
    #expect(try await scene.digests() == [frames[1].digest, corrected.digest, frames[3].digest])
    for victim in victims { #expect(try Data(contentsOf: victim) == Data("not ours".utf8)) }
  }

  @Test("a folder that is a link to another one is left alone")
  func linkedFolder() async throws {
    let scene = try SeriesScene()
    let other = scene.folder.url.appendingPathComponent("other")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    try Data("not ours".utf8).write(to: other.appendingPathComponent("victim.mbtiles"))
    try FileManager.default.createSymbolicLink(
      at: scene.folder.url.appendingPathComponent("rain"), withDestinationURL: other)
    let publisher = try Self.publishers.get().first
    await #expect {
      try await scene.updater(MemoryTransport(publisher)).update()
    } throws: {
      if case .invalidFileName = $0 as? ClientError { true } else { false }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["victim.mbtiles"])
  }

  @Test(
    "a manifest whose frames lie elsewhere than the list says is refused", arguments: [true, false])
  func elsewhere(isLatest: Bool) async throws {
    var scene = try SeriesScene()
    try scene.publish([(10, frames[0])])
    let frame = try #require(scene.publisher.files["rain/\(SeriesScene.name(10))"])
    let good = String(
      decoding: try #require(scene.publisher.files["rain.frames.json"]), as: UTF8.self)
    let name = isLatest ? "latest.mbtiles" : SeriesScene.name(10)
    let manifest = Data(good.replacingOccurrences(of: "rain/\(name)", with: "other/\(name)").utf8)
    scene.publisher.files["rain.frames.json"] = manifest
    try scene.publisher.publish([
      "series": [
        "manifest": Publisher.file("rain.frames.json", manifest, [:]), "folder": "rain",
        "frames": [Publisher.file(SeriesScene.name(10), frame, ["digest": frames[0].digest])],
      ] as [String: Any], "deltas": [],
    ])
    await #expect {
      try await scene.updater(MemoryTransport(scene.publisher)).update()
    } throws: {
      if case .invalidList = $0 as? ClientError { true } else { false }
    }
    #expect(try !scene.folder.names().contains("other"))
  }

  @Test("a player shows each frame for its time, and begins again or stays at the end")
  func player() async throws {
    let scene = try await started()
    let series = try FrameSeries(url: scene.manifest)
    #expect(series.duration == 1.5)
    #expect(
      [-1, 0, 0.499, 0.5, 1.4, 1.5, 100.7].map { series.index(afterPlaying: $0) }
        == [0, 0, 0, 1, 2, 0, 0])
    #expect(series.defaultIndex == 2)
    let time = try Instant.date("2026-03-01T10:25:00Z")
    #expect(series.index(at: time) == 1)
    #expect(series.index(at: Date(timeIntervalSince1970: 0)) == nil)
  }

  @Test(
    "instants in all their spellings",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-03-01T10:15:00Z", 1_772_360_100),
      ("2026-02-28T24:00:00Z", 1_772_323_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
      ("2024-02-29T12:00:00.25Z", 1_709_208_000.25), ("1969-12-31T23:59:59Z", -1),
    ])
  func instants(text: String, seconds: Double) throws {
    #expect(try Instant.date(text).timeIntervalSince1970 == seconds)
  }

  @Test(
    "manifests that name files elsewhere, or no times, are refused",
    arguments: [
      (#""rain/"#, #""../rain/"#), (#""rain/10"#, #""rain//10"#), (#"10:10:00Z"#, "10:10"),
      (#""version":1"#, #""version":2"#), (#""duration":500"#, ""),
    ])
  func manifests(part: String, other: String) async throws {
    let scene = try await started()
    let text = try String(contentsOf: scene.manifest, encoding: .utf8)
    try Data(text.replacingOccurrences(of: part, with: other).utf8).write(to: scene.manifest)
    #expect {
      try FrameSeries(url: scene.manifest)
    } throws: {
      if case .damaged = $0 as? ClientError { true } else { false }
    }
  }
}
