import DefinitionSamples
import Features
import OrderedCollections
import PNG
import Raster
import TestSupport
import Testing
import Tiling

@testable import Definition
@testable import Pipeline
@testable import Runs

/// What a file draws that names no layers, and what `state:` and upper backgrounds do.
@Suite("Default looks without layers") struct DefaultLookTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The tile 0/0/0 of a pipeline over one GeoJSON text.
  private func tile(_ geoJSON: String, _ more: String = "") throws -> Pixmap {
    try folder.write(geoJSON, to: "data.json")
    let file = try folder.write(
      """
      version: 1
      sources: {s: {type: geojson, data: data.json}}
      \(more)
      output: {path: out.mbtiles}
      """, to: "x.yml")
    let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
    let bytes = try PipelineRunner.tile(
      definition, tile: TileCoord(z: 0, x: 0, y: 0), scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    return try PNGDecoder().decode(bytes)
  }

  private func square(_ properties: String) -> String {
    """
    {"type": "Feature", "properties": \(properties), "geometry": {"type": "Polygon",
     "coordinates": [[[-90,-60],[90,-60],[90,60],[-90,60],[-90,-60]]]}}
    """
  }

  private func straight(_ css: UInt32) -> PremultipliedColor { PremultipliedColor(bits: css) }

  @Test("features without layers are drawn by their simplestyle properties")
  func properties() throws {
    let picture = try tile(
      square(
        ##"{"fill": "00ff00", "fill-opacity": 1, "stroke": "#ff0000", "stroke-width": 6}"##))
    #expect(picture[128, 128] == straight(0xFF00_FF00))
    // The west edge lies at 64 px.
    #expect(picture[64, 128] == straight(0xFF00_00FF) && picture[62, 128] == picture[64, 128])
    #expect(picture[58, 128] == .transparent)
  }

  @Test("features without simplestyle properties are translucent blue")
  func defaults() throws {
    let picture = try tile(square("{}"))
    let fill = PremultipliedColor(
      Color(red: 58.0 / 255, green: 120.0 / 255, blue: 184.0 / 255).faded(0.35))
    #expect(picture[128, 128] == fill)
    #expect(picture[10, 10] == .transparent)
  }

  @Test("a clustered source without layers is drawn as bubbles with their numbers")
  func clusters() throws {
    let points = (0..<30).map { row in
      """
      {"type": "Feature", "properties": {},
       "geometry": {"type": "Point", "coordinates": [\(row < 29 ? 0.001 * Double(row) : -150), 0]}}
      """
    }
    try folder.write(
      #"{"type": "FeatureCollection", "features": [\#(points.joined(separator: ","))]}"#,
      to: "p.json")
    let definition = try definition(
      """
      version: 1
      sources: {s: {type: geojson, data: p.json, cluster: true}}
      output: {path: out.mbtiles}
      """, file: folder.path("x.yml"))
    #expect(
      definition.layers.map(\.id) == ["s-fill", "s-line", "s-circle", "s-cluster", "s-count"])
    let bytes = try PipelineRunner.tile(
      definition, tile: TileCoord(z: 0, x: 0, y: 0), scale: 1, options: BuildOptions(),
      cancellation: Cancellation(), progress: { _ in })
    let picture = try PNGDecoder().decode(bytes)
    // The bubble of 29 at the middle is larger than the circle of the lone point, 21 px from the west.
    #expect(picture[128, 117].alpha == 255 && picture[21, 117] == .transparent)
    #expect(picture[21, 128].alpha == 255)
    let white = (118..<138).count { picture[$0, 128] == straight(0xFFFF_FFFF) }
    #expect(white > 2, "the number is missing")
  }

  @Test(
    "bubbles fit the distance between clusters of every zoom",
    arguments: [
      (ClusterMethod.radius(40), [18.0]), (.radius(200), [24]), (.radius(1), [9]),
      (.grid(cellSizes: [.init(zoom: 0, value: 88), .init(zoom: 16, value: 32)]), [24, 14]),
    ])
  func bubbles(method: ClusterMethod, largest: [Double]) throws {
    let radius = try #require(ClusterLook(method).bubblePaint["circle-radius"])
    func last(_ value: PropertyValue) -> Double? {
      guard case .array(let items) = value, case .number(let number)? = items.last else {
        return nil
      }
      return number
    }
    guard case .array(let items) = radius else {
      Issue.record("\(radius)")
      return
    }
    let found = largest.count == 1 ? [radius] : [items[2], items[4]]
    #expect(found.compactMap(last) == largest)
  }

  @Test("global-state reads the defaults in state")
  func state() throws {
    let picture = try tile(
      square("{}"),
      """
      state: {sea: {default: "#0000ff"}}
      layers: [{id: f, type: fill, source: s, paint: {fill-color: [to-color, [global-state, sea]]}}]
      """)
    #expect(picture[128, 128] == straight(0xFFFF_0000))
  }

  @Test("a translucent background over other layers is drawn over them")
  func veil() throws {
    let picture = try tile(
      square("{}"),
      """
      layers:
        - {id: f, type: fill, source: s, paint: {fill-color: black}}
        - {id: b, type: background, paint: {background-color: white, background-opacity: 0.5}}
      """)
    #expect(picture[128, 128].bits >> 24 == 255)
    #expect([127, 128].contains(picture[128, 128].bits & 0xFF))
    #expect([127, 128].contains(picture[5, 5].bits >> 24))
  }
}
