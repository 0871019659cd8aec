import Fetching
import Foundation
import Hashing
import SystemPackage
import Synchronization
import TestSupport
import Testing

/// The cache: asked, revalidated, fresh, offline, corrupt, shared.
@Suite(.serialized) struct FetchTests {
  @Test("a file comes from the network with its digest and its headers")
  func first() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(
        200, ["ETag: \"a1\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"], FetchingSample.csv)
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/hotels.csv")))
    #expect(try FetchingSample.text(file) == FetchingSample.csv)
    #expect(file.origin == .network)
    #expect(file.etag == "\"a1\"")
    #expect(file.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(file.bytes == Int64(FetchingSample.csv.utf8.count))
    let digest = SHA256.hash(data: Array(FetchingSample.csv.utf8))
    #expect(file.sha256 == digest.map { String(format: "%02x", $0) }.joined())
    #expect(file.path.hasSuffix(file.sha256))
  }

  @Test("a second fetch revalidates with the validators, and 304 keeps the copy")
  func revalidated() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.headers["if-none-match"] == "\"a1\"" {
        connection.answer(304, ["ETag: \"a1\""])
      } else {
        connection.answer(200, ["ETag: \"a1\""], FetchingSample.csv)
      }
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let first = try sample.fetcher().fetch(resource)
    let second = try sample.fetcher().fetch(resource)
    #expect(second.origin == .revalidated)
    #expect(second.path == first.path)
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.headers["if-none-match"] == nil)
  }

  @Test("new content replaces the copy")
  func changed() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(
        200, ["ETag: \"\(request.ordinal)\""], "lon,lat\n\(request.ordinal),2\n")
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let first = try sample.fetcher().fetch(resource)
    let second = try sample.fetcher().fetch(resource)
    #expect(second.origin == .network)
    #expect(first.sha256 != second.sha256)
    #expect(try FetchingSample.text(second) == "lon,lat\n1,2\n")
    // Whoever still reads the old one can.
    #expect(try FetchingSample.text(first) == "lon,lat\n0,2\n")
  }

  @Test("a copy is not revalidated within maxAge, but after it")
  func fresh() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(200, [], FetchingSample.csv)
    }
    let fetcher = sample.fetcher { $0.maxAge = .seconds(60) }
    let resource = try RemoteResource.csv(server.url("/"))
    _ = try fetcher.fetch(resource)
    sample.pass(seconds: 59)
    #expect(try fetcher.fetch(resource).origin == .cache)
    #expect(server.requests.count == 1)
    sample.pass(seconds: 1)
    #expect(try fetcher.fetch(resource).origin == .network)
    // A copy from the future is of unknown age.
    sample.pass(seconds: -100)
    #expect(try fetcher.fetch(resource).origin == .network)
    #expect(server.requests.count == 3)
  }

  @Test("a maxAge of 0 asks the server each time, within the same second too")
  func neverFresh() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(200, [], FetchingSample.csv)
    }
    let fetcher = sample.fetcher { $0.maxAge = .zero }
    let resource = try RemoteResource.csv(server.url("/"))
    for _ in 0..<3 { #expect(try fetcher.fetch(resource).origin == .network) }
    #expect(server.requests.count == 3)
  }

  @Test("offline uses the copy, or reports in one sentence that there is none")
  func offline() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(200, [], FetchingSample.csv)
    }
    let offline = sample.fetcher { $0.offline = true }
    let resource = try RemoteResource.csv(server.url("/"))
    let error = FetchingSample.failure { try offline.fetch(resource) }
    #expect(error?.code == .offline)
    #expect(error?.message.contains("Run once without '--offline'") == true)
    #expect(server.requests.isEmpty)
    _ = try sample.fetcher().fetch(resource)
    #expect(try offline.fetch(resource).origin == .cache)
    #expect(server.requests.count == 1)
  }

  @Test("a tile that the server lacks is not asked for again while that is fresh, or offline")
  func absence() throws {
    let sample = try FetchingSample()
    let status = Mutex(404)
    let server = try LocalServer { _, connection in
      let status = status.withLock { $0 }
      connection.answer(status, [], status == 200 ? "tile" : "")
    }
    let tile = try RemoteResource(server.url("/0/0/0.mvt"), kind: .tile)
    let fetcher = sample.fetcher { $0.maxAge = .seconds(60) }
    let offline = sample.fetcher { $0.offline = true }
    #expect(FetchingSample.failure { try offline.fetch(tile) }?.code == .offline)
    for _ in 0..<2 {
      let error = FetchingSample.failure { try fetcher.fetch(tile) }
      #expect(error?.status == 404 && error?.isAbsence == true)
    }
    #expect(FetchingSample.failure { try offline.fetch(tile) }?.status == 404)
    #expect(server.requests.count == 1)
    sample.pass(seconds: 60)
    status.withLock { $0 = 200 }
    #expect(try fetcher.fetch(tile).origin == .network)
    #expect(try offline.fetch(tile).origin == .cache)
    // A tile that goes is gone offline, too.
    sample.pass(seconds: 60)
    status.withLock { $0 = 410 }
    #expect(FetchingSample.failure { try fetcher.fetch(tile) }?.status == 410)
    #expect(FetchingSample.failure { try offline.fetch(tile) }?.status == 410)
    // What is no tile may come back, and is asked for.
    let file = try RemoteResource.csv(server.url("/"))
    for _ in 0..<2 { #expect(FetchingSample.failure { try fetcher.fetch(file) }?.status == 410) }
    #expect(server.requests.count == 5)
  }

  @Test("a corrupt body is fetched again, without validators", arguments: [false, true])
  func corrupt(isRemoved: Bool) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(
        request.headers["if-none-match"] == nil ? 200 : 304, ["ETag: \"a\""], FetchingSample.csv)
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let file = try sample.fetcher().fetch(resource)
    if isRemoved {
      try FileManager.default.removeItem(atPath: file.path)
    } else {
      try Data("lon,lat,name\n7.44,46.95,Bonn\n".utf8)
        .write(to: URL(fileURLWithPath: file.path))
    }
    let error = FetchingSample.failure { try sample.fetcher { $0.offline = true }.fetch(resource) }
    #expect(error?.code == .offline)
    let again = try sample.fetcher().fetch(resource)
    #expect(again.origin == .network)
    #expect(try FetchingSample.text(again) == FetchingSample.csv)
  }

  @Test(
    "a broken cache entry counts as absent",
    arguments: ["", "{", "[]", "{\"version\": 2}", "{\"version\":1,\"sha256\":\"../../x\"}"])
  func brokenEntry(text: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(200, [], FetchingSample.csv)
    }
    let resource = try RemoteResource.csv(server.url("/"))
    _ = try sample.fetcher().fetch(resource)
    for name in sample.files() where name.hasSuffix(".json") {
      try sample.folder.write(text, to: "cache/\(name)")
    }
    #expect(try sample.fetcher().fetch(resource).origin == .network)
  }

  @Test("many concurrent runs on one cache fetch once, and all get the whole file")
  func shared() throws {
    let sample = try FetchingSample()
    let body = "lon,lat\n" + String(repeating: "1,2\n", count: 50_000)
    let server = try LocalServer { _, connection in
      connection.wait(milliseconds: 100)
      connection.answer(200, ["ETag: \"a\""], body)
    }
    let resource = try RemoteResource.csv(server.url("/"))
    let fetchers = (0..<4).map { _ in sample.fetcher { $0.maxAge = .seconds(60) } }
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let file = try? fetchers[index].fetch(resource)
      #expect(file?.bytes == Int64(body.utf8.count))
    }
    #expect(server.requests.count == 1)
  }

  @Test("many files are returned in order, and the first failure in order ends the rest")
  func batch() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let status = request.target.hasPrefix("/bad") ? 404 : 200
      connection.answer(status, [], "lon,lat\n\(request.target.dropFirst()),2\n")
    }
    let good = try (0..<20).map { try RemoteResource.csv(server.url("/\($0)")) }
    let files = try sample.fetcher().fetch(good)
    let texts = try files.map { try FetchingSample.text($0) }
    #expect(texts == (0..<20).map { "lon,lat\n\($0),2\n" })
    let bad = try ["/a", "/bad1", "/b"].map { try RemoteResource.csv(server.url($0)) }
    let error = FetchingSample.failure { try sample.fetcher().fetch(bad) }
    #expect(error?.uri == server.url("/bad1"))
    #expect(try sample.fetcher().fetch([]).isEmpty)
  }

  @Test("fetch progress reports the bytes and the total, and never a secret")
  func progress() throws {
    let sample = try FetchingSample()
    let last = Recorder<FetchProgress>()
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nlon,lat\n")
      connection.wait(milliseconds: 400)
      connection.send("1,2\n3,4\n5,6\n")
    }
    _ = try sample.fetcher(progress: last).fetch(.csv(server.url("/")))
    #expect(last.all.contains { $0.bytes == 8 && $0.total == 20 })
  }

  @Test("connections to a host never exceed the limit", arguments: [1, 3])
  func connections(limit: Int) throws {
    let sample = try FetchingSample()
    let running = Recorder<Int>()
    let server = try LocalServer { _, connection in
      running.add(1)
      connection.wait(milliseconds: 60)
      // Counted down before the answer, after which the next request may come at once.
      running.add(-1)
      connection.answer(200, [], FetchingSample.csv)
    }
    let resources = try (0..<9).map { try RemoteResource.csv(server.url("/\($0)")) }
    _ = try sample.fetcher { $0.connectionsPerHost = limit }.fetch(resources)
    var count = 0
    let counts = running.all.map { step -> Int in
      count += step
      return count
    }
    #expect(counts.max() ?? 0 <= limit)
    #expect(server.requests.count == 9)
  }

  @Test("consecutive requests reuse one connection")
  func keptConnection() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      let body = "lon,lat\n\(request.ordinal),2\n"
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body)
      connection.keep()
    }
    let fetcher = sample.fetcher()
    for number in 0..<5 {
      let file = try fetcher.fetch(.csv(server.url("/")))
      #expect(try FetchingSample.text(file) == "lon,lat\n\(number),2\n")
    }
    #expect(server.requests.count == 5)
    #expect(server.connections == 1)
  }
}
