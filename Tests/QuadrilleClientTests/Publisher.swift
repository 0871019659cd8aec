import Foundation
import Testing

@testable import QuadrilleClient

#if canImport(CryptoKit)
  import CryptoKit
#else
  import CCrypto
#endif

/// A publisher of updates in memory: its files and its key.
struct Publisher: Sendable {
  var files: [String: Data] = [:]
  var sequence = 0
  let signer: Signer

  /// The address of the list of an archive.
  static let list = URL(fileURLWithPath: "/server/tiny.updates.json")

  /// The address of the list of a series.
  static let seriesList = URL(fileURLWithPath: "/server/rain.updates.json")

  init(signer: Signer? = nil) throws {
    self.signer = try signer ?? Signer(seed: 1)
  }

  /// Publishes an archive, and the deltas that lead to it.
  ///
  /// - Parameter chain: earlier archives, the oldest first; each has a delta to the next.
  mutating func publish(
    _ archive: TinyArchive, after chain: [TinyArchive] = [], keys: [Signer]? = nil,
    signers: [Signer]? = nil, padding: Int = 0, hasChunks: Bool = false
  ) throws {
    // The whole archive is so large that deltas are cheaper.
    var whole = try archive.data()
    var members: [String: Any] = [:]
    var deltas: [[String: Any]] = []
    for (old, new) in zip(chain, chain.dropFirst() + [archive]) {
      let name = "tiny.\(old.digest.prefix(8))-\(new.digest.prefix(8)).delta"
      let delta = try old.delta(to: new)
      files[name] = delta
      deltas.append(Self.file(name, delta, ["before": old.digest, "after": new.digest]))
    }
    if padding > 0 { whole.append(Data(repeating: 0, count: padding)) }
    files["tiny.mbtiles"] = whole
    members["archive"] = Self.file(
      "tiny.mbtiles", whole,
      hasChunks
        ? ["digest": archive.digest, "chunks": Self.chunks(whole)] : ["digest": archive.digest])
    members["deltas"] = deltas
    try publish(members, keys: keys, signers: signers)
  }

  /// Publishes a list with these members.
  mutating func publish(
    _ members: [String: Any], keys: [Signer]? = nil, signers: [Signer]? = nil
  ) throws {
    sequence += 1
    var members = members
    members["format"] = 1
    members["minimumClient"] = 1
    members["sequence"] = sequence
    if let keys { members["keys"] = keys.map { ["key": $0.key.base64] } }
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys),
      as: UTF8.self)
    let signatures = (signers ?? [signer]).map { signer in
      ["key": signer.key.id, "signature": signer.signature(of: "quadrille-updates-1\n" + text)]
    }
    let list = members["series"] == nil ? Self.list : Self.seriesList
    files[list.lastPathComponent] = try JSONSerialization.data(
      withJSONObject: ["list": text, "signatures": signatures] as [String: Any])
  }

  /// Publishes an archive under its second name, too, with an earlier one from which a delta leads on.
  ///
  /// - Returns: the second name.
  mutating func publishTwice(
    _ archive: TinyArchive, after earlier: TinyArchive? = nil, padding: Int = 0,
    keepsEarlier: Bool = true
  ) throws -> String {
    func version(_ archive: TinyArchive) throws -> (name: String, members: [String: Any]) {
      let data = try archive.data() + Data(repeating: 0, count: padding)
      let members = Self.file("", data, ["digest": archive.digest])
      let name = "tiny.\((members["sha256"] as? String ?? "").prefix(16)).mbtiles"
      files[name] = data
      return (name, members.merging(["file": name]) { $1 })
    }
    let (name, members) = try version(archive)
    files["tiny.mbtiles"] = files[name]
    var list: [String: Any] = [
      "archive": members.merging(["file": "tiny.mbtiles", "download": name]) { $1 },
      "deltas": [Any](),
    ]
    if let earlier {
      let delta = try earlier.delta(to: archive)
      files["tiny.delta"] = delta
      list["deltas"] = [
        Self.file("tiny.delta", delta, ["before": earlier.digest, "after": archive.digest])
      ]
      if keepsEarlier { list["earlier"] = [try version(earlier).members] }
    }
    try publish(list)
    return name
  }

  static func chunks(_ data: Data) -> [String: Any] {
    let size = 1 << 16
    let hashes = stride(from: 0, to: data.count, by: size).flatMap {
      SHA256Hash.digest(of: Array(data[$0..<min($0 + size, data.count)])).prefix(16)
    }
    return ["bytes": size, "hashes": Data(hashes).base64EncodedString()]
  }

  static func file(_ name: String, _ data: Data, _ members: [String: Any]) -> [String: Any] {
    members.merging([
      "file": name, "bytes": data.count,
      "sha256": Hexadecimal.text(SHA256Hash.digest(of: Array(data))),
    ]) { $1 }
  }
}

