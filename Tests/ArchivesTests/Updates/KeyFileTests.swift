import Foundation
import Hashing
import TestSupport
import Testing

@testable import Archives
@testable import Runs

@Suite("Key files")
struct KeyFileTests {
  @Test("keys are written for their owner alone, read back, and never overwritten")
  func pair() throws {
    let folder = try TemporaryFolder()
    let pair = try KeyFile.create(folder.path("city"))
    #expect(try folder.names() == ["city.key", "city.pub"])
    let mode = try FileManager.default.attributesOfItem(atPath: pair.privatePath)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let key = try KeyFile.signingKey(at: pair.privatePath)
    #expect(key.publicKey == pair.key)
    #expect(
      pair.text.contains(pair.key.id) && !pair.text.contains(Data(key.seed).base64EncodedString()))
    let bytes = try folder.bytes("city.key")
    #expect(throws: PipelineError.self) { try KeyFile.create(folder.path("city")) }
    try FileManager.default.removeItem(atPath: pair.publicPath)
    let error = #expect(throws: PipelineError.self) { try KeyFile.create(folder.path("city")) }
    #expect(error?.exitCode == 73 && error?.message.contains("no key is overwritten") == true)
    #expect(try folder.bytes("city.key") == bytes && folder.names() == ["city.key"])
    let lost = #expect(throws: PipelineError.self) { try KeyFile.create(folder.path("no/city")) }
    #expect(lost?.exitCode == 73)
  }

  /// The examples of RFC 8410, sections 10.1 and 10.3: one key, without and with its public half.
  private static let examples = [
    "MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC",
    """
    MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
    oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
    Z9w7lshQhqowtrbLDFw4rXAxZuE=
    """,
  ]

  @Test("keys of other programs are read", arguments: examples)
  func foreign(base64: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "text before\n-----BEGIN PRIVATE KEY-----\n\(base64)\n-----END PRIVATE KEY-----\n",
      to: "a.key")
    let key = try KeyFile.signingKey(at: path)
    #expect(
      Data(key.publicKey.bytes).base64EncodedString()
        == "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=")
  }

  @Test("a file without a private key is refused in one sentence")
  func refused() throws {
    let folder = try TemporaryFolder()
    let pair = try KeyFile.create(folder.path("a"))
    try folder.write("nothing", to: "b")
    try folder.write(
      "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4=\n-----END ENCRYPTED PRIVATE KEY-----\n", to: "c")
    // The curve X25519 instead.
    try folder.write(
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VuBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n"
        + "-----END PRIVATE KEY-----\n", to: "d")
    try folder.write("-----END PRIVATE KEY----------BEGIN PRIVATE KEY-----", to: "e")
    let cases: [(path: String, status: Int32, words: String)] = [
      (pair.publicPath, 65, "public key"), (folder.path("b"), 65, "keys new"),
      (folder.path("c"), 65, "passphrase"), (folder.path("d"), 65, "no private Ed25519 key"),
      (folder.path("e"), 65, "no private Ed25519 key"), (folder.path("none"), 66, ""),
    ]
    for (path, status, words) in cases {
      let error = #expect(throws: PipelineError.self) { try KeyFile.signingKey(at: path) }
      #expect(error?.exitCode == status, "\(path): \(String(describing: error))")
      #expect(words.isEmpty || error?.message.contains(words) == true, "\(path)")
    }
  }
}
