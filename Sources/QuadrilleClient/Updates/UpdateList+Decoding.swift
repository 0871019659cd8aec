import Foundation

extension UpdateList {
  /// The version of the protocol that this client knows.
  static let protocolVersion = 1

  /// Maximum bytes of a list with its signatures.
  static let byteLimit = 16 << 20

  private static let formatVersion = 1
  private static let deltaLimit = 100_000

  /// The greatest number in a list.
  static let sizeLimit = 1 << 53

  /// Reads the text that was signed.
  init(text: String) throws(ClientError) {
    let data = Data(text.utf8)
    guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
      throw ClientError.invalidList(reason: "it is not JSON with a 'format'")
    }
    guard head.format == Self.formatVersion else {
      throw ClientError.invalidList(reason: "its format is \(head.format)")
    }
    guard head.minimumClient <= Self.protocolVersion else {
      throw ClientError.clientTooOld(needed: head.minimumClient, known: Self.protocolVersion)
    }
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: data)
    } catch {
      throw ClientError.invalidList(reason: "a member is missing or has another type")
    }
    guard (0...Self.sizeLimit).contains(document.sequence) else {
      throw ClientError.invalidList(reason: "its sequence is \(document.sequence)")
    }
    guard document.deltas.count <= Self.deltaLimit else {
      throw ClientError.invalidList(reason: "it has \(document.deltas.count) deltas")
    }
    sequence = document.sequence
    content = try Self.content(document)
    var deltas: [Delta] = []
    for delta in document.deltas { deltas.append(try Self.delta(delta)) }
    self.deltas = deltas
    keys = try document.keys.map(Self.keys)
    try requirePlainNames()
  }

  private static func content(_ document: Document) throws(ClientError) -> Content {
    switch (document.archive, document.series) {
    case (let archive?, nil): return .archive(try self.archive(archive))
    case (nil, let series?):
      var frames: [Archive] = []
      for frame in series.frames { frames.append(try archive(frame)) }
      guard Set(frames.map(\.file.name)).count == frames.count else {
        throw ClientError.invalidList(reason: "it names a frame twice")
      }
      let manifest = series.manifest
      return .series(
        manifest: try file(manifest.file, manifest.bytes, manifest.sha256), folder: series.folder,
        frames: frames)
    default: throw ClientError.invalidList(reason: "it has not one of 'archive' and 'series'")
    }
  }

  private static func archive(_ archive: Document.Archive) throws(ClientError) -> Archive {
    Archive(
      file: try file(archive.file, archive.bytes, archive.sha256),
      state: try state(archive.digest, archive.taps))
  }

  private static func delta(_ delta: Document.Delta) throws(ClientError) -> Delta {
    Delta(
      file: try file(delta.file, delta.bytes, delta.sha256),
      before: try state(delta.before, delta.tapsBefore),
      after: try state(delta.after, delta.tapsAfter), frame: delta.frame)
  }

  private static func file(
    _ name: String, _ bytes: Int, _ sha256: String
  ) throws(ClientError) -> File {
    guard (0...sizeLimit).contains(bytes) else {
      throw ClientError.invalidList(reason: "'\(name)' has \(bytes) bytes")
    }
    return File(name: name, bytes: bytes, sha256: try digest(sha256))
  }

  private static func state(_ tiles: String, _ taps: String?) throws(ClientError) -> ArchiveState {
    guard let taps else { return ArchiveState(digest: try digest(tiles)) }
    return ArchiveState(digest: try digest(tiles), taps: try digest(taps))
  }

  private static func digest(_ text: String) throws(ClientError) -> String {
    guard Hexadecimal.isDigest(text) else {
      throw ClientError.invalidList(reason: "'\(text)' is no SHA-256")
    }
    return text
  }

  private static func keys(_ entries: [Document.Key]) throws(ClientError) -> [UpdateKey] {
    let keys = entries.compactMap { UpdateKey(base64: $0.key) }
    guard keys.count == entries.count, !keys.isEmpty else {
      throw ClientError.invalidList(reason: "one of its keys is none")
    }
    return keys
  }

  /// Files may not lie elsewhere than beside the list.
  private func requirePlainNames() throws(ClientError) {
    var names = deltas.map(\.file.name) + deltas.compactMap(\.frame)
    switch content {
    case .archive(let archive): names.append(archive.file.name)
    case .series(let manifest, let folder, let frames):
      names += [manifest.name, folder] + frames.map(\.file.name)
    }
    for name in names where !Self.isPlain(name) { throw ClientError.invalidFileName(name) }
  }

  /// Whether a name is one component of a path on every system: no folder, no drive, not hidden.
  private static func isPlain(_ name: String) -> Bool {
    let characters = name.unicodeScalars
    let isDrive =
      characters.dropFirst().first == ":" && name.first.map { $0.isASCII && $0.isLetter } == true
    return !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255 && !isDrive
      && !characters.contains { $0 == "/" || $0 == "\\" || $0.value < 32 }
  }
}

/// The members that every list has, whatever its format.
private struct Head: Decodable {
  let format: Int
  let minimumClient: Int
}

/// A list as it is written.
private struct Document: Decodable {
  struct Archive: Decodable {
    let file: String
    let bytes: Int
    let sha256: String
    let digest: String
    let taps: String?
  }

  struct File: Decodable {
    let file: String
    let bytes: Int
    let sha256: String
  }

  struct Series: Decodable {
    let manifest: File
    let folder: String
    let frames: [Archive]
  }

  struct Delta: Decodable {
    let file: String
    let bytes: Int
    let sha256: String
    let before: String
    let after: String
    let tapsBefore: String?
    let tapsAfter: String?
    let frame: String?
  }

  struct Key: Decodable {
    let key: String
  }

  let sequence: Int
  let archive: Archive?
  let series: Series?
  let deltas: [Delta]
  let keys: [Key]?
}
