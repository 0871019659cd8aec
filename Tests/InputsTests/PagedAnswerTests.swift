import Baking
import Definition
import DefinitionSamples
import Examination
import Features
import Fetching
import Foundation
import Ingest
import PipelineSamples
import Reports
import Runs
import SourceStages
import TestSupport
import Testing

@testable import Pipeline

/// Answers of services that say they are incomplete.
@Suite("Answers in pages") struct PagedAnswerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The ways in which a service says that there is more.
  enum Dialect: String, CaseIterable, Sendable {
    case wfs, wfsUnknown, wfsLegacy, wfsLink, ogc, relative, member, hal, arcgis, arcgisProperties
    case linkHeader, csv, ckan, window, cursor, metaCursor, metaNext, pageToken, pageNumber

    var type: String { self == .csv ? "csv" : "geojson" }

    /// The path of the first request.
    var path: String {
      switch self {
      case .wfs, .wfsUnknown, .wfsLegacy, .wfsLink:
        "/ows?service=WFS&version=2.0.0&request=GetFeature&typeNames=a&bbox=0,0,9,9"
      case .arcgis, .arcgisProperties: "/a/FeatureServer/0/query?where=1%3D1&f=geojson"
      case .metaCursor: "/items?f=json&Page_Cursor=0"
      default: "/items?f=json"
      }
    }

    /// Whether it says how many records match.
    var tells: Bool {
      ![
        .wfsUnknown, .arcgis, .arcgisProperties, .hal, .csv, .cursor, .metaNext, .pageToken,
        .pageNumber,
      ].contains(self)
    }
  }

  private static func features(_ numbers: Range<Int>) -> String {
    let features = numbers.map { number in
      #"{"type":"Feature","id":"a.\#(number)","properties":{"n":\#(number)},"#
        + #""geometry":{"type":"Point","coordinates":[\#(number % 90),\#(number % 80)]}}"#
    }
    return #""features":[\#(features.joined(separator: ","))]"#
  }

  private static func offset(_ target: String) -> Int {
    let names = ["startindex=", "offset=", "resultoffset=", "page=", "page_cursor="]
    let tokens = ["cursor=", "pagetoken="]
    let query = target.lowercased().split(separator: "?").last ?? ""
    let value = query.split(separator: "&").compactMap { pair in
      names.first { pair.hasPrefix($0) }.flatMap { Int(pair.dropFirst($0.count)) }
        ?? tokens.first { pair.hasPrefix($0) }.flatMap { _ in
          (pair.removingPercentEncoding ?? "").split { !$0.isNumber }.last.flatMap { Int($0) }
        }
    }
    return value.first ?? 0
  }

  /// Serves 25 records, ten at a time.
  private static func serve(
    _ dialect: Dialect, _ request: LocalServer.Request, _ connection: LocalServer.Connection
  ) {
    let (offset, count) = (offset(request.target), 25)
    let numbers = offset..<min(offset + 10, count)
    let next = numbers.upperBound < count ? "/items?f=json&offset=\(numbers.upperBound)" : nil
    let host = "http://\(request.headers["host"] ?? "")"
    func members(_ more: [String?]) -> String {
      let all = [#""type":"FeatureCollection""#] + more.compactMap(\.self) + [features(numbers)]
      return "{\(all.joined(separator: ","))}"
    }
    func link(_ href: String) -> String {
      #""links":[{"rel":"self","href":"/items"},{"rel":"next","type":"text/html","href":"/no"},"#
        + #"{"rel":"next","type":"application/geo+json","href":"\#(href)"}]"#
    }
    let number = #""numberMatched":\#(count),"numberReturned":\#(numbers.count)"#
    var (headers, body) = (["ETag: \"\(offset)\""], "")
    switch dialect {
    case .wfs: body = members([number])
    case .wfsUnknown:
      body = members([
        #""numberMatched":"unknown""#,
        next.map { _ in link("\(host)\(Dialect.wfs.path)&STARTINDEX=\(numbers.upperBound)") },
      ])
    case .wfsLegacy: body = members([#""totalFeatures":"\#(count)""#])
    case .wfsLink:
      body = members([
        number,
        next.map { _ in link("\(host)\(Dialect.wfs.path)&startIndex=\(numbers.upperBound)") },
      ])
    case .ogc: body = members([number, next.map { link(host + $0) }])
    case .relative: body = members([number, next.map { link("items?" + $0.dropFirst(7)) }])
    case .member:
      body = members([
        #""totalCount":\#(count),"previous":null,"next":\#(next.map { "\"\(host)\($0)\"" } ?? "null")"#
      ])
    case .hal: body = members([next.map { #""_links":{"next":{"href":"\#($0)"}}"# }])
    case .arcgis: body = members([next.map { _ in #""exceededTransferLimit":true"# }])
    case .arcgisProperties:
      body = members([next.map { _ in #""properties":{"exceededTransferLimit":true}"# }])
    case .linkHeader:
      headers +=
        next.map { ["Link: </x>; rel=\"prev\", <\($0)>; title=\"a, b\"; rel=\"next\""] } ?? []
      headers.append("X-Total-Count: \(count)")
      body = members([])
    case .ckan:
      let link = next.map { ",\"_links\":{\"start\":\"/items\",\"next\":\"\($0)\"}" } ?? ""
      body = members([#""success":true,"result":{"total":\#(count)\#(link)}"#])
    case .window: body = members([#""offset":\#(offset),"limit":10,"total":\#(count)"#])
    case .cursor:
      body = members([next.map { _ in #""next_cursor":"a/+= \#(numbers.upperBound)""# }])
    case .metaCursor:
      let cursor = next.map { _ in ",\"next\":\"\(numbers.upperBound)\"" } ?? ""
      body = members([#""meta":{"limit":10,"total":\#(count)\#(cursor)}"#])
    case .metaNext:
      body = members([#""meta":{"next":\#(next.map { "\"\(host)\($0)\"" } ?? "null")}"#])
    case .pageToken:
      // An empty page may be followed by others, and the last one's token is empty.
      body = members([
        #""nextPageToken":"\#(next.map { _ in "token=\(numbers.upperBound)" } ?? "")""#
      ])
    case .pageNumber:
      body = members([#""next_page":\#(next.map { _ in "\(numbers.upperBound)" } ?? "null")"#])
    case .csv:
      headers += next.map { ["Link: <\($0)>; rel=next"] } ?? []
      body = "lng,lat,n\n" + numbers.map { "\($0),\($0),\($0)\n" }.joined()
    }
    if request.headers["if-none-match"] == "\"\(offset)\"" {
      connection.answer(304, Array(headers.prefix(1)))
    } else {
      connection.answer(200, headers, body)
    }
  }

  private func definition(_ source: String) throws -> PipelineDefinition {
    let file = try folder.write(
      """
      version: 1
      sources: {s: {\(source)}}
      layers: [{id: a, type: circle, source: s, paint: {circle-radius: 5}}]
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    return try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  private func build(
    _ definition: PipelineDefinition, _ change: (inout BuildOptions) -> Void = { _ in }
  ) throws -> BuildReport {
    var options = BuildOptions()
    change(&options)
    let reports = try PipelineRunner.build(
      definition, options: options, cancellation: Cancellation(), progress: { _ in })
    return try #require(reports.first)
  }

  /// Builds a GeoJSON source of one answer, whose features are `features(0..<10)`.
  private func failure(
    _ members: String, path: String = "/items?f=json", source: String = "",
    headers: [String] = []
  ) throws -> PipelineError? {
    let server = try LocalServer { _, connection in
      connection.answer(
        200, headers, "{\"type\":\"FeatureCollection\",\(members)\(Self.features(0..<10))}")
    }
    let definition = try definition("type: geojson, data: '\(server.url(path))'\(source)")
    return #expect(throws: PipelineError.self) { try build(definition) }
  }

  @Test("all pages of an answer are read, cached and locked", arguments: Dialect.allCases)
  func pages(_ dialect: Dialect) throws {
    let server = try LocalServer { Self.serve(dialect, $0, $1) }
    let source = "type: \(dialect.type), data: '\(server.url(dialect.path))'"
    let pipeline = try definition(source)
    let report = try build(pipeline)
    let ledger = report.sources[0].ledger
    #expect(ledger.used == 25 && ledger.read == 25 && ledger.repeated == 0)
    #expect(ledger.matched == (dialect.tells ? 25 : nil))
    #expect(report.sources[0].fetched.count == 3)
    #expect(report.notes.isEmpty, "\(report.notes)")
    #expect(try build(pipeline).result == .unchanged)
    let asked = server.requests.count
    #expect(asked == 6)
    #expect(try build(pipeline) { $0.offline = true }.result == .unchanged)
    let again = try build(pipeline) { ($0.locked, $0.force) = (true, true) }
    #expect(again.sources[0].ledger.used == 25 && again.sources[0].ledger.matched == ledger.matched)
    #expect(server.requests.count == asked)
    let lock = try String(decoding: folder.bytes("out.lock.json"), as: UTF8.self)
    #expect(lock.contains(#""pages": 3"#))
  }

  @Test("the first page is read alone where that is asked for", arguments: Dialect.allCases)
  func firstPage(_ dialect: Dialect) throws {
    let server = try LocalServer { Self.serve(dialect, $0, $1) }
    let report = try build(
      try definition(
        "type: \(dialect.type), data: '\(server.url(dialect.path))', requests: {pages: first}"))
    #expect(report.sources[0].ledger.used == 10)
    #expect(server.requests.count == 1)
    guard dialect != .csv else { return }
    #expect(report.notes.count == 1, "\(report.notes)")
    #expect(report.notes.first?.contains(dialect.tells ? "25 records" : "it holds 10") == true)
  }

  @Test("a limit in the url is the size of a page, which a note says")
  func limit() throws {
    let server = try LocalServer { Self.serve(.ogc, $0, $1) }
    let report = try build(
      try definition("type: geojson, data: '\(server.url("/items?limit=10"))'"))
    #expect(report.sources[0].ledger.used == 25)
    #expect(report.notes.count == 1 && report.notes[0].contains("'limit' in the url"))
  }

  @Test("records that an url leaves out itself are not missed")
  func begun() throws {
    let server = try LocalServer { Self.serve(.wfs, $0, $1) }
    let url = server.url(Dialect.wfs.path + "&startIndex=5")
    let report = try build(try definition("type: geojson, data: '\(url)'"))
    #expect(report.sources[0].ledger.used == 20 && report.sources[0].ledger.matched == 20)
  }

  @Test(
    "an answer whose rest cannot be fetched ends the run with 65 and both numbers",
    arguments: [
      (#""numberMatched":25,"#, "does not say where the rest is"),
      (#""numberMatched":"25","numberReturned":10,"#, "does not say where the rest is"),
      (#""exceededTransferLimit":true,"#, "more records than it sends, sends 10 records"),
      (#""properties":{"exceededTransferLimit":true},"#, "sends 10 records"),
      (#""nextPageToken":"abc","#, "sends 10 records"),
      (#""meta":{"next_cursor":"abc"},"#, "the same records"),
      (#""has_more":true,"#, "does not say where the rest is"),
      (#""next":2,"#, "does not say where the rest is"),
      (#""offset":0,"total":25,"#, "the same records"),
      (#""result":{"total":25,"limit":10},"#, "the same records"),
      (#""numberMatched":25,"links":[{"rel":"next","href":"http://10.0.0.1/x"}],"#, "another host"),
      (
        #""numberMatched":25,"links":[{"rel":"next","href":"file:///etc/passwd"}],"#, "another host"
      ),
      (#""numberMatched":25,"next":"/items?f=json","#, "an earlier page"),
      (#""numberMatched":25,"next":"/items?page=2","#, "the same records"),
    ])
  func refused(_ members: String, _ words: String) throws {
    let error = try failure(members)
    #expect(error?.exitCode == 65)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(error?.message.contains("10 records") == true)
    let isCounted = error?.message.contains("25 records") ?? false
    #expect(members.contains("25") == isCounted)
    #expect(error?.message.contains("pages: first") == true)
  }

  @Test("a total beside features that says nothing of pages is none of records")
  func total() throws {
    let server = try LocalServer { _, connection in
      connection.answer(
        200, [], "{\"type\":\"FeatureCollection\",\"total\":25,\(Self.features(0..<10))}")
    }
    let report = try build(try definition("type: geojson, data: '\(server.url("/i?f=json"))'"))
    #expect(report.sources[0].ledger.used == 10 && report.sources[0].ledger.matched == nil)
    #expect(report.notes.isEmpty && server.requests.count == 1)
  }

  @Test("a service that ends before the number of records that it has is refused with both")
  func endsEarly() throws {
    let server = try LocalServer { request, connection in
      let numbers = Self.offset(request.target) == 0 ? 0..<10 : 0..<0
      connection.answer(
        200, [],
        "{\"type\":\"FeatureCollection\",\"numberMatched\":25,\(Self.features(numbers))}")
    }
    let error = #expect(throws: PipelineError.self) {
      try build(try definition("type: geojson, data: '\(server.url(Dialect.wfs.path))'"))
    }
    #expect(error?.exitCode == 65 && error?.message.contains("sends 10 records") == true)
    #expect(error?.message.contains("25 records") == true)
  }

  @Test("the answer of a CKAN datastore is no GeoJSON, and its whole table is named")
  func datastore() throws {
    let server = try LocalServer { _, connection in
      connection.answer(
        200, [],
        #"{"help":"http://a/api/3/action/help_show?name=datastore_search","success":true,"#
          + #""result":{"records":[{"_id":1,"lat":"52.5"}],"total":25,"_links":{"next":"/b"}}}"#)
    }
    let url = server.url("/api/3/action/datastore_search?resource_id=x")
    let summary = try PipelineRunner.check(
      try definition("type: geojson, data: '\(url)'"), options: BuildOptions())
    let finding = summary.sources[0].examination?.findings.first { $0.kind == .wrongType }
    #expect(finding?.advice.contains("/datastore/dump/") == true)
    #expect(server.requests.count == 1)
  }

  @Test("a service without an end is left at the allowed number of pages")
  func endless() throws {
    let server = try LocalServer { request, connection in
      let offset = Self.offset(request.target)
      connection.answer(
        200, [],
        #"{"type":"FeatureCollection","next":"/i?offset=\#(offset + 10)","#
          + "\(Self.features(offset..<(offset + 10)))}")
    }
    let error = #expect(throws: PipelineError.self) {
      try build(try definition("type: geojson, data: '\(server.url("/i"))', requests: {max: 4}"))
    }
    #expect(error?.exitCode == 65 && error?.message.contains("4 pages") == true)
    #expect(server.requests.count == 4)
  }

  @Test("pages whose order changes between the requests are refused by a record on two of them")
  func unstable() throws {
    let server = try LocalServer { request, connection in
      let offset = Self.offset(request.target)
      connection.answer(
        200, [],
        #"{"type":"FeatureCollection","numberMatched":20,"#
          + "\(Self.features((offset / 2)..<(offset / 2 + 10)))}")
    }
    let error = #expect(throws: PipelineError.self) {
      try build(try definition("type: geojson, data: '\(server.url(Dialect.wfs.path))'"))
    }
    #expect(error?.exitCode == 65 && error?.message.contains("sortBy") == true)
  }

  @Test("a table of which the head of the answer counts more records is refused")
  func countedTable() throws {
    let server = try LocalServer { _, connection in
      connection.answer(200, ["Content-Range: items 0-1/9"], "lng,lat\n1,2\n3,4\n")
    }
    let source = "type: csv, data: '\(server.url("/t?f=csv"))'"
    let error = #expect(throws: PipelineError.self) { try build(try definition(source)) }
    #expect(error?.exitCode == 65 && error?.message.contains("has 9 records") == true)
    let summary = try PipelineRunner.check(try definition(source), options: BuildOptions())
    #expect(summary.failure?.message.contains("has 9 records") == true)
    let report = try build(try definition(source + ", requests: {pages: first}"))
    #expect(report.sources[0].ledger.matched == 9 && report.notes.count == 1)
  }

  @Test("a file that is an incomplete answer is read, and a note has both numbers")
  func localFile() throws {
    try folder.write(
      "{\"type\":\"FeatureCollection\",\"totalFeatures\":25,\(Self.features(0..<10))}",
      to: "a.geojson")
    let pipeline = try definition("type: geojson, data: a.geojson")
    let report = try build(pipeline)
    #expect(report.sources[0].ledger.used == 10)
    #expect(report.notes.count == 1 && report.notes[0].contains("25 records"))
    let summary = try PipelineRunner.check(pipeline, options: BuildOptions())
    let found = summary.sources[0].examination?.findings.map(\.kind) ?? []
    #expect(found.contains(.incompleteAnswer))
  }

  @Test("answers of a template that share one greatest round number get a note")
  func roundNumbers() throws {
    let server = try LocalServer { request, connection in
      let count =
        request.target.contains("bbox=0.0") || request.target.contains("bbox=0,") ? 100 : 40
      let first = 1000 * request.ordinal
      connection.answer(
        200, [], "{\"type\":\"FeatureCollection\",\(Self.features(first..<(first + count)))}")
    }
    let report = try build(
      try definition(
        "type: geojson, data: '\(server.url("/b?bbox={west},{south},{east},{north}"))', "
          + "requests: {bounds: [0, 0, 10, 10], step: 5}"))
    #expect(report.notes.count == 1, "\(report.notes)")
    #expect(report.notes.first?.contains("2 of 4 answers have exactly 100 records") == true)
  }

  @Test(
    "an answer of a program with a round number of records gets a note, a file none",
    arguments: [
      ("/resource/ab12-cd34.geojson", 1000, true), ("/data.geojson?x=1", 2000, true),
      ("/data.geojson", 1000, false), ("/data?x=1", 1001, false),
    ])
  func roundNumber(_ path: String, _ count: Int, _ isNoted: Bool) throws {
    let server = try LocalServer { _, connection in
      connection.answer(
        200, [], "{\"type\":\"FeatureCollection\",\(Self.features(0..<count))}")
    }
    let report = try build(try definition("type: geojson, data: '\(server.url(path))'"))
    #expect(report.notes.contains { $0.contains("exactly \(count) records") } == isNoted)
  }
}
