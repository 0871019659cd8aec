import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// The golden vectors of clients/vectors, which readers in all languages replay.
@Suite("The golden vectors")
struct VectorTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("clients/vectors")

  static let cases: [JSONValue] = {
    guard let data = try? Data(contentsOf: folder.appendingPathComponent("vectors.json")) else {
      return []
    }
    return JSONValue(parsing: data)?["cases"]?.array ?? []
  }()

  /// Before the folder came, this library had only tests of its own.
  static let areThere = !cases.isEmpty

  private static func cases(_ name: String) -> [JSONValue] {
    cases.filter { $0["do"]?.string == name }
  }

  private static func url(_ value: JSONValue?) throws -> URL {
    folder.appendingPathComponent(try #require(value?.string))
  }

  @Test("there are cases of every kind, and none of an unknown kind", .enabled(if: areThere))
  func kinds() {
    let kinds = Set(Self.cases.compactMap { $0["do"]?.string })
    #expect(
      kinds == [
        "metadata", "tile", "tap", "cluster", "search", "legend", "verify", "frames", "apply",
        "plan", "entries", "changes", "packList", "packChoice", "packTile", "packTap",
        "packSearch", "packEntries",
      ])
  }

  @Test("metadata", .enabled(if: areThere))
  func metadata() throws {
    for vector in Self.cases("metadata") {
      let info = try MapArchive(url: try Self.url(vector["file"])).info
      let expected = try #require(vector["expect"])
      #expect(info.name == expected["name"]?.string)
      #expect(info.format == expected["format"]?.string)
      #expect(info.minZoom == expected["minzoom"]?.integer)
      #expect(info.maxZoom == expected["maxzoom"]?.integer)
      #expect(info.density == expected["density"]?.integer)
      #expect((info.attribution ?? "") == expected["attribution"]?.string)
      #expect(info.digest == expected["digest"]?.string)
      #expect(info.tapsDigest == expected["tapsDigest"]?.string)
      #expect(
        expected["taps"]?.string
          == info.taps.map { $0 == .compact ? "compact" : "utfgrid" })
      #expect(info.bounds == expected["bounds"]?.array.flatMap { MapBox($0.compactMap(\.number)) })
      let center = try #require(info.center)
      let numbers = [center.coordinate.longitude, center.coordinate.latitude, Double(center.zoom)]
      #expect(numbers == expected["center"]?.array?.compactMap(\.number))
    }
  }

  @Test("tiles, enlarged ones, and densities", .enabled(if: areThere))
  func tiles() async throws {
    for vector in Self.cases("tile") {
      let file = try Self.url(vector["file"])
      let found = MapArchive.densities(of: file)
      let archive = try MapArchive(url: found[vector["density"]?.integer ?? 1] ?? file)
      let address = TileAddress(
        zoom: try #require(vector["z"]?.integer), column: try #require(vector["x"]?.integer),
        row: try #require(vector["y"]?.integer))
      let picture = try await archive.picture(address)
      let name = vector["name"]?.string ?? ""
      guard let expected = vector["expect"], expected != .null else {
        #expect(picture == nil, "\(name)")
        continue
      }
      let shown = try #require(picture, "\(name)")
      #expect(
        [shown.address.zoom, shown.address.column, shown.address.row]
          == expected["tile"]?.array?.compactMap(\.integer), "\(name)")
      #expect(
        [shown.part.x, shown.part.y, shown.part.side]
          == expected["part"]?.array?.compactMap(\.number), "\(name)")
      #expect(shown.data.count == expected["bytes"]?.integer, "\(name)")
      #expect(
        Hexadecimal.text(SHA256Hash.digest(of: Array(shown.data)))
          == expected["sha256"]?.string, "\(name)")
    }
  }

  @Test("taps", .enabled(if: areThere))
  func taps() async throws {
    for vector in Self.cases("tap") {
      let archive = try MapArchive(url: try Self.url(vector["file"]))
      let place = MapCoordinate(
        longitude: try #require(vector["lng"]?.number),
        latitude: try #require(vector["lat"]?.number))
      let zoom = Int((try #require(vector["zoom"]?.number)).rounded(.down))
      let name = vector["name"]?.string ?? ""
      do {
        let tap = try await archive.tap(at: place, zoom: zoom)
        #expect(vector["error"] == nil, "\(name)")
        let expected = vector["expect"]
        #expect(tap?.key == expected?["key"]?.string, "\(name)")
        #expect(
          tap.map { JSONValue.object($0.fields) } ?? .null == expected?["entry"] ?? .null,
          "\(name)")
      } catch {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name)")
      }
    }
  }

  private static func box(_ vector: JSONValue) throws -> MapBox {
    try #require(vector["box"]?.array.flatMap { MapBox($0.compactMap(\.number)) })
  }

  @Test("entries of boxes", .enabled(if: areThere))
  func entries() async throws {
    for vector in Self.cases("entries") {
      let archive = try MapArchive(url: try Self.url(vector["file"]))
      let zoom = Int((try #require(vector["zoom"]?.number)).rounded(.down))
      let name = vector["name"]?.string ?? ""
      do {
        try Self.compare(
          try await archive.entries(
            in: try Self.box(vector), zoom: zoom, limit: try #require(vector["limit"]?.integer)),
          vector)
      } catch let error as ClientError {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name)")
      }
    }
  }

  private static func compare(_ found: [MapEntry], _ vector: JSONValue) throws {
    let name = vector["name"]?.string ?? ""
    let expected = try #require(vector["expect"]?.array, "\(name)")
    #expect(found.map(\.key) == expected.map { $0["key"]?.string }, "\(name)")
    for (entry, expected) in zip(found, expected) {
      let place = [entry.coordinate.longitude, entry.coordinate.latitude]
      let numbers = try [#require(expected["lng"]?.number), #require(expected["lat"]?.number)]
      #expect(zip(place, numbers).allSatisfy { abs($0 - $1) < 1e-6 }, "\(name)")
      #expect(entry.count == expected["count"]?.integer, "\(name)")
      #expect(entry.layer == expected["layer"]?.integer, "\(name)")
      #expect(JSONValue.object(entry.tap.fields) == expected["fields"], "\(name)")
    }
  }

  @Test("lists of packs", .enabled(if: areThere))
  func packLists() throws {
    for vector in Self.cases("packList") {
      let name = vector["name"]?.string ?? ""
      var trust = try Self.trust(vector)
      let address = try #require(vector["address"]?.string.flatMap { URL(string: $0) })
      do {
        let list = try trust.acceptPacks(
          Data(contentsOf: try Self.url(vector["list"])),
          of: UpdateList.name(inAddress: address, suffix: PackList.suffix) ?? "",
          at: Self.now(vector))
        #expect(vector["error"] == nil, "\(name)")
        let expected = try #require(vector["expect"], "\(name)")
        #expect(list.all.map(\.file) == expected["files"]?.array?.compactMap(\.string), "\(name)")
        #expect(trust.sequence == expected["state"]?["sequence"]?.integer, "\(name)")
        #expect(trust.keys == Self.keys(try #require(expected["state"])), "\(name)")
      } catch let error as ClientError {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name): \(error)")
      }
    }
  }

  /// Returns the packs that a case has, copied beside their list.
  private static func packs(_ vector: JSONValue, in folder: URL) throws -> PackSet {
    let list = try url(vector["list"])
    let names = (vector["held"]?.array ?? []).compactMap(\.string) + [list.lastPathComponent]
    for name in names {
      try FileManager.default.copyItem(
        at: list.deletingLastPathComponent().appendingPathComponent(name),
        to: folder.appendingPathComponent(name))
    }
    let copy = folder.appendingPathComponent(list.lastPathComponent)
    return try PackSet(list: copy, address: copy, trusting: [], transport: NoTransport())
  }

  @Test("packs as one map", .enabled(if: areThere))
  func packs() async throws {
    for vector in Self.cases where vector["held"] != nil {
      let folder = try TemporaryFolder()
      let packs = try Self.packs(vector, in: folder.url)
      let name = vector["name"]?.string ?? ""
      let expected = vector["expect"] ?? .null
      func integer(_ name: String) throws -> Int { try #require(vector[name]?.integer) }
      switch vector["do"]?.string {
      case "packChoice":
        let chosen = await packs.packs(in: try Self.box(vector))
        #expect(chosen.map(\.file) == expected["packs"]?.array?.compactMap(\.string), "\(name)")
        #expect(await packs.size(of: chosen) == expected["bytes"]?.integer, "\(name)")
      case "packTile":
        let shown = try await packs.picture(
          TileAddress(zoom: integer("z"), column: integer("x"), row: integer("y")))
        #expect((shown == nil) == (expected == .null), "\(name)")
        guard let shown else { continue }
        #expect(
          [shown.address.zoom, shown.address.column, shown.address.row]
            == expected["tile"]?.array?.compactMap(\.integer), "\(name)")
        #expect(
          [shown.part.x, shown.part.y, shown.part.side]
            == expected["part"]?.array?.compactMap(\.number), "\(name)")
        #expect(
          Hexadecimal.text(SHA256Hash.digest(of: Array(shown.data)))
            == expected["sha256"]?.string, "\(name)")
      case "packTap":
        let place = MapCoordinate(
          longitude: try #require(vector["lng"]?.number),
          latitude: try #require(vector["lat"]?.number))
        let tap = try await packs.tap(at: place, zoom: integer("zoom"))
        #expect(tap.map { JSONValue.object($0.fields) } == expected["entry"], "\(name)")
      case "packSearch":
        let tap = try await packs.tap(forKey: try #require(vector["key"]?.string))
        #expect(tap.map { JSONValue.object($0.fields) } ?? .null == expected, "\(name)")
      default:
        try Self.compare(
          try await packs.entries(
            in: try Self.box(vector), zoom: integer("zoom"), limit: integer("limit")), vector)
      }
    }
  }

  @Test("changes from one zoom to another", .enabled(if: areThere))
  func changes() async throws {
    for vector in Self.cases("changes") {
      let archive = try MapArchive(url: try Self.url(vector["file"]))
      let found = try await archive.changes(
        from: try #require(vector["from"]?.integer), to: try #require(vector["to"]?.integer),
        in: try Self.box(vector))
      for (name, entries) in [
        ("keep", found.keep), ("add", found.add), ("remove", found.remove),
      ] {
        #expect(
          entries.map(\.key) == vector["expect"]?[name]?.array?.compactMap(\.string),
          "\(vector["name"]?.string ?? ""): \(name)")
      }
    }
  }

  @Test("clusters and keys", .enabled(if: areThere))
  func keys() async throws {
    for vector in Self.cases("cluster") + Self.cases("search") {
      let archive = try MapArchive(url: try Self.url(vector["file"]))
      let tap = try await archive.tap(forKey: try #require(vector["key"]?.string))
      let expected = vector["expect"] ?? .null
      let name = vector["name"]?.string ?? ""
      if vector["do"]?.string == "search" {
        #expect(tap.map { JSONValue.object($0.fields) } ?? .null == expected, "\(name)")
      } else {
        #expect(tap?.cluster?.expansionZoom == expected["zoom"]?.integer, "\(name)")
        #expect(
          tap?.cluster?.box
            == expected["box"]?.array.flatMap { MapBox($0.compactMap(\.number)) }, "\(name)")
      }
    }
  }

  @Test("legends", .enabled(if: areThere))
  func legends() throws {
    for vector in Self.cases("legend") {
      let url = try Self.url(vector["file"])
      let legend = try Legend(besideArchive: url)
      let expected = vector["expect"]
      #expect(legend?.title == expected?["title"]?.string)
      #expect(legend?.text == expected?["text"]?.string)
      #expect(legend?.entries.count == expected?["entries"]?.integer)
      let picture = try? Data(contentsOf: Legend.picture(besideArchive: url))
      #expect(
        picture.map { Hexadecimal.text(SHA256Hash.digest(of: Array($0))) }
          == expected?["image"]?.string)
    }
  }

  @Test("verification, also of damaged files", .enabled(if: areThere))
  func verification() async throws {
    for vector in Self.cases("verify") {
      let workplace = try TemporaryFolder()
      let source = try Self.url(vector["file"])
      let copy = workplace.url.appendingPathComponent(source.lastPathComponent)
      if FileManager.default.fileExists(atPath: source.path) {
        try FileManager.default.copyItem(at: source, to: copy)
        if let change = vector["change"] { try Self.change(copy, change) }
      }
      let name = vector["name"]?.string ?? ""
      do {
        let archive = try MapArchive(url: copy)
        try await archive.verify()
        #expect(archive.info.digest == vector["expect"]?["digest"]?.string, "\(name)")
      } catch {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name): \(error)")
      }
    }
  }

  @Test("frames of a series", .enabled(if: areThere))
  func frames() throws {
    for vector in Self.cases("frames") {
      let url = try Self.url(vector["file"])
      if let error = vector["error"]?.string {
        let found = #expect(throws: ClientError.self) { try FrameSeries(url: url) }
        #expect(found.flatMap { Self.kind(of: $0) } == error, "\(url)")
        continue
      }
      let series = try FrameSeries(url: url)
      let expected = try #require(vector["expect"])
      let frames = try #require(expected["frames"]?.array)
      #expect(series.frames.count == frames.count)
      for (frame, expected) in zip(series.frames, frames) {
        #expect(frame.time == (try Instant.date(try #require(expected["time"]?.string))))
        #expect(frame.url.path.hasSuffix(try #require(expected["file"]?.string)))
        #expect(frame.duration * 1000 == expected["duration"]?.number)
        #expect(frame.sha256 == expected["sha256"]?.string)
      }
      #expect(series.defaultIndex == expected["default"]?.integer)
      #expect(series.latest.path.hasSuffix(try #require(expected["latest"]?.string)))
      #expect(series.loops == expected["loop"]?.bool)
      for pair in try #require(expected["shown"]?.array) {
        let elapsed = try #require(pair.array?.first?.number)
        #expect(series.index(afterPlaying: elapsed / 1000) == pair.array?.last?.integer)
      }
    }
  }

  @Test("deltas and chains", .enabled(if: areThere))
  func deltas() async throws {
    for vector in Self.cases("apply") {
      let workplace = try TemporaryFolder()
      let source = try Self.url(vector["file"])
      let archive = workplace.url.appendingPathComponent(source.lastPathComponent)
      try FileManager.default.copyItem(at: source, to: archive)
      let before = try Data(contentsOf: archive)
      let name = vector["name"]?.string ?? ""
      do {
        var deltas: [URL] = []
        for (index, delta) in (vector["deltas"]?.array ?? []).enumerated() {
          let copy = workplace.url.appendingPathComponent("\(index).delta")
          try FileManager.default.copyItem(at: try Self.url(delta["file"]), to: copy)
          if index == 0, let change = vector["change"] { try Self.change(copy, change) }
          // A list says the digest; the updater compares it when it fetches the file.
          let found = try await Download.digest(of: copy.path)
          guard found == delta["sha256"]?.string else {
            throw ClientError.otherFile(name: "delta", expected: "", found: found)
          }
          deltas.append(copy)
        }
        try await ArchiveUpdater(
          archive: archive, list: archive, trusting: [], transport: NoTransport()
        ).apply(deltas)
        let info = try MapArchive(url: archive).info
        #expect(vector["error"] == nil, "\(name)")
        #expect(info.digest == vector["expect"]?["digest"]?.string, "\(name)")
        #expect(info.tapsDigest == vector["expect"]?["taps"]?.string, "\(name)")
        let equal = try Self.url(vector["expect"]?["equals"])
        #expect(try Content(archive) == Content(equal), "\(name)")
      } catch {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name): \(error)")
        #expect(try Data(contentsOf: archive) == before, "\(name)")
      }
    }
  }

  @Test("lists and what they mean", .enabled(if: areThere))
  func plans() throws {
    for vector in Self.cases("plan") {
      let name = vector["name"]?.string ?? ""
      var trust = try Self.trust(vector)
      let address = try #require(vector["address"]?.string.flatMap { URL(string: $0) })
      let without = (vector["without"]?.array ?? []).compactMap(\.string)
      do {
        let list = try trust.accept(
          Data(contentsOf: try Self.url(vector["list"])),
          of: UpdateList.name(inAddress: address) ?? "", at: Self.now(vector))
        #expect(vector["error"] == nil, "\(name)")
        let expected = try #require(vector["expect"], "\(name)")
        #expect(trust.sequence == expected["state"]?["sequence"]?.integer, "\(name)")
        #expect(trust.keys == Self.keys(try #require(expected["state"])), "\(name)")
        let have = try #require(vector["have"])
        switch list.content {
        case .archive(let target):
          let own = have["digest"]?.string.map {
            ArchiveState(digest: $0, taps: have["taps"]?.string)
          }
          let plan = UpdatePlan(
            from: own, to: target, by: list.deltas.filter { !without.contains($0.file.name) })
          #expect(Self.form(plan) == expected["whole"] ?? expected["deltas"], "\(name)")
        case .series(let manifest, _, _):
          var own: [String: ArchiveState] = [:]
          for (file, digest) in have["frames"]?.object ?? [:] {
            own[file] = digest.string.map { ArchiveState(digest: $0) }
          }
          let plan = try #require(SeriesPlan(from: own, by: list), "\(name)")
          #expect(manifest.name == expected["manifest"]?.string, "\(name)")
          #expect(plan.removed == expected["remove"]?.array?.compactMap(\.string), "\(name)")
          for (frame, steps) in expected["frames"]?.object ?? [:] {
            let step = plan.steps.first { $0.frame.file.name == frame }
            let form = try #require(step.map { Self.form($0.plan) }, "\(name): \(frame)")
            #expect(form == (steps == .string("whole") ? .string(frame) : steps), "\(name)")
          }
        }
      } catch {
        #expect(Self.kind(of: error) == vector["error"]?.string, "\(name): \(error)")
      }
    }
  }

  // MARK: The forms of vectors.json

  /// The trust of a state, or what is remembered by the text of a file.
  private static func trust(_ vector: JSONValue) throws -> UpdateTrust {
    if let state = vector["state"] {
      return UpdateTrust(
        sequence: try #require(state["sequence"]?.integer), keys: keys(state))
    }
    let folder = try TemporaryFolder()
    if let text = vector["remembered"]?.string {
      try folder.write(text, to: "a.update-state.json")
    }
    return StoredTrust(stem: folder.path("a"), anchors: keys(vector), FileActions()).load()
  }

  private static func now(_ vector: JSONValue) -> Date {
    Date(timeIntervalSince1970: vector["now"]?.number ?? 0)
  }

  private static func form(_ plan: UpdatePlan) -> JSONValue {
    switch plan {
    case .upToDate: .array([])
    case .deltas(let deltas): .array(deltas.map { .string($0.file.name) })
    case .whole(let archive): .string(archive.source.name)
    }
  }

  private static func keys(_ state: JSONValue) -> [UpdateKey] {
    (state["keys"]?.array ?? []).compactMap { $0.string.flatMap { UpdateKey(base64: $0) } }
  }

  private static func change(_ url: URL, _ change: JSONValue) throws {
    var data = try Data(contentsOf: url)
    if let index = change["flip"]?.integer { data[index] ^= 1 }
    if let place = change["set"]?.array, let index = place.first?.integer,
      let digits = place.last?.string
    {
      for (offset, start) in stride(from: 0, to: digits.count, by: 2).enumerated() {
        let pair = digits.dropFirst(start).prefix(2)
        data[index + offset] = try #require(UInt8(pair, radix: 16))
      }
    }
    if let count = change["truncate"]?.integer { data = data.prefix(count) }
    try data.write(to: url)
  }

  private static func kind(of error: any Error) -> String? {
    switch error as? ClientError {
    case .missing: "missing"
    case .notArchive: "notAnArchive"
    case .damaged, .otherDigest: "damaged"
    case .otherFile: "wrongBytes"
    case .unusableDelta: "wrongBase"
    case .invalidList: "badList"
    case .unsigned: "unsigned"
    case .untrustedKey: "untrusted"
    case .invalidSignature: "badSignature"
    case .replayedList: "replayed"
    case .expiredList: "expired"
    case .clientTooOld: "clientTooOld"
    case .invalidFileName: "badName"
    case .otherArchive: "otherArchive"
    case .noPlaces: "noPlaces"
    case .boxTooLarge: "tooLarge"
    default: nil
    }
  }
}
