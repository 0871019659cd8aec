import JSON
import MBTiles
import TestSupport
import Testing
import Tiling

@testable import Archives

@Suite("Names and lists of packs")
struct PackListTests {
  private static let spellings: [(name: String, word: String)] = [
    ("Florida", "florida"), ("Côte d'Ivoire", "cote-d-ivoire"),
    ("São Tomé & Príncipe", "sao-tome-principe"),
    ("  -- ", ""), ("日本", ""), ("A/../b", "a-b"), ("Zone 7", "zone-7"), ("x.mbtiles", "x-mbtiles"),
  ]

  @Test("the file of a region has its name in lower-case ASCII", arguments: spellings)
  func words(name: String, word: String) {
    #expect(PackNames.word(name) == word)
  }

  @Test(
    "regions whose names look alike, are long, reserved or without letters have their own files")
  func paths() {
    let names = ["Åland", "Aland", "日本", "Shared", "Chad", String(repeating: "long ", count: 40)]
    let paths = PackNames(archive: "out/world.mbtiles", scale: 1).paths(ofRegions: names)
    #expect(Set(paths.map { $0.lowercased() }).count == names.count)
    #expect(paths[4] == "out/world-chad.mbtiles")
    #expect(paths[2].hasPrefix("out/world-region-"))
    #expect(paths.allSatisfy { $0.utf8.count < 120 && $0.hasSuffix(".mbtiles") })
    #expect(!paths.contains(PackNames(archive: "out/world.mbtiles", scale: 1).shared))
    // The order does not matter.
    let turned = PackNames(archive: "out/world.mbtiles", scale: 1).paths(
      ofRegions: names.reversed())
    #expect(turned.reversed() == paths)
    let dense = PackNames(archive: "world.pmtiles", scale: 2)
    #expect(dense.paths(ofRegions: ["Chad"]) == ["world-chad@2x.pmtiles"])
    #expect(dense.shared == "world-shared@2x.pmtiles")
  }

  private static func entry(_ file: String, taps: String? = nil) -> PackList.Entry {
    PackList.Entry(
      file: file, bytes: 4096, sha256: String(repeating: "a", count: 64),
      state: ArchiveState(tiles: String(repeating: "b", count: 64), taps: taps), name: "Fiji \"1\"",
      bounds: GeoBounds(west: 177.1, south: -19.0625, east: -178.3, north: -12.5), zooms: 6...9,
      tiles: 17, inputs: "c")
  }

  @Test("a list is read as it was written", arguments: [true, false])
  func roundTrip(isShared: Bool) throws {
    let folder = try TemporaryFolder()
    let list = PackList(
      archive: "world.mbtiles", state: ArchiveState(tiles: "d", taps: isShared ? "e" : nil),
      inputs: "f", shared: isShared ? Self.entry("s.mbtiles", taps: "t") : nil,
      packs: [Self.entry("a.mbtiles"), Self.entry("b.mbtiles")], outside: isShared ? 0 : 3)
    let path = try folder.write(list.json.pretty, to: "world.packs.json")
    #expect(PackList(contentsOf: path) == list)
    #expect(list.all.count == (isShared ? 3 : 2))
  }

  @Test("a list that is damaged counts as none")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let list = PackList(
      archive: "world.mbtiles", state: ArchiveState(tiles: "d"), inputs: "f", shared: nil,
      packs: [Self.entry("a.mbtiles")], outside: 0)
    for (part, other) in [
      ("\"file\": \"a.mbtiles\"", "\"file\": \"../a.mbtiles\""),
      ("\"bytes\": 4096", "\"bytes\": -1"),
      ("\"minzoom\": 6", "\"minzoom\": 10"), ("\"packs\"", "\"pack\""), ("}", ""),
    ] {
      let text = list.json.pretty.replacing(part, with: other)
      #expect(text != list.json.pretty, "\(part)")
      let path = try folder.write(text, to: "world.packs.json")
      #expect(PackList(contentsOf: path) == nil, "\(part)")
    }
    #expect(PackList(contentsOf: folder.path("none.json")) == nil)
  }
}
