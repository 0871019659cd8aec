import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuadrilleClient

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Updates over http by URLSession")
struct URLSessionTransportTests {
  /// A server of a publisher's files, which takes ranges and breaks connections.
  private static func server(
    _ files: [String: Data], breakingAfter limit: Int? = nil
  ) throws -> LocalServer {
    let left = Mutex(limit)
    return try LocalServer { request, connection in
      guard let data = files[String(request.target.dropFirst())] else {
        connection.answer(404)
        return
      }
      let offset =
        request.headers["range"].flatMap { $0.firstMatch(of: /bytes=(\d+)-/) }
        .flatMap { Int($0.1) } ?? 0
      guard offset == 0 || offset < data.count else {
        connection.answer(416)
        return
      }
      let rest = Array(data.dropFirst(offset))
      let count = left.withLock { left -> Int in
        guard let room = left else { return rest.count }
        left = max(room - rest.count, 0)
        return min(room, rest.count)
      }
      guard count < rest.count else {
        connection.answer(offset > 0 ? 206 : 200, [], rest)
        return
      }
      connection.send(
        "HTTP/1.1 \(offset > 0 ? 206 : 200) Words\r\nContent-Length: \(rest.count)\r\n\r\n")
      connection.send(Array(rest.prefix(count)))
      connection.wait(milliseconds: 20)
    }
  }

  private func updater(_ scene: UpdateScene, _ server: LocalServer) throws -> ArchiveUpdater {
    ArchiveUpdater(
      archive: scene.archive, list: try #require(URL(string: server.url("/tiny.updates.json"))),
      trusting: [scene.publisher.signer.key])
  }

  @Test("a delta and a whole archive are fetched")
  func whole() async throws {
    let scene = try UpdateScene()
    let server = try Self.server(scene.publisher.files)
    #expect(try await updater(scene, server).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
    try FileManager.default.removeItem(at: scene.archive)
    #expect(try await updater(scene, server).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
    #expect(server.requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
  }

  @Test("a connection that breaks is an error, and the next try asks for the rest")
  func broken() async throws {
    let scene = try UpdateScene()
    let broken = try Self.server(scene.publisher.files, breakingAfter: 20_000)
    await #expect {
      try await updater(scene, broken).update()
    } throws: {
      if case .network = $0 as? ClientError { true } else { false }
    }
    #expect(try scene.content() == scene.contents.old)
    let server = try Self.server(scene.publisher.files)
    #expect(try await updater(scene, server).update().hasChanged)
    #expect(try scene.content() == scene.contents.new)
    let ranges = server.requests.compactMap { $0.headers["range"] }
    #expect(ranges.count == 1 && ranges != ["bytes=0-"])
  }

  @Test("much that arrives while nobody reads is not kept in memory, and is all there in the end")
  func pause() async throws {
    var data = Data(count: 12 << 20)
    for index in stride(from: 0, to: data.count, by: 1000) {
      data[index] = UInt8(index >> 10 & 255)
    }
    let server = try Self.server(["large": data])
    let url = try #require(URL(string: server.url("/large")))
    let response = try await URLSessionTransport().fetch(url, from: 0)
    #expect(response.status == 200)
    try await Task.sleep(for: .milliseconds(200))
    var received = Data()
    for try await piece in response.body { received.append(piece) }
    #expect(received == data)
  }

  /// A transport whose sessions give up after some seconds without a byte.
  private static func impatient(seconds: TimeInterval) -> URLSessionTransport {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = seconds
    return URLSessionTransport(configuration: configuration)
  }

  @Test("a reader that is slower than the time for an answer loses nothing")
  func slowReader() async throws {
    let data = Data(repeating: 7, count: 24 << 20)
    let server = try Self.server(["large": data])
    let url = try #require(URL(string: server.url("/large")))
    let response = try await Self.impatient(seconds: 2).fetch(url, from: 0)
    try await Task.sleep(for: .seconds(5))
    var received = Data()
    for try await piece in response.body { received.append(piece) }
    #expect(received == data)
  }

  @Test("a server that says nothing more ends the fetch")
  func silence() async throws {
    let end = DispatchSemaphore(value: 0)
    defer { end.signal() }
    let server = try LocalServer { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
      end.wait()
    }
    let url = try #require(URL(string: server.url("/silent")))
    let response = try await Self.impatient(seconds: 1).fetch(url, from: 0)
    await #expect {
      for try await _ in response.body {}
    } throws: {
      ($0 as? URLError)?.code == .timedOut
    }
  }

  @Test("what is refused or not there is an error with its status or reason")
  func refused() async throws {
    let scene = try UpdateScene()
    let server = try Self.server([:])
    let list = server.url("/tiny.updates.json")
    await #expect(throws: ClientError.refused(url: list, status: 404)) {
      try await updater(scene, server).update()
    }
    let nobody = ArchiveUpdater(
      archive: scene.archive, list: try #require(URL(string: "http://127.0.0.1:9/a.updates.json")),
      trusting: [])
    await #expect {
      try await nobody.update()
    } throws: {
      if case .network = $0 as? ClientError { true } else { false }
    }
  }
}
