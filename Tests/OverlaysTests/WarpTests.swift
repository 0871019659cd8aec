import Overlays
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@Suite("The warp")
struct WarpTests {
  /// Placements of every kind: upright, even in latitude, turned, slanted, over the antimeridian,
  /// and round the world.
  static let placements: [(name: String, placement: ImagePlacement)] = {
    let box = GeoBounds(west: -60, south: -30, east: 70, north: 62)
    let made: [(String, ImagePlacement?)] = [
      ("mercator", try? ImagePlacement(bounds: box)),
      ("latitude", try? ImagePlacement(bounds: box, projection: .equirectangular)),
      ("turned", try? ImagePlacement(bounds: box, bearing: 33)),
      (
        "turned latitude",
        try? ImagePlacement(bounds: box, bearing: 33, projection: .equirectangular)
      ),
      (
        "pacific",
        try? ImagePlacement(bounds: GeoBounds(west: 150, south: -50, east: -130, north: 40))
      ),
      (
        "turned pacific",
        try? ImagePlacement(
          bounds: GeoBounds(west: 150, south: -50, east: -130, north: 40), bearing: -20)
      ),
      (
        "round",
        try? ImagePlacement(
          bounds: GeoBounds(west: 0, south: -90, east: 360, north: 90),
          projection: .equirectangular)
      ),
      (
        "perspective",
        try? ImagePlacement(
          topLeft: LngLat(longitude: -20, latitude: 60),
          topRight: LngLat(longitude: 40, latitude: 55),
          bottomRight: LngLat(longitude: 90, latitude: -20),
          bottomLeft: LngLat(longitude: -70, latitude: -30))
      ),
    ]
    return made.compactMap { name, placement in placement.map { (name, $0) } }
  }()

  static let names = placements.map(\.name)

  static func placement(_ name: String) throws -> ImagePlacement {
    try #require(placements.first { $0.name == name }?.placement)
  }

  @Test("these tests cover all placements")
  func complete() {
    #expect(Self.placements.count == 8)
  }

  @Test(
    "the warped tiles of a zoom are one large picture, pixel for pixel",
    arguments: ResamplingKernel.allCases, names)
  func stitch(kernel: ResamplingKernel, name: String) throws {
    let placement = try Self.placement(name)
    for image in [Workshop.noise(23, 17, seed: 5), Workshop.classes(40, 30, seed: 6)] {
      let painter = WarpPainter(
        image: image, placement: placement, kernel: kernel, tilePixels: 10)
      let tiles = Workshop.stitched(painter, zoom: 2)
      #expect(tiles == Workshop.world(image, placement, kernel, side: 40))
      #expect(tiles.contains { $0 != 0 })
    }
  }

  @Test(
    "the warp keeps a solid image solid, and premultiplied at its border",
    arguments: ResamplingKernel.allCases, names)
  func solid(kernel: ResamplingKernel, name: String) throws {
    let placement = try Self.placement(name)
    for color: UInt32 in [0xFF12_80FE, 0x8040_2010] {
      let image = Workshop.image(9, 7) { _, _ in color }
      let premultiplied = PremultipliedColor(straightBits: color)
      for side in [40, 5] {
        let world = Workshop.world(image, placement, kernel, side: side)
        for pixel in world where pixel != 0 && pixel != premultiplied.bits {
          // Only the border's coverage may thin it, and only for kernels that add up.
          #expect([.bilinear, .cubic, .lanczos, .average].contains(kernel))
          let part = Double(pixel >> 24) / Double(premultiplied.alpha)
          #expect(part < 1)
          for shift: UInt32 in [0, 8, 16] {
            let whole = Double(premultiplied.bits >> shift & 255)
            #expect(abs(Double(pixel >> shift & 255) - whole * part) <= 1.01)
          }
        }
        if side == 40 { #expect(world.contains(premultiplied.bits)) }
      }
    }
  }

  @Test(
    "the warp reports which tiles are blank, and where the others are painted", arguments: names)
  func blank(name: String) throws {
    let placement = try Self.placement(name)
    let image = Workshop.image(200, 150) { x, y in x / 20 == 7 && y / 10 == 9 ? 0xFF00_00FF : 0 }
    let painter = WarpPainter(
      image: image, placement: placement, kernel: .bilinear, tilePixels: 16)
    let pixmap = Pixmap(width: 16, height: 16)
    var painted = 0
    for x in 0..<8 {
      for y in 0..<8 {
        let tile = TileCoord(z: 3, x: x, y: y)
        let box = painter.paint(tile, into: pixmap)
        let there = (0..<256).filter { pixmap.pixels[$0] != 0 }
        #expect((box == nil) == there.isEmpty)
        if painter.isBlank(tile) { #expect(there.isEmpty) }
        guard let box else { continue }
        painted += 1
        #expect(there.map { $0 % 16 }.min() == box.columns.lowerBound)
        #expect(there.map { $0 % 16 }.max() == box.columns.upperBound - 1)
        #expect(there.map { $0 / 16 }.min() == box.rows.lowerBound)
        #expect(there.map { $0 / 16 }.max() == box.rows.upperBound - 1)
        let columns = placement.extent.tileColumns(zoom: 3)
        #expect(columns.contains { $0.contains(x) })
        #expect(placement.extent.tileRows(zoom: 3).contains(y))
      }
    }
    #expect(painted > 0 && painted < 12)
  }

  @Test("the warp never shows a colour outside the palette", arguments: names)
  func paletteOnly(name: String) throws {
    let placement = try Self.placement(name)
    let image = Workshop.classes(64, 48, seed: 11)
    guard case .indexed(_, let palette) = image.texels else {
      Issue.record("the image has no palette")
      return
    }
    let allowed = Set(palette)
    for kernel in [ResamplingKernel.nearest, .mode, .max, .min] {
      for side in [12, 64] {
        let world = Workshop.world(image, placement, kernel, side: side)
        #expect(world.allSatisfy { $0 == 0 || allowed.contains($0) })
      }
    }
  }

  @Test(
    "the warp with max and min never mixes the channels of two colours without a palette",
    arguments: names)
  func wholeColors(name: String) throws {
    let placement = try Self.placement(name)
    // Blue, green, yellow and red rain, the last half transparent; nothing in between.
    let classes: [UInt32] = [0xFFFF_2000, 0xFF10_C010, 0xFF00_E0E0, 0x8000_0080]
    var random = SplitMix64(seed: 3)
    let colors = (0..<64 * 48).map { _ in classes[Int(random.next() % 4)] }
    let opaque = colors.map { $0 | 0xFF00_0000 }
    let images = [
      OverlayImage(width: 64, height: 48, texels: .rgba(ContiguousArray(colors))),
      OverlayImage(
        width: 64, height: 48,
        texels: .rgb(
          opaque.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] } + [0])),
    ]
    for (image, allowed) in zip(images, [Set(colors), Set(opaque)]) {
      for kernel in [ResamplingKernel.max, .min] {
        let world = Workshop.world(image, placement, kernel, side: 16)
        #expect(world.allSatisfy { $0 == 0 || allowed.contains($0) })
      }
    }
  }

