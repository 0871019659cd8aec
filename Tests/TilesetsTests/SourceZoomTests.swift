import Features
import OrderedCollections
import Testing
import Tilesets
import Tiling

@Suite("The tiles from which a zoom is drawn")
struct SourceZoomTests {
  @Test("a zoom is drawn from its own tiles, or from the deepest, and from none below the first")
  func zooms() {
    let head = TilesetHead(["minzoom": .number(2), "maxzoom": .number(14)])
    #expect([0, 1, 2, 14, 15, 22].map { head.sourceZoom(for: $0) } == [nil, nil, 2, 14, 14, 14])
    #expect(TilesetHead([:]).sourceZoom(for: 22) == 22)
  }

  @Test("every tile of a range lies in the range of its source tiles, and all neighbours do")
  func ranges() {
    let zoom = 5
    let world = 1 << zoom
    for (first, last, top, bottom) in [
      (3, 9, 4, 8), (30, 2, 0, 1), (0, 31, 0, 31), (0, 0, 31, 31), (31, 31, 0, 0), (16, 15, 9, 9),
    ] {
      let range = TileRange(
        zoom: zoom, firstColumn: first, lastColumn: last, firstRow: top, lastRow: bottom)
      for source in 0...zoom {
        let tiles = range.sourceTiles(zoom: source, margin: 1)
        #expect(tiles.zoom == source)
        range.forEachKey { key in
          let (x, y) = (key.column >> (zoom - source), key.row >> (zoom - source))
          for (dx, dy) in [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)] {
            let size = 1 << source
            let tile = TileCoord(z: source, x: (x + dx + size) % size, y: y + dy)
            #expect(tiles.contains(tile) == (0..<size).contains(y + dy))
          }
          return true
        }
        #expect(tiles.count <= (1 << source) * (1 << source))
      }
      #expect(range.columns.joined().allSatisfy { $0 < world })
    }
  }

  @Test("the source tiles of one tile with a margin are nine, and without one it alone")
  func count() {
    let range = TileRange(zoom: 6, firstColumn: 9, lastColumn: 9, firstRow: 20, lastRow: 20)
    #expect(range.sourceTiles(zoom: 4, margin: 1).count == 9)
    #expect(range.sourceTiles(zoom: 4, margin: 0).count == 1)
    #expect(range.sourceTiles(zoom: 6, margin: 0) == range)
  }
}
