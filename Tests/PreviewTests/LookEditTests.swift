import Features
import OrderedCollections
import Runs
import TestSupport
import Testing

@testable import Definition
@testable import Preview

/// Changes of looks in the text of a pipeline.
@Suite("Edits of looks")
struct LookEditTests {
  private static let pipeline = """
    # Stores of the city.
    version: 1
    name:   'stores'   # as people call them
    sources:
      s: {type: csv, data: s.csv, x: lon, y: lat}
    layers:
      - id: dots      # the places
        type: circle
        source: s
        paint:
          # by number
          circle-color: [step, [get, "größe"], '#112233', 1e1, "red"]   # red is much
          circle-radius: 4.50 # px
          circle-opacity: &half 0.5
          circle-stroke-opacity: *half
      - {id: names, type: symbol, source: s, layout: {text-field: "${NAME}", text-size: 12, text-font: ['A', "B", C]}}
    output: {path: out/a.mbtiles}
    """

  private func definition(
    _ text: String = pipeline, file: String = "a.yml"
  ) throws(PipelineError) -> PipelineDefinition {
    let environment: Document.Environment = { $0 == "NAME" ? "secret" : nil }
    return try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: file, environment: environment),
      environment: environment)
  }

  private static func change(
    _ property: String, _ path: [DocumentStep] = [], _ value: PropertyValue, layer: String = "dots"
  ) -> LookChange {
    LookChange(
      layer: layer,
      block: property.hasPrefix("text-") && property != "text-color" ? .layout : .paint,
      property: property, path: path, value: value)
  }

  private func edited(_ changes: [LookChange], in text: String = pipeline) throws -> String {
    let edit = try LookEdit(changes, in: try definition(text))
    return String(decoding: try #require(edit.files["a.yml"]), as: UTF8.self)
  }

  private static let edits: [(change: LookChange, old: String, new: String)] = [
    (change("circle-radius", .number(7)), "4.50 # px", "7 # px"),
    (change("circle-radius", .number(0.25)), "4.50 # px", "0.25 # px"),
    (change("circle-color", [.index(2)], .string("#00ff00")), "'#112233'", "'#00ff00'"),
    (change("text-font", [.index(0)], .string("it's"), layer: "names"), "'A'", "'it''s'"),
    (change("circle-color", [.index(3)], .number(20)), "1e1", "20"),
    (change("text-font", [.index(1)], .string("a \"b\""), layer: "names"), "\"B\"", #""a \"b\"""#),
    (change("text-font", [.index(2)], .string("D"), layer: "names"), "C]}", "D]}"),
    (change("text-font", [.index(2)], .string("D E"), layer: "names"), "C]}", "\"D E\"]}"),
    (change("text-font", [.index(2)], .string("no"), layer: "names"), "C]}", "no]}"),
    (change("text-font", [.index(2)], .string("null"), layer: "names"), "C]}", "\"null\"]}"),
    (change("text-size", .number(9), layer: "names"), "text-size: 12", "text-size: 9"),
    (
      change("text-anchor", .string("top"), layer: "names"), "{text-field:",
      "{text-anchor: top, text-field:"
    ),
    (
      change("circle-blur", .number(1)), "      circle-color:",
      "      circle-blur: 1\n      circle-color:"
    ),
  ]

  private static func change(
    _ property: String, _ value: PropertyValue, layer: String = "dots"
  ) -> LookChange {
    change(property, [], value, layer: layer)
  }

  @Test("a value is replaced where it stands, and every other letter stays")
  func values() throws {
    for (change, old, new) in Self.edits {
      let wanted = Self.pipeline.replacing(old, with: new)
      #expect(wanted != Self.pipeline)
      #expect(try edited([change]) == wanted, "\(change.property) \(change.value)")
    }
  }

  @Test("several changes of one line and of others are made at once, with their difference")
  func several() throws {
    let changes = [
      Self.change("circle-radius", .number(7)),
      Self.change("circle-color", [.index(4)], .string("blue")),
      Self.change("circle-color", [.index(2)], .string("#123")),
    ]
    let edit = try LookEdit(changes, in: try definition())
    #expect(
      edit.difference == """
        a.yml:12
        -       circle-color: [step, [get, "größe"], '#112233', 1e1, "red"]   # red is much
        +       circle-color: [step, [get, "größe"], '#123', 1e1, "blue"]   # red is much
        a.yml:13
        -       circle-radius: 4.50 # px
        +       circle-radius: 7 # px

        """)
    let again = try LookEdit(changes.reversed(), in: try definition())
    #expect(again.files == edit.files)
  }

  @Test("line ends of Windows and a byte order mark stay")
  func windows() throws {
    let text = "\u{FEFF}" + Self.pipeline.replacing("\n", with: "\r\n")
    let changes = [
      Self.change("circle-radius", .number(7)), Self.change("circle-blur", .number(1)),
    ]
    #expect(
      try edited(changes, in: text)
        == text.replacing("4.50 #", with: "7 #").replacing(
          "      circle-color:", with: "      circle-blur: 1\r\n      circle-color:"))
  }

  private static let refused: [LookChange] = [
    change("circle-opacity", .number(0.7)), change("circle-stroke-opacity", .number(0.7)),
    change("text-field", .string("x"), layer: "names"), change("circle-radius", .string("x")),
    change("circle-color", [.index(9)], .string("red")),
    change("circle-color", [.index(1)], .string("red")),
    change("circle-color", .string("red")), change("circle-radius", .number(4), layer: "no"),
    change("circle-color", [.index(4)], .string("no colour")), change("circle-glow", .number(1)),
    change("text-color", .string("red"), layer: "names"),
  ]

  @Test("what an alias repeats, a variable gives, or is not there is left to be changed by hand")
  func refusals() throws {
    for change in Self.refused {
      #expect(throws: PipelineError.self, "\(change)") {
        try LookEdit([change], in: try definition())
      }
    }
    let twice = Self.change("circle-radius", .number(7))
    #expect(throws: PipelineError.self) { try LookEdit([twice, twice], in: try definition()) }
  }

  @Test("layers by default stand in no file, so no text is changed")
  func defaults() throws {
    let text = "version: 1\nname: a\nsources:\n  s: {type: csv, data: s.csv, x: lon, y: lat}\n"
    let definition = try definition(text)
    let layer = try #require(definition.layers.first { !$0.paint.isEmpty })
    let change = LookChange(
      layer: layer.id, block: .paint, property: layer.paint[0].key, value: .string("red"))
    let error = #expect(throws: PipelineError.self) { try LookEdit([change], in: definition) }
    #expect(error?.message.contains("stands in no file") == true)
  }

  @Test("a MapLibre style stays JSON")
  func style() throws {
    let text = """
      {"version": 8, "name": "s", "sources": {"s": {"type": "geojson", "data": "s.geojson"}},
        "layers": [ {"id": "dots", "type": "circle", "source": "s", "paint": {"circle-radius": 3}}]}
      """
    let changes = [
      Self.change("circle-radius", .number(5.5)), Self.change("circle-color", .string("red")),
    ]
    let edit = try LookEdit(changes, in: try definition(text, file: "s.json"))
    let wanted = text.replacing(
      "{\"circle-radius\": 3}", with: "{\"circle-color\": \"red\", \"circle-radius\": 5.5}")
    #expect(String(decoding: edit.files["s.json"] ?? [], as: UTF8.self) == wanted)
  }

  @Test("paths of data are spelled for another folder, and nothing else is")
  func paths() throws {
    let text =
      "sources:\n  s: {type: csv, data: '../s.csv', name: ../s.csv}\n  t: {data: [/t.csv]}\n"
    let bytes = try LookEdit.respelled(Array(text.utf8), file: "a.yml") { "data\($0.suffix(6))" }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "sources:\n  s: {type: csv, data: 'data/s.csv', name: ../s.csv}\n  t: {data: [\"data/t.csv\"]}\n"
    )
  }

  @Test("an overlay of JSON has changes and filters, and nothing beyond its limits")
  func overlays() {
    func change(_ value: PropertyValue, path: [PropertyValue] = []) -> PropertyValue {
      .object([
        "changes": .array([
          .object([
            "layer": .string("dots"), "block": .string("paint"),
            "property": .string("circle-radius"), "path": .array(path), "value": value,
          ])
        ])
      ])
    }
    let overlay = LookOverlay(json: change(.number(7)))
    #expect(overlay == LookOverlay([Self.change("circle-radius", .number(7))]))
    #expect(LookOverlay(json: .object([:])) == LookOverlay())
    let bad: [PropertyValue] = [
      .null, .array([]), change(.null), change(.bool(true)), change(.object([:])),
      change(.string(String(repeating: "x", count: 300))), change(.string("a\nb")),
      change(.number(1), path: [.null]), change(.number(1), path: [.number(0.5)]),
      change(.number(1), path: Array(repeating: .number(0), count: 17)),
      .object(["filters": .object(["a": .string("x")])]), .object(["changes": .array([.null])]),
    ]
    for json in bad { #expect(LookOverlay(json: json) == nil, "\(json)") }
  }
}
