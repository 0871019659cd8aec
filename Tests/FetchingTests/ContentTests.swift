import Fetching
import Foundation
import TestSupport
import Testing

/// Answers that are not what they should be.
@Suite(.serialized) struct ContentTests {
  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("…IEND".utf8)

  /// A header of SQLite for two pages of 512 bytes, and the pages.
  static let database: [UInt8] = {
    var bytes = [UInt8](repeating: 0, count: 1024)
    bytes.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
    bytes[16] = 2
    bytes[31] = 2
    return bytes
  }()

  static func failure(_ kind: ContentKind, _ body: [UInt8]) throws -> FetchError? {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.answer(200, [], body) }
    return FetchingSample.failure {
      try sample.fetcher { $0.retries = 0 }.fetch(RemoteResource(server.url("/"), kind: kind))
    }
  }

  @Test("content of the expected kind is accepted")
  func fits() throws {
    let fitting: [(ContentKind, [UInt8])] = [
      (.csv, Array("a,b\n1,2".utf8)), (.csv, [0xEF, 0xBB, 0xBF] + Array("a,b\n".utf8)),
      (.csv, [0xFF, 0xFE, 0x61, 0, 0x2C, 0]), (.geojson, Array(" \n{\"type\": 1}\n".utf8)),
      (.geojsonseq, Array("{}\n{}\n".utf8)), (.geojsonseq, Array("\u{1E}{}\n".utf8)),
      (.json, Array("[1]".utf8)), (.json, Array("{}".utf8)), (.png, Self.png), (.image, Self.png),
      (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]), (.image, [0xFF, 0xD8, 0xFF]), (.gpkg, Self.database),
      (.any, [1, 2, 3]), (.any, Self.png), (.csv, [0x1F, 0x8B, 8, 0]),
      (.any, Array("<?xml version='1.0'?>\n<!-- a --><kml xmlns='x'></kml>\n".utf8)),
      (.any, Array("<gpx></gpx>".utf8)), (.any, Array("<wfs:FeatureCollection/>".utf8)),
      (.any, [0xEF, 0xBB, 0xBF] + Array(" <osm>\n</osm>".utf8)),
      (.gpkg, [0x50, 0x4B, 3, 4, 9]), (.image, [0x28, 0xB5, 0x2F, 0xFD]),
    ]
    for (kind, body) in fitting { #expect(try Self.failure(kind, body) == nil, "\(kind)") }
  }

  @Test("other content is refused and named")
  func fitsNot() throws {
    let page = Array("<!DOCTYPE html><html><body>x</body></html>".utf8)
    let wrong: [(ContentKind, [UInt8], String)] = [
      (.csv, page, "web page"), (.geojson, page, "web page"), (.gpkg, page, "web page"),
      (.any, page, "web page"), (.any, Array("<?xml version='1.0'?>".utf8) + page, "web page"),
      (.any, Array("<html><p>x".utf8), "web page"), (.any, Array("<p>no".utf8), "web page"),
      (
        .any, Array("<?xml version='1.0'?><ows:ExceptionReport>no".utf8), "web page, not data: “no”"
      ),
      (.any, Array("<kml><Document>".utf8) + Array("<name>a".utf8), "ends in the middle"),
      (.csv, Array("<kml></kml>".utf8), "XML"), (.csv, Array("{\"error\": 1}".utf8), "JSON object"),
      (.csv, Self.png, "PNG"), (.json, [0x50, 0x4B, 3, 4, 9], "zip archive"),
      (.png, [0x1F, 0x8B, 8, 0], "packed"), (.csv, [0x61, 0, 1], "binary"), (.csv, [], "empty"),
      (.geojson, Array("a,b\n".utf8), "plain text"), (.geojson, Array("[1]".utf8), "JSON array"),
      (.geojson, Array("{\"a\": 1".utf8), "ends in the middle"),
      (.json, Array("[1, 2".utf8), "ends in the middle"), (.png, [0xFF, 0xD8, 0xFF], "JPEG"),
      (.png, Array(Self.png.prefix(9)), "ends in the middle"), (.jpeg, Self.png, "PNG"),
      (.gpkg, Array(Self.database.prefix(900)), "ends in the middle"),
      (.gpkg, Array(Self.database.prefix(512)), "ends in the middle"), (.image, [0x47], "plain"),
    ]
    for (kind, body, words) in wrong {
      let error = try Self.failure(kind, body)
      #expect(error?.code == .wrongContent, "\(kind) \(words)")
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "") \(words)")
    }
  }

  @Test("a page is quoted by its title, otherwise by its first words")
  func words() throws {
    let title = "<html><head><TITLE lang=en> Please\n log in </Title></head><body>B</body>"
    #expect(try Self.failure(.csv, Array(title.utf8))?.message.contains("“Please log in”") == true)
    let words = "<html><p>Quota <b>exceeded</b></p>" + String(repeating: "x ", count: 5000)
    #expect(
      try Self.failure(.csv, Array(words.utf8))?.message.contains("“Quota exceeded x") == true)
  }

  @Test("a page of any size is refused as soon as its first bytes arrive")
  func hugePage() throws {
    let sample = try FetchingSample()
    let ended = Recorder<Int>()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n\r\n<html>")
      let piece = [UInt8](repeating: 0x20, count: 1 << 16)
      var count = 0
      while count < 10_000, connection.send(piece) { count += 1 }
      ended.add(count)
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == .wrongContent)
    #expect(ended.all.allSatisfy { $0 < 10_000 })
  }

  @Test("a body shorter than announced is not accepted")
  func short() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nlon,lat\n")
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 1 }.fetch(.csv(server.url("/")))
    }
    #expect(error?.code == .connection)
    #expect(server.requests.count == 2)
  }

  @Test("a body longer than announced is found truncated by its form")
  func long() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{\"type\": \"FeatureCollection\"}")
    }
    let error = FetchingSample.failure {
      try sample.fetcher().fetch(RemoteResource(server.url("/"), kind: .geojson))
    }
    #expect(error?.code == .wrongContent)
  }
}
