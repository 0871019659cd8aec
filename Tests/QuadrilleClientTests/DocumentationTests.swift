import Foundation
import QuadrilleClient
import TestSupport
import Testing

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
