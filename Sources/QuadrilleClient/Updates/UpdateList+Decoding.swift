import Foundation

/// A list that is signed: of an archive, a series or packs.
protocol SignedList {
  var sequence: Int { get }
  var keys: [UpdateKey]? { get }
  var expires: Int? { get }

  /// The name that the address of the list asks for.
  var name: String { get }

  /// Reads the text that was signed.
  init(text: String) throws(ClientError)
}

extension UpdateList: SignedList {
  /// The version of the protocol that this client knows.
  static let protocolVersion = 2

  /// Maximum bytes of a list with its signatures.
  static let byteLimit = 16 << 20

  private static let formatVersion = 1
  private static let deltaLimit = 100_000

  /// The greatest number in a list.
  static let sizeLimit = 1 << 53

  /// Returns the members of a list of a kind, if this client knows its format.
  static func document<Members: Decodable>(of text: String) throws(ClientError) -> Members {
    let data = Data(text.utf8)
    guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
      throw ClientError.invalidList(reason: "it is not JSON with a 'format'")
    }
    guard head.format == formatVersion else {
      throw ClientError.invalidList(reason: "its format is \(head.format)")
    }
    guard head.minimumClient <= protocolVersion else {
      throw ClientError.clientTooOld(needed: head.minimumClient, known: protocolVersion)
    }
    do {
      return try JSONDecoder().decode(Members.self, from: data)
    } catch {
      throw ClientError.invalidList(reason: "a member is missing or has another type")
    }
  }

  init(text: String) throws(ClientError) {
    let document: Document = try Self.document(of: text)
    guard (0...Self.sizeLimit).contains(document.sequence) else {
      throw ClientError.invalidList(reason: "its sequence is \(document.sequence)")
    }
    let earlier = document.earlier ?? []
    guard max(document.deltas.count, earlier.count) <= Self.deltaLimit else {
      throw ClientError.invalidList(reason: "it has \(document.deltas.count) deltas")
    }
    expires = try Self.end(document.expires)
    sequence = document.sequence
    content = try Self.content(document)
    var deltas: [Delta] = []
    for delta in document.deltas { deltas.append(try Self.delta(delta)) }
    self.deltas = deltas
    var archives: [Archive] = []
    for archive in earlier { archives.append(try Self.archive(archive)) }
    self.earlier = archives
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

  static func archive(_ archive: ArchiveMembers) throws(ClientError) -> Archive {
    var found = Archive(
      file: try file(archive.file, archive.bytes, archive.sha256),
      state: try state(archive.digest, archive.taps), download: archive.download)
    if let told = archive.chunks {
      found.chunks = ArchiveChunks(size: told.bytes, text: told.hashes, ofFileWith: archive.bytes)
      guard found.chunks != nil else {
        throw ClientError.invalidList(reason: "the chunks of '\(archive.file)' are not its own")
      }
    }
    return found
  }

  /// Returns the end of a list, if it is a number in the limits.
  static func end(_ expires: Int?) throws(ClientError) -> Int? {
    guard expires.map((0...sizeLimit).contains) ?? true else {
      throw ClientError.invalidList(reason: "it expires at \(expires ?? 0)")
    }
    return expires
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

  static func keys(_ entries: [Key]) throws(ClientError) -> [UpdateKey] {
    let keys = entries.compactMap { UpdateKey(base64: $0.key) }
    guard keys.count == entries.count, !keys.isEmpty else {
      throw ClientError.invalidList(reason: "one of its keys is none")
    }
    return keys
  }

  /// Files may not lie elsewhere than beside the list.
  private func requirePlainNames() throws(ClientError) {
    var names = deltas.map(\.file.name) + deltas.compactMap(\.frame) + earlier.map(\.source.name)
    switch content {
    case .archive(let archive): names += [archive.file.name, archive.source.name]
    case .series(let manifest, let folder, let frames):
      names += [manifest.name, folder] + frames.map(\.file.name) + frames.map(\.source.name)
    }
    for name in names where !Self.isPlain(name) { throw ClientError.invalidFileName(name) }
  }

  /// Whether a name is one component of a path on every system: no folder, no drive, not hidden.
  static func isPlain(_ name: String) -> Bool {
    let characters = name.unicodeScalars
    let isDrive =
      characters.dropFirst().first == ":" && name.first.map { $0.isASCII && $0.isLetter } == true
    return !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255 && !isDrive
      && !characters.contains { $0 == "/" || $0 == "\\" || $0.value < 32 }
  }
}

extension UpdateList {
  /// An archive in a list.
  struct ArchiveMembers: Decodable {
    let file: String
    let bytes: Int
    let sha256: String
    let digest: String
    let taps: String?
    let download: String?
    let chunks: Chunks?

    /// The hashes of an archive's chunks.
    struct Chunks: Decodable {
      let bytes: Int
      let hashes: String
    }
  }

  /// A key in a list.
  struct Key: Decodable {
    let key: String
  }
}

/// The members that every list has, whatever its format.
private struct Head: Decodable {
  let format: Int
  let minimumClient: Int
}

/// A list as it is written.
private struct Document: Decodable {
  typealias Archive = UpdateList.ArchiveMembers

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

  let sequence: Int
  let archive: Archive?
  let series: Series?
  let deltas: [Delta]
  let earlier: [Archive]?
  let expires: Int?
  let keys: [UpdateList.Key]?
}
