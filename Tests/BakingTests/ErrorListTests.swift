import DefinitionSamples
import PipelineSamples
import Testing

@testable import Baking
@testable import Definition
@testable import Runs

@Suite("All errors of a pipeline at once")
struct ErrorListTests {
  private func errors(_ text: String) throws -> [PipelineError] {
    do throws(PipelineError) {
      _ = try definition(text, file: "a.yml").style()
      return []
    } catch {
      return [error] + error.others
    }
  }

  private func places(_ errors: [PipelineError]) -> [String] {
    errors.map { "\($0.place?.line ?? 0):\($0.place?.column ?? 0)" }
  }

  private func text(_ layers: String, more: String = "") -> String {
    """
    version: 1
    sources: {a: {type: csv, data: a.csv}}
    layers:
    \(layers)
    \(more)
    """
  }

  @Test("wrong expressions of all layers are reported at once, with their places")
  func expressions() throws {
    let found = try errors(
      text(
        """
        - {id: one, type: circle, source: a, filter: [nope, 1],
           paint: {circle-radius: [plus, 1, 2], circle-color: blu, circle-opacity: 0.5}}
        - {id: two, type: symbol, source: a, layout: {text-field: [get], text-nope: 1}}
        """))
    #expect(places(found).map { $0.prefix { $0 != ":" } } == ["4", "5", "5", "6", "6"])
    #expect(found.allSatisfy { $0.code == .definition && $0.others.isEmpty || $0 == found[0] })
    for (error, word) in zip(found, ["nope", "plus", "blu", "", "text-nope"]) {
      #expect(error.message.contains(word), "\(error)")
    }
    #expect(found[3].message.hasPrefix("layer 'two': "))
  }

  @Test("the first of several wrong expressions has the sentence that it has alone")
  func first() throws {
    let layer = "- {id: one, type: circle, source: a, paint: {circle-radius: [plus, 1, 2]}}"
    let other = "- {id: two, type: circle, source: a, paint: {circle-radius: [minus, 1, 2]}}"
    let alone = try errors(text(layer))
    let both = try errors(text(layer + "\n" + other))
    #expect(alone.count == 1 && both.count == 2)
    #expect(both[0].description == alone[0].description)
  }

  @Test("at most twenty errors are reported")
  func limit() throws {
    let layers = (0..<30).map {
      "- {id: l\($0), type: circle, source: a, paint: {circle-radius: [plus, \($0)]}}"
    }
    let found = try errors(text(layers.joined(separator: "\n")))
    #expect(found.count == 20)
    #expect(found.map { $0.place?.line ?? 0 } == Array(4..<24))
  }

  @Test("a layer of an unknown source does not hide the expressions of others")
  func layers() throws {
    let found = try errors(
      text(
        """
        - {id: one, type: circle, source: b}
        - {id: two, type: circle, source: a, minzoom: 5, maxzoom: 3}
        - {id: three, type: circle, source: a, paint: {circle-radius: [plus, 1, 2]}}
        """))
    #expect(places(found).map { $0.prefix { $0 != ":" } } == ["4", "5", "6"])
  }

  @Test("filters of sources are reported together with those of layers")
  func sources() throws {
    let found = try errors(
      """
      version: 1
      sources:
        a: {type: csv, data: a.csv, filter: [nope, 1]}
        b: {type: csv, data: b.csv, filter: [nope, 2]}
      layers:
        - {id: one, type: circle, source: a, filter: [nope, 3]}
      """)
    #expect(places(found).map { $0.prefix { $0 != ":" } } == ["6", "3", "4"])
  }

  @Test("wrong sources are reported at once, and so are wrong outputs")
  func outputs() throws {
    let sources = try errors(
      """
      version: 1
      sources:
        a: {type: csv, data: a.csv, where: "rooms >"}
        b: {type: csv, data: b.csv, where: "AND"}
      layers: [{id: one, type: circle, source: a}]
      """)
    #expect(places(sources).map { $0.prefix { $0 != ":" } } == ["3", "4"])
    let outputs = try errors(
      text(
        "- {id: one, type: circle, source: a}",
        more: """
          tiles: {minzoom: 9, maxzoom: 3}
          output: {path: tiles.zip}
          memory: much
          """))
    #expect(outputs.count >= 2, "\(outputs)")
    #expect(outputs[0].message.contains("minzoom"))
  }
}