/// A pair of keys that a number decides.
struct Signer: Sendable {
  private let secret: [UInt8]
  let key: UpdateKey

  init(seed: UInt8) throws {
    secret = Array(repeating: seed, count: 32)
    #if canImport(CryptoKit)
      let raw =
        (try? Curve25519.Signing.PrivateKey(rawRepresentation: secret))?
        .publicKey.rawRepresentation ?? Data()
    #else
      var raw = Data(repeating: 0, count: 32)
      let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, 32)
      defer { EVP_PKEY_free(pair) }
      var count = 32
      raw.withUnsafeMutableBytes { bytes in
        _ = EVP_PKEY_get_raw_public_key(
          pair, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &count)
      }
    #endif
    key = try #require(UpdateKey(rawValue: raw))
  }

  /// Returns the signature of a text in base64.
  func signature(of text: String) -> String {
    #if canImport(CryptoKit)
      let pair = try? Curve25519.Signing.PrivateKey(rawRepresentation: secret)
      return (try? pair?.signature(for: Data(text.utf8)))?.base64EncodedString() ?? ""
    #else
      let pair = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, 32)
      let context = EVP_MD_CTX_new()
      defer {
        EVP_PKEY_free(pair)
        EVP_MD_CTX_free(context)
      }
      var signature = [UInt8](repeating: 0, count: 64)
      var count = 64
      let message = Array(text.utf8)
      _ = EVP_DigestSignInit(context, nil, nil, nil, pair)
      _ = EVP_DigestSign(context, &signature, &count, message, message.count)
      return Data(signature).base64EncodedString()
    #endif
  }
}

/// A transport to a publisher in memory, whose connections break where a test says.
final class MemoryTransport: UpdateTransport, @unchecked Sendable {
  private let lock = NSLock()
  private var publisher: Publisher
  private var sent: [(name: String, offset: Int)] = []
  private var piecesLeft: Int?
  private var bytes = 0
  private let ignoresRanges: Bool

  private let piece: Int

  /// - Parameters:
  ///   - piece: the bytes of a piece.
  ///   - pieces: the pieces after which the connection breaks.
  init(
    _ publisher: Publisher, piece: Int = 1024, breakingAfter pieces: Int? = nil,
    ignoresRanges: Bool = false
  ) {
    self.publisher = publisher
    self.piece = piece
    piecesLeft = pieces
    self.ignoresRanges = ignoresRanges
  }

  /// The bytes of all answers.
  var sentBytes: Int { lock.withLock { bytes } }

  /// The requests so far.
  var requests: [(name: String, offset: Int)] { lock.withLock { sent } }

  func replace(_ name: String, by data: Data) { lock.withLock { publisher.files[name] = data } }

  func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse {
    let name = url.path.replacingOccurrences(of: "/server/", with: "")
    let data = lock.withLock {
      sent.append((name, offset))
      return publisher.files[name]
    }
    guard let data else { return response(404, Data()) }
    if offset > 0, offset >= data.count { return response(416, Data()) }
    if offset == 0 || ignoresRanges { return response(200, data) }
    return response(206, data.dropFirst(offset))
  }

  func fetch(_ url: URL, in range: Range<Int>) async throws -> UpdateResponse {
    let name = url.path.replacingOccurrences(of: "/server/", with: "")
    let data = lock.withLock {
      sent.append((name, range.lowerBound))
      return publisher.files[name]
    }
    guard let data else { return response(404, Data()) }
    return response(206, data[range.clamped(to: 0..<data.count)])
  }

  private func response(_ status: Int, _ data: Data) -> UpdateResponse {
    lock.withLock { bytes += data.count }
    let body = AsyncThrowingStream<Data, any Error> { continuation in
      var rest = data
      while !rest.isEmpty {
        let isBroken = lock.withLock { () -> Bool in
          guard let left = piecesLeft else { return false }
          piecesLeft = left - 1
          return left <= 0
        }
        if isBroken {
          continuation.finish(throwing: URLError(.networkConnectionLost))
          return
        }
        continuation.yield(Data(rest.prefix(piece)))
        rest = rest.dropFirst(piece)
      }
      continuation.finish()
    }
    return UpdateResponse(status: status, body: body)
  }
}
