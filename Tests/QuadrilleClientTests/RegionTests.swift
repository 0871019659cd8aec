import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

@Suite("Regions cut out of an archive on a server")
struct RegionTests {
  private let folder: TemporaryFolder
  private let region: URL

  /// A box of some tiles of zoom 6.
  private let box = MapBox(west: 7, south: 46, east: 12, north: 49)

  init() throws {
    folder = try TemporaryFolder()
    region = folder.url.appendingPathComponent("part.mbtiles")
  }

  private func updater(
    _ transport: any UpdateTransport, _ publisher: Publisher, files: FileActions = .init()
  ) -> RegionUpdater {
    RegionUpdater(
      archive: region, list: Publisher.list, trusting: [publisher.signer.key],
      transport: transport, files: files)
  }

  private func publisher(_ archive: TinyArchive) throws -> Publisher {
    var publisher = try Publisher()
    try publisher.publish(archive, hasChunks: true)
    return publisher
  }

  /// The tiles of an archive in the squares that a region has.
  private func tiles(_ archive: TinyArchive, _ zooms: ClosedRange<Int>) throws -> Set<TileAddress> {
    let tiles = try RegionTiles(box, zooms: zooms)
    return Set(
      archive.tiles.keys.filter { tile in
        tiles.spans.contains {
          $0.zoom == tile.zoom && $0.columns.contains(tile.column) && $0.rows.contains(tile.row)
        }
      })
  }