  @Test("the warp with max keeps every storm, however small", arguments: names)
  func maximum(name: String) throws {
    let placement = try Self.placement(name)
    var palette = [UInt32](repeating: 0, count: 256)
    palette[1] = 0xFF00_FF00
    palette[7] = 0xFF00_00FF
    for (x, y) in [(50, 40), (130, 99), (77, 60)] {
      var bytes = [UInt8](repeating: 1, count: 160 * 120)
      bytes[y * 160 + x] = 7
      let image = OverlayImage(
        width: 160, height: 120, texels: .indexed(bytes, palette: palette))
      let world = Workshop.world(image, placement, .max, side: 32)
      #expect(world.contains(0xFF00_00FF))
      #expect(!Workshop.world(image, placement, .min, side: 32).contains(0xFF00_00FF))
    }
  }

  @Test(
    "the warp with average conserves the sum in all equal-area placements", arguments: [0, 33.0])
  func conservation(bearing: Double) throws {
    // 64 × 64 pixels of the world in 24 × 24 of the image and the other way round.
    let bounds = GeoBounds(west: -67.5, south: -55.776_573, east: 67.5, north: 55.776_573)
    let placement = try ImagePlacement(bounds: bounds, bearing: bearing)
    let extent = try ImagePlacement(bounds: bounds).extent
    for (size, side) in [(24, 128), (96, 48)] {
      let image = Workshop.noise(size, size, seed: UInt64(size))
      let area = (extent.east - extent.west) * (extent.south - extent.north)
      for shift: UInt32 in [0, 8, 16, 24] {
        var before = 0.0
        for y in 0..<size {
          for x in 0..<size { before += Double(image.color(x: x, y: y) >> shift & 255) }
        }
        let world = Workshop.world(image, placement, .average, side: side)
        let after = world.reduce(0.0) { $0 + Double($1 >> shift & 255) }
        let expected = before / Double(size * size) * area * Double(side * side)
        // Rounding of each pixel is random: a twentieth of a step remains of the mean.
        #expect(abs(after - expected) < 0.05 * area * Double(side * side), "channel \(shift)")
      }
    }
  }

  @Test("the warp is seamless around the world, with the first column at 0° or at 180° W")
  func seam() throws {
    // One period of a wave; the second image begins half a turn later.
    func image(_ phase: Int) -> OverlayImage {
      Workshop.image(36, 18) { x, _ in
        let place = (x + phase) % 36
        return UInt32(min(place, 36 - place) * 14) | 0xFF00_0000
      }
    }
    let atZero = try ImagePlacement(
      bounds: GeoBounds(west: 0, south: -90, east: 360, north: 90), projection: .equirectangular)
    let atDateline = try ImagePlacement(
      bounds: GeoBounds(west: -180, south: -90, east: 180, north: 90), projection: .equirectangular)
    for kernel in ResamplingKernel.allCases {
      for side in [7, 50] {
        let first = Workshop.world(image(0), atZero, kernel, side: side)
        let second = Workshop.world(image(18), atDateline, kernel, side: side)
        #expect(first.allSatisfy { $0 >> 24 == 255 })
        for (a, b) in zip(first, second) {
          #expect(abs(Int(a & 255) - Int(b & 255)) <= 1, "\(kernel)")
        }
      }
    }
  }

