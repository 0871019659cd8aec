import Features
import Foundation
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Overlays

@Suite("A pyramid of tiles")
struct TilePyramidTests {
  /// The side of a picture in pixels.
  private static let side = 16

  /// Tiles cut from one picture of the world, as PNG.
  private static func tiles(zoom: Int, seed: UInt64 = 5) -> (
    whole: OverlayImage, bytes: [TileCoord: [UInt8]]
  ) {
    let count = side << zoom
    let whole = Workshop.noise(count, count, seed: seed)
    let pixels = whole.pixmap()
    var bytes: [TileCoord: [UInt8]] = [:]
    for y in 0..<1 << zoom {
      for x in 0..<1 << zoom {
        let part = Pixmap(width: side, height: side)
        for row in 0..<side {
          for column in 0..<side { part[column, row] = pixels[x * side + column, y * side + row] }
        }
        bytes[TileCoord(z: zoom, x: x, y: y)] = PNGEncoder().encode(part)
      }
    }
    return (whole, bytes)
  }

  /// A pyramid whose tiles are as large on the map as their pictures are not.
  private static func pyramid(
    _ bytes: [TileCoord: [UInt8]], zooms: ClosedRange<Int>, tolerance: Int = 0,
    limit: GeoBounds? = nil
  ) -> TilePyramid {
    let form = TilePyramid.Form(
      zooms: zooms, tileSize: 256, extent: .world, limit: limit.map { WorldBox($0) })
    return TilePyramid(form, named: "tiles", tolerance: tolerance) { bytes[$0] }
  }

  private static func painter(
    _ pyramid: TilePyramid, _ kernel: ResamplingKernel = .bilinear, tilePixels: Int = side,
    zoom: Int
  ) -> PyramidPainter {
    PyramidPainter(
      pyramid, kernel: kernel, tilePixels: tilePixels, worldSide: Double(256 << zoom))
  }

  /// The greatest difference of a channel.
  private static func difference(_ first: [UInt32], _ second: [UInt32]) -> Int {
    zip(first, second).reduce(0) { most, pair in
      (0..<4).reduce(most) { most, channel in
        let shift = UInt32(8 * channel)
        return max(most, abs(Int(pair.0 >> shift & 255) - Int(pair.1 >> shift & 255)))
      }
    }
  }

  @Test(
    "at its own zoom a tile is its picture, pixel for pixel, but for the rounding of translucent ones"
  )
  func native() throws {
    let (_, bytes) = Self.tiles(zoom: 1)
    let painter = Self.painter(Self.pyramid(bytes, zooms: 1...1), zoom: 1)
    let pixmap = Pixmap(width: Self.side, height: Self.side)
    for (tile, png) in bytes {
      painter.paint(tile, into: pixmap)
      let picture = try ImageDecoder().decode(png).pixmap()
      #expect(Self.difference(Array(pixmap.pixels), Array(picture.pixels)) <= 1)
      for (own, pixel) in zip(pixmap.pixels, picture.pixels) where pixel >> 24 == 255 {
        #expect(own == pixel)
      }
    }
  }

  @Test(
    "tiles show no seams: they are the picture of the whole world, enlarged or reduced",
    arguments: [
      (ResamplingKernel.bilinear, 3, 16), (.cubic, 2, 48), (.nearest, 3, 16), (.average, 1, 24),
      (.bilinear, 1, 10), (.lanczos, 1, 10),
    ])
  func seams(kernel: ResamplingKernel, zoom: Int, tilePixels: Int) throws {
    let (whole, bytes) = Self.tiles(zoom: 1)
    let edge = WorldPoint.maxLatitude
    let image = WarpPainter(
      image: whole,
      placement: try ImagePlacement(
        bounds: GeoBounds(west: -180, south: -edge, east: 180, north: edge)),
      kernel: kernel, tilePixels: tilePixels)
    let tiles = Self.painter(
      Self.pyramid(bytes, zooms: 0...1), kernel, tilePixels: tilePixels, zoom: zoom)
    let wanted = Workshop.stitched(image, zoom: zoom)
    let found = Workshop.stitched(tiles, zoom: zoom)
    #expect(Set(wanted).count > 100)
    #expect(Self.difference(wanted, found) <= 1)
  }

