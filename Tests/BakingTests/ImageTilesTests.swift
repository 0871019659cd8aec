import Columns
import PNG
import PipelineSamples
import Raster
import Scenes
import Testing
import Tiling

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Runs

@Suite("Tiles of an image")
struct ImageTilesTests {
  /// Ways to place an image: over the borders of tiles, turned, over the antimeridian, by degrees,
  /// round the world.
  static let placements = [
    "bounds: [-40, -30, 95, 60]",
    "bounds: [-40, -30, 95, 60], bearing: 25",
    "bounds: [150, -50, -130, 20], resampling: lanczos",
    "bounds: [-180, -90, 180, 90], projection: equirectangular, resampling: average",
    "bounds: [-7, 3, 12, 30], projection: equirectangular, resampling: mode",
    "coordinates: [[100, 40], [170, 20], [190, -30], [90, -20]], resampling: cubic",
  ]

  @Test(
    "image tiles side by side are one picture, and exist exactly where it shows",
    arguments: placements)
  func stitch(placement: String) throws {
    let sample = try ImageSample(
      source: placement,
      layers: "[{id: r, type: raster, source: photo, paint: {raster-opacity: 0.4}}]")
    // The same 1024 px as one tile, and as sixteen.
    let whole = try sample.world(zoom: 0, tileSize: 512, scale: 2)
    let stitched = try sample.world(zoom: 2)
    #expect(whole.differences(from: stitched) == 0)
    #expect(whole.colors.count > 5)
    let scenes = try sample.scenes(zoom: 2).scenes
    let found = (0..<scenes.count).map { (scenes.tile($0), scenes.quadrants[$0]) }
    #expect(Dictionary(uniqueKeysWithValues: found) == quadrants(of: whole))
    #expect(scenes.tileKeys.elementsEqual(scenes.tileKeys.sorted()))
    let parallel = try sample.scenes(zoom: 2, threads: 3).scenes
    #expect(parallel.hashes == scenes.hashes)
    #expect(Set(scenes.hashes).count == scenes.count)
  }

  /// The tiles of 256 px that show anything, with their quadrants that do.
  private func quadrants(of world: Pixmap) -> [TileCoord: UInt8] {
    var shown: [TileCoord: UInt8] = [:]
    for index in world.pixels.indices where world.pixels[index] != 0 {
      let (x, y) = (index % world.width, index / world.width)
      let tile = TileCoord(z: 2, x: x / 256, y: y / 256)
      shown[tile, default: 0] |= 1 << UInt8(x / 128 % 2 + y / 128 % 2 * 2)
    }
    return shown
  }

  @Test(
    "image tiles keep the colours of the image under choosing kernels",
    arguments: ["nearest", "mode"])
  func classes(kernel: String) throws {
    let image = ImageSample.blots()
    let world = try ImageSample(image, source: "bounds: [-70, -60, 95, 60], resampling: \(kernel)")
      .world(zoom: 2)
    #expect(world.colors.isSubset(of: image.colors.union([0])))
    #expect(world.colors.count > 5)
  }

  @Test("image tiles follow raster-resampling if the source names no kernel")
  func resampling() throws {
    func world(_ source: String, _ paint: String) throws -> Pixmap {
      try ImageSample(
        source: "bounds: [-40, -30, 95, 60]\(source)",
        layers: "[{id: r, type: raster, source: photo, paint: {\(paint)}}]"
      ).world(zoom: 1)
    }
    let linear = try world("", "raster-fade-duration: 0")
    let nearest = try world("", "raster-resampling: nearest")
    #expect(linear.differences(from: try world(", resampling: bilinear", "")) == 0)
    #expect(nearest.differences(from: linear) > 0)
    #expect(nearest.differences(from: try world(", resampling: nearest", "")) == 0)
    let byZoom = try world("", "raster-resampling: [step, [zoom], linear, 1, nearest]")
    #expect(nearest.differences(from: byZoom) == 0)
  }

  @Test("image tiles lie over and under other layers in the order of the file")
  func order() throws {
    let red = Pixmap(width: 4, height: 4)
    red.clear(to: PremultipliedColor(Color(red: 1, green: 0, blue: 0)))
    let area = """
      area: {type: geojson, data: {type: Polygon, coordinates: [[[-90, -60], [90, -60], [90, 60],
          [-90, 60], [-90, -60]]]}}
      """
    let fill =
      "{id: f, type: fill, source: area, paint: {fill-color: '#00f', fill-antialias: false}}"
    let raster = "{id: r, type: raster, source: photo, paint: {raster-opacity: 0.5}}"
    func middle(_ layers: [String]) throws -> PremultipliedColor {
      try ImageSample(
        red, source: "bounds: [-45, -40, 45, 40]", layers: "[\(layers.joined(separator: ", "))]",
        more: area
      ).world(zoom: 1)[256, 256]
    }
    let (half, blue) = (
      PremultipliedColor(Color(red: 1, green: 0, blue: 0, alpha: 0.5)),
      PremultipliedColor(Color(red: 0, green: 0, blue: 1))
    )
    #expect(try middle([raster]) == half)
    #expect(try middle([raster, fill]) == blue)
    #expect(try middle([fill, raster]) == half.over(blue))
    let second = raster.replacing("id: r", with: "id: r2")
    #expect(try middle([fill, raster, second]) == half.over(half.over(blue)))
    #expect(try middle([fill, raster.replacing("0.5", with: "0")]) == blue)
  }

  @Test("image tiles move with a view by parts of a pixel")
  func shift() throws {
    // A ramp of 8 levels a pixel: 32 of them on 32 px of zoom 0.
    let ramp = Pixmap(width: 32, height: 32)
    for y in 0..<32 {
      for x in 0..<32 {
        ramp[x, y] = PremultipliedColor(
          Color(red: Double(x * 8) / 255, green: Double(y * 8) / 255, blue: 0))
      }
    }
    // 45° are 32 px; the box is square on the screen.
    let sample = try ImageSample(ramp, source: "bounds: [0, 0, 45, 40.97989806962013]")
    func picture(_ offset: Double) throws -> Pixmap {
      let view = MapView(
        center: LngLat(longitude: (16 + offset) / 256 * 360, latitude: 20), zoom: 0, width: 16,
        height: 16)
      return try PNGDecoder().decode(
        PipelineRunner.render(
          sample.definition(), view: view, options: BuildOptions(), cancellation: Cancellation(),
          progress: { _ in }))
    }
    let still = try picture(0)
    let moved = try picture(0.5)
    for index in still.pixels.indices {
      #expect(Int(moved.pixels[index] & 0xFF) - Int(still.pixels[index] & 0xFF) == 4)
      #expect(moved.pixels[index] >> 8 == still.pixels[index] >> 8)
    }
  }
}
