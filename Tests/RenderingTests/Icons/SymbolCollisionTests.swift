import Features
import Raster
import Testing
import Tiling

@testable import Scenes
@testable import Styling

/// Symbols of an icon and a label beside it, whose boxes are worked out by hand.
///
/// Icons are 8 × 6 px around the point. Labels are images of 8 × 6 px too, so that no font matters:
/// 20 px to the right of the point's middle, in a line of 28.8 px.
@Suite("Collisions of icons and labels")
struct SymbolCollisionTests {
  /// What shows of each feature, in the order of the features: `i`, `t`, both, or nothing.
  private func shown(
    _ layout: String, at places: [Double], text: String = #"["image", "arrow"]"#
  ) throws -> [String] {
    try symbols(layout, at: places, text: text).map {
      ($0.icon == nil ? "" : "i") + ($0.text == nil ? "" : "t")
    }
  }

  private func symbols(
    _ layout: String, at places: [Double], text: String = #"["image", "arrow"]"#
  ) throws -> [(icon: IconLook?, text: TextLook?)] {
    let base = [
      #""icon-image": "arrow""#, #""text-padding": 0"#, #""icon-padding": 0"#,
      #""text-offset": [0.5, 0]"#,
    ].filter { !layout.contains($0.prefix { $0 != ":" }) }
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "layout": {"text-field": ["format", \#(text), {}],
        "text-size": 24, "text-line-height": 1.2, "text-font": ["DejaVu Sans"],
        "text-anchor": "left", "symbol-z-order": "source",
        \#(base.joined(separator: ", "))\#(layout)}}
      """#)
    let grid = PixelGrid(zoom: 4, tileSize: 256)
    let source = SymbolSource(
      id: "s",
      points: .sample(
        places.map { LngLat(x: 2048 + $0, y: 2048, grid: grid) },
        columns: [("n", places.indices.map { .number(Double($0)) })]), level: nil)
    var looks = LookTable()
    let symbols = try SymbolResolver(
      style: Style(layers: [layer], images: SampleImages.images), fonts: try fonts.get()
    ).symbols(of: [source], grid: grid, looks: &looks)
    var found = [(icon: IconLook?, text: TextLook?)](repeating: (nil, nil), count: places.count)
    for row in 0..<symbols.count {
      let column = Double(symbols.xs[row]) / 16 - 2048
      guard let index = places.firstIndex(where: { abs($0 - column) < 0.5 }) else { continue }
      found[index] = looks.stacks[Int(symbols.stacks[row])].symbol(of: 0)
    }
    return found
  }

  @Test(
    "icons take up the room that they have at the next whole zoom",
    arguments: [([0.0, 8], ["it", "t"]), ([0, 16], ["it", "it"])])
  func nextZoom(places: [Double], expected: [String]) throws {
    let layout = #"""
      , "icon-size": ["step", ["zoom"], 1, 5, 2], "text-optional": true, "icon-optional": true,
      "text-allow-overlap": true, "text-ignore-placement": true
      """#
    #expect(try shown(layout, at: places) == expected)
  }

  /// Both take up x − 4 … x + 4 and x + 12 … x + 20.
  @Test(
    "an icon and its label show together or not at all, unless one of them is optional",
    arguments: [
      // The second icon stands on the first label.
      ("", [0.0, 16], ["it", ""]),
      (#", "icon-optional": true"#, [0, 16], ["it", "t"]),
      // The icon has no room, and without it the label may not show.
      (#", "text-optional": true"#, [0, 16], ["it", ""]),
      // The second label stands on the first icon.
      ("", [0, -16], ["it", ""]),
      (#", "text-optional": true"#, [0, -16], ["it", "i"]),
      (#", "icon-optional": true"#, [0, -16], ["it", ""]),
      // Label on label and icon on icon.
      (#", "icon-optional": true, "text-optional": true"#, [0, 3], ["it", ""]),
      // Just apart: 8 px from icon to icon.
      ("", [0, 8], ["it", "it"]), ("", [0, 7], ["it", ""]),
    ])
  func optional(layout: String, places: [Double], expected: [String]) throws {
    #expect(try shown(layout, at: places) == expected)
  }

  @Test(
    "overlap of icons and of labels is decided one by one",
    arguments: [
      (#", "icon-overlap": "always""#, [0.0, 16], ["it", "it"]),
      (#", "icon-allow-overlap": true"#, [0, 16], ["it", "it"]),
      // The label would cover the first icon.
      (#", "icon-overlap": "always""#, [0, -16], ["it", ""]),
      (#", "text-overlap": "always""#, [0, -16], ["it", "it"]),
      (#", "text-allow-overlap": true"#, [0, -16], ["it", "it"]),
      (#", "text-overlap": "always""#, [0, 16], ["it", ""]),
      (#", "icon-overlap": "always", "text-overlap": "always""#, [0, 1], ["it", "it"]),
      // Cooperative ones give way to those that never overlap only.
      (#", "icon-overlap": "cooperative", "text-overlap": "cooperative""#, [0, 1], ["it", "it"]),
      (#", "icon-overlap": "cooperative""#, [0, 16], ["it", ""]),
      (#", "icon-overlap": "cooperative", "text-overlap": "always""#, [0, 16], ["it", "it"]),
      // icon-overlap counts before icon-allow-overlap.
      (#", "icon-overlap": "never", "icon-allow-overlap": true"#, [0, 16], ["it", ""]),
    ])
  func overlap(layout: String, places: [Double], expected: [String]) throws {
    #expect(try shown(layout, at: places) == expected)
  }

  @Test(
    "what ignores placement blocks nothing, but looks for room itself",
    arguments: [
      (#", "icon-ignore-placement": true"#, [0.0, -16], ["it", "it"]),
      (#", "icon-ignore-placement": true"#, [0, 16], ["it", ""]),
      (#", "text-ignore-placement": true"#, [0, 16], ["it", "it"]),
      (#", "text-ignore-placement": true"#, [0, -16], ["it", ""]),
      (#", "text-ignore-placement": true, "icon-ignore-placement": true"#, [0, 1], ["it", "it"]),
    ])
  func ignored(layout: String, places: [Double], expected: [String]) throws {
    #expect(try shown(layout, at: places) == expected)
  }

  @Test(
    "paddings keep symbols apart, on each side of an icon by itself",
    arguments: [
      // The second icon begins where the first symbol's label ends, at x + 20.
      (#", "icon-padding": 0"#, [0.0, 24], ["it", "it"]),
      (#", "text-padding": 1"#, [0, 24], ["it", ""]),
      (#", "text-padding": 1"#, [0, 26], ["it", "it"]),
      (#", "icon-padding": [0, 0, 0, 3]"#, [0, 24], ["it", ""]),
      (#", "icon-padding": [0, 0, 0, 3]"#, [0, 27], ["it", "it"]),
      (#", "icon-padding": [9, 0, 9, 0]"#, [0, 24], ["it", "it"]),
      (#", "icon-padding": 2"#, [0, 8], ["it", ""]),
      (#", "icon-padding": 2"#, [0, 33], ["it", "it"]),
    ])
  func padding(layout: String, places: [Double], expected: [String]) throws {
    #expect(try shown(layout, at: places) == expected)
  }

  @Test("without an image the label stands alone, and the icon without a text")
  func alone() throws {
    #expect(try shown("", at: [0, 16], text: #"["image", "nowhere"]"#) == ["i", "i"])
    #expect(try shown(#", "icon-image": "nowhere""#, at: [0, 16]) == ["t", "t"])
  }

  @Test(
    "a label beside an icon takes the first of its places that is free of other icons and labels",
    arguments: [
      #", "text-variable-anchor": ["right", "left"], "text-radial-offset": 0.5"#,
      #", "text-variable-anchor": ["right", "left"], "text-offset": [0.5, 0]"#,
      #", "text-variable-anchor-offset": ["right", [-0.5, 0], "left", [0.5, 0]]"#,
    ])
  func variable(layout: String) throws {
    // The label of the first lies at −20 … −12. That of the second would at 2 … 10 cover the label
    // of none, but the icon of the first ends at 4; so it lies at 34 … 42. That of the third, at
    // 36 … 44, would cover it, and lies at 68 … 76.
    let found = try symbols(layout, at: [0, 22, 56])
    #expect(found.map { $0.text?.style.anchor } == [.right, .left, .left])
    #expect(found.allSatisfy { $0.icon != nil })
    // The fourth finds no place, and its icon does not show without it.
    let more = try symbols(layout, at: [0, 22, 56, 38])
    #expect(more[3].text == nil && more[3].icon == nil)
    let optional = try symbols(layout + #", "text-optional": true"#, at: [0, 22, 56, 47])
    #expect(optional[3].text == nil && optional[3].icon != nil)
  }

  @Test("an icon that is fitted to a label follows it to the place that it takes")
  func variableFit() throws {
    let found = try symbols(
      #", "text-variable-anchor": ["right", "left"], "text-radial-offset": 0.5, "#
        + #""icon-image": "frame", "icon-text-fit": "width", "icon-text-fit-padding": [0, 1, 0, 1]"#,
      at: [0, 1])
    #expect(found.map { $0.text?.style.anchor } == [.right, .left])
    // The content of the frame is the label with a pixel on each side; its rim is another.
    for (symbol, edges) in zip(found, [(-22.0, -10.0), (10, 22)]) {
      let icon = try #require(symbol.icon)
      #expect(abs(icon.left - edges.0) < 1e-9 && abs(icon.right - edges.1) < 1e-9)
    }
  }

  @Test("labels that may overlap still prefer a free place, and their icons show with them")
  func variableOverlap() throws {
    let found = try symbols(
      #", "text-variable-anchor": ["right", "left"], "text-radial-offset": 0.5, "#
        + #""text-overlap": "always", "icon-overlap": "always""#, at: [0, 22, 11])
    #expect(found.map { $0.text?.style.anchor } == [.right, .left, .right])
    #expect(found.allSatisfy { $0.icon != nil })
  }
}
