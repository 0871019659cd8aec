import PipelineSamples
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Runs

@Suite("A GetFeature url of a Web Feature Service")
struct FeatureRequestTests {
  static let completed: [(url: String, added: String)] = [
    (
      "http://x.org/ows?service=WFS&version=1.0.0&request=GetFeature&typeName=a:b",
      "&outputFormat=application/json&srsName=EPSG:4326&bbox={west},{south},{east},{north}"
    ),
    (
      "http://x.org/ows?SERVICE=wfs&REQUEST=getfeature&typeName=a:b",
      "&version=1.1.0&outputFormat=application/json&srsName=EPSG:4326"
        + "&bbox={south},{west},{north},{east},urn:ogc:def:crs:EPSG::4326"
    ),
    (
      "https://x.org/ows?service=WFS&request=GetFeature&typeNames=b&srsName=EPSG%3A4326",
      "&version=2.0.0&outputFormat=application/json"
        + "&bbox={west},{south},{east},{north},EPSG%3A4326"
    ),
    (
      "https://x.org/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=b&outputFormat=geojson"
        + "&srsName=http://www.opengis.net/def/crs/EPSG/0/4326&",
      "bbox={south},{west},{north},{east},http://www.opengis.net/def/crs/EPSG/0/4326"
    ),
    (
      "https://x.org/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=b&outputFormat=json"
        + "&srsName=urn:ogc:def:crs:OGC:1.3:CRS84",
      "&bbox={west},{south},{east},{north},urn:ogc:def:crs:OGC:1.3:CRS84"
    ),
    (
      "https://x.org/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=b&outputFormat=json"
        + "&srsName=EPSG:4326&cql_filter=n%3E5", ""
    ),
  ]

  @Test(
    "a GetFeature url gets the format, the reference system and the box that it lacks",
    arguments: completed)
  func completes(url: String, added: String) throws {
    let template = try #require(FeatureRequest(url)).template()
    #expect(template == url + added)
    // Once completed, it stays as it is.
    #expect(try #require(FeatureRequest(template)).template() == template)
  }

  @Test(
    "other urls are not taken for GetFeature requests",
    arguments: [
      "http://x.org/ows?service=WFS&request=GetCapabilities", "http://x.org/a.geojson",
      "http://x.org/ows?service=WMS&request=GetFeature", "a.geojson?service=WFS&request=GetFeature",
    ])
  func others(url: String) {
    #expect(FeatureRequest(url) == nil)
  }

  private func definition(_ text: String) throws -> PipelineDefinition {
    try PipelineDefinition(
      Document(bytes: Array(text.utf8), file: "x.yml", environment: { _ in nil }))
  }

  @Test(
    "a GetFeature url for an unreadable format is refused",
    arguments: [
      ("typeNames=b&outputFormat=gml3", "asks for a format that is not GeoJSON"),
      ("typeNames=b&srsName=EPSG:3857", "positions that are not in degrees"),
      ("outputFormat=json", "names no layer"),
    ])
  func refused(query: String, says: String) {
    let error = #expect(throws: PipelineError.self) {
      try definition(
        """
        version: 1
        sources: {r: {type: geojson, data: "http://x.org/ows?service=WFS&request=GetFeature&\(query)"}}
        layers: [{id: a, type: line, source: r}]
        """)
    }
    #expect(error?.code == .definition && error?.place?.line == 2)
    #expect(error?.message.contains(says) == true)
  }

  @Test("a GetFeature url is divided into requests, like a template")
  func source() throws {
    let pipeline = try definition(
      """
      version: 1
      sources:
        r: {type: geojson, data: "http://x.org/ows?service=WFS&request=GetFeature&typeNames=b", requests: {step: 1}}
      layers: [{id: a, type: line, source: r}]
      """)
    guard case .url(let url) = pipeline.sources[0].data else {
      Issue.record("no url")
      return
    }
    #expect(url.hasSuffix("{south},{west},{north},{east},urn:ogc:def:crs:EPSG::4326"))
  }

  @Test("a wfs store becomes a GetFeature url for each layer")
  func stores() throws {
    let pipeline = try definition(
      """
      stores:
        - {type: wfs, version: 1.1.0, uri: "http://x.org/ows", id: osm, default_layers: [a:roads, a:rails]}
        - {store_type: wfs.2.0.0, uri: "http://x.org/wfs?map=m", name: Parks, default_layers: [parks]}
      """)
    #expect(pipeline.sources.map(\.name) == ["osm/a:roads", "osm/a:rails", "Parks"])
    let urls = pipeline.sources.map { source -> String in
      if case .url(let url) = source.data { url } else { "" }
    }
    #expect(
      urls[1].hasPrefix(
        "http://x.org/ows?service=WFS&version=1.1.0&request=GetFeature&typeName=a:rails&outputFormat="
      ))
    #expect(
      urls[2].hasPrefix(
        "http://x.org/wfs?map=m&service=WFS&version=2.0.0&request=GetFeature&typeNames=parks&"))
    #expect(pipeline.sources.allSatisfy { $0.type == "geojson" })
    _ = try pipeline.style()
  }

  @Test(
    "a wfs store without layers or with an unknown version is refused",
    arguments: [
      ("{type: wfs, uri: \"http://x.org\", id: w}", "List them in 'default_layers'"),
      (
        "{type: wfs, version: 3.0.0, uri: \"http://x.org\", id: w, default_layers: [a]}",
        "one of 1.1.0"
      ),
    ])
  func badStores(store: String, says: String) {
    let error = #expect(throws: PipelineError.self) { try definition("stores: [\(store)]") }
    #expect(error?.message.contains(says) == true)
  }
}
