import Files
import Foundation

/// What the cache knows of a resource: which body it is, and how to ask whether it is still so.
struct CacheEntry: Hashable, Sendable, Codable {
  /// Files of another version are read as absent.
  static let version = 1

  var version = CacheEntry.version

  /// The address without secrets.
  var uri: String

  /// The entity tag to ask with.
  var etag: String?

  var lastModified: String?

  /// The body, 64 hexadecimal digits.
  var sha256: String

  /// The body's length.
  var bytes: Int64

  /// When the server last said that this is the content; seconds since 1970.
  var checked: Int64

  /// The entry of an answer. A validator that holds a secret is not kept: files are searched.
  init(
    _ resource: RemoteResource, _ head: AnswerHead, sha256: String, bytes: Int64, checked: Int64
  ) {
    uri = resource.uri
    etag = Self.storable(head.etag, resource.secrets)
    lastModified = Self.storable(head.lastModified, resource.secrets)
    self.sha256 = sha256
    self.bytes = bytes
    self.checked = checked
  }

  /// The entry of a file; `nil` if it is broken or of another version.
  init?(json: [UInt8]) {
    guard let entry = try? JSONDecoder().decode(CacheEntry.self, from: Data(json)),
      entry.version == Self.version, Hexadecimal.isDigest(entry.sha256), entry.bytes >= 0
    else { return nil }
    self = entry
  }

  /// The text of the entry's file.
  var json: String {
    JSONText.object([
      ("version", .integer(Int64(version))), ("uri", .string(uri)), ("etag", .string(etag)),
      ("lastModified", .string(lastModified)), ("sha256", .string(sha256)),
      ("bytes", .integer(bytes)), ("checked", .integer(checked)),
    ]) + "\n"
  }

  /// Whether the content was confirmed within the time.
  func isFresh(_ maxAge: Duration?, now: Int64) -> Bool {
    guard let maxAge else { return false }
    let (age, overflow) = now.subtractingReportingOverflow(checked)
    // An entry from the future tells nothing about its age.
    return !overflow && age >= 0 && Duration.seconds(age) <= maxAge
  }

  /// A header as it may be stored: no secret, and not longer than any validator in use.
  static func storable(_ text: String?, _ secrets: SecretValues) -> String? {
    text.flatMap { $0.utf8.count <= 1024 && !secrets.occur(in: $0) ? $0 : nil }
  }
}
