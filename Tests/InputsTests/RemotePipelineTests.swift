import Features
import Foundation
import Inputs
import TestSupport
import Testing

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Reports
@testable import Runs

@Suite("A pipeline behind a url")
struct RemotePipelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let text = """
    version: 1
    sources: {s: {type: csv, data: ../data/h.csv}}
    layers: [{id: a, type: circle, source: s}]
    tiles: {maxzoom: 1}
    """

  private func server(_ pipeline: String = text) throws -> LocalServer {
    try LocalServer { request, connection in
      let body = request.target.hasPrefix("/maps/x.yml") ? pipeline : "lng,lat\n1,2\n3,4\n"
      connection.answer(200, [], body)
    }
  }

  private func definition(_ url: String, offline: Bool = false) throws -> PipelineDefinition {
    var options = BuildOptions()
    options.offline = offline
    return try PipelineDefinition(
      from: url, options: options, caches: folder.path(""), cancellation: Cancellation(),
      environment: { _ in nil })
  }

  @Test(
    "a pipeline behind a url is fetched once for runs offline, and its paths are urls beside it")
  func builds() throws {
    let server = try server()
    let url = server.url("/maps/x.yml?token=s3cret-token")
    var definition = try definition(url)
    #expect(definition.name == "x" && definition.output.path == "x.mbtiles")
    #expect(definition.file == server.url("/maps/x.yml"))
    definition.output.path = folder.path("out.mbtiles")
    let reports = try PipelineRunner.build(
      definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
    #expect(reports.first?.sources.first?.ledger.used == 2)
    #expect(server.requests.contains { $0.target.hasPrefix("/data/h.csv") })
    #expect(definition.redactions.redact("s3cret-token") == "***")
    let asked = server.requests.count
    #expect(try self.definition(url, offline: true).sources.count == 1)
    #expect(server.requests.count == asked)
    let error = #expect(throws: PipelineError.self) {
      try self.definition(server.url("/maps/x.yml?token=0ther-token"), offline: true)
    }
    #expect(error?.exitCode == 69)
    #expect(error?.description.contains("0ther") == false)
  }

  @Test(
    "a pipeline behind a url reads no local file, and writes only below the current folder",
    arguments: [
      ("join: {data: /etc/passwd, on: a}", "", "must be local files"),
      ("id: a, edits: log.csv", "", "must be local files"),
      ("id: a", "output: {path: /tmp/x.mbtiles}", "writes into the current folder"),
      ("id: a", "output: {path: a/../../x.mbtiles}", "writes into the current folder"),
      ("id: a", "include: other.yml", "only files can be included"),
    ])
  func confined(keys: String, more: String, says: String) throws {
    let server = try server(
      """
      version: 1
      sources: {s: {type: csv, data: /data/h.csv, \(keys)}}
      layers: [{id: a, type: circle, source: s}]
      \(more)
      """)
    let error = #expect(throws: PipelineError.self) {
      try definition(server.url("/maps/x.yml"))
    }
    #expect(error?.message.contains(says) == true, "\(error?.description ?? "")")
  }

  @Test(
    "relative paths of a pipeline behind a url are resolved against the url",
    arguments: [
      ("b.csv", "https://x.org/a/b.csv"), ("../b.csv?q=/../1", "https://x.org/b.csv?q=/../1"),
      ("/b/./c.csv", "https://x.org/b/c.csv"), ("../../../b", "https://x.org/b"),
      ("//y.org/b", "https://y.org/b"), ("http://y.org/{z}", "http://y.org/{z}"),
      ("t/{z}/{x}/{y}.json", "https://x.org/a/t/{z}/{x}/{y}.json"),
    ])
  func paths(text: String, url: String) {
    #expect(DefinitionPaths(file: "https://x.org/a/x.yml").address(text) == url)
    #expect(DefinitionPaths(file: "a/x.yml").address(text) == text)
  }

  @Test(
    "a pipeline behind a url requests features of its own server if the request is relative",
    arguments: [
      ("/ows?service=WFS&request=GetFeature&typeNames=b", "/ows?", "urn:ogc:def:crs:EPSG::4326"),
      (
        "ows?service=WFS&request=GetFeature&typeNames=b"
          + "&srsName=http://www.opengis.net/def/crs/EPSG/0/4326",
        "/maps/ows?", "{east},http://www.opengis.net/def/crs/EPSG/0/4326"
      ),
    ])
  func featureRequest(data: String, start: String, end: String) throws {
    let server = try server(
      """
      version: 1
      sources: {s: {type: geojson, data: "\(data)", requests: {step: 10}}}
      layers: [{id: a, type: line, source: s}]
      """)
    guard case .url(let url) = try definition(server.url("/maps/x.yml")).sources[0].data else {
      Issue.record("no url")
      return
    }
    #expect(url.hasPrefix(server.url(start)) && url.hasSuffix(end), "\(url)")
    #expect(url.contains("&outputFormat=application/json"), "\(url)")
  }

  @Test("a pipeline behind a url may only name http and https urls")
  func otherSchemes() throws {
    let server = try server(Self.text.replacing("../data/h.csv", with: "ftp://x.org/h.csv?a=b"))
    let error = #expect(throws: PipelineError.self) {
      try definition(server.url("/maps/x.yml"))
    }
    #expect(error?.message.contains("'ftp://'") == true, "\(error?.description ?? "")")
  }
}
