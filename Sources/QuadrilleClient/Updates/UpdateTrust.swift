public import Foundation

/// The memory of a client of the lists that it has accepted, so that nobody can pass off another list
/// or an older one.
public struct UpdateTrust: Hashable, Sendable {
  /// The greatest number of a list so far.
  public private(set) var sequence: Int

  /// The keys of which one must have signed a list; with none, unsigned lists are accepted.
  public private(set) var keys: [UpdateKey]

  /// Creates the trust of a client.
  ///
  /// - Parameters:
  ///   - sequence: the number of the last list that was accepted, 0 before the first.
  ///   - keys: the publisher's keys.
  public init(sequence: Int = 0, keys: [UpdateKey]) {
    (self.sequence, self.keys) = (sequence, keys)
  }

  /// Reads a list, and remembers its number and the keys that it says will sign from now on.
  ///
  /// - Parameters:
  ///   - data: the bytes of `NAME.updates.json`.
  ///   - name: the name of the archive or series that is asked for. The list of another one is
  ///     refused, although the same keys sign it; see ``UpdateList/name(inAddress:)``.
  ///   - now: the present instant, by which a list that has an end is refused.
  /// - Throws: ``ClientError/invalidList(reason:)``, ``ClientError/unsigned``,
  ///   ``ClientError/untrustedKey(signers:)``, ``ClientError/invalidSignature(key:)``,
  ///   ``ClientError/clientTooOld(needed:known:)``, ``ClientError/invalidFileName(_:)``,
  ///   ``ClientError/otherArchive(expected:found:)``,
  ///   ``ClientError/replayedList(sequence:accepted:)`` or ``ClientError/expiredList(end:now:)``.
  /// - Complexity: O(bytes).
  public mutating func accept(
    _ data: Data, of name: String, at now: Date = Date()
  ) throws(ClientError) -> UpdateList { try acceptList(data, of: name, at: now) }

  /// Reads a list of packs, as ``accept(_:of:)`` does.
  ///
  /// - Parameters:
  ///   - data: the bytes of `NAME.packs.json`.
  ///   - name: the name of the archive that is asked for.
  ///   - now: the present instant.
  public mutating func acceptPacks(
    _ data: Data, of name: String, at now: Date = Date()
  ) throws(ClientError) -> PackList { try acceptList(data, of: name, at: now) }

  mutating func acceptList<List: SignedList>(
    _ data: Data, of name: String, at now: Date
  ) throws(ClientError) -> List {
    guard data.count <= UpdateList.byteLimit else {
      throw ClientError.invalidList(reason: "it has \(data.count) bytes")
    }
    guard let envelope = try? JSONDecoder().decode(Envelope.self, from: data) else {
      throw ClientError.invalidList(reason: "it is not JSON with a 'list' and its 'signatures'")
    }
    try requireSignature(envelope)
    let list = try List(text: envelope.list)
    guard list.name == name else {
      throw ClientError.otherArchive(expected: name, found: list.name)
    }
    guard list.sequence >= sequence else {
      throw ClientError.replayedList(sequence: list.sequence, accepted: sequence)
    }
    let end = list.expires.map { Date(timeIntervalSince1970: Double($0)) }
    if let end, end <= now { throw ClientError.expiredList(end: end, now: now) }
    sequence = list.sequence
    // Without a key that is trusted, anybody could have written the new ones.
    if !keys.isEmpty, let next = list.keys { keys = next }
    return list
  }

  private func requireSignature(_ envelope: Envelope) throws(ClientError) {
    guard !keys.isEmpty else { return }
    guard let signatures = envelope.signatures, !signatures.isEmpty else {
      throw ClientError.unsigned
    }
    let message = Array("quadrille-updates-1\n".utf8) + Array(envelope.list.utf8)
    var failed: String?
    for entry in signatures {
      for key in keys where key.id == entry.key {
        let signature = Data(base64Encoded: entry.signature).map { Array($0) } ?? []
        if try Ed25519.isValid(signature, of: message, key: key.bytes) { return }
        failed = entry.key
      }
    }
    if let failed { throw ClientError.invalidSignature(key: failed) }
    throw ClientError.untrustedKey(signers: signatures.map(\.key))
  }
}

/// A list in its signed form.
private struct Envelope: Decodable {
  struct Signature: Decodable {
    let key: String
    let signature: String
  }

  let list: String
  let signatures: [Signature]?
}
