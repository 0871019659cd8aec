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

    if let key = UpdateKey(base64: publicKey) {
      let updater = ArchiveUpdater(archive: file, list: list, trusting: [key])
      let outcome = try await updater.update { progress in
        report(progress.bytes, progress.total)
      }
      if outcome.hasChanged, archive.isReplaced {
        current = try MapArchive(url: file, forScale: 2)
      }
    }

    #expect(shown == ["3/4/2, 0.125 of it: 328 bytes", "Bern"])
    #expect(found.map(\.key) == ["a.b.Nw"])
    #expect(current?.info.digest == TinyArchive(seed: 2).digest)
    #expect(heard.values.last.map { $0.bytes == $0.total } == true)
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
}