  @Test(
    "a region has the tiles of its squares, of few chunks, and is a valid archive",
    arguments: [false, true])
  func tiles(isFlat: Bool) async throws {
    let archive = TinyArchive(seed: 1, isFlat: isFlat, maxZoom: 6)
    let publisher = try publisher(archive)
    let transport = MemoryTransport(publisher)
    try await updater(transport, publisher).fetch(box: box, zooms: 2...6)
    let open = try MapArchive(url: region)
    try await open.verify()
    let wanted = try tiles(archive, 2...6)
    #expect(wanted.count > 100 && wanted.count < archive.tiles.count / 2)
    for tile in archive.tiles.keys {
      let data = wanted.contains(tile) ? archive.tiles[tile].map { Data($0) } : nil
      #expect(try await open.tile(tile) == data, "\(tile)")
    }
    #expect((open.info.minZoom, open.info.maxZoom) == (2, 6))
    let whole = try #require(publisher.files["tiny.mbtiles"]).count
    // SQLite mixes the pages of two tables that grow together.
    if isFlat { #expect(transport.sentBytes < whole * 3 / 4) }
    #expect(try folder.names() == ["part.mbtiles", "part.update-state.json"])
    #expect(try await !updater(transport, publisher).update())
  }

  @Test("zooms beyond those that archives have are left out, and the region follows its list")
  func zoomsBeyond() async throws {
    let publisher = try publisher(TinyArchive(seed: 1, isFlat: true, maxZoom: 6))
    let place = MapBox(west: 9, south: 47, east: 9, north: 47)
    try await updater(MemoryTransport(publisher), publisher).fetch(box: place, zooms: 0...30)
    #expect(try await !updater(MemoryTransport(publisher), publisher).update())
  }

  @Test("an interrupted call goes on with the chunks that are here")
  func resumption() async throws {
    let archive = TinyArchive(seed: 1, isFlat: true, maxZoom: 6)
    let publisher = try publisher(archive)
    let all = MemoryTransport(publisher)
    try await updater(all, publisher).fetch(box: box, zooms: 0...6)
    let whole = try Content(region)
    try FileManager.default.removeItem(at: region)
    var (pieces, shorter) = (0, 0)
    while pieces < 2000 {
      let broken = MemoryTransport(publisher, breakingAfter: pieces)
      do throws(ClientError) {
        try await updater(broken, publisher).fetch(box: box, zooms: 0...6)
        break
      } catch {
        guard case .network = error else { throw error }
        #expect(!FileManager.default.fileExists(atPath: region.path))
      }
      let next = MemoryTransport(publisher)
      try await updater(next, publisher).fetch(box: box, zooms: 0...6)
      if next.sentBytes < all.sentBytes { shorter += 1 }
      #expect(try Content(region) == whole)
      try FileManager.default.removeItem(at: region)
      pieces += 97
    }
    #expect(pieces > 97 && shorter > 0)
  }

  @Test("a changed byte in any chunk that is read is refused, and the region stays as it was")
  func tampering() async throws {
    let archive = TinyArchive(seed: 1, isFlat: true, maxZoom: 6)
    let publisher = try publisher(archive)
    var data = try #require(publisher.files["tiny.mbtiles"])
    var refused = 0
    for place in stride(from: 40, to: data.count, by: 1 << 16) {
      let changed = MemoryTransport(publisher)
      data[place] ^= 1
      changed.replace("tiny.mbtiles", by: data)
      data[place] ^= 1
      do throws(ClientError) {
        try await updater(changed, publisher).fetch(box: box, zooms: 0...6)
      } catch {
        guard case .otherFile = error else { throw error }
        refused += 1
      }
    }
    #expect(refused > 3)
    #expect((try? MapArchive(url: region)) != nil)
  }

  @Test("any change that fails: no region or a whole one, and the next try succeeds")
  func faults() async throws {
    let publisher = try publisher(TinyArchive(seed: 1, maxZoom: 5))
    var count = 0
    while true {
      let fault = UpdateFaultTests.Fault(after: count)
      let transport = MemoryTransport(publisher, piece: 1 << 20)
      do throws(ClientError) {
        try await updater(transport, publisher, files: fault.actions).fetch(box: box, zooms: 0...5)
        break
      } catch {
        guard case .inputOutput = error else { throw error }
      }
      if FileManager.default.fileExists(atPath: region.path) {
        try await MapArchive(url: region).verify()
      }
      try await updater(MemoryTransport(publisher), publisher).fetch(box: box, zooms: 0...5)
      try await MapArchive(url: region).verify()
      try? FileManager.default.removeItem(at: region)
      count += 1
    }
    #expect(count > 5)
  }

  @Test("a list without chunks, UTFGrid and a box without tiles are refused with their reasons")
  func refusals() async throws {
    let archive = TinyArchive(seed: 1, isFlat: true, maxZoom: 4)
    var plain = try Publisher()
    try plain.publish(archive)
    let without = plain
    await #expect {
      try await updater(MemoryTransport(without), without).fetch(box: box, zooms: 0...4)
    } throws: {
      if case .invalidList = $0 as? ClientError { true } else { false }
    }
    let publisher = try publisher(archive)
    await #expect {
      try await updater(MemoryTransport(publisher), publisher).fetch(box: box, zooms: 9...12)
    } throws: {
      if case .notArchive = $0 as? ClientError { true } else { false }
    }
    await #expect {
      try await updater(MemoryTransport(publisher), publisher)
        .fetch(box: MapBox(west: -180, south: -80, east: 180, north: 80), zooms: 0...22)
    } throws: {
      if case .boxTooLarge = $0 as? ClientError { true } else { false }
    }
  }

  // MARK: Archives of the program

  private static let places = (0..<1500).map {
    (index: Int) -> (longitude: Double, latitude: Double) in
    let (column, row) = (Double(index % 50), Double(index / 50))
    return (column * 0.4 - 3, row * 0.3 + 42)
  }

  /// Builds an archive, signed; of the places some have other names than before.
  private func build(_ generation: Int, _ layout: String) throws {
    let rows = Self.places.enumerated().compactMap { index, place -> String? in
      if generation > 0, index % 211 == 7 * generation { return nil }
      let name = index % 97 == generation ? "New \(generation)" : "Place"
      return "\(index),\(place.longitude),\(place.latitude),\(name) \(index)"
    }
    try folder.write((["id,lng,lat,name"] + rows).joined(separator: "\n") + "\n", to: "places.csv")
    let yaml = """
      version: 1
      sources: {places: {type: csv, data: places.csv, x: lng, y: lat, id: id, cluster: true, clusterRadius: 30}}
      layers:
        - {id: dots, type: circle, source: places, paint: {circle-radius: 5, circle-color: "#d33"}}
      tiles: {maxzoom: 8, interactivity: {format: compact, fields: [name]}}
      output: {path: site/tiny.mbtiles, layout: \(layout)}
      """
    try folder.write(yaml + "\n", to: "tiny.yml")
    if generation == 0 {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent("site"), withIntermediateDirectories: true)
      try run(["keys", "new", folder.path("city")])
    }
    try run(["build", folder.path("tiny.yml"), "-q", "--sign", folder.path("city.key")])
  }

  private func run(_ words: [String]) throws {
    let outcome = try Program.Run(words).finish()
    try #require(outcome.status == 0, "\(words): \(outcome.output)\(outcome.errors)")
  }

  @Test(
    "regions of the program's archives are verified by it, answer taps, and follow the deltas",
    arguments: ["dedup", "flat"])
  func generations(layout: String) async throws {
    try build(0, layout)
    let site = SiteTransport(folder: folder.url.appendingPathComponent("site"))
    func updater(_ name: String) -> RegionUpdater {
      RegionUpdater(
        archive: folder.url.appendingPathComponent(name),
        list: URL(fileURLWithPath: "/site/tiny.updates.json"), trusting: [], transport: site)
    }
    let box = MapBox(west: 3, south: 44, east: 7, north: 47)
    try await updater("part.mbtiles").fetch(box: box, zooms: 0...8)
    let published = folder.url.appendingPathComponent("site/tiny.mbtiles")
    for generation in 0..<4 {
      if generation > 0 {
        try build(generation, layout)
        site.forget()
        // The second generation is missed.
        if generation == 2 { continue }
        #expect(try await updater("part.mbtiles").update())
        #expect(site.asked.contains { $0.hasSuffix(".delta") })
      }
      let fresh = "fresh-\(generation).mbtiles"
      try await updater(fresh).fetch(box: box, zooms: 0...8)
      let cut = try Content(folder.url.appendingPathComponent(fresh))
      #expect(try Content(region) == cut, "generation \(generation)")
      for name in ["part.mbtiles", fresh] { try run(["verify", folder.path(name)]) }
      try await compareTaps(MapArchive(url: region), MapArchive(url: published), in: box)
    }
  }

  /// Taps in the box answer as those of the whole archive.
  private func compareTaps(_ part: MapArchive, _ whole: MapArchive, in box: MapBox) async throws {
    var answered = 0
    for place in Self.places {
      let place = MapCoordinate(longitude: place.longitude, latitude: place.latitude)
      guard box.west...box.east ~= place.longitude, box.south...box.north ~= place.latitude else {
        continue
      }
      for zoom in [2, 5, 8] {
        let tap = try await part.tap(at: place, zoom: zoom)
        #expect(try await whole.tap(at: place, zoom: zoom) == tap)
        if tap != nil { answered += 1 }
      }
    }
    #expect(answered > 100)
    #expect(try await part.entries(in: box, zoom: 7) == whole.entries(in: box, zoom: 7))
  }
}

/// A server that is a folder, and knows what it was asked for.
private final class SiteTransport: UpdateTransport, @unchecked Sendable {
  private let folder: URL
  private let lock = NSLock()
  private var names: [String] = []

  init(folder: URL) { self.folder = folder }

  var asked: [String] { lock.withLock { names } }

  func forget() { lock.withLock { names = [] } }

  func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse {
    lock.withLock { names.append(url.lastPathComponent) }
    let file = folder.appendingPathComponent(url.lastPathComponent)
    let data = try? Data(contentsOf: file)
    return UpdateResponse(
      status: data == nil ? 404 : offset > 0 ? 206 : 200,
      body: AsyncThrowingStream { continuation in
        if let data { continuation.yield(Data(data.dropFirst(offset))) }
        continuation.finish()
      })
  }
}
