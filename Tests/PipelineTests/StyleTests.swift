import Definition
import Features
import OrderedCollections
import Testing

@Suite("MapLibre styles as pipelines")
struct StyleTests {
  private let style = """
    {
      "version": 8,
      "name": "earthquakes",
      "center": [-103.59, 40.66],
      "zoom": 3,
      "glyphs": "https://example.org/{fontstack}/{range}.pbf",
      "sprite": "https://example.org/sprite",
      "sources": {
        "quakes": {
          "type": "geojson",
          "data": {"type": "FeatureCollection", "features": []},
          "cluster": true,
          "buffer": 128,
          "attribution": "\\u00a9 somebody"
        }
      },
      "layers": [
        {"id": "land", "type": "background", "paint": {"background-color": "#fff"}},
        {
          "id": "clusters", "type": "circle", "source": "quakes", "filter": ["has", "point_count"],
          "paint": {"circle-radius": ["step", ["get", "point_count"], 20, 100, 30]}
        }
      ]
    }
    """

  @Test("a style is a pipeline with the defaults of the style specification")
  func defaults() throws {
    let pipeline = try definition(style, file: "styles/quakes.json")
    #expect(pipeline.isStyle)
    #expect(pipeline.name == "earthquakes")
    #expect(pipeline.tiles.tileSize == 512)
    #expect(pipeline.tiles.snap == 0)
    #expect(pipeline.output.path == "styles/earthquakes.mbtiles")
    let source = try #require(pipeline.sources.first)
    guard case .inline(let data) = source.data else {
      Issue.record("the data is not inline")
      return
    }
    #expect(data["type"]?.text == "FeatureCollection")
    let cluster = try #require(source.cluster)
    #expect(cluster.method == .radius)
    #expect(cluster.radius == 50)
    #expect(cluster.maxZoom == 17)
    #expect(cluster.minPoints == 2)
    #expect(pipeline.layers.map(\.type) == [.background, .circle])
    #expect(pipeline.layers[0].source == nil)
    #expect(
      pipeline.notes.map(\.description) == [
        "styles/quakes.json:4:3: 'center' is for map viewers and has no effect on tiles.",
        "styles/quakes.json:5:3: 'zoom' is for map viewers and has no effect on tiles.",
        "styles/quakes.json:6:3: 'glyphs' is for map viewers and has no effect on tiles.",
        "styles/quakes.json:7:3: 'sprite' is for map viewers and has no effect on tiles.",
      ])
  }

  @Test("ids by the place in the file are not made, and a note says so")
  func generatedIDs() throws {
    func notes(_ value: String) throws -> [String] {
      let text = style.replacing("\"buffer\": 128", with: "\"generateId\": \(value)")
      return try definition(text, file: "a.json").notes.map(\.description)
        .filter { $0.contains("generateId") }
    }
    #expect(
      try notes("true") == [
        "a.json:13:7: 'generateId' of source 'quakes' has no effect: features keep the ids of "
          + "their file. Name a property that is the id with 'promoteId'."
      ])
    #expect(try notes("false") == [])
  }

  @Test("a style may say what a pipeline says about tiles and output")
  func outputs() throws {
    let text = style.replacing(
      "\"zoom\": 3,", with: "\"tiles\": {\"tileSize\": 256, \"maxzoom\": 5},")
    let pipeline = try definition(text, file: "quakes.json")
    #expect(pipeline.tiles.tileSize == 256)
    #expect(pipeline.tiles.maxZoom == 5)
  }

  @Test("the last zoom with clusters is one less than the source's maxzoom")
  func clusterMaxZoom() throws {
    let text = style.replacing("\"buffer\": 128", with: "\"maxzoom\": 12")
    #expect(try definition(text, file: "a.json").sources[0].cluster?.maxZoom == 11)
  }

  @Test(
    "sources and layers that cannot be baked are refused by name",
    arguments: [
      (
        "\"type\": \"geojson\"", "\"type\": \"vector\"",
        "10:15: source 'quakes' has type 'vector', which this version does not support; "
          + "supported are geojson, image."
      ),
      (
        "\"type\": \"circle\"", "\"type\": \"fill-extrusion\"",
        "20:33: layer 'clusters' has type 'fill-extrusion', which this version does not support; "
          + "supported are background, fill, line, circle, symbol, raster, heatmap."
      ),
      (
        "\"sprite\":", "\"sprites\":",
        "7:3: unknown key 'sprites' in the pipeline; did you mean 'sprite'? "
      ),
    ])
  func refused(old: String, new: String, message: String) {
    let words = fault(style.replacing(old, with: new), file: "a.json")
    #expect(words.hasPrefix("a.json:" + message))
  }
}
