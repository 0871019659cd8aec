import DefinitionSamples
import Features
import Ingest
import Runs
import Testing

@testable import Definition
@testable import Expressions
@testable import Styling

/// The names of the MapLibre style specification of mid-2026 (MapLibre GL JS 5), each accepted or
/// refused by intent: a name that is in neither list is a typing error.
@Suite("The style specification")
struct StyleSpecificationTests {
  // MARK: Layers

  private static let properties: [StyleLayer.Kind: (layout: String, paint: String)] = [
    .background: ("", "background-color background-opacity background-pattern"),
    // Types that only Quadrille has.
    .chart: (
      "chart-obstacle chart-slices chart-sort-key chart-type",
      """
      chart-bar-length chart-bar-width chart-hole chart-hole-color chart-opacity chart-radius
      chart-rotate chart-stroke-color chart-stroke-opacity chart-stroke-width chart-translate
      """
    ),
    .leg: ("", "leg-color leg-opacity leg-width"),
    .fill: (
      "fill-sort-key",
      """
      fill-antialias fill-color fill-layer-opacity fill-opacity fill-outline-color fill-pattern
      fill-translate fill-translate-anchor
      """
    ),
    .line: (
      "line-cap line-join line-miter-limit line-round-limit line-sort-key",
      """
      line-blur line-color line-dasharray line-gap-width line-gradient line-layer-opacity line-offset
      line-opacity line-pattern line-translate line-translate-anchor line-width
      """
    ),
    .circle: (
      "circle-sort-key",
      """
      circle-blur circle-color circle-opacity circle-pitch-alignment circle-pitch-scale
      circle-radius circle-stroke-color circle-stroke-opacity circle-stroke-width circle-translate
      circle-translate-anchor
      """
    ),
    .heatmap: (
      "", "heatmap-color heatmap-intensity heatmap-opacity heatmap-radius heatmap-weight"
    ),
    .raster: (
      "",
      """
      raster-brightness-max raster-brightness-min raster-contrast raster-fade-duration
      raster-hue-rotate raster-opacity raster-resampling raster-saturation resampling
      """
    ),
    .symbol: (
      """
      icon-allow-overlap icon-anchor icon-ignore-placement icon-image icon-keep-upright icon-offset
      icon-optional icon-overlap icon-padding icon-pitch-alignment icon-rotate
      icon-rotation-alignment icon-size icon-text-fit icon-text-fit-padding symbol-avoid-edges
      symbol-placement symbol-sort-key symbol-spacing symbol-z-order text-allow-overlap text-anchor
      text-field text-font text-ignore-placement text-justify text-keep-upright
      text-letter-spacing text-line-height text-max-angle text-max-width text-offset text-optional
      text-overlap text-padding text-pitch-alignment text-radial-offset text-rotate
      text-rotation-alignment text-size text-transform text-variable-anchor
      text-variable-anchor-offset text-writing-mode
      """,
      """
      icon-color icon-halo-blur icon-halo-color icon-halo-width icon-opacity icon-translate
      icon-translate-anchor text-color text-halo-blur text-halo-color text-halo-width text-opacity
      text-translate text-translate-anchor
      """
    ),
  ]

  /// Layer types of the third dimension that a map from above does not show.
  private static let omittedLayers = ["hillshade", "color-relief", "sky"]

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  @Test(
    "a layer type has exactly the specification's properties", arguments: StyleLayer.Kind.allCases)
  func properties(kind: StyleLayer.Kind) throws {
    let (layout, paint) = try #require(Self.properties[kind])
    let own = StyleProperty.allCases.filter { $0.kind == kind }
    // The properties that only Quadrille has.
    let known = Set(own.filter(\.isLayout).map(\.rawValue))
      .subtracting(["text-fit", "symbol-parts", "circle-obstacle"])
    #expect(known == Self.words(layout))
    #expect(Set(own.filter { !$0.isLayout }.map(\.rawValue)) == Self.words(paint))
  }

  @Test("properties that may follow the data in the newest specification do so here")
  func dataDriven() {
    for property: StyleProperty in [
      .lineMiterLimit, .lineRoundLimit, .lineCap, .lineJoin, .lineDasharray, .linePattern,
      .fillPattern, .iconPadding, .textFont, .textVariableAnchorOffset,
    ] {
      #expect(property.specification.isDataDriven, "\(property.rawValue)")
    }
  }

  @Test("visibility is an expression of the global state, besides visible and none")
  func visibility() throws {
    for (shown, expected) in [(true, true), (false, false)] {
      let layer = try StyleLayer(
        JSONValueParser.parse(
          Array(
            """
            {"id": "a", "type": "background", "layout": {"visibility":
              ["case", ["boolean", ["global-state", "shown"]], "visible", "none"]}}
            """.utf8)), sources: [], globalState: ["shown": .bool(shown)])
      #expect(layer.isVisible == expected)
    }
  }

