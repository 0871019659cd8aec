import JSON
import Runs
import TapBlocks
import TestSupport
import Testing

@testable import Preview

/// Compact taps as the page gets them: the streams of the archive.
@Suite("The preview's compact taps")
struct CompactTapsTests {
  private static let block: TapBlock = {
    var block = TapBlock(tileSide: 256)
    block.tiles = 1
    block.stacks = [
      [
        TapPrint(
          layer: 1, isDisc: false, isOnPixel: false, left: 0, top: 0, right: 128 << 8,
          bottom: 64 << 8)
      ]
    ]
    block.symbols.append(stack: 0, x: 0, y: 0, feature: 3)
    block.shapes.append(TapShape(tile: 0, kind: .wholeTile, layer: 0, feature: 7))
    return block
  }()

  private static let page: TapEntryPage = {
    var page = TapEntryPage()
    page.append(3, TapEntry(key: Array("k3".utf8), fields: Array(#""name":"Inn <b>""#.utf8)))
    page.append(7, TapEntry(key: Array("k7".utf8), fields: []))
    return page
  }()

  private func sample() throws -> PreviewSample {
    let sample = try PreviewSample()
    try sample.addTaps(Self.block, Self.page, to: sample.archive("a.mbtiles"))
    return sample
  }

  private func inflated(_ answer: PreviewAnswer) throws -> [UInt8] {
    #expect(answer.status == 200 && answer.content.kind == .taps)
    return try answer.content.bytes.withUnsafeBytes { try TapInflater().inflate($0) }
  }

  @Test("blocks and pages of entries are served as they are stored")
  func served() throws {
    let sample = try sample()
    let router = try sample.router("a.mbtiles")
    let catalogue = String(decoding: router.get("/catalogue.json").content.bytes, as: UTF8.self)
    #expect(catalogue.contains(#""blocks": "tiles/a/1x/{z}/{x}/{y}.taps""#))
    #expect(catalogue.contains(#""entries": "tiles/a/1x/entries/{first}.taps""#))
    #expect(catalogue.contains(#""taps": true"#) && !catalogue.contains("grids"))
    #expect(try TapBlock(inflated(router.get("/tiles/a/1x/0/0/0.taps"))) == Self.block)
    let starts = router.get("/tiles/a/1x/entries/starts.json").content.bytes
    #expect(String(decoding: starts, as: UTF8.self) == "[3]\n")
    let page = try inflated(router.get("/tiles/a/1x/entries/3.taps"))
    #expect(try TapEntryPage(page, first: 3) == Self.page)
    for target in ["0/0/0.grid.json", "1/0/0.taps", "0/1/0.taps", "entries/7.taps"] {
      #expect(router.get("/tiles/a/1x/\(target)").status == 404, "\(target)")
    }
  }

  @Test("an export has the blocks of its zooms and all entries, and no grid")
  func exported() throws {
    let sample = try sample()
    var export = StaticExport(try sample.tilesets("a.mbtiles"), leaflet: try sample.leaflet())
    _ = try export.write(to: sample.folder.path("out"))
    let router = try sample.router("a.mbtiles")
    for name in ["0/0/0.taps", "entries/3.taps", "entries/starts.json"] {
      let path = "tiles/a/1x/\(name)"
      #expect(try sample.folder.bytes("out/\(path)") == router.get("/\(path)").content.bytes)
    }
    #expect(throws: (any Error).self) { try sample.folder.bytes("out/tiles/a/1x/0/0/0.grid.json") }
    export.zooms = 1...1
    _ = try export.write(to: sample.folder.path("part"))
    #expect(throws: (any Error).self) { try sample.folder.bytes("part/tiles/a/1x/0/0/0.taps") }
  }

  @Test("each file of an archive has one address, by which it is found again")
  func addresses() throws {
    for name in ["3/7/0.png", "3/7/0.grid.json", "5/3/2.taps", "0/0/0.taps", "entries/0.taps"] {
      let file = try #require(ArchiveFile(name.split(separator: "/").map(String.init)), "\(name)")
      #expect(file.name == name)
    }
    for name in ["3/8/0.png", "5/4/0.taps", "2/1/0.taps", "entries/00.taps", "0/0/0", "0/0.png"] {
      #expect(ArchiveFile(name.split(separator: "/").map(String.init)) == nil, "\(name)")
    }
    // Rows of blocks count from the north in addresses, and from the south in archives.
    #expect(ArchiveFile(["4", "0", "0.taps"]) == .block(TapBlockCoord(zoom: 4, column: 0, row: 1)))
  }
}