  @Test("where a tile is absent or damaged, the one above it is shown")
  func ancestors() throws {
    let (_, deep) = Self.tiles(zoom: 2)
    let (_, top) = Self.tiles(zoom: 0, seed: 6)
    let (gone, broken) = (TileCoord(z: 2, x: 1, y: 1), TileCoord(z: 2, x: 3, y: 0))
    var bytes = deep.merging(top) { $1 }
    bytes[gone] = nil
    bytes[broken] = Array("no picture".utf8)
    let pyramid = Self.pyramid(bytes, zooms: 0...2, tolerance: 1)
    let painter = Self.painter(pyramid, .nearest, zoom: 2)
    let pixmap = Pixmap(width: Self.side, height: Self.side)
    let above = try PNGDecoder().decode(try #require(top[TileCoord(z: 0, x: 0, y: 0)]))
    for tile in [gone, broken] {
      painter.paint(tile, into: pixmap)
      for y in 0..<Self.side {
        for x in 0..<Self.side {
          #expect(pixmap[x, y] == above[tile.x * 4 + x / 4, tile.y * 4 + y / 4])
        }
      }
    }
    #expect(pyramid.faultCount == 1)
    #expect(pyramid.faultNote?.hasPrefix("a tile of tiles cannot be read, 2/3/0: ") == true)
    try pyramid.requireFewFaults()
    // Without an ancestor there is nothing.
    let alone = Self.painter(Self.pyramid(bytes, zooms: 2...2), zoom: 2)
    #expect(alone.paint(gone, into: pixmap) == nil)
    #expect(alone.glance(at: gone, opacity: 1) == nil)
  }

  @Test("more damaged tiles than are tolerated are an error that names the first")
  func faults() {
    let bytes = [1, 0].map { (TileCoord(z: 1, x: $0, y: 0), [UInt8]("x".utf8)) }
    let pyramid = Self.pyramid(Dictionary(bytes) { $1 }, zooms: 1...1, tolerance: 1)
    let painter = Self.painter(pyramid, zoom: 1)
    for (tile, _) in bytes { _ = painter.glance(at: tile, opacity: 1) }
    #expect(pyramid.faultCount == 2)
    let error = #expect(throws: OverlayError.self) { try pyramid.requireFewFaults() }
    #expect(
      error?.message.hasPrefix("2 tiles of tiles cannot be read, the first is 1/0/0: ") == true)
    #expect(error?.message.contains("onError: {max: 2}") == true)
  }

  @Test("the zoom of tiles is the one with the nearest pixels, as in MapLibre")
  func zooms() {
    let pyramid = Self.pyramid([:], zooms: 2...5)
    func zoom(_ exact: Double) -> Int? { pyramid.sourceZoom(worldSide: 256 * exp2(exact)) }
    #expect(zoom(1) == nil && zoom(1.49) == nil)
    #expect(zoom(1.5) == 2 && zoom(2) == 2 && zoom(3.49) == 3 && zoom(3.5) == 4)
    #expect(zoom(5) == 5 && zoom(9) == 5)
  }

