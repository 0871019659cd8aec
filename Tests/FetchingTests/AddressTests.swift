import Fetching
import Testing

/// Addresses as they are read, sent and shown.
struct AddressTests {
  @Test(
    "illegal characters of an address are percent-encoded, and escapes are kept",
    arguments: [
      ("http://a/x y", "http://a/x%20y"), ("http://a/x%20y", "http://a/x%20y"),
      ("http://a/%", "http://a/%25"), ("http://a/%4", "http://a/%254"),
      ("http://a/%zz%41", "http://a/%25zz%41"), ("http://a/%2f%2F", "http://a/%2f%2F"),
      ("http://a/é", "http://a/%C3%A9"), ("HTTPS://A.Example/X", "https://a.example/X"),
      ("http://a", "http://a/"), ("http://a?x=1", "http://a/?x=1"), ("http://a/#part", "http://a/"),
      ("http://a:8080/x", "http://a:8080/x"), ("http://[::1]:80/", "http://[::1]:80/"),
      ("http://a/?where=a>1 AND b='x'", "http://a/?where=a%3E1%20AND%20b='x'"),
      ("http://a/?f[]={\"a\"}", "http://a/?f%5B%5D=%7B%22a%22%7D"),
      ("http://a/a+b&c=d;e@f:g!$*(),", "http://a/a+b&c=d;e@f:g!$*(),"),
      ("http://u:p@a/x@y", "http://***@a/x@y"),
    ])
  func spelled(text: String, uri: String) throws {
    #expect(try RemoteResource(text, kind: .any).uri == uri)
  }

  @Test(
    "an invalid address is refused in one sentence",
    arguments: [
      "", "data/hotels.csv", "file:///x", "ftp://a/", "http:/a", "http://", "http:///x",
      "http://a b/", "http://a:0/", "http://a:65536/", "http://a:x/", "http://é/", "http://a%41/",
      "http://[::1", "http://u:p@/", "//a/x", "http://a\u{0}/", "javascript://a",
    ])
  func refused(text: String) {
    let error = FetchingSample.failure { try RemoteResource(text, kind: .any) }
    #expect(error?.code == .badAddress)
  }

  @Test(
    "headers that could smuggle another header are refused",
    arguments: [
      ("X", "a\r\nY: b"), ("X\n", "a"), ("", "a"), ("X Y", "a"), ("X", "\u{7F}"),
    ])
  func headers(name: String, value: String) {
    let error = FetchingSample.failure {
      try RemoteResource("http://a/", kind: .any, headers: [name: value])
    }
    #expect(error?.code == .badAddress)
    #expect(error?.description.contains("Y: b") == false)
  }

  @Test(
    "a secret may be sent to the same scheme, host and port, or from http to https",
    arguments: [
      ("http://a/x", "http://A:80/y", true), ("https://a/x", "https://a:443/y", true),
      ("http://a:81/", "http://a:81/", true), ("http://a/", "https://a/", true),
      ("https://a/", "http://a/", false), ("http://a/", "http://b/", false),
      ("http://a/", "http://a:81/", false), ("https://a:81/", "https://a/", false),
      ("http://a:81/", "https://a:81/", false), ("http://a/", "https://a:81/", false),
    ])
  func secrets(text: String, other: String, isShared: Bool) throws {
    let address = try #require(RemoteAddress(text))
    #expect(address.sharesSecrets(with: try #require(RemoteAddress(other))) == isShared)
  }
}
