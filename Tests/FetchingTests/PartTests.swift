import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Fetching

/// Parts of files, and files made of such.
@Suite(.serialized) struct PartTests {
  private static let body = (0..<5000).map { UInt8($0 % 251) }

  /// A server of one file that serves ranges, under the tag that a request of a number finds.
  private func server(
    tag: @escaping @Sendable (Int) -> String = { _ in "\"v1\"" }
  ) throws -> LocalServer {
    try LocalServer { request, connection in
      let tag = tag(request.ordinal)
      if let wanted = request.headers["if-match"], wanted != tag {
        connection.answer(412, [], [])
      } else if request.headers["if-none-match"] == tag {
        connection.answer(304, ["ETag: \(tag)"], [])
      } else if let range = request.headers["range"]?.dropFirst(6).split(separator: "-"),
        let first = Int(range[0]), let last = range.last.flatMap({ Int($0) })
      {
        let end = min(last, Self.body.count - 1)
        connection.answer(
          206,
          ["ETag: \(tag)", "Content-Range: bytes \(first)-\(end)/\(Self.body.count)"],
          Array(Self.body[first...end]))
      }
    }
  }

  /// Makes a file of two parts.
  private func make(
    _ sample: FetchingSample, _ server: LocalServer, locked: Set<String> = [],
    _ change: (inout FetchOptions) -> Void = { _ in }
  ) throws -> FetchedFile {
    let resource = try RemoteResource(server.url("/tiles"), kind: .part)
    return try sample.fetcher(change).selection(
      "two", of: resource, byteCount: 10, locked: locked
    ) { parts, path in
      try parts.fetch([100..<200, 4000..<9000])
      let bytes = try (parts.bytes(5..<10) ?? []) + (parts.bytes(150..<160) ?? [])
      try Data(bytes + (parts.bytes(4990..<5000) ?? [])).write(
        to: URL(fileURLWithPath: path.string))
    }
  }

  private static let made = Array(body[5..<10] + body[150..<160] + body[4990..<5000])

  @Test("a file is made of parts, each by one request for the version of the first")
  func parts() throws {
    let (sample, server) = (try FetchingSample(), try server())
    let file = try make(sample, server)
    #expect(try Array(Data(contentsOf: URL(fileURLWithPath: file.path))) == Self.made)
    #expect(
      server.requests.compactMap { $0.headers["range"] }.sorted()
        == ["bytes=0-9", "bytes=100-199", "bytes=4000-8999"])
    #expect(server.requests.dropFirst().allSatisfy { $0.headers["if-match"] == "\"v1\"" })
    // The parts are not kept beside the file.
    #expect(sample.files().filter { $0.hasPrefix("bodies/") && $0.count > 40 }.count == 2)
  }

  @Test("a file whose server has no change is made once; under a lock no request is made")
  func unchanged() throws {
    let (sample, server) = (try FetchingSample(), try server())
    let file = try make(sample, server)
    #expect(try make(sample, server).sha256 == file.sha256)
    #expect(server.requests.count == 4)
    #expect(try make(sample, server, locked: [file.sha256]).sha256 == file.sha256)
    #expect(try make(sample, server) { $0.offline = true }.sha256 == file.sha256)
    #expect(server.requests.filter { $0.headers["range"] != "bytes=0-9" }.count == 2)
  }

  @Test("parts that a stopped run fetched are not fetched again")
  func resumed() throws {
    let (sample, server) = (try FetchingSample(), try server())
    let resource = try RemoteResource(server.url("/tiles"), kind: .part)
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try sample.fetcher().selection("two", of: resource, byteCount: 10) { parts, _ in
        try parts.fetch([100..<200])
        throw Stop()
      }
    }
    _ = try make(sample, server)
    #expect(server.requests.filter { $0.headers["range"] == "bytes=100-199" }.count == 1)
  }

  @Test("a file that changes while its parts are read is one error")
  func changed() throws {
    let (sample, server) = (try FetchingSample(), try server { $0 == 0 ? "\"v1\"" : "\"v2\"" })
    let error = FetchingSample.failure { try make(sample, server) }
    #expect(error?.code == .changed)
    #expect(error?.message.hasPrefix("the file was changed on its server") == true)
  }

  @Test("a server without ranges, or without a version, is one error")
  func whole() throws {
    let sample = try FetchingSample()
    let whole = try LocalServer { _, connection in
      connection.answer(200, ["ETag: \"v1\""], Self.body)
    }
    let error = FetchingSample.failure { try make(sample, whole) }
    #expect(error?.status == 200 && error?.message.contains("whole files only") == true)
    let bare = try LocalServer { _, connection in
      connection.answer(206, ["Content-Range: bytes 0-9/5000"], Array(Self.body[..<10]))
    }
    let unknown = FetchingSample.failure { try make(sample, bare) }
    #expect(unknown?.message.contains("neither an 'ETag' nor a date") == true)
  }
}
