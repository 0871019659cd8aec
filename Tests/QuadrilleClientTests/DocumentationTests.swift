import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// The code of the documentation, as it stands there: RepositoryTests compares the two.
@Suite("examples of QuadrilleClient's documentation")
struct DocumentationTests {
  @Test("tiles and taps of an archive")
  func archive() async throws {
    let files = try TemporaryFolder()
    let folder = files.url
    var sample = TinyArchive()
    sample.tiles[TileAddress(zoom: 14, column: 8532, row: 5765)] = [1, 2, 3]
    sample.additions = CompactTaps.tables
    try sample.write(to: folder.appendingPathComponent("hotels.mbtiles"))
    let place = MapCoordinate(longitude: 7.447, latitude: 46.948)

    let archive = try MapArchive(url: folder.appendingPathComponent("hotels.mbtiles"))
    let picture = try await archive.picture(TileAddress(zoom: 14, column: 8532, row: 5765))
    let tap = try await archive.tap(at: place, zoom: 14)

    #expect(picture?.data == Data([1, 2, 3]))
    #expect(tap == nil)
  }

  @Test("the article leads from an archive to its update")
  func article() async throws {
    let scene = try SeriesScene()
    let file = scene.folder.url.appendingPathComponent("tiny.mbtiles")
    var sample = TinyArchive(seed: 1)
    sample.additions =
      CompactTaps.tables + [
        "INSERT INTO taps SELECT 3, 0, 0, block_data FROM taps"
      ]
    try sample.write(to: file)
    var publisher = try Publisher()
    try publisher.publish(TinyArchive(seed: 2))
    let files = publisher.files
    let server = try LocalServer { request, connection in
      files[String(request.target.dropFirst())].map { connection.answer(200, [], Array($0)) }
    }
    let list = try #require(URL(string: server.url("/tiny.updates.json")))
    let publicKey = publisher.signer.key.base64
    let place = MapArchiveTests.place(x: 100 / 2048, y: 92 / 2048)
    var shown: [String] = []
    var current: MapArchive?
    let heard = Heard()
    let report: @Sendable (Int, Int) -> Void = {
      heard.append(UpdateProgress(bytes: $0, total: $1))
    }

    let archive = try MapArchive(url: file, forScale: 2)
    if let picture = try await archive.picture(TileAddress(zoom: 6, column: 33, row: 22)) {
      shown.append("\(picture.address), \(picture.part.side) of it: \(picture.data.count) bytes")
    }

    if let tap = try await archive.tap(at: place, zoom: 3) {
      if let expansion = tap.cluster?.expansion {
        shown.append("zoom \(expansion.zoom) at \(expansion.center.longitude)")
      } else {
        shown.append(tap.text ?? tap.fields["name"]?.string ?? tap.key)
      }
    }
    let found = try await archive.taps(containing: "bern")

    let box = MapBox(west: -180, south: 60, east: -90, north: 85)
    for entry in try await archive.entries(in: box, zoom: 3, limit: 20) {
      shown.append("\(entry.title), \(Int(entry.coordinate.latitude))° north")
    }
    let changes = try await archive.changes(from: 2, to: 3, in: box)

    if let key = UpdateKey(base64: publicKey) {
      let updater = ArchiveUpdater(archive: file, list: list, trusting: [key])
      let outcome = try await updater.update { progress in
        report(progress.bytes, progress.total)
      }
      if outcome.hasChanged, archive.isReplaced {
        current = try MapArchive(url: file, forScale: 2)
      }
    }

    #expect(
      shown == [
        "3/4/2, 0.125 of it: 328 bytes", "Bern", "A1, 80° north", "Lac Léman, 83° north",
        "Bern, 83° north",
      ])
    #expect(changes.add.count == 3 && changes.keep.isEmpty && changes.remove.isEmpty)
    #expect(found.map(\.key) == ["a.b.Nw"])
    #expect(current?.info.digest == TinyArchive(seed: 2).digest)
    #expect(heard.values.last.map { $0.bytes == $0.total } == true)
  }

  @Test(
    "packs are chosen by place, with their size, and answer taps",
    .enabled(if: VectorTests.areThere))
  func packs() async throws {
    let files = try TemporaryFolder()
    let folder = files.url
    let site = VectorTests.folder.appendingPathComponent("packs")
    let http = try LocalServer { request, connection in
      let file = site.appendingPathComponent(String(request.target.dropFirst()))
      if let data = try? Data(contentsOf: file) { connection.answer(200, [], Array(data)) }
    }
    let server = try #require(URL(string: http.url("/")))
    let key = try #require(UpdateKey(base64: "qwYalhyxl7Ox2I7bb5U5RJbeM7tbsPDoR9pjeFMem3A="))
    let place = MapCoordinate(longitude: -179, latitude: -18)

    let packs = try PackSet(
      list: folder.appendingPathComponent("isles.packs.json"),
      address: server.appendingPathComponent("isles.packs.json"), trusting: [key])
    try await packs.refresh()
    let chosen = await packs.packs(at: place)
    let size = await packs.size(of: chosen)
    try await packs.fetch(chosen)
    let shown = try await packs.tap(at: place, zoom: 3)

    #expect(chosen.map(\.name) == ["East"] && size == 65_536 + 57_344)
    #expect(shown?.cluster != nil)
  }

  @Test("the frame that a player shows")
  func player() async throws {
    var scene = try SeriesScene()
    try scene.publish([(10, TinyArchive(seed: 1)), (20, TinyArchive(seed: 2))])
    _ = try await scene.updater(MemoryTransport(scene.publisher)).update()
    let (manifest, elapsed) = (scene.manifest, 0.7)

    let series = try FrameSeries(url: manifest)
    let frame = series.frames[series.index(afterPlaying: elapsed)]
    let map = try series.archive(of: frame)

    #expect(map.info.digest == TinyArchive(seed: 2).digest)
  }

  @Test("an update")
  func update() async throws {
    let files = try TemporaryFolder()
    let folder = files.url
    let data = Array(try TinyArchive().data())
    let server = try LocalServer { request, connection in
      request.target == "/hotels.mbtiles"
        ? connection.answer(200, [], data) : connection.answer(404)
    }
    let key = try Signer(seed: 1).key
    let url = try #require(URL(string: server.url("/")))
    try await update(folder, server: url, key: key)
  }

  private func update(_ folder: URL, server: URL, key: UpdateKey) async throws {
    do {
      let updater = ArchiveUpdater(
        archive: folder.appendingPathComponent("hotels.mbtiles"),
        list: server.appendingPathComponent("hotels.updates.json"), trusting: [key])
      let outcome = try await updater.update()
      Issue.record("\(outcome)")
    } catch {
      // Nothing is published here.
      guard case .refused(_, 404) = error else { throw error }
    }
  }
  @Test("a region")
  func region() async throws {
    let files = try TemporaryFolder()
    let folder = files.url
    let server = try LocalServer { $1.answer(404) }
    let key = try Signer(seed: 1).key
    let url = try #require(URL(string: server.url("/")))
    await #expect {
      try await fetch(
        MapBox(west: 7, south: 46, east: 8, north: 47), into: folder, server: url, key: key)
    } throws: {
      if case .refused(_, 404)? = $0 as? ClientError { true } else { false }
    }
  }

  private func fetch(
    _ box: MapBox, into folder: URL, server: URL, key: UpdateKey
  ) async throws {
    let region = RegionUpdater(
      archive: folder.appendingPathComponent("hotels-bern.mbtiles"),
      list: server.appendingPathComponent("hotels.updates.json"), trusting: [key])
    try await region.fetch(box: box, zooms: 0...16)
  }
}
