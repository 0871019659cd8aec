import Testing
import Tiling

@testable import MBTiles

@Suite("Archive metadata")
struct ArchiveMetadataTests {
  private static let hashes = TileHashes(digest: "d", aggTilesHash: "A")

  private func make(
    name: String = "n", bounds: GeoBounds = .world,
    center: LngLat = LngLat(longitude: 0, latitude: 0), centerZoom: Int = 3,
    zooms: ClosedRange<Int> = 0...4, version: String = "1", description: String = "",
    attribution: String = "", scale: Int = 1, own: [MetadataEntry] = []
  ) throws -> [MetadataEntry] {
    try ArchiveMetadata(
      name: name, bounds: bounds, center: center, centerZoom: centerZoom, zooms: zooms,
      version: version, description: description, attribution: attribution, scale: scale, own: own
    ).entries(hashes: Self.hashes)
  }

  private func value(_ name: String, in entries: [MetadataEntry]) -> String? {
    entries.first { $0.name == name }?.value
  }

  @Test("archive metadata is written in a fixed order, own keys last and in the given order")
  func order() throws {
    let own = [MetadataEntry("quadrille:z", "1"), MetadataEntry("quadrille:a", "2")]
    #expect(
      try make(scale: 2, own: own).map(\.name) == [
        "name", "format", "bounds", "center", "minzoom", "maxzoom", "type", "version",
        "description", "attribution", "scale", "agg_tiles_hash", "quadrille:digest", "quadrille:z",
        "quadrille:a",
      ])
    #expect(try value("scale", in: make()) == nil)
    #expect(try value("scale", in: make(scale: 2)) == "2")
  }

  @Test(
    "archive metadata rounds bounds outward to plain decimals",
    arguments: [
      (GeoBounds.world, "-180,-85.0511287,180,85.0511287"),
      (GeoBounds(west: 170, south: -1, east: -170, north: 1), "-180,-1,180,1"),
      (GeoBounds(west: 1e-9, south: -1e-9, east: 1e-9, north: 0), "0,-0.0000001,0.0000001,0"),
      (GeoBounds(west: -0.12345678, south: 0, east: 0.5, north: 12.30), "-0.1234568,0,0.5,12.3"),
    ])
  func bounds(box: GeoBounds, text: String) throws {
    let middle = LngLat(
      longitude: box.crossesAntimeridian ? 0 : (box.west + box.east) / 2,
      latitude: (box.south + box.north) / 2)
    #expect(try value("bounds", in: make(bounds: box, center: middle)) == text)
  }

  @Test("archive metadata has the centre with its whole zoom")
  func center() throws {
    let entries = try make(center: LngLat(longitude: -0.05, latitude: 51.5), centerZoom: 4)
    #expect(value("center", in: entries) == "-0.05,51.5,4")
  }

  @Test("archive metadata keeps HTML and what only resembles a path")
  func harmless() throws {
    for text in [
      "<a href=\"https://example.org/a/b\">© Us</a>", "<br/>", "1/2", "/about", "a/b/c", "// x",
      "12:30", "file",
    ] { #expect(try value("attribution", in: make(attribution: text)) == text) }
  }

  @Test("archive metadata refuses values that readers or people should not get")
  func refused() throws {
    func isRefused(_ sentence: String, _ body: () throws -> [MetadataEntry]) {
      let error = #expect(throws: ArchiveError.self) { _ = try body() }
      #expect(error?.code == .badValue)
      #expect(error?.message.contains(sentence) == true)
    }
    isRefused("zoom 5 is not in 0…4") { try make(centerZoom: 5) }
    isRefused("not in 0…22") { try make(centerZoom: 0, zooms: -1...4) }
    isRefused("not in 0…22") { try make(zooms: 0...23) }
    isRefused("must not be empty") { try make(name: "") }
    isRefused("must not be empty") { try make(version: "") }
    isRefused("scale 0") { try make(scale: 0) }
    isRefused("begin with 'quadrille:'") { try make(own: [MetadataEntry("json", "{}")]) }
    isRefused("begin with 'quadrille:'") { try make(own: [MetadataEntry("quadrille:", "")]) }
    isRefused("occurs twice") { try make(own: [MetadataEntry("quadrille:digest", "")]) }
    isRefused("outside the bounds") { try make(center: LngLat(longitude: 0, latitude: 86)) }
    isRefused("outside the bounds") {
      try make(center: LngLat(longitude: .infinity, latitude: 0))
    }
    for box in [
      GeoBounds(west: 0, south: 5, east: 1, north: 4),
      GeoBounds(west: -181, south: 0, east: 1, north: 1),
      GeoBounds(west: 0, south: 0, east: .nan, north: 1),
      GeoBounds(west: 0, south: -91, east: 1, north: 1),
    ] { isRefused("are not west, south, east, north") { try make(bounds: box) } }
    for text in [
      "/home/me/x", "from /srv/data/a.csv", "x=\"/a/b\"", "C:\\data", "~/x", "file:///x",
    ] {
      isRefused("absolute path") { try make(description: text) }
    }
    isRefused("control character") { try make(description: "a\u{1}b") }
    isRefused("longer than") { try make(description: String(repeating: "a", count: 1 << 20 + 1)) }
  }
}
