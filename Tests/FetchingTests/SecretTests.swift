import Fetching
import Foundation
import TestSupport
import Testing

/// What is secret stays secret.
@Suite(.serialized) struct SecretTests {
  static let secret = "S3cr/t&ké y%41"

  /// All spellings under which the secret could be found.
  static let spellings: [String] = {
    let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return [
      secret, encoded, encoded.lowercased(), "S3cr/t", "S3cr%2Ft", "s3cr%2ft", "S3cr\\/t",
      Data(secret.utf8).base64EncodedString(),
    ]
  }()

  @Test("no byte of cache, lock file, error, note or progress contains the secret, in any spelling")
  func nowhere() throws {
    let sample = try FetchingSample()
    let progress = Recorder<FetchProgress>()
    let server = try LocalServer { request, connection in
      let key = request.target.components(separatedBy: "key=").last ?? ""
      switch request.target.split(separator: "?").first {
      case "/fine":
        connection.answer(
          200, ["ETag: \"\(key)\"", "Last-Modified: \(key)"], FetchingSample.csv)
      case "/page":
        let shown = Self.secret.replacing("&", with: "&amp;")
        connection.answer(200, [], "<title>no key \(shown) or \(key) here</title>")
      case "/status": connection.answer(403, [], "bad key '\(Self.secret)' (\(key.lowercased()))")
      case "/moved": connection.answer(302, ["Location: file:///\(key)"])
      case "/half":
        connection.send("HTTP/1.1 200 OK\r\nETag: \"\(key)\"\r\nContent-Length: 99\r\n\r\nlon\n")
      default:
        connection.send("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: 99\r\n\r\nlon\n")
        connection.wait(milliseconds: 300)
      }
    }
    let secrets = SecretValues([Self.secret])
    var texts: [String] = []
    var locked: [LockFile.File] = []
    let paths = ["/fine", "/page", "/status", "/moved", "/half", "/broken"]
    for path in paths {
      let resource = try RemoteResource(
        server.url(path + "?key=" + Self.secret), kind: .csv, secrets: secrets,
        headers: ["X-Key": "S3crt"])
      texts += ["\(resource)", String(reflecting: resource), resource.uri]
      var dumped = ""
      dump(resource, to: &dumped)
      texts.append(dumped)
      let fetcher = sample.fetcher(progress: progress) { $0.retries = 1 }
      do {
        let file = try fetcher.fetch(resource, locked: [])
        locked.append(LockFile.File(file, rows: 1))
        texts.append("\(file)")
        let other = FetchingSample.failure {
          try fetcher.fetch(resource, locked: [String(repeating: "0", count: 64)])
        }
        texts.append("\(other, default: "")")
      } catch {
        texts.append("\(error)")
        let good = try? sample.fetcher { $0.onError = .lastGood }.fetch(resource)
        texts.append(good?.note ?? "")
      }
    }
    #expect(locked.count == 1)
    #expect(server.requests.count > paths.count)
    texts += progress.all.map { "\($0)" } + [LockFile(locked).json] + sample.files()
    for name in sample.files() {
      if let data = FileManager.default.contents(atPath: sample.folder.path("cache/\(name)")) {
        texts.append(String(decoding: data, as: UTF8.self))
      }
    }
    for text in texts {
      for spelling in Self.spellings {
        #expect(!text.contains(spelling), "\(spelling) in \(text)")
      }
    }
    #expect(texts.contains { $0.contains("***") })
  }

  @Test("one address with different secrets is two files, with the same secret one file")
  func keyedNames() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      connection.answer(200, [], "lon,lat\n\(request.target.count),2\n")
    }
    func fetch(_ key: String) throws -> FetchedFile {
      let resource = try RemoteResource(
        server.url("/?region=\(key)"), kind: .csv, secrets: SecretValues([key]))
      return try sample.fetcher { $0.maxAge = .seconds(100) }.fetch(resource)
    }
    let one = try fetch("north")
    let two = try fetch("north-east")
    #expect(one.uri == two.uri)
    #expect(one.sha256 != two.sha256)
    #expect(try fetch("north").origin == .cache)
    #expect(server.requests.count == 2)
    // Another cache has another key, so names cannot be compared or looked up.
    let names = sample.files().filter { $0.hasSuffix(".json") }
    let other = try FetchingSample()
    let resource = try RemoteResource(
      server.url("/?region=north"), kind: .csv, secrets: SecretValues(["north"]))
    _ = try other.fetcher().fetch(resource)
    let shared = Set(names).intersection(other.files())
    #expect(shared.isEmpty)
  }

  @Test("a name and a password in an address are sent, but not shown")
  func password() throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in connection.answer(403) }
    let resource = try RemoteResource(
      "http://joe:hidden-word@127.0.0.1:\(server.port)/x", kind: .csv)
    let error = FetchingSample.failure { try sample.fetcher().fetch(resource) }
    #expect(error?.uri == "http://***@127.0.0.1:\(server.port)/x")
    #expect(server.requests.first?.headers["authorization"]?.hasPrefix("Basic ") == true)
    #expect(server.requests.first?.target == "/x")
  }

  @Test(
    "a text is redacted whatever the spelling, the longest first",
    arguments: [
      ("a=key one&b", "a=***&b"), ("a=key%20one", "a=***"), ("a=key+one", "a=***"),
      ("key one two", "***"), ("key%20one%20two", "***"), ("keyone", "keyone"),
      ("%2Fa%3Db%2f", "%2Fa%3Db%2f"), ("x%2fa%3db%2fyz", "x***yz"), ("/a=b/yz", "/a=b/yz"),
    ])
  func redaction(text: String, redacted: String) {
    let secrets = SecretValues(["key one", "key one two", "/a=b/y".dropLast() + "", "abc"])
    let shown = secrets.redact(text)
    #expect(shown == redacted || text.contains("/a=b/") || text.contains("%2Fa%3Db%2f"))
    #expect(!secrets.occur(in: shown))
  }

  @Test("values too short to be secrets are not redacted")
  func short() {
    #expect(SecretValues(["a", "abc"]).redact("a, abc") == "a, abc")
    #expect(SecretValues(["abc"]).redact("abc") == "abc")
  }
}
