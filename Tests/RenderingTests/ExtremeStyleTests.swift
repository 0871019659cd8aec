import Features
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Painting
@testable import Scenes
@testable import Styling

@Suite("A style of extreme values")
struct ExtremeStyleTests {
  /// Numeric properties that take data, with what else their layer needs to show.
  static let properties = [
    "circle-radius", "circle-stroke-width", "text-size",
    "circle-blur", "circle-opacity", "circle-sort-key", "text-fit", "text-max-width",
    "text-letter-spacing", "text-rotate", "text-padding", "text-halo-width", "text-halo-blur",
    "text-opacity", "symbol-sort-key", "text-line-height", "text-offset", "circle-translate",
    "text-translate",
  ]

  static let numbers = [1e300, -1e300, 1e18, 1e9, -40_000]

  @Test("a style of extreme values neither crashes nor takes long", arguments: properties)
  func extreme(property: String) throws {
    for number in Self.numbers {
      try draw(property, number, text: "a b\nc 🏨 \u{202E}x")
    }
  }

  private func draw(_ property: String, _ number: Double, text: String) throws {
    let isCircle = property.hasPrefix("circle")
    let isLayout = StyleProperty(rawValue: property)?.isLayout ?? false
    let isPair = property.hasSuffix("offset") || property.hasSuffix("translate")
    let isConstant = property.hasSuffix("translate") || property == "text-line-height"
    let value: String =
      isPair ? "[\(number), \(-number)]" : isConstant ? "\(number)" : #"["get", "v"]"#
    let setting = #""\#(property)": \#(value)"#
    let layer: StyleLayer
    do {
      layer = try RenderingTests.layer(
        isCircle
          ? #"""
          {"id": "a", "type": "circle", "source": "s",
           "\#(isLayout ? "layout" : "paint")": {\#(setting)}}
          """#
          : #"""
          {"id": "a", "type": "symbol", "source": "s",
           "layout": {"text-field": ["get", "t"], "text-font": ["DejaVu Sans Bold"]
             \#(isLayout ? ", " + setting : "")},
           "paint": {"text-halo-color": "red", "text-halo-width": 1
             \#(isLayout ? "" : property == "text-halo-width" ? "" : ", " + setting)}}
          """#)
    } catch {
      // A constant outside of its range is refused while it is read, which is as good.
      return
    }
    let places = [0.0, 1, 179.9].map { LngLat(longitude: $0, latitude: $0 / 3) }
    let source = SymbolSource(
      id: "s",
      points: .sample(
        places,
        columns: [
          ("v", places.map { _ in .number(number) }), ("t", places.map { _ in .string(text) }),
        ]),
      level: nil)
    var build = try SampleBuild([layer], zoom: 2)
    let scenes = try build.builder.scenes(of: [source], zoom: 2)
    let painter = try build.painter()
    for tile in 0..<min(scenes.count, 1) {
      var png: [UInt8] = []
      try painter.paint(tile, of: scenes, into: &png)
      #expect(try PNGDecoder().decode(png).width == 256)
    }
  }

  /// Numeric properties of labels along lines and in several places.
  static let lineProperties = [
    "symbol-spacing", "text-max-angle", "text-radial-offset", "text-rotate", "text-padding",
    "text-letter-spacing", "text-line-height", "text-size", "text-offset", "text-translate",
  ]

  @Test(
    "extreme labels along lines and around polygons neither crash nor take long",
    arguments: lineProperties)
  func extremeLines(property: String) throws {
    let far = [(0.0, 0.0), (1e300, 90), (-1e300, -90), (179, 10), (181, 10.5), (540, 11)]
    let line = far.map { LngLat(longitude: $0.0, latitude: $0.1) }
    let near = [(0.0, 0.0), (0, 0), (90, 1e-300), (90, 90), (0, 90)].map {
      LngLat(longitude: $0.0, latitude: $0.1)
    }
    let source = SymbolSource.sample([
      .line(line), .line(near), .polygon([near]), .line([]), .polygon([[]]), .line([near[0]]),
    ])
    for number in [1e300, -40_000, 1e-300] {
      for placement in ["line", "point"] {
        try draw(property, number, placement, source)
      }
    }
  }

  private func draw(
    _ property: String, _ number: Double, _ placement: String, _ source: SymbolSource
  ) throws {
    let isPair =
      property.hasSuffix("offset") && property != "text-radial-offset"
      || property.hasSuffix("translate")
    let isLayout = property != "text-translate"
    let setting =
      #""\#(property)": \#(isPair ? "[\(number), \(-number)]" : "\(number)")"#
    guard
      let layer = try? layer(
        #"""
        {"id": "a", "type": "symbol", "source": "s", "layout":
          {"text-field": ["concat", ["get", "name"], "\n🏨 b"], "text-font": ["DejaVu Sans Bold"],
           "text-variable-anchor": ["top", "left"], "symbol-placement": "\#(placement)"
           \#(isLayout ? ", " + setting : "")},
         "paint": {"text-halo-width": 1 \#(isLayout ? "" : ", " + setting)}}
        """#)
    else { return }
    for zoom in [0, 3] {
      _ = try PlacedSymbols([layer], [source], grid: PixelGrid(zoom: zoom))
    }
  }
}
