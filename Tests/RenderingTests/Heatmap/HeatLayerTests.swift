import Clustering
import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

@Suite("A heatmap layer")
struct HeatLayerTests {
  private func heat(_ paint: String = "", more: String = "", zoom: Double = 5) throws -> HeatLayer {
    let text = #"{"id": "h", "type": "heatmap", "source": "s"\#(more), "paint": {\#(paint)}}"#
    return HeatLayer(try layer(text), index: 3, zoom: zoom)
  }

  private let places = [
    LngLat(longitude: 0, latitude: 0), LngLat(longitude: -180, latitude: 60),
    LngLat(longitude: 12.5, latitude: -41),
  ]

  private func source(_ values: [PropertyValue]) -> SymbolSource {
    SymbolSource(
      id: "s", points: .sample(places, columns: [(name: "n", values: values)]), level: nil)
  }

  private func straight(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double)
    -> PremultipliedColor
  {
    PremultipliedColor(Color(red: red, green: green, blue: blue, alpha: alpha))
  }

  @Test("a heatmap layer has the defaults of the style specification")
  func defaults() throws {
    let heat = try heat()
    #expect(heat.intensity == 1)
    let points = heat.points(
      of: source([.null, .null, .null]), grid: PixelGrid(zoom: 5, tileSize: 512))
    #expect(points.count == 3 && points.layer == 3)
    #expect(points.radii.allSatisfy { $0 == 30 } && points.weights.allSatisfy { $0 == 1 })
    let colors = heat.ramp.colors
    #expect(colors[0] == .transparent && heat.ramp.firstVisible == 1)
    #expect(colors[16 * 255] == straight(1, 0, 0, 1))
    // The stop at 0.3 lies between two entries: cyan, but for a step.
    #expect(colors[1224].red <= 1 && colors[1224].green >= 253 && colors[1224].blue == 255)
    #expect(colors[2048].red <= 4 && colors[2048].green == 255)
    #expect(colors[416].alpha == 255 && colors[208].alpha == 130)
  }

  @Test("a heatmap layer follows the zoom")
  func zoom() throws {
    let paint = #"""
      "heatmap-radius": ["interpolate", ["linear"], ["zoom"], 0, 2, 10, 12],
      "heatmap-intensity": {"stops": [[0, 1], [10, 3]]}
      """#
    for zoom in [0, 5, 10] as [Double] {
      let heat = try heat(paint, zoom: zoom)
      #expect(heat.intensity == 1 + zoom / 5)
      let points = heat.points(of: source([]), grid: PixelGrid(zoom: Int(zoom)))
      #expect(points.radii == [2 + zoom, 2 + zoom, 2 + zoom])
    }
  }

  @Test("a heatmap layer takes radius and weight from data, the default for the wrong type")
  func data() throws {
    let heat = try heat(#""heatmap-radius": ["get", "n"], "heatmap-weight": ["get", "n"]"#)
    let points = heat.points(
      of: source([.number(4), .string("x"), .number(2.5)]), grid: PixelGrid(zoom: 5))
    #expect(points.radii == [4, 30, 2.5])
    #expect(points.weights == [4, 1, 2.5])
  }

  @Test("a heatmap layer omits filtered and invisible points")
  func filtered() throws {
    let values: [PropertyValue] = [.number(4), .number(-1), .number(0)]
    let kept = try heat(more: #", "filter": [">=", ["get", "n"], 0]"#)
      .points(of: source(values), grid: PixelGrid(zoom: 5))
    #expect(kept.count == 2)
    let weighted = try heat(#""heatmap-weight": ["get", "n"]"#)
      .points(of: source(values), grid: PixelGrid(zoom: 5))
    #expect(weighted.weights == [4])
    for paint in [#""heatmap-opacity": 0"#, #""heatmap-intensity": 0"#] {
      let none = try heat(paint).points(of: source(values), grid: PixelGrid(zoom: 5))
      #expect(none.count == 0)
    }
  }

  @Test("a heatmap layer places points to a sixteenth of a device pixel, whatever symbols snap to")
  func positions() throws {
    let heat = try heat(#""heatmap-radius": 10"#)
    let exact = heat.points(of: source([]), grid: PixelGrid(zoom: 2, scale: 2))
    let snapped = heat.points(of: source([]), grid: PixelGrid(zoom: 2, scale: 2, snap: 8))
    #expect(exact.xs == snapped.xs && exact.ys == snapped.ys)
    #expect(exact.xs.first == 16 * 1024 && exact.ys.first == 16 * 1024 && exact.xs[1] == 0)
    #expect(exact.xs[2] == Int((16 * 2048 * (192.5 / 360)).rounded()))
    #expect(exact.radii == [20, 20, 20])
  }

  @Test("a heatmap layer draws clusters as points with the style's weight")
  func clusters() throws {
    let points = PointSet.sample(places + [places[2], places[2]])
    let input = ClusterInput(
      longitudes: points.longitudes, latitudes: points.latitudes, positions: points.positions)
    let level = RadiusClusterer(try RadiusOptions())
      .pyramid(of: input, zooms: 5...5, checkpoint: {}).level(5)
    let source = SymbolSource(id: "s", points: points, level: level)
    let heat = try heat(#""heatmap-weight": ["coalesce", ["get", "point_count"], 1]"#)
    let found = heat.points(of: source, grid: PixelGrid(zoom: 5))
    #expect(found.weights.sorted() == [1, 1, 3])
  }

  @Test("a heatmap layer fades its ramp by its opacity")
  func opacity() throws {
    let heat = try heat(
      #"""
      "heatmap-opacity": 0.5,
      "heatmap-color": ["step", ["heatmap-density"], "rgba(0, 0, 0, 0)", 0.5, "lime"]
      """#)
    #expect(heat.ramp.colors[2039] == .transparent && heat.ramp.firstVisible == 2040)
    #expect(heat.ramp.colors[2048] == straight(0, 1, 0, 0.5))
    #expect(heat.ramp.colors[4080] == straight(0, 1, 0, 0.5))
  }

  @Test(
    "a heatmap layer refuses what the style specification refuses",
    arguments: [
      #""heatmap-radius": 0"#, #""heatmap-weight": -1"#, #""heatmap-intensity": -0.1"#,
      #""heatmap-opacity": 1.5"#, #""heatmap-intensity": ["get", "n"]"#,
      #""heatmap-opacity": ["get", "n"]"#, #""heatmap-color": ["get", "n"]"#,
      #""heatmap-radius": ["heatmap-density"]"#, #""heatmap-blur": 1"#, #""circle-radius": 1"#,
      #""heatmap-color": "reddish""#,
    ])
  func refused(paint: String) throws {
    #expect(throws: StyleError.self) { try heat(paint) }
  }

  @Test("a heatmap layer accepts transitions, which do not affect tiles")
  func transitions() throws {
    let heat = try heat(#""heatmap-radius-transition": {"duration": 300, "delay": 0}"#)
    #expect(heat.intensity == 1)
    #expect(throws: StyleError.self) { try self.heat(#""heatmap-size-transition": {}"#) }
  }
}
