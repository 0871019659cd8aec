import Expressions
import Features
import Testing

@testable import Styling

@Suite("A faulty layer")
struct StyleLayerErrorTests {
  /// A layer, the way to its fault, and what the message must say.
  struct Fault: Sendable, CustomTestStringConvertible {
    var layer: String
    var key: [KeyStep]
    var message: String

    init(_ layer: String, at key: [KeyStep], _ message: String) {
      self.layer = layer
      self.key = key
      self.message = message
    }

    var testDescription: String { layer }
  }

  static func circle(_ block: String, _ members: String) -> String {
    #"{"id": "a", "type": "circle", "source": "s", "\#(block)": {\#(members)}}"#
  }

  static func symbol(_ block: String, _ members: String) -> String {
    #"{"id": "a", "type": "symbol", "source": "s", "\#(block)": {\#(members)}}"#
  }

  static let faults = [
    Fault(
      circle("paint", #""circle-radius": ["/", 1, 0]"#),
      at: [.member("paint"), .member("circle-radius")], "'circle-radius' is not a finite number"),
    Fault(
      circle("paint", #""circle-opacity": ["ln", -1]"#),
      at: [.member("paint"), .member("circle-opacity")], "not a finite number"),
    Fault(
      symbol("layout", #""text-size": ["^", 10, 400]"#),
      at: [.member("layout"), .member("text-size")], "'text-size' is not a finite number"),
    Fault("[]", at: [], "a layer is an object"),
    Fault(#"{"type": "circle"}"#, at: [], "no 'id'"),
    Fault(
      #"{"id": "a"}"#, at: [],
      "no 'type'; it is one of background, fill, line, circle, chart, leg, symbol, raster, heatmap"),
    Fault(
      #"{"id": "a", "type": "hillshade"}"#, at: [.member("type")],
      "'hillshade' is not supported; supported are background, fill, line, circle, chart, leg, symbol, raster, "
        + "heatmap"),
    Fault(#"{"id": "a", "type": "circle"}"#, at: [], "a circle layer needs a 'source'"),
    Fault(
      #"{"id": "a", "type": "circle", "source": "t"}"#, at: [.member("source")],
      "no source named 't'; sources are s"),
    Fault(
      #"{"id": "a", "type": "circle", "source": "s", "minzoom": 25}"#, at: [.member("minzoom")],
      "from 0 to 24"),
    Fault(
      #"{"id": "a", "type": "circle", "source": "s", "maxzoom": "3"}"#, at: [.member("maxzoom")],
      "must be a number"),
    Fault(
      #"{"id": "a", "type": "circle", "source": "s", "paint": []}"#, at: [.member("paint")],
      "'paint' must be an object"),
    Fault(
      circle("layout", #""visibility": "hidden""#),
      at: [.member("layout"), .member("visibility")], "'visible' or 'none'"),
    Fault(
      circle("paint", #""circle-radios": 3"#), at: [.member("paint"), .member("circle-radios")],
      "'circle-radios' is not supported for circle layers; did you mean 'circle-radius'?"),
    Fault(
      circle("paint", #""girth": 3"#), at: [.member("paint"), .member("girth")],
      "'girth' is not supported for circle layers; supported are circle-radius, circle-color"),
    Fault(
      circle("layout", #""circle-radius": 3"#),
      at: [.member("layout"), .member("circle-radius")],
      "'circle-radius' stands under 'paint', not under 'layout'. Move it there."),
    Fault(
      symbol("paint", #""text-field": "a""#), at: [.member("paint"), .member("text-field")],
      "'text-field' stands under 'layout', not under 'paint'. Move it there."),
    Fault(
      circle("paint", #""text-color": "red""#), at: [.member("paint"), .member("text-color")],
      "'text-color' is a property of symbol layers, and this layer is of type circle."),
    Fault(
      circle("paint", #""circle-color": "reddish""#),
      at: [.member("paint"), .member("circle-color")], "reddish"),
    Fault(
      circle("paint", #""circle-radius": "wide""#),
      at: [.member("paint"), .member("circle-radius")], "number"),
    Fault(
      circle("paint", #""circle-radius": -1"#),
      at: [.member("paint"), .member("circle-radius")], "0"),
    Fault(
      symbol("paint", #""icon-image": "pin""#), at: [.member("paint"), .member("icon-image")],
      "'icon-image' stands under 'layout', not under 'paint'. Move it there."),
    Fault(
      symbol("layout", #""visibility": ["get", "shown"]"#),
      at: [.member("layout"), .member("visibility")], "data expressions not supported"),
    Fault(
      symbol("layout", #""visibility": ["step", ["zoom"], "none", 5, "visible"]"#),
      at: [.member("layout"), .member("visibility")], "zoom expressions not supported"),
    Fault(
      symbol("layout", #""icon-text-fit": "all""#),
      at: [.member("layout"), .member("icon-text-fit")], "none, width, height, both"),
    Fault(
      symbol("layout", #""icon-padding": "wide""#),
      at: [.member("layout"), .member("icon-padding")], "padding expected"),
    Fault(
      symbol("layout", #""text-writing-mode": ["horizontal", "upward"]"#),
      at: [.member("layout"), .member("text-writing-mode")],
      "does not support 'upward'; supported are horizontal, vertical"),
    Fault(
      symbol("layout", #""text-variable-anchor": ["top", "middle"]"#),
      at: [.member("layout"), .member("text-variable-anchor")],
      "does not support 'middle'; supported are center, left"),
    Fault(
      symbol("layout", #""text-variable-anchor-offset": ["middle", [0, 0]]"#),
      at: [.member("layout"), .member("text-variable-anchor-offset")], ""),
    Fault(
      symbol("layout", #""symbol-placement": "lines""#),
      at: [.member("layout"), .member("symbol-placement")], "line-center"),
    Fault(
      symbol("layout", #""symbol-spacing": 0"#),
      at: [.member("layout"), .member("symbol-spacing")], "1"),
    Fault(
      symbol("layout", #""text-overlap": "maybe""#),
      at: [.member("layout"), .member("text-overlap")], "cooperative"),
    Fault(
      symbol("layout", #""symbol-spacing": ["get", "x"]"#),
      at: [.member("layout"), .member("symbol-spacing")], "data expressions not supported"),
    Fault(
      circle("paint", #""circle-opacity": 1.5"#),
      at: [.member("paint"), .member("circle-opacity")], "1"),
    Fault(
      circle("paint", #""circle-radius": ["+", 1, ["gte", "n"]]"#),
      at: [.member("paint"), .member("circle-radius"), .index(2), .index(0)], "gte"),
    Fault(
      circle("paint", #""circle-translate": [1]"#),
      at: [.member("paint"), .member("circle-translate")], "2"),
    Fault(
      circle("paint", #""circle-pitch-scale": "world""#),
      at: [.member("paint"), .member("circle-pitch-scale")], "world"),
    Fault(
      circle("paint", #""circle-pitch-alignment": ["get", "n"]"#),
      at: [.member("paint"), .member("circle-pitch-alignment")], "data"),
    Fault(
      circle("layout", #""circle-radius-transition": {}"#),
      at: [.member("layout"), .member("circle-radius-transition")], "not supported"),
    Fault(
      symbol("layout", #""text-anchor": "middle""#),
      at: [.member("layout"), .member("text-anchor")], "middle"),
    Fault(
      symbol("layout", #""text-allow-overlap": ["get", "n"]"#),
      at: [.member("layout"), .member("text-allow-overlap")], "data"),
    Fault(
      #"{"id": "a", "type": "circle", "source": "s", "filter": ["==", 1]}"#,
      at: [.member("filter")], ""),
    Fault(
      #"{"id": "a", "type": "circle", "source": "s", "filter": ["all", ["nope"]]}"#,
      at: [.member("filter")], "nope"),
  ]

  @Test("a faulty layer is reported in one sentence with the path to its fault", arguments: faults)
  func tells(fault: Fault) throws {
    let value = try json(fault.layer)
    let error = #expect(throws: StyleError.self) { try StyleLayer(value, sources: ["s"]) }
    guard let error else { return }
    #expect(error.key.starts(with: fault.key), "\(error.key)")
    #expect(error.message.contains(fault.message), "\(error.message)")
    #expect(!error.message.contains("\n") && !error.message.isEmpty)
  }

  @Test("a layer needs only the required keys; the others have defaults")
  func defaults() throws {
    let plain = try layer(#"{"id": "a", "type": "circle", "source": "s"}"#)
    #expect(plain.minZoom == 0 && plain.shows(at: 0) && plain.shows(at: 22))
    #expect(plain.filter == nil && plain.properties.isEmpty && plain.propertyNames.isEmpty)
    let zooms = try layer(
      #"{"id": "a", "type": "circle", "source": "s", "minzoom": 3, "maxzoom": 5}"#)
    #expect(
      (0...6).map { zooms.shows(at: Double($0)) } == [
        false, false, false, true, true, false, false,
      ])
    let hidden = try layer(
      #"{"id": "a", "type": "circle", "source": "s", "layout": {"visibility": "none"}}"#)
    #expect(!hidden.shows(at: 3))
    #expect(try layer(#"{"id": "a", "type": "background"}"#).source == nil)
  }

  @Test("a layer lists the properties that it reads, filter first, each once")
  func propertyNames() throws {
    let layer = try layer(
      #"""
      {"id": "a", "type": "symbol", "source": "s", "filter": ["has", "kind"],
       "layout": {"text-field": ["concat", ["get", "name"], ["get", "kind"]]},
       "paint": {"text-color": ["match", ["get", "class"], 1, "red", "blue"]}}
      """#)
    #expect(layer.propertyNames == ["kind", "name", "class"])
    #expect(!layer.usesID && !layer.usesAllProperties)
    let tokens = try Self.tokens()
    #expect(tokens.propertyNames == ["name"])
  }

  private static func tokens() throws -> StyleLayer {
    try layer(symbol("layout", #""text-field": "{name}""#))
  }
}
