import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

@Suite("An open archive")
struct MapArchiveTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent("tiny.mbtiles")
  }

  @Test("tiles, and parts of the last zoom's after it", arguments: [false, true])
  func tiles(isFlat: Bool) async throws {
    let sample = TinyArchive(seed: 1, isFlat: isFlat)
    try sample.write(to: url)
    let archive = try MapArchive(url: url)
    #expect(archive.info.maxZoom == 3 && archive.info.name == "tiny" && archive.info.taps == nil)
    for (address, bytes) in sample.tiles {
      #expect(try await archive.tile(address) == Data(bytes))
      #expect(try await archive.picture(address)?.part == .whole)
    }
    let empty = TileAddress(zoom: 3, column: 1, row: 1)
    #expect(sample.tiles[empty] == nil)
    #expect(try await archive.picture(empty) == nil)
    #expect(try await archive.picture(TileAddress(zoom: 5, column: 4, row: 7)) == nil)
    let enlarged = try #require(
      try await archive.picture(TileAddress(zoom: 5, column: 13, row: 2)))
    #expect(enlarged.address == TileAddress(zoom: 3, column: 3, row: 0))
    #expect((enlarged.part.x, enlarged.part.y, enlarged.part.side) == (0.25, 0.5, 0.25))
    for beyond in [(3, 8, 0), (3, 0, -1), (-1, 0, 0), (31, 0, 0)] {
      let address = TileAddress(zoom: beyond.0, column: beyond.1, row: beyond.2)
      #expect(try await archive.picture(address) == nil)
    }
    try await archive.verify()
  }

  @Test("tiles that lie in another order have the same digest")
  func order() async throws {
    var sample = TinyArchive(seed: 1)
    sample.additions = ["UPDATE map SET rowid = 5000 - rowid"]
    try sample.write(to: url)
    try await MapArchive(url: url).verify()
  }

  @Test(
    "a changed, a missing and an additional tile are found",
    arguments: [
      "UPDATE images SET tile_data = x'00' WHERE rowid = 3",
      "DELETE FROM map WHERE rowid = 7",
      "INSERT INTO map SELECT 5, 1, 1, tile_id, NULL FROM images LIMIT 1",
    ])
  func otherTiles(change: String) async throws {
    var sample = TinyArchive(seed: 1)
    sample.additions = [change]
    try sample.write(to: url)
    let archive = try MapArchive(url: url)
    await #expect {
      try await archive.verify()
    } throws: {
      if case .otherDigest = $0 as? ClientError { true } else { false }
    }
  }

  @Test("what is no archive is refused with its reason")
  func others() throws {
    #expect(throws: ClientError.missing(file: "tiny.mbtiles")) { try MapArchive(url: url) }
    try Data("no archive".utf8).write(to: url)
    #expect(
      throws: ClientError.notArchive(
        file: "tiny.mbtiles", reason: "it is no file of SQLite")
    ) { try MapArchive(url: url) }
    var data = try TinyArchive().data()
    data.removeLast(4096)
    try data.write(to: url)
    #expect(throws: ClientError.damaged(file: "tiny.mbtiles", reason: "it ends too early")) {
      try MapArchive(url: url)
    }
    try FileManager.default.removeItem(at: url)
    let empty = try SQLiteFile(path: folder.write("", to: "empty"), mode: .writable)
    try empty.run("CREATE TABLE metadata (name TEXT, value TEXT)")
    #expect(
      throws: ClientError.notArchive(
        file: "empty", reason: "it has no tables of tiles")
    ) {
      try MapArchive(url: folder.url.appendingPathComponent("empty"))
    }
  }

  @Test(
    "names with signs that urls escape are found",
    arguments: ["a b.mbtiles", "50%.mbtiles", "a?b#c.mbtiles"])
  func names(name: String) throws {
    let url = folder.url.appendingPathComponent(name)
    try TinyArchive().write(to: url)
    #expect(try MapArchive(url: url).info.name == "tiny")
  }

  @Test(
    "a screen gets the least dense pictures that suffice",
    arguments: [
      (1.0, "tiny"), (1.5, "twice"), (2.0, "twice"), (3.0, "twice"),
    ])
  func densities(scale: Double, name: String) throws {
    try TinyArchive().write(to: url)
    var twice = TinyArchive()
    twice.name = "twice"
    twice.additions = ["INSERT INTO metadata VALUES ('scale', '2')"]
    try twice.write(to: folder.url.appendingPathComponent("tiny@2x.mbtiles"))
    #expect(MapArchive.densities(of: url).keys.sorted() == [1, 2])
    let archive = try MapArchive(url: url, forScale: scale)
    #expect(archive.info.name == name && archive.info.density == (name == "twice" ? 2 : 1))
  }

  @Test("compact taps answer as docs/taps.md says, and as they did before", arguments: [1, 2])
  func compactTaps(version: Int) async throws {
    var sample = TinyArchive()
    sample.tiles = [TileAddress(zoom: 0, column: 0, row: 0): [1]]
    sample.additions =
      version == 2
      ? CompactTaps.tables
      : CompactTaps.tables(
        block: CompactTaps.deflated(CompactTaps.earlierBlock),
        page: CompactTaps.deflated(CompactTaps.earlierPage))
    try sample.write(to: url)
    let archive = try MapArchive(url: url)
    #expect(archive.info.taps == .compact)
    let answers: [(x: Double, y: Double, name: String?)] = [
      (100, 92, "Bern"), (100, 91, "Lac Léman"), (139, 119, "Lac Léman"), (60, 201.4, "A1"),
      (60, 201.6, nil), (200, 20, nil),
    ]
    for answer in answers {
      let place = Self.place(x: answer.x / 256, y: answer.y / 256)
      for zoom in [-3, 0, 7] {
        let tap = try await archive.tap(at: place, zoom: zoom)
        #expect(tap?.fields["name"]?.string == answer.name)
      }
    }
    #expect(try await archive.tap(at: MapCoordinate(longitude: 0, latitude: 89), zoom: 0) == nil)
    #expect(try await archive.tap(forKey: "a.b.OQ")?.fields["name"]?.string == "Lac Léman")
    #expect(try await archive.tap(forKey: "a.b.O") == nil)
    #expect(try await archive.taps(containing: "léman").map(\.key) == ["a.b.OQ"])
    #expect(try await archive.taps(containing: "a", limit: 1).count == 1)
    let cluster = try #require(try await archive.tap(forKey: "a.b.3.4")?.cluster)
    #expect(cluster.count == 8 && cluster.abbreviatedCount == "8")
    #expect(cluster.expansion?.zoom == 5)
    #expect(cluster.expansion?.center == MapCoordinate(longitude: 7, latitude: 47))
    let members = cluster.members.map { $0["name"]?.string }
    #expect(members == (version == 2 ? ["Bern", "Lac Léman"] : []))
  }

  @Test("a cluster whose member has no entry is an error, not half an answer")
  func missingMember() async throws {
    var sample = TinyArchive()
    sample.tiles = [TileAddress(zoom: 0, column: 0, row: 0): [1]]
    sample.additions = CompactTaps.tables(
      block: CompactTaps.deflated(CompactTaps.block),
      page: CompactTaps.deflated(CompactTaps.page { _ in [2, 23] }))
    try sample.write(to: url)
    let archive = try MapArchive(url: url)
    await #expect(
      throws: ClientError.damaged(
        file: "tiny.mbtiles", reason: "a cluster names the member 8, which has no entry")
    ) {
      try await archive.tap(forKey: "a.b.3.4")
    }
  }

  /// Returns the place at shares of the world from its north-west corner.
  static func place(x: Double, y: Double) -> MapCoordinate {
    MapCoordinate(
      longitude: x * 360 - 180, latitude: atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi)
  }

  @Test("damaged taps are errors, not answers", arguments: [0, 1, 2, 3])
  func damagedTaps(kind: Int) async throws {
    let (block, page) = (CompactTaps.block, CompactTaps.page)
    var sample = TinyArchive()
    sample.tiles = [TileAddress(zoom: 0, column: 0, row: 0): [1]]
    sample.additions =
      switch kind {
      case 0: CompactTaps.tables(block: block, page: CompactTaps.deflated(page))
      case 1:
        CompactTaps.tables(
          block: CompactTaps.deflated(block).dropLast(5) + [], page: CompactTaps.deflated(page))
      case 2:
        CompactTaps.tables(
          block: CompactTaps.deflated(Array(block.dropLast())), page: CompactTaps.deflated(page))
      default:
        CompactTaps.tables(
          block: CompactTaps.deflated(block), page: CompactTaps.deflated(Array(page.dropLast())))
      }
    try sample.write(to: url)
    let archive = try MapArchive(url: url)
    await #expect {
      try await archive.tap(at: Self.place(x: 100 / 256, y: 92 / 256), zoom: 0)
    } throws: {
      if case .damaged = $0 as? ClientError { true } else { false }
    }
  }

  @Test("an archive without taps says so")
  func noTaps() async throws {
    try TinyArchive().write(to: url)
    let archive = try MapArchive(url: url)
    await #expect(throws: ClientError.noTaps(file: "tiny.mbtiles")) {
      try await archive.tap(at: MapCoordinate(longitude: 0, latitude: 0), zoom: 0)
    }
    #expect(
      "\(ClientError.noTaps(file: "a"))" == "a answers no taps; build it with 'interactivity'.")
  }

  @Test("a stream that inflates to more than its limit is refused")
  func bomb() {
    let stream = CompactTaps.deflated([UInt8](repeating: 0, count: 40_000))
    func inflated(_ stream: [UInt8], limit: Int) -> [UInt8]? {
      stream.withUnsafeBytes { Inflater.inflate($0, limit: limit) }
    }
    #expect(inflated(stream, limit: 39_999) == nil)
    #expect(inflated(stream, limit: 40_000)?.count == 40_000)
    for count in stream.indices {
      #expect(inflated(Array(stream.prefix(count)), limit: 50_000) == nil)
    }
  }
}