  @Test("in a view tiles are moved to whole pixels, as in MapLibre", arguments: [64, -64])
  func aligned(shift: Int) throws {
    let (_, bytes) = Self.tiles(zoom: 1)
    let pyramid = Self.pyramid(bytes, zooms: 1...1)
    let (straight, moved) = (
      Self.painter(pyramid, zoom: 1),
      PyramidPainter(
        pyramid, kernel: .bilinear, tilePixels: Self.side, worldSide: 512,
        shiftX: shift & 255, shiftY: 0)
    )
    let (first, second) = (
      Pixmap(width: Self.side, height: Self.side), Pixmap(width: Self.side, height: Self.side)
    )
    straight.paint(TileCoord(z: 1, x: 1, y: 0), into: first)
    moved.paint(TileCoord(z: 1, x: 1, y: 0), into: second)
    // A quarter of a pixel is none, three quarters are a whole one.
    let step = shift > 0 ? 0 : 1
    for y in 0..<Self.side {
      for x in step..<Self.side { #expect(second[x, y] == first[x - step, y]) }
    }
  }

  @Test("tiles outside of the source's bounds are not read")
  func bounds() throws {
    let (_, bytes) = Self.tiles(zoom: 1)
    let west = GeoBounds(west: -170, south: -80, east: -10, north: 80)
    let painter = Self.painter(Self.pyramid(bytes, zooms: 1...1, limit: west), zoom: 1)
    let shown = bytes.keys.filter { painter.glance(at: $0, opacity: 1) != nil }
    #expect(Set(shown.map(\.x)) == [0] && shown.count == 2)
  }

  @Test("at the rim of the data pixels are as opaque as their picture is")
  func rim() throws {
    let plain = Pixmap(width: Self.side, height: Self.side)
    plain.clear(to: PremultipliedColor(Color(red: 1, green: 0.5, blue: 0)))
    let pyramid = Self.pyramid(
      [TileCoord(z: 1, x: 1, y: 0): PNGEncoder().encode(plain)], zooms: 1...1)
    let painter = Self.painter(pyramid, zoom: 3)
    let pixmap = Pixmap(width: Self.side, height: Self.side)
    for x in 4..<8 {
      for y in 0..<4 {
        painter.paint(TileCoord(z: 3, x: x, y: y), into: pixmap)
        #expect(pixmap.pixels.allSatisfy { $0 == plain.pixels[0] })
      }
    }
    #expect(painter.paint(TileCoord(z: 3, x: 3, y: 1), into: pixmap) == nil)
  }

  @Test("a tile's hash changes with the tiles that reach into it, and with no other")
  func hashes() throws {
    let (_, bytes) = Self.tiles(zoom: 2)
    let (_, other) = Self.tiles(zoom: 2, seed: 9)
    let changed = TileCoord(z: 2, x: 1, y: 1)
    func hashes(zoom: Int, _ bytes: [TileCoord: [UInt8]]) -> [TileCoord: StableHash?] {
      let painter = Self.painter(Self.pyramid(bytes, zooms: 0...2), zoom: zoom)
      var hashes: [TileCoord: StableHash?] = [:]
      for x in 0..<1 << zoom {
        for y in 0..<1 << zoom {
          let tile = TileCoord(z: zoom, x: x, y: y)
          hashes[tile] = painter.contentHash(of: tile)
        }
      }
      return hashes
    }
    let edited = bytes.merging([changed: try #require(other[changed])]) { $1 }
    for (zoom, count) in [(2, 1), (3, 16)] {
      let (before, after) = (hashes(zoom: zoom, bytes), hashes(zoom: zoom, edited))
      let differing = before.keys.filter { before[$0] != after[$0] }
      #expect(differing.count == count, "zoom \(zoom)")
    }
  }

  @Test("a picture that is too large for a tile is damaged")
  func bomb() {
    let huge = Pixmap(width: TilePyramid.maxSide + 1, height: 1)
    let tile = TileCoord(z: 0, x: 0, y: 0)
    let pyramid = Self.pyramid([tile: PNGEncoder().encode(huge)], zooms: 0...0)
    #expect(Self.painter(pyramid, zoom: 0).glance(at: tile, opacity: 1) == nil)
    #expect(pyramid.faultCount == 1)
  }

  @Test("recent values keep half of the room, and drop what is not used")
  func recent() {
    var values = RecentValues<Int, Int>(room: 8)
    for key in 0..<4 { values.insert(key, for: key, cost: 1) }
    values.insert(4, for: 4, cost: 1)
    #expect(values.value(of: 0) { _ in 1 } == 0)
    for key in 5..<9 { values.insert(key, for: key, cost: 1) }
    #expect(values.value(of: 1) { _ in 1 } == nil)
    #expect(values.value(of: 0) { _ in 1 } == 0)
  }
}
