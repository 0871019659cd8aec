import Definition
import Hashing
import MBTiles
import SystemPackage
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
    let archive = FilePath(folder.path("world.mbtiles"))
    let key = try #require(try Ed25519.SigningKey(seed: [UInt8](repeating: 7, count: 32)))
    var list = PackList(
      archive: "world.mbtiles", state: ArchiveState(tiles: "d", taps: isShared ? "e" : nil),
      inputs: "f", shared: isShared ? Self.entry("s.mbtiles", taps: "t") : nil,
      packs: [Self.entry("a.mbtiles"), Self.entry("b.mbtiles")], outside: isShared ? 0 : 3)
    let paths = UpdatePaths(packsOf: archive)
    try paths.publish(&list, by: ListSigner(keys: isShared ? [key] : []))
    #expect(list.sequence == 1 && PackList(besides: archive) == list)
    #expect(list.all.count == (isShared ? 3 : 2))
    #expect(UpdateFile(contentsOf: paths.current)?.isSigned(by: list.keys) == true)
    // The number grows with what the list says, and with its keys.
    try paths.publish(&list, by: ListSigner(keys: isShared ? [key] : []))
    #expect(list.sequence == 1)
    (list.outside, list.minimumClient) = (7, UpdateList.blocksClient)
    try paths.publish(&list, by: ListSigner())
    #expect(list.sequence == 2 && PackList(besides: archive) == list && list.keys.isEmpty)
  }

  @Test("a list that is damaged counts as none")
  func damaged() {
    let list = PackList(
      archive: "world.mbtiles", state: ArchiveState(tiles: "d"), inputs: "f", shared: nil,
      packs: [Self.entry("a.mbtiles")], outside: 0)
    #expect(PackList(list.text) == list)
    for (part, other) in [
      ("\"file\": \"a.mbtiles\"", "\"file\": \"../a.mbtiles\""),
      ("\"bytes\": 4096", "\"bytes\": -1"),
      ("\"minzoom\": 6", "\"minzoom\": 10"), ("\"packs\"", "\"pack\""), ("}", ""),
    ] {
      let text = list.text.replacing(part, with: other)
      #expect(text != list.text, "\(part)")
      #expect(PackList(text) == nil, "\(part)")
    }
    #expect(PackList(besides: "/nowhere/world.mbtiles") == nil)
  }
}
