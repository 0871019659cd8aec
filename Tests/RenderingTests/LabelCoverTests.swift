import Features
import PNG
import PlainPainting
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

/// Which of two labels that cover one another is seen, and answers.
@Suite("Labels that cover one another")
struct LabelCoverTests {
  /// Two labels of the same letters in the middle of the only tile, the first 4 px south of the
  /// second: red, and blue.
  private func scenes(_ layout: String, _ more: [StyleLayer] = []) throws -> (
    SampleBuild, ZoomScenes
  ) {
    let grid = PixelGrid(zoom: 0)
    let label = try layer(
      #"""
      {"id": "l", "type": "symbol", "source": "s",
        "layout": {"text-field": "▇▇▇", "text-font": ["DejaVu Sans Bold"], "text-size": 24,
          "text-allow-overlap": true \#(layout.isEmpty ? "" : ", " + layout)},
        "paint": {"text-color": ["match", ["get", "rank"], 1, "#ff0000", "#0000ff"]}}
      """#)
    let points = PointSet.sample(
      [LngLat(x: 128, y: 130, grid: grid), LngLat(x: 128, y: 126, grid: grid)],
      columns: [("rank", [.number(1), .number(2)])])
    var build = try SampleBuild(more + [label], zoom: 0)
    build.builder.keepsFeatures = true
    let scenes = try build.builder.scenes(
      of: [SymbolSource(id: "s", points: points, level: nil)], zoom: 0)
    return (build, scenes)
  }

  /// Whether the first point's label lies on top: by the pixels, and by taps.
  private func firstIsSeen(_ layout: String, _ more: [StyleLayer] = []) throws -> [Bool] {
    let (build, scenes) = try scenes(layout, more)
    let painter = try build.painter()
    var bytes: [UInt8] = []
    try painter.paint(0, of: scenes, into: &bytes)
    let pixels = try painter.pixels(0, of: scenes)
    #expect(try PNGDecoder().decode(bytes).largestDifference(to: pixels) <= 8)
    let plain = try PlainPainter(fonts: fonts.get()).paint(PlainScene(0, of: scenes))
    #expect(Array(plain.pixels) == Array(pixels.pixels))
    let place = 128 * 256 + 128
    let taps = TapPainter(layers: [more.count], side: 256, scale: 1, fonts: try fonts.get())
    let hit = try taps.grid(0, of: scenes)?.feature(column: 32, row: 32)
    return [pixels.pixels[place] & 0xFF == 0xFF, hit?.row == 0]
  }

  @Test("of two covering labels the southern one is on top unless source order or a key is set")
  func latitude() throws {
    #expect(try firstIsSeen("") == [true, true])
    #expect(try firstIsSeen(#""symbol-z-order": "auto""#) == [true, true])
    #expect(try firstIsSeen(#""symbol-z-order": "viewport-y""#) == [true, true])
    #expect(try firstIsSeen(#""symbol-z-order": "source""#) == [false, false])
    let key = #""symbol-sort-key": ["get", "rank"]"#
    #expect(try firstIsSeen(key) == [false, false])
  }

  @Test("the southern label is on top even over circles of the same features in source order")
  func circles() throws {
    let circle = try layer(
      #"""
      {"id": "c", "type": "circle", "source": "s", "paint": {"circle-radius": 20,
        "circle-color": ["match", ["get", "rank"], 1, "#00ff00", "#00ffff"]}}
      """#)
    #expect(try firstIsSeen("", [circle]) == [true, true])
    let (build, scenes) = try scenes("", [circle])
    let pixels = try build.painter().pixels(0, of: scenes)
    // Above the labels both circles lie over one another: the second one on top.
    #expect(pixels.pixels[112 * 256 + 128] == 0xFFFF_FF00)
  }

  @Test("scenes with another label order have another hash")
  func hashes() throws {
    let (_, first) = try scenes("")
    let (_, second) = try scenes(#""symbol-z-order": "source""#)
    #expect(first.count == 1 && first.hashes[0] != second.hashes[0])
  }
}
