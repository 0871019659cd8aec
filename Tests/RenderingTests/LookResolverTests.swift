import Expressions
import Features
import Raster
import Testing

@testable import Styling

@Suite("The look of a feature")
struct LookResolverTests {
  private func look(
    _ layer: StyleLayer, zoom: Double = 5, _ values: [String: PropertyValue] = [:]
  ) throws -> Look? {
    var lists = 0
    let resolver = LookResolver(
      layer, index: 0, zoom: zoom, shaper: TextShaper(fonts: try fonts.get()), nextList: &lists)
    return try resolver.look(of: SampleFeature(values))
  }

  private func circle(
    _ paint: String, zoom: Double = 5, _ values: [String: PropertyValue] = [:]
  ) throws -> CircleLook? {
    let layer = try layer(
      #"{"id": "a", "type": "circle", "source": "s", "paint": {\#(paint)}}"#)
    guard case .circle(let look)? = try look(layer, zoom: zoom, values) else { return nil }
    return look
  }

  private func text(
    _ layout: String, paint: String = "", zoom: Double = 5, _ values: [String: PropertyValue] = [:]
  ) throws -> TextLook? {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "paint": {\#(paint)},
       "layout": {"text-font": ["DejaVu Sans Bold"], \#(layout)}}
      """#)
    guard case .text(let look)? = try look(layer, zoom: zoom, values) else { return nil }
    return look
  }

  /// The diameter of the hotel map: 44 / (1 + e^(−0.3 · count^0.4)), rounded.
  static let hotelDiameter = #"""
    ["round", ["/", 44, ["+", 1, ["^", ["e"], ["*", -0.3, ["^",
      ["coalesce", ["get", "point_count"], 1], 0.4]]]]]]
    """#

  @Test(
    "the look of a hotel is 25 px wide for one and 43 px for 500",
    arguments: [(1.0, 25.0), (500, 43)])
  func hotels(count: Double, diameter: Double) throws {
    let values: [String: PropertyValue] = count == 1 ? [:] : ["point_count": .number(count)]
    let circle = try circle(#""circle-radius": ["/", \#(Self.hotelDiameter), 2]"#, values)
    #expect(circle?.radius == diameter / 2)
  }

  @Test("a look does not have an invisible size", arguments: [1e4, 1e9, 1e18, 1e300])
  func sizes(value: Double) throws {
    let values: [String: PropertyValue] = ["v": .number(value)]
    let circle = try circle(
      #""circle-radius": ["get", "v"], "circle-stroke-width": ["get", "v"]"#, values)
    #expect(circle?.radius == 1000 && circle?.strokeWidth == 1000)
    #expect(circle?.shape(scale: 2).drawnOuterRadius == 4000)
    let label = try text(#""text-field": "A", "text-size": ["get", "v"]"#, values)
    #expect(label?.style.size == 500)
  }

  @Test("a look has the defaults of the style specification")
  func defaults() throws {
    #expect(try circle("") == CircleLook(radius: 5, color: .black, strokeColor: .black))
    let label = try text(#""text-field": "A""#)
    #expect(label?.style.size == 16 && label?.style.maxWidth == 10)
    #expect(label?.color == .black && label?.haloWidth == 0 && label?.style.anchor == .center)
  }

  @Test("a look takes colours from data, each faded by its opacity")
  func colors() throws {
    let paint = #"""
      "circle-color": ["match", ["get", "kind"], "inn", "red", "lodge", "rgba(0, 0, 255, 0.5)",
        "white"], "circle-opacity": 0.5
      """#
    #expect(
      try circle(paint, ["kind": .string("inn")])?.color
        == Color(red: 1, green: 0, blue: 0, alpha: 0.5))
    #expect(
      try circle(paint, ["kind": .string("lodge")])?.color
        == Color(red: 0, green: 0, blue: 1, alpha: 0.25))
    #expect(try circle(paint)?.color == Color(red: 1, green: 1, blue: 1, alpha: 0.5))
  }

  @Test("a look follows the zoom")
  func zoom() throws {
    let paint = #""circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 2, 10, 12]"#
    #expect(try [0, 5, 10, 14].map { try circle(paint, zoom: $0)?.radius } == [2, 7, 12, 12])
  }

  @Test("a look falls back to the default if the data has the wrong type")
  func wrongType() throws {
    let paint = #""circle-radius": ["get", "r"]"#
    #expect(try circle(paint, ["r": .number(9)])?.radius == 9)
    #expect(try circle(paint, ["r": .string("9")])?.radius == 5)
    #expect(try circle(paint, ["r": .number(-3)])?.radius ?? 0 == 0)
  }

  @Test(
    "a look accepts options without effect on a flat map with north up",
    arguments: [
      #""circle-translate-anchor": "viewport""#, #""circle-pitch-scale": "viewport""#,
      #""circle-pitch-alignment": "map""#,
      #""circle-pitch-scale": ["step", ["zoom"], "map", 3, "viewport"]"#,
      #""circle-radius-transition": {"duration": 300}"#, #""circle-color": "black""#,
      #""circle-blur": -0.5"#,
    ])
  func indifferent(paint: String) throws {
    #expect(try circle(paint) == circle(""))
  }

  @Test("an invisible or filtered feature has no look")
  func invisible() throws {
    #expect(try circle(#""circle-opacity": 0"#) == nil)
    #expect(try circle(#""circle-radius": 0"#) == nil)
    #expect(try circle(#""circle-opacity": 0, "circle-stroke-width": 1"#) != nil)
    #expect(try text(#""text-field": """#) == nil)
    #expect(try text(#""text-field": " ""#) == nil)
    #expect(try text(#""text-field": "A", "text-size": 0"#) == nil)
    let filtered = try layer(
      #"{"id": "a", "type": "circle", "source": "s", "filter": [">", ["get", "n"], 3]}"#)
    #expect(try look(filtered, ["n": .number(3)]) == nil)
    #expect(try look(filtered, ["n": .number(4)]) != nil)
    #expect(try look(filtered) == nil)
  }

  @Test("a look shrinks a text until it fits, and never enlarges it")
  func fits() throws {
    let shaper = TextShaper(fonts: try fonts.get())
    let free = try #require(try text(#""text-field": "12,345", "text-size": 12"#))
    let width = try shaper.advanceWidth(of: free.sections, style: free.style)
    let tight = try #require(
      try text(#""text-field": "12,345", "text-size": 12, "text-fit": \#(width / 2)"#))
    #expect(abs(tight.style.size - 6) < 0.001)
    #expect(try shaper.advanceWidth(of: tight.sections, style: tight.style) <= width / 2 + 0.001)
    let loose = try text(#""text-field": "12,345", "text-size": 12, "text-fit": \#(width * 2)"#)
    #expect(loose == free)
  }

  @Test(
    "a look changes the case of a text",
    arguments: [("uppercase", "STRASSE 9"), ("lowercase", "straße 9"), ("none", "Straße 9")])
  func transforms(transform: String, result: String) throws {
    let label = try text(
      #""text-field": ["get", "name"], "text-transform": "\#(transform)""#,
      ["name": .string("Straße 9")])
    #expect(label?.text == result)
  }

  @Test("a look replaces the tokens of a text, an absent one with nothing")
  func tokens() throws {
    let layout = #""text-field": "{a}-{b}""#
    #expect(try text(layout, ["a": .number(1), "b": .string("x")])?.text == "1-x")
    #expect(try text(layout, ["a": .number(1)])?.text == "1-")
  }

  @Test("a look reads every property of a text")
  func properties() throws {
    let label = try #require(
      try text(
        #"""
        "text-field": "A", "text-size": 9, "text-letter-spacing": 0.1, "text-line-height": 2,
        "text-max-width": 4, "text-justify": "left", "text-anchor": "bottom-right",
        "text-rotate": 30, "text-offset": [1, -2]
        """#,
        paint: #"""
          "text-color": "lime", "text-opacity": 0.5, "text-halo-color": "white",
          "text-halo-width": 2, "text-halo-blur": 1, "text-translate": [3, 4]
          """#))
    let style = TextStyle(
      fontStack: ["DejaVu Sans Bold"], size: 9, letterSpacing: 0.1, lineHeight: 2, maxWidth: 4,
      justify: .left, anchor: .bottomRight, offsetX: 1, offsetY: -2, rotate: 30)
    #expect(
      label
        == TextLook(
          text: "A", style: style, color: Color(red: 0, green: 1, blue: 0, alpha: 0.5),
          haloColor: Color(red: 1, green: 1, blue: 1, alpha: 0.5), haloWidth: 2, haloBlur: 1,
          translateX: 3, translateY: 4))
  }

  @Test(
    "a label is vertical if its text has ideographs and the style wants it first",
    arguments: [
      (#"["vertical", "horizontal"]"#, "東京 1", .stacked), (#"["vertical"]"#, "서울", .stacked),
      (#"["vertical"]"#, "Hotel \u{2605}", .horizontal),
      (#"["horizontal", "vertical"]"#, "東京", .horizontal),
    ] as [(String, String, TextStyle.WritingMode)])
  func writingMode(modes: String, name: String, mode: TextStyle.WritingMode) throws {
    let field = #""text-field": ["get", "name"], "text-writing-mode": \#(modes)"#
    let label = try #require(try text(field, ["name": .string(name)]))
    #expect(label.style.writingMode == mode)
    #expect(
      try text(field + #", "symbol-placement": "line""#, ["name": .string(name)])?
        .style.writingMode == .horizontal)
  }

  @Test("a look has the sections of a format, their colours faded and their letters transformed")
  func sections() throws {
    let look = try #require(
      try text(
        #"""
        "text-transform": "uppercase", "text-size": 10, "text-field": ["format", ["get", "name"],
          {"font-scale": 1.5, "text-color": "#f00", "vertical-align": "center"}, " b",
          {"text-font": ["literal", ["DejaVu Sans", "X"]]}]
        """#, paint: #""text-opacity": 0.5"#, ["name": .string("a")]))
    #expect(look.text == "A B")
    #expect(
      look.sections == [
        TextSection(
          "A", scale: 1.5, color: Color(red: 1, green: 0, blue: 0, alpha: 0.5),
          verticalAlign: .center),
        TextSection(" B", fontStack: ["DejaVu Sans", "X"]),
      ])
  }

  @Test("a look is visible if one section is, even if the text's own colour is not")
  func visibleSection() throws {
    let field = { (color: String) in
      #""text-field": ["format", "a", {"text-color": "\#(color)"}]"#
    }
    let paint = #""text-color": "transparent""#
    #expect(try text(field("red"), paint: paint) != nil)
    #expect(try text(field("transparent"), paint: paint) == nil)
  }

  @Test("a look shrinks all sections to text-fit together")
  func fittedSections() throws {
    let look = try #require(
      try text(
        #"""
        "text-fit": 30, "text-field": ["format", "wide", {"font-scale": 2}, "wide", {}]
        """#))
    let width = try TextShaper(fonts: fonts.get()).advanceWidth(
      of: look.sections, style: look.style)
    #expect(abs(width - 30) < 0.01)
  }

  @Test("a look does not break lines along a line")
  func unbroken() throws {
    let field = #""text-field": "a b c d", "text-max-width": 1"#
    #expect(try text(field)?.style.maxWidth == 1)
    #expect(try text(field + #", "symbol-placement": "line""#)?.style.maxWidth == 0)
  }
}
