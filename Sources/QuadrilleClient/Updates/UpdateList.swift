public import Foundation

/// The list `NAME.updates.json` of a publisher: the newest archive, and the deltas that lead to it.
///
/// docs/updates.md describes it. ``UpdateTrust/accept(_:)`` reads one.
public struct UpdateList: Hashable, Sendable {
  /// The number of the list, which grows with each publication.
  public let sequence: Int

  /// The archive or series that the list publishes.
  public let content: Content

  /// The deltas, each between two states of an archive.
  public let deltas: [Delta]

  /// Earlier archives that are still on the server and from which deltas lead on, so that a download
  /// that has begun goes on; the name of each one's file never gets another content.
  public let earlier: [Archive]

  /// The instant from which the list is refused, in seconds since 1970; `nil` for a list without an
  /// end.
  public let expires: Int?

  /// The keys that sign from now on; `nil` if they stay.
  let keys: [UpdateKey]?

  /// The name of the archive or series, by the name of its file: `city` for `city.mbtiles` and
  /// `city.frames.json`, whose list is `city.updates.json`.
  public var name: String {
    switch content {
    case .archive(let archive): Self.stem(of: archive.file.name)
    case .series(let manifest, _, _): Self.stem(of: manifest.name)
    }
  }

  /// Returns the name of the archive or series that the address of a list asks for; `nil` unless it
  /// ends with `NAME.updates.json`.
  public static func name(inAddress url: URL) -> String? { name(inAddress: url, suffix: suffix) }

  static func name(inAddress url: URL, suffix: String) -> String? {
    let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath
    let last = path?.split(separator: "/", omittingEmptySubsequences: false).last
    guard let last, last.hasSuffix(suffix) else { return nil }
    return String(last.dropLast(suffix.count)).removingPercentEncoding
  }

  /// The ending of the name of a list.
  static let suffix = ".updates.json"

  /// Returns the name of an archive or series by that of its file.
  static func stem(of file: String) -> String {
    let ending = [".mbtiles", ".pmtiles", ".frames.json"].first { file.hasSuffix($0) } ?? ""
    return String(file.dropLast(ending.count))
  }

  /// The content of a list.
  public enum Content: Hashable, Sendable {
    /// An archive.
    case archive(Archive)
    /// A series of images: its manifest and the archives of its frames, which lie in a folder beside
    /// the list with their deltas.
    case series(manifest: File, folder: String, frames: [Archive])
  }

  /// A file beside the list.
  public struct File: Hashable, Sendable {
    /// The name, one component of a path.
    public let name: String
    /// The size in bytes.
    public let bytes: Int
    /// The SHA-256 in lower-case hexadecimal digits.
    public let sha256: String
  }

  /// An archive and the state of its content.
  public struct Archive: Hashable, Sendable {
    /// The file.
    public let file: File
    /// The state of its content.
    public let state: ArchiveState
    /// A second name of the file, which never gets another content; `nil` where it has none.
    public let download: String?
    /// The hashes of the chunks of the file; `nil` if the list has none.
    var chunks: ArchiveChunks?

    /// The file under the name to download it by.
    public var source: File {
      File(name: download ?? file.name, bytes: file.bytes, sha256: file.sha256)
    }
  }

  /// A delta that turns one state of an archive into another.
  public struct Delta: Hashable, Sendable {
    /// The file.
    public let file: File
    /// The state that it applies to.
    public let before: ArchiveState
    /// The state that it makes.
    public let after: ArchiveState
    /// The name of the frame's archive that it belongs to; `nil` if the list publishes one archive.
    public let frame: String?
  }
}

/// The digests that tell the states of an archive apart.
public struct ArchiveState: Hashable, Sendable {
  /// The digest of the tiles (`quadrille:digest`).
  public let digest: String

  /// The digest of what answers taps (`quadrille:taps`); `nil` for an archive that answers none.
  public let taps: String?

  /// Creates a state from its digests.
  public init(digest: String, taps: String? = nil) {
    (self.digest, self.taps) = (digest, taps)
  }
}

extension ArchiveInfo {
  /// The state of the archive; `nil` for archives of other programs, which have no digest.
  public var state: ArchiveState? { digest.map { ArchiveState(digest: $0, taps: tapsDigest) } }
}
