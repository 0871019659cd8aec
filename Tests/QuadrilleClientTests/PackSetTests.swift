import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// Packs of the golden vectors, fetched from memory.
@Suite("The packs on a device", .enabled(if: VectorTests.areThere))
struct PackSetTests {
  private static let east = "isles-east.mbtiles"
  private static let west = "isles-west.mbtiles"
  private static let shared = "isles-shared.mbtiles"

  private let folder: TemporaryFolder
  private let publisher: Publisher

  init() throws {
    folder = try TemporaryFolder()
    var publisher = try Publisher()
    let packs = VectorTests.folder.appendingPathComponent("packs")
    for name in [Self.east, Self.west, Self.shared, "isles.packs.json"] {
      publisher.files[name] = try Data(contentsOf: packs.appendingPathComponent(name))
    }
    self.publisher = publisher
  }

  private func packs(_ transport: MemoryTransport) throws -> PackSet {
    try PackSet(
      list: folder.url.appendingPathComponent("isles.packs.json"),
      address: URL(fileURLWithPath: "/server/isles.packs.json"), trusting: [],
      transport: transport)
  }

  private func archives() throws -> [String] {
    try folder.names().filter { $0.contains(".mbtiles") }
  }

  /// Returns a list without signatures, changed.
  private func list(_ change: (inout [String: Any]) throws -> Void) throws -> Data {
    let data = try #require(publisher.files["isles.packs.json"])
    let envelope = try #require(JSONValue(parsing: data)?["list"]?.string)
    var members = try #require(
      try JSONSerialization.jsonObject(with: Data(envelope.utf8)) as? [String: Any])
    try change(&members)
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    return try JSONSerialization.data(
      withJSONObject: ["list": text, "signatures": [String]()] as [String: Any])
  }

  @Test("the packs of a place are fetched with the shared one, and the rest of a broken download")
  func fetch() async throws {
    let broken = MemoryTransport(publisher, breakingAfter: 40)
    let packs = try packs(broken)
    try await packs.refresh()
    let place = MapCoordinate(longitude: -179, latitude: -18)
    let chosen = await packs.packs(at: place)
    #expect(chosen.map(\.file) == [Self.east])
    let total = await packs.size(of: chosen)
    await #expect(throws: ClientError.self) { try await packs.fetch(chosen) }
    #expect(try !archives().contains(Self.east))
    // The list is on the device by now.
    let transport = MemoryTransport(publisher)
    let again = try self.packs(transport)
    let heard = Heard()
    try await again.fetch(chosen) { heard.append($0) }
    #expect(heard.values.last == UpdateProgress(bytes: total, total: total))
    #expect(transport.requests.contains { $0.name == Self.east && $0.offset > 0 })
    #expect(try archives() == [Self.east, Self.shared])
    #expect(await again.size(of: chosen) == 0)
    #expect(try await again.tap(at: place, zoom: 3) != nil)
  }

  @Test("packs are replaced where their archives change, and removed where their regions go")
  func update() async throws {
    let transport = MemoryTransport(publisher)
    let packs = try packs(transport)
    try await packs.refresh()
    let all = try #require(await packs.list?.packs)
    try await packs.fetch(all)
    #expect(try archives() == [Self.east, Self.shared, Self.west])
    try folder.write("not a pack", to: "isles-other.mbtiles")
    transport.replace(
      "isles.packs.json",
      by: try list { members in
        members["sequence"] = 4
        var regions = try #require(members["packs"] as? [[String: Any]])
        for name in ["bytes", "sha256", "digest", "taps"] { regions[0][name] = regions[1][name] }
        members["packs"] = [regions[0]]
      })
    transport.replace(Self.east, by: try #require(publisher.files[Self.west]))
    #expect(try await packs.update() == [Self.east, Self.west])
    #expect(try archives() == [Self.east, "isles-other.mbtiles", Self.shared])
    #expect(
      try folder.bytes(Self.east) == publisher.files[Self.west].map { Array($0) })
    #expect(try await packs.update() == [])
    // An older list is refused, and nothing changes.
    transport.replace("isles.packs.json", by: try list { $0["sequence"] = 3 })
    await #expect(throws: ClientError.replayedList(sequence: 3, accepted: 4)) {
      try await packs.update()
    }
    try await packs.remove(try #require(await packs.list?.packs.first))
    #expect(try archives() == ["isles-other.mbtiles", Self.shared])
  }
}
