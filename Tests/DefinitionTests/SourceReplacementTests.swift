import DefinitionSamples
import Styling
import Testing

@testable import Definition

@Suite("Data in place of a source's own")
struct SourceReplacementTests {
  private let style = """
    {"version": 8, "name": "a",
     "sources": {
      "tiles": {"type": "vector", "tiles": ["https://x.invalid/{z}/{x}/{y}.pbf"], "maxzoom": 9,
       "attribution": "them"},
      "points": {"type": "geojson", "data": "points.geojson", "maxzoom": 9}},
     "layers": [
      {"id": "a", "type": "fill", "source": "tiles", "source-layer": "a"},
      {"id": "b", "type": "circle", "source": "points"}]}
    """

  private func replaced(_ texts: String..., in text: String? = nil) throws -> PipelineDefinition {
    try PipelineDefinition(
      Document(
        bytes: Array((text ?? style).utf8), file: "styles/a.json", environment: { _ in nil }),
      replacing: texts.compactMap { SourceReplacement($0) })
  }

  private func data(_ definition: PipelineDefinition, _ index: Int) -> String {
    switch definition.sources[index].data {
    case .file(let path): path
    case .url(let url): url
    default: "other"
    }
  }

  @Test("paths are relative to the current folder, and what described the old tiles is gone")
  func paths() throws {
    let definition = try replaced("tiles=b/city.pmtiles", "points=https://x.invalid/p.geojson")
    #expect(data(definition, 0) == "b/city.pmtiles")
    #expect(data(definition, 1) == "https://x.invalid/p.geojson")
    #expect(definition.sources[0].vectorTiles?.maxZoom == nil)
    #expect(definition.attribution == "them")
    #expect(data(try replaced("tiles=c.mbtiles"), 1) == "styles/points.geojson")
  }

  @Test("what the file says beside the data stays relative to the file")
  func beside() throws {
    let pipeline = """
      {"version": 1, "sources": {"s": {"type": "csv", "data": "s.csv", "id": "key", "edits": "log.csv",
       "join": {"data": "more.csv", "on": "key"}}},
       "layers": [{"id": "a", "type": "circle", "source": "s"}]}
      """
    let definition = try replaced("s=new.csv", in: pipeline)
    #expect(data(definition, 0) == "new.csv")
    let files = try #require(definition.sources[0].records).changes.files
    #expect(files == ["styles/log.csv", "styles/more.csv"], "\(files)")
    // Of a pipeline at a url, only the replaced data is on this machine.
    let remote = try PipelineDefinition(
      Document(
        bytes: Array(style.utf8), file: "https://x.invalid/a/b.json", environment: { _ in nil }),
      replacing: [SourceReplacement("tiles=b/city.pmtiles")].compactMap(\.self))
    #expect(data(remote, 0) == "b/city.pmtiles")
    #expect(data(remote, 1) == "https://x.invalid/a/points.geojson")
  }

  @Test("an empty one leaves the source out, with its layers")
  func omitted() throws {
    let definition = try replaced("points=", "tiles=c.mbtiles")
    #expect(definition.sources.map(\.name) == ["tiles"])
    #expect(definition.layers.map(\.id) == ["a"])
  }

  @Test("a definition that is decoded again has the same data")
  func again() throws {
    let definition = try replaced("tiles=c.mbtiles", "points=")
    let again = try PipelineDefinition(definition.material)
    #expect(data(again, 0) == "c.mbtiles" && again.sources.count == 1)
  }

  @Test(
    "names that are not there, and names given twice, are refused together",
    arguments: [
      (
        ["tile=x", "point=x"], "no source 'tile'; did you mean 'tiles'? Sources are tiles, points."
      ),
      (["tiles=x", "tiles=y"], "source 'tiles' is replaced twice. Name one file for it."),
    ])
  func refused(texts: [String], message: String) {
    #expect {
      _ = try PipelineDefinition(
        Document(bytes: Array(style.utf8), file: "a.json", environment: { _ in nil }),
        replacing: texts.compactMap { SourceReplacement($0) })
    } throws: { error in "\(error)".contains(message) }
  }

  @Test(
    "a text without a name or without a sign of equality is none", arguments: ["=x", "tiles", ""])
  func none(text: String) { #expect(SourceReplacement(text) == nil) }
}

@Suite("Styles of the web, drawn flat")
struct StyleFormTests {
  private func style(_ layers: String, sources: String = "") -> String {
    """
    {"version": 8, "sources": {"s": {"type": "geojson", "data": "s.geojson"}\(sources)},
     "layers": [\(layers)]}
    """
  }

  @Test("raised areas are drawn as areas, without what is only of their height")
  func raised() throws {
    let definition = try definition(
      style(
        """
        {"id": "a", "type": "fill-extrusion", "source": "s", "minzoom": 14,
         "layout": {"visibility": "visible", "fill-extrusion-edge-radius": 1},
         "paint": {"fill-extrusion-color": "red", "fill-extrusion-opacity": 0.8,
          "fill-extrusion-height": {"type": "identity", "property": "h"}, "fill-extrusion-base": 1,
          "fill-extrusion-vertical-gradient": false, "fill-extrusion-translate": [1, 2]}}
        """), file: "style.json")
    let layer = try #require(definition.layers.first)
    #expect(layer.type == .fill && layer.minZoom == 14)
    #expect(layer.paint.map(\.key) == ["fill-color", "fill-opacity", "fill-translate"])
    #expect(layer.layout.map(\.key) == ["visibility"])
    #expect(
      definition.notes.map(\.description) == [
        "style.json:2:33: layers 'a' (fill-extrusion) are drawn flat, as areas: tiles show the map "
          + "from above."
      ])
  }

  @Test("a source that other layers draw stays, and is refused by name")
  func heights() throws {
    let sources = #", "dem": {"type": "raster-dem", "url": "x"}"#
    let shade = #"{"id": "a", "type": "hillshade", "source": "dem"}"#
    let definition = try definition(style(shade, sources: sources), file: "style.json")
    // Without layers, those by default draw what is left.
    #expect(!definition.layers.contains { $0.source == "dem" })
    #expect(definition.sources.map(\.name) == ["s"])
    #expect(definition.notes.count == 2)
    let drawn = #"{"id": "b", "type": "raster", "source": "dem"}"#
    #expect(
      fault(style("\(shade), \(drawn)", sources: sources), file: "style.json")
        .contains("source 'dem' has type 'raster-dem', which this version does not support"))
  }

  @Test("pipelines refuse what styles of the web may have")
  func pipelines() {
    let pipeline = """
      version: 1
      sources: {s: {type: geojson, data: s.geojson}}
      layers: [{id: a, type: fill-extrusion, source: s}, {id: b, type: background, filter: [all]}]
      """
    let words = fault(pipeline)
    #expect(
      words.contains("layer 'a' has type 'fill-extrusion', which this version does not support"))
  }

  @Test("the fonts that a style names are those of text-font, also within expressions")
  func fonts() throws {
    let layer = """
      {"id": "a", "type": "symbol", "source": "s", "layout": {
       "text-font": ["case", ["has", "x"], ["literal", ["Noto Sans Bold"]], ["literal", ["Lato"]]],
       "text-field": ["format", ["get", "name"], {"text-font": ["literal", ["PT Sans"]]}]}}
      """
    let names = try definition(style(layer), file: "style.json").wantedFonts
    for name in ["Noto Sans Bold", "Lato", "PT Sans"] { #expect(names.contains(name)) }
    #expect(!names.contains("name"))
    #expect(try definition(hotelsPipeline).wantedFonts.isEmpty)
  }
}
