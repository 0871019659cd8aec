import Fetching
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Lock files: written, read, required.
@Suite(.serialized) struct LockFileTests {
  /// A server whose content changes with every request, and a file of it.
  static func changing() throws -> LocalServer {
    try LocalServer { request, connection in
      connection.answer(200, ["ETag: \"\(request.ordinal)\""], "lon,lat\n\(request.ordinal),2\n")
    }
  }

  @Test("a lock file is the same text for the same files in any order, and is parsed back")
  func text() throws {
    let sample = try FetchingSample()
    let server = try Self.changing()
    let files = try ["/b", "/a", "/b"].map { path in
      LockFile.File(try sample.fetcher().fetch(.csv(server.url(path))), rows: 1)
    }
    let lock = LockFile(files + files)
    #expect(lock == LockFile(files.reversed()))
    #expect(lock.files.map(\.uri) == [server.url("/a"), server.url("/b"), server.url("/b")])
    #expect(try LockFile(json: Array(lock.json.utf8), path: "x") == lock)
    #expect(lock.json.hasPrefix("{\n  \"version\": 1,\n  \"files\": [\n    {\n      \"uri\": \""))
    #expect(lock.json.contains("\"etag\": \"\\\"1\\\"\""))
    #expect(LockFile([]).json == "{\n  \"version\": 1,\n  \"files\": []\n}\n")
  }

  @Test(
    "a broken lock file is refused in one sentence",
    arguments: [
      "", "[]", "{}", "{\"version\": 2, \"files\": []}", "{\"version\": 1, \"files\": [{}]}",
      "{\"version\":1,\"files\":[{\"uri\":\"u\",\"sha256\":\"zz\",\"bytes\":1}]}",
    ])
  func broken(text: String) {
    let error = FetchingSample.failure { try LockFile(json: Array(text.utf8), path: "x.lock.json") }
    #expect(error?.code == .badLockFile)
    #expect(error?.uri == "x.lock.json")
  }

  @Test("with a lock file the cached body is used without the network, whatever the server has now")
  func pinned() throws {
    let sample = try FetchingSample()
    let server = try Self.changing()
    let resource = try RemoteResource.csv(server.url("/"))
    let first = try sample.fetcher().fetch(resource)
    _ = try sample.fetcher().fetch(resource)
    let lock = LockFile([LockFile.File(first)])
    let locked = try sample.fetcher().fetch(resource, locked: lock.digests(of: resource.uri))
    #expect(locked.sha256 == first.sha256)
    #expect(locked.origin == .cache)
    #expect(server.requests.count == 2)
    #expect(lock.digests(of: "http://other/").isEmpty)
  }

  @Test("with a lock file other content is refused, with the address")
  func refused() throws {
    let server = try Self.changing()
    let resource = try RemoteResource.csv(server.url("/x"))
    let first = try FetchingSample().fetcher().fetch(resource)
    let error = FetchingSample.failure {
      try FetchingSample().fetcher().fetch(resource, locked: [first.sha256])
    }
    #expect(error?.code == .changed)
    #expect(error?.uri == server.url("/x"))
    #expect(error?.message.contains(first.sha256) == true)
    // A corrupt body does not pass for the locked one.
    let sample = try FetchingSample()
    let again = try sample.fetcher().fetch(resource)
    try Data("lon,lat\n".utf8).write(to: URL(fileURLWithPath: again.path))
    let corrupt = FetchingSample.failure {
      try sample.fetcher().fetch(resource, locked: [again.sha256])
    }
    #expect(corrupt?.code == .changed)
  }

  @Test("a build is compared with a lock file: same, other content, missing file")
  func compared() throws {
    let sample = try FetchingSample()
    let server = try Self.changing()
    let files = try (0..<2).map { _ in
      LockFile.File(try sample.fetcher().fetch(.csv(server.url("/"))), rows: 1)
    }
    let lock = LockFile([files[0]])
    #expect(FetchingSample.failure { try lock.require(LockFile([files[0]])) } == nil)
    #expect(FetchingSample.failure { try lock.require(LockFile([files[1]])) }?.code == .changed)
    #expect(FetchingSample.failure { try lock.require(LockFile([])) } == nil)
    let other = LockFile.File(try sample.fetcher().fetch(.csv(server.url("/other"))))
    let error = FetchingSample.failure { try lock.require(LockFile([other])) }
    #expect(error?.message.contains("does not have this") == true)
  }
}
