import Fetching
import Foundation
import TestSupport
import Testing

/// Redirections that are followed, and those that are not.
@Suite(.serialized) struct RedirectTests {
  @Test(
    "a redirect on the same server is followed, however it is spelled",
    arguments: [301, 302, 303, 307, 308])
  func followed(status: Int) throws {
    for location in ["/b/data", "data", "../b/data", "?there", "ABSOLUTE/b/data#part"] {
      let sample = try FetchingSample()
      let server = try LocalServer { request, connection in
        if request.ordinal == 0 {
          let base = "http://\(request.headers["host"] ?? "")"
          connection.answer(
            status, ["Location: \(location.replacing("ABSOLUTE", with: base))"], "moved")
        } else {
          connection.answer(200, [], FetchingSample.csv)
        }
      }
      let file = try sample.fetcher().fetch(.csv(server.url("/b/start?x=1")))
      #expect(try FetchingSample.text(file) == FetchingSample.csv)
      let second = server.requests.last?.target
      #expect(second == (location == "?there" ? "/b/start?there" : "/b/data"))
    }
  }

  @Test(
    "a relative redirect may contain another address in its query",
    arguments: ["/in?next=http://b/x", "?next=https://b/x", "in?next=ftp://b"])
  func addressInQuery(location: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.answer(302, ["Location: \(location)"], "moved")
      } else {
        connection.answer(200, [], FetchingSample.csv)
      }
    }
    let file = try sample.fetcher().fetch(.csv(server.url("/start")))
    #expect(try FetchingSample.text(file) == FetchingSample.csv)
    #expect(server.requests.last?.target.hasSuffix(location.drop { $0 != "?" }) == true)
  }

  @Test(
    "five redirects are followed, and a loop ends after five", arguments: [(5, true), (6, false)])
  func loop(count: Int, works: Bool) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal < count {
        connection.answer(302, ["Location: /again"])
      } else {
        connection.answer(200, [], FetchingSample.csv)
      }
    }
    let error = FetchingSample.failure { try sample.fetcher().fetch(.csv(server.url("/"))) }
    #expect(error?.code == (works ? nil : .redirect))
    #expect(server.requests.count == 6)
  }

  @Test(
    "only redirects to http and https are followed, and none crashes",
    arguments: [
      "file:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1", "data:text/csv,lon",
      "javascript:alert(1)", "http://", "http:///x", "https://a b/", "http://[::1", "//",
      "http://host:99999/", "http://host:-1/", "http://ho\u{E9}st/", "///x", "http://a@b@/",
      "mailto:x", ":",
    ])
  func notFollowed(location: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { _, connection in
      connection.answer(302, ["Location: \(location)"])
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 0 }.fetch(.csv(server.url("/")))
    }
    #expect([.redirect, .connection, .status].contains(error?.code))
    #expect(server.requests.count == 1)
  }

  @Test(
    "odd redirects on the same server neither crash nor leave it",
    arguments: [
      "/%", "/%zz?%zz", "/a?b=%", "?%", "?\u{1}", "/\u{7F}", "/ü?ö", "/a b", "/[x]", "/x?[y]",
      "/{z}", "/\"<>^`|", "..", "../../../..", ".", "/#", "/a#%", "/;,&=+$!*'()", "//", "/x y?z w",
    ])
  func odd(location: String) throws {
    let sample = try FetchingSample()
    let server = try LocalServer { request, connection in
      if request.ordinal == 0 {
        connection.answer(302, ["Location: \(location)"])
      } else {
        connection.answer(200, [], FetchingSample.csv)
      }
    }
    let error = FetchingSample.failure {
      try sample.fetcher { $0.retries = 0 }.fetch(.csv(server.url("/a/b")))
    }
    #expect([nil, .redirect, .connection, .status].contains(error?.code))
  }

  @Test("a redirect to another host gets neither the password nor the headers")
  func otherHost() throws {
    let sample = try FetchingSample()
    let other = try LocalServer { _, connection in connection.answer(200, [], FetchingSample.csv) }
    let first = try LocalServer { _, connection in
      connection.answer(302, ["Location: \(other.url("/data"))"])
    }
    let resource = try RemoteResource(
      "http://user:pa%20ss@127.0.0.1:\(first.port)/", kind: .csv, headers: ["X-Key": "k123456"])
    _ = try sample.fetcher().fetch(resource)
    #expect(first.requests.first?.headers["x-key"] == "k123456")
    #expect(first.requests.first?.headers["authorization"] == "Basic dXNlcjpwYSBzcw==")
    #expect(other.requests.first?.headers["x-key"] == nil)
    #expect(other.requests.first?.headers["authorization"] == nil)
    #expect(other.requests.first?.headers["referer"] == nil)
  }

  @Test("a redirect that carries a secret to another host is refused", arguments: [true, false])
  func secretInLocation(isOther: Bool) throws {
    let sample = try FetchingSample()
    let other = try LocalServer { _, connection in connection.answer(200, [], FetchingSample.csv) }
    let first = try LocalServer { request, connection in
      if request.ordinal > 0 { return connection.answer(200, [], FetchingSample.csv) }
      let base = isOther ? other.url("") : ""
      connection.answer(302, ["Location: \(base)/data?key=s%2fcret-42"])
    }
    let resource = try RemoteResource(
      first.url("/?key=s/cret-42"), kind: .csv, secrets: SecretValues(["s/cret-42"]))
    let error = FetchingSample.failure { try sample.fetcher().fetch(resource) }
    #expect(error?.code == (isOther ? .redirect : nil))
    #expect(other.requests.isEmpty)
    #expect(error?.description.contains("cret-42") != true)
  }
}
