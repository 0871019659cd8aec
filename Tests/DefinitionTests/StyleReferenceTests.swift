import DefinitionSamples
import Styling
import Testing

@testable import Definition

@Suite("Layers of old styles that refer to others")
struct StyleReferenceTests {
  private func style(_ layers: String) -> String {
    """
    {"version": 8, "sources": {"s": {"type": "geojson", "data": "s.geojson"}},
     "layers": [
      {"id": "a", "type": "circle", "source": "s", "minzoom": 3, "filter": ["==", "k", "x"],
       "metadata": 1, "paint": {"circle-radius": 4}},
      \(layers)]}
    """
  }

  @Test("a layer with ref has type, source, zooms, filter and layout of that layer, not its paint")
  func resolved() throws {
    let layers = try definition(
      style(#"{"id": "b", "ref": "a", "maxzoom": 5, "paint": {"circle-color": "red"}}"#),
      file: "style.json"
    ).layers
    #expect(layers.map(\.id) == ["a", "b"])
    #expect(layers[1].type == .circle && layers[1].source == "s")
    #expect(layers[1].minZoom == layers[0].minZoom && layers[1].maxZoom == layers[0].maxZoom)
    #expect(layers[1].filter?.propertyValue == layers[0].filter?.propertyValue)
    #expect(layers[1].paint.map(\.key) == ["circle-color"])
  }

  @Test("a ref of nothing, or of another ref, is refused at its place")
  func refused() {
    let missing = fault(style(#"{"id": "b", "ref": "aa"}"#), file: "style.json")
    #expect(
      missing
        == "style.json:5:22: 'ref' names the layer 'aa', which is not there; did you mean 'a'?")
    let chain = fault(
      style(#"{"id": "b", "ref": "a"}, {"id": "c", "ref": "b"}"#), file: "style.json")
    #expect(chain.contains("'ref' names the layer 'b', which refers to another itself"))
  }
}
