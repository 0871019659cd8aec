import Expressions
import Features
import Raster
import Testing

@testable import Styling

@Suite("The icon of a feature")
struct IconLookTests {
  private func resolver(_ layout: String, paint: String = "", zoom: Double = 5) throws
    -> LookResolver
  {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "paint": {\#(paint)},
       "layout": {"text-font": ["DejaVu Sans Bold"], \#(layout)}}
      """#)
    var lists = 0
    return LookResolver(
      layer, index: 0, zoom: zoom, shaper: TextShaper(fonts: try fonts.get()),
      images: SampleImages.all, nextList: &lists)
  }

  private func icon(
    _ layout: String, paint: String = "", _ values: [String: PropertyValue] = [:]
  ) throws -> IconLook? {
    try resolver(layout, paint: paint).looks(of: SampleFeature(values)).symbol.icon
  }

  /// The edges of an icon: left, top, right, bottom.
  private func edges(_ layout: String) throws -> [Double]? {
    try icon(layout).map { [$0.left, $0.top, $0.right, $0.bottom] }
  }

  @Test(
    "an icon lies at its anchor, its offset multiplied by its size",
    arguments: [
      ("", [-4.0, -3, 4, 3]), (#", "icon-anchor": "bottom""#, [-4, -6, 4, 0]),
      (#", "icon-anchor": "top-left""#, [0, 0, 8, 6]),
      (#", "icon-anchor": "right", "icon-size": 2"#, [-16, -6, 0, 6]),
      (#", "icon-offset": [3, -2]"#, [-1, -5, 7, 1]),
      (#", "icon-offset": [3, -2], "icon-size": 2"#, [-2, -10, 14, 2]),
      (#", "icon-text-fit": "both""#, [-4, -3, 4, 3]),
      // An icon that turns with its line is moved by a 24th more.
      (#", "icon-offset": [24, -48], "symbol-placement": "line""#, [21, -53, 29, -47]),
      (
        #", "icon-offset": [24, -48], "symbol-placement": "line", "icon-rotation-alignment": "viewport""#,
        [20, -51, 28, -45]
      ),
    ])
  func anchors(layout: String, expected: [Double]) throws {
    #expect(try edges(#""icon-image": "arrow"\#(layout)"#) == expected)
  }

  @Test("an image of density 2 is half as large")
  func density() throws {
    #expect(SampleImages.arrow(pixelRatio: 2).displayWidth == 4)
    #expect(SampleImages.icon(SampleImages.arrow(pixelRatio: 2)).isPlain(scale: 2))
    #expect(!SampleImages.icon(SampleImages.arrow()).isPlain(scale: 2))
  }

  @Test(
    "an image is named by a text, tokens, or expressions that skip what is not there",
    arguments: [
      (#"{"property": "kind", "type": "categorical", "stops": [["disc", "arrow"]]}"#, "arrow"),
      (#"{"property": "kind", "type": "categorical", "stops": [["x", "arrow"]]}"#, nil),
      (#""arrow""#, "arrow"), (#""{kind}""#, "disc"), (#"["get", "kind"]"#, "disc"),
      (#"["image", ["get", "kind"]]"#, "disc"),
      (
        #"["coalesce", ["image", "nowhere"], ["image", ["get", "kind"]], ["image", "arrow"]]"#,
        "disc"
      ),
      (#"["coalesce", ["image", "nowhere"], "arrow"]"#, "arrow"),
      (#"["step", ["zoom"], "disc", 3, "arrow"]"#, "arrow"), (#""nowhere""#, nil), (#""""#, nil),
      (#"["coalesce", ["image", "nowhere"], ["image", "neither"]]"#, nil),
    ])
  func names(value: String, expected: String?) throws {
    let found = try icon(#""icon-image": \#(value)"#, ["kind": .string("disc")])
    #expect(found?.image.name == expected)
  }

  @Test("images that are not there are counted by name; the label of such a feature stays")
  func missing() throws {
    let resolver = try resolver(
      #""icon-image": ["coalesce", ["image", ["get", "k"]], ["image", "x"]], "text-field": "a""#)
    for kind in ["nowhere", "nowhere", "arrow", "neither"] {
      #expect(
        try resolver.looks(of: SampleFeature(["k": .string(kind)])).symbol.text != nil, "\(kind)")
    }
    let entries = resolver.values.missingImages.entries
    #expect(entries.map(\.name) == ["nowhere", "neither"])
    #expect(entries.map(\.count) == [2, 1])
  }

  @Test("an icon's numbers are clamped, and those that make it invisible leave it out")
  func numbers() throws {
    #expect(try icon(#""icon-image": "arrow", "icon-size": 0"#) == nil)
    #expect(try icon(#""icon-image": "arrow""#, paint: #""icon-opacity": 0"#) == nil)
    #expect(try icon(#""icon-image": "disc""#, paint: #""icon-color": "rgba(0,0,0,0)""#) == nil)
    let values: [String: PropertyValue] = ["v": .number(1e300)]
    let huge = try icon(#""icon-image": "arrow", "icon-size": ["get", "v"]"#, values)
    #expect(huge?.right == 1024.0)
    let turned = try icon(#""icon-image": "arrow", "icon-rotate": 450"#)
    #expect(turned?.rotate == 90)
    #expect(turned?.bounds().maxY.rounded() == 4)
  }

  @Test("an icon is fitted to its text: its fixed parts keep their size, the others stretch")
  func textFit() throws {
    let layout = #""icon-image": "frame", "text-field": "Text", "text-size": 10"#
    let looks = try resolver(layout + #", "icon-text-fit": "both""#)
      .looks(of: SampleFeature([:])).symbol
    let text = try #require(looks.text)
    let icon = try #require(looks.icon)
    let size = try TextShaper(fonts: fonts.get()).layout(text.sections, style: text.style)
    // The content is the text's box, and a pixel of the image remains on each side.
    #expect(abs(icon.right - icon.left - size.width - 2) < 1e-9)
    #expect(abs(icon.bottom - icon.top - size.height - 2) < 1e-9)
    #expect(icon.columns.map(\.texel) == [0, 2, 4, 6])
    #expect(abs(icon.columns[1].place - icon.columns[0].place - 2) < 1e-9)
    #expect(abs(icon.columns[3].place - icon.columns[2].place - 2) < 1e-9)
    let padded = try #require(
      try self.icon(
        layout + #", "icon-text-fit": "width", "icon-text-fit-padding": [9, 3, 9, 5]"#))
    #expect(abs(padded.right - icon.right - 3) < 1e-9)
    #expect(abs(icon.left - padded.left - 5) < 1e-9)
    // As in MapLibre, the content is as high as the image where the height is not fitted.
    #expect(abs(padded.bottom - padded.top - 8) < 1e-9)
  }

  @Test(
    "a fitted content keeps the proportion that textFitWidth and textFitHeight ask for",
    arguments: [
      // The text is 10 × 24 px, the content as wide as it is high.
      (StyleImageGeometry.TextFit.stretchOrShrink, .stretchOrShrink, 10.0, 24.0),
      (.stretchOnly, .stretchOnly, 10, 24), (.stretchOnly, .proportional, 24, 24),
      (.proportional, .proportional, 24, 24), (.proportional, .stretchOnly, 10, 24),
      (.stretchOrShrink, .proportional, 10, 24),
    ] as [(StyleImageGeometry.TextFit, StyleImageGeometry.TextFit, Double, Double)])
  func proportions(
    width: StyleImageGeometry.TextFit, height: StyleImageGeometry.TextFit, columns: Double,
    rows: Double
  ) throws {
    let fitted = try fittedIcon(width, height, lines: 1)
    #expect(abs(fitted.right - fitted.left - 2 - columns) < 0.01)
    #expect(abs(fitted.bottom - fitted.top - 2 - rows) < 0.01)
    #expect(abs(fitted.right + fitted.left) < 0.01)
  }

  @Test("a wide text makes a content higher that is proportional to its width, never lower")
  func wideProportions() throws {
    let wide = try fittedIcon(.proportional, .stretchOnly, lines: 8)
    #expect(abs(wide.bottom - wide.top - (wide.right - wide.left)) < 1.01)
    #expect(wide.bottom - wide.top > 26)
    let other = try fittedIcon(.stretchOnly, .proportional, lines: 8)
    #expect(abs(other.bottom - other.top - 26) < 0.01)
  }

  /// An icon around some letters I of 10 px width each, in one line of 24 px.
  private func fittedIcon(
    _ width: StyleImageGeometry.TextFit, _ height: StyleImageGeometry.TextFit, lines count: Int
  ) throws -> IconLook {
    var geometry = SampleImages.frame.geometry
    geometry.textFitWidth = width
    geometry.textFitHeight = height
    let frame = SampleImages.frame
    let image = StyleImage(
      name: "frame", width: frame.width, height: frame.height, pixels: frame.pixels,
      geometry: geometry)
    let padding = 10.0 * Double(count)
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout": {
       "text-font": ["DejaVu Sans"], "text-size": 20, "text-field": ["format", ["image", "dot"], {}],
       "icon-image": "frame", "icon-text-fit": "both",
       "icon-text-fit-padding": [0, \#(padding / 2 - 0.5), 0, \#(padding / 2 - 0.5)]}}
      """#)
    let dot = StyleImage(name: "dot", width: 1, height: 1, pixels: [0xFF00_0000])
    var lists = 0
    let looks = try LookResolver(
      layer, index: 0, zoom: 5, shaper: TextShaper(fonts: try fonts.get()),
      images: ScaledImages(["frame": image, "dot": dot]), nextList: &lists
    ).looks(of: SampleFeature())
    return try #require(looks.symbol.icon)
  }

  @Test("icons keep their pixels only if their layer scales and turns none of them by itself")
  func smooth() throws {
    let values: [String: PropertyValue] = ["v": .number(1), "w": .number(0)]
    func isPlain(_ layout: String) throws -> Bool? {
      try icon(#""icon-image": "arrow""# + layout, values)?.isPlain(scale: 1)
    }
    #expect(try isPlain("") == true)
    #expect(try isPlain(#", "icon-size": ["-", 5, 4]"#) == true)
    #expect(try isPlain(#", "icon-size": ["get", "v"]"#) == false)
    #expect(try isPlain(#", "icon-rotate": ["get", "w"]"#) == false)
  }

  @Test("every value of an icon that changes its pixels changes its hash")
  func hashes() {
    let icon = SampleImages.icon(SampleImages.disc)
    var all = [icon]
    func changed(_ change: (inout IconLook) -> Void) {
      var other = icon
      change(&other)
      all.append(other)
    }
    changed { $0.image = SampleImages.arrow() }
    changed { $0.columns[1].place = 9 }
    changed { $0.rows[0].texel = 1 }
    changed { $0.rotate = 1 }
    changed { $0.isFitted = true }
    changed { $0.isSmooth = true }
    changed { $0.opacity = 0.5 }
    changed { $0.color = .white }
    changed { $0.haloColor = .white }
    changed { $0.haloWidth = 1 }
    changed { $0.haloBlur = 1 }
    changed { $0.translateX = 1 }
    changed { $0.translateY = 1 }
    #expect(Set(all.map { Look.icon($0).contentHash }).count == all.count)
    let pixels = ContiguousArray<UInt32>(repeating: 0, count: 4)
    let images = [1.0, 2].map {
      StyleImage(
        name: "a", width: 2, height: 2, pixels: pixels,
        geometry: StyleImageGeometry(pixelRatio: $0))
    }
    #expect(images[0].hash != images[1].hash)
  }
}