  // MARK: Expressions

  private static let operators = words(
    """
    let var literal semiliteral array at in index-of slice global-state case match coalesce step interpolate
    interpolate-hcl interpolate-lab ln2 pi e typeof string number boolean object collator format
    image number-format to-string to-number to-boolean to-rgba to-color rgb rgba get has length
    properties geometry-type id zoom heatmap-density line-progress accumulated + - * / % ^ sqrt
    log10 ln log2 sin cos tan asin acos atan min max round abs ceil floor distance == != > < >= <=
    all any ! within is-supported-script upcase downcase concat resolved-locale split join
    """)

  @Test("the operators are those of the specification; what a baked tile lacks is refused by name")
  func expressions() {
    let known = Set(Operators.table.keys).subtracting([LegacyFunction.absent])
    #expect(known.isSuperset(of: Self.operators))
    #expect(
      known.subtracting(Self.operators) == ["error", "feature-state", "elevation"],
      "\(known.subtracting(Self.operators))")
    // The specification's own parser has `error` as well, outside of its list.
    for name in ["feature-state", "elevation"] {
      do {
        _ = try CompiledExpression.compile(
          .array([.string(name), .string("a")]), for: StyleProperty.circleRadius.specification)
        Issue.record("accepted: \(name)")
      } catch {
        #expect(error.errors.first?.message.contains("\"\(name)\" is not supported") == true)
      }
    }
  }

  // MARK: Keys

  /// The keys at the root that control a viewer, with values as styles have them.
  private static let viewerKeys = [
    "center": "[1, 2]", "centerAltitude": "9", "zoom": "2.5", "bearing": "10", "pitch": "20",
    "roll": "3", "light": #"{"anchor": "viewport"}"#, "sky": #"{"sky-color": "blue"}"#,
    "projection": #"{"type": ["interpolate", ["linear"], ["zoom"], 10, "globe", 12, "mercator"]}"#,
    "terrain": #"{"source": "dem"}"#, "glyphs": #""local://glyphs/{fontstack}/{range}.pbf""#,
    "font-faces": #"{"A": "https://example.org/a.ttf"}"#, "transition": #"{"duration": 0}"#,
    "metadata": #"{"test": {"width": 64}}"#,
  ]

  @Test(
    "the keys at the root are drawn or have no effect; a note tells which would change a picture",
    arguments: viewerKeys.keys)
  func root(key: String) throws {
    let value = try #require(Self.viewerKeys[key])
    let style = try definition(
      """
      {"version": 8, "name": "a", "sources": {}, "layers": [], "state": {}, "\(key)": \(value)}
      """, file: "a.json")
    let notes = style.notes.map(\.description)
    #expect(notes.contains { $0.contains("'terrain' has no effect") } == (key == "terrain"))
    #expect(notes.count == (key == "terrain" ? 1 : 0), "\(notes)")
  }

  @Test("the keys of a geojson source and of a layer are known, whatever their effect")
  func members() throws {
    let style = try definition(
      """
      {"version": 8, "name": "a",
       "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]},
         "maxzoom": 12, "attribution": "a", "buffer": 64, "filter": ["has", "a"], "tolerance": 3,
         "cluster": true, "clusterRadius": 50, "clusterMaxZoom": 10, "clusterMinPoints": 3,
         "clusterProperties": {"n": ["+", ["get", "n"]]}, "lineMetrics": true, "promoteId": "a",
         "generateId": false}},
       "layers": [{"id": "a", "type": "circle", "source": "s", "source-layer": "x", "minzoom": 1,
         "maxzoom": 9, "metadata": {}, "interactive": true, "filter": ["==", "a", 1], "layout": {"visibility": "none"},
         "paint": {"circle-radius": {"stops": [[0, 1], [9, 2]]},
           "circle-radius-transition": {"duration": 0}}}]}
      """, file: "a.json")
    #expect(style.layers.count == 1)
  }

  @Test(
    "sources of heights and videos are refused by name where a layer draws them",
    arguments: ["raster-dem", "video"])
  func refused(type: String) throws {
    do {
      _ = try definition(
        """
        {"version": 8, "name": "a", "sources": {"s": {"type": "\(type)"}},
         "layers": [{"id": "a", "type": "raster", "source": "s"}]}
        """, file: "a.json")
      Issue.record("accepted")
    } catch {
      #expect(error.description.contains("'\(type)', which this version does not support"))
    }
  }

  @Test("layers of the third dimension are left out with a note", arguments: omittedLayers)
  func omitted(type: String) throws {
    let style = try definition(
      #"{"version": 8, "name": "a", "sources": {}, "layers": [{"id": "a", "type": "\#(type)"}]}"#,
      file: "a.json")
    #expect(style.layers.isEmpty)
    #expect(style.notes.contains { $0.description.contains("'a' (\(type)) are left out") })
  }
}
