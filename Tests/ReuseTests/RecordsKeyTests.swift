import Inputs
import PipelineSamples
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Reuse
@testable import SourceStages

@Suite("The name of a source's records")
struct RecordsKeyTests {
  @Test("the order in which layers name properties does not change the records key")
  func order() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<600).map { "\($0 % 90),\($0 % 60),Name \($0),\($0)" }
    try folder.write(
      "lng,lat,name,kind\n" + rows.joined(separator: "\n"), to: "places.csv")
    let layers = [
      "- {id: a, type: circle, source: places, paint: {circle-radius: [get, kind]}}",
      "- {id: b, type: symbol, source: places, layout: {text-field: [get, name]}}",
    ]
    func key(_ layers: [String]) throws -> ArtifactKey? {
      let file = try folder.write(
        """
        version: 1
        name: sample
        sources:
          places: {type: csv, data: places.csv}
        layers:
          \(layers.joined(separator: "\n  "))
        tiles: {maxzoom: 3}
        output: {path: out.mbtiles}
        """, to: "sample.yml")
      let definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
      let source = try #require(definition.located().sources.first)
      let request = try source.request(
        try #require(source.records), style: try definition.style(), definition: definition)
      return try source.recordsKey(request, inputs: InputDigests())
    }
    let one = try #require(try key(layers))
    #expect(try key(layers.reversed()) == one)
    #expect(try key([layers[0]]) != one)
  }
}