  @Test(
    "the warp continues to the map's edges towards the poles", arguments: ResamplingKernel.allCases)
  func poles(kernel: ResamplingKernel) throws {
    let placement = try ImagePlacement(
      bounds: GeoBounds(west: -180, south: -90, east: 180, north: 90), projection: .equirectangular)
    let image = Workshop.image(8, 180) { _, y in UInt32(y) | 0xFF00_0000 }
    let world = Workshop.world(image, placement, kernel, side: 256)
    // Latitude 85.05 lies in row 4; each row of the map is right to a row of the image.
    #expect(abs(Int(world[0] & 255) - 4) <= 1)
    #expect(abs(Int(world[255 * 256] & 255) - 175) <= 1)
    #expect(abs(Int(world[128 * 256] & 255) - 90) <= 1)
    #expect(world.allSatisfy { $0 >> 24 == 255 })
  }

  @Test("the warp has no half-pixel shift: a checkerboard's edges are exact", arguments: names)
  func edges(name: String) throws {
    let placement = try Self.placement(name)
    let image = Workshop.image(8, 8) { x, y in (x + y) % 2 == 0 ? 0xFFFF_FFFF : 0xFF00_0000 }
    let side = 128
    let world = Workshop.world(image, placement, .average, side: side)
    var (error, compared) = (0.0, 0)
    for y in stride(from: 0, to: side, by: 3) {
      for x in 0..<side where world[y * side + x] >> 24 == 255 {
        // The truth, from 16 × 16 points of the analytic board.
        var (light, known) = (0, true)
        for step in 0..<256 {
          let px = (Double(x) + (Double(step % 16) + 0.5) / 16) / Double(side)
          let py = (Double(y) + (Double(step / 16) + 0.5) / 16) / Double(side)
          var point = placement.imagePoint(worldX: px, worldY: py)
          if let found = point, found.x < 0 || found.x >= 1 {
            point = placement.imagePoint(worldX: px + 1, worldY: py)
          }
          guard let point, point.x >= 0, point.x < 1, point.y >= 0, point.y < 1 else {
            known = false
            break
          }
          if (Int(point.x * 8) + Int(point.y * 8)) % 2 == 0 { light += 1 }
        }
        guard known else { continue }
        compared += 1
        error = max(error, abs(Double(world[y * side + x] & 255) - Double(light) * 255 / 256))
      }
    }
    // 0.05 px of an edge are 13 steps; 16 points across see an edge to 1/32 px (8 steps).
    #expect(compared > 100)
    #expect(error < 13 + 8, "\(error)")
  }

  @Test("the warp survives images of any size and shape", arguments: ResamplingKernel.allCases)
  func anySize(kernel: ResamplingKernel) {
    var random = SplitMix64(seed: 99)
    let image = Workshop.noise(7, 5, seed: 1)
    let pixmap = Pixmap(width: 8, height: 8)
    for _ in 0..<50 {
      // From the world down to slivers far below a pixel, at any zoom over the image.
      func size() -> Double { [150, 1, 1e-3, 1e-6, 1e-9, 1e-12][random.below(6)] }
      let (west, south) = (random.number(in: -180..<180), random.number(in: -80..<60))
      let (width, height) = (size(), min(size(), 25))
      func corner(_ x: Double, _ y: Double) -> LngLat {
        LngLat(
          longitude: west + width * (x + random.number(in: -0.4..<0.4)),
          latitude: south + height * (y + random.number(in: -0.4..<0.4)))
      }
      let bounds = GeoBounds(west: west, south: south, east: west + width, north: south + height)
      let placement =
        switch random.below(3) {
        case 0: try? ImagePlacement(bounds: bounds, projection: .equirectangular)
        case 1: try? ImagePlacement(bounds: bounds, bearing: random.number(in: -180..<180))
        default:
          try? ImagePlacement(
            topLeft: corner(0, 1), topRight: corner(1, 1), bottomRight: corner(1, 0),
            bottomLeft: corner(0, 0))
        }
      guard let placement else { continue }
      let painter = WarpPainter(
        image: image, placement: placement, kernel: kernel, tilePixels: 8)
      for zoom in [0, 5, 14, 22] {
        for column in placement.extent.tileColumns(zoom: zoom).prefix(1) {
          let tile = TileCoord(
            z: zoom, x: column.lowerBound,
            y: placement.extent.tileRows(zoom: zoom).lowerBound)
          painter.paint(tile, into: pixmap)
          for pixel in pixmap.pixels {
            let color = PremultipliedColor(bits: pixel)
            #expect(max(color.red, color.green, color.blue) <= color.alpha)
          }
        }
      }
    }
  }
}
