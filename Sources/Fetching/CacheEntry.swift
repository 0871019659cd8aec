import Files
import Foundation
import Hashing

/// The cache's entry for a resource: its body, and how to revalidate it.
struct CacheEntry: Hashable, Sendable, Codable {
  /// The version; files with another one count as absent.
  static let version = 1

  var version = CacheEntry.version

  /// The address without secrets.
  var uri: String

  /// The entity tag for revalidation.
  var etag: String?

  var lastModified: String?

  /// The digest of the body, 64 hexadecimal digits.
  var sha256: String

  /// The length of the body in bytes.
  var bytes: Int64

  /// The time at which the server last confirmed the content, in seconds since 1970.
  var checked: Int64

  /// The status with which the server said that there is no such file; `nil` if there is one. The
  /// digest and the length are then those of nothing.
  var absence: Int?

  /// The address of the next page as the head of the response gave it; empty if it must not be
  /// stored, so that the resource has to be fetched again.
  var next: String?

  /// The number of records that match the request, as the head of the response gave it.
  var matched: Int?

  /// Creates the entry of a response. A validator that contains a secret is not stored, since
  /// anyone may look for secrets in cache files.
  init(
    _ resource: RemoteResource, _ head: AnswerHead, sha256: String, bytes: Int64, checked: Int64
  ) {
    uri = resource.uri
    etag = Self.storable(head.etag, resource.secrets)
    lastModified = Self.storable(head.lastModified, resource.secrets)
    next = head.nextLink.map { Self.storable($0, resource.secrets) ?? "" }
    matched = head.matchedRecords
    self.sha256 = sha256
    self.bytes = bytes
    self.checked = checked
  }

  /// Creates the entry of a file that the server does not have.
  init(_ resource: RemoteResource, absence status: Int, checked: Int64) {
    uri = resource.uri
    sha256 = Hexadecimal.text(SHA256.hash(data: []))
    bytes = 0
    self.checked = checked
    absence = status
  }

  /// Parses the entry of a file; `nil` if it is broken or has another version.
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
      ("absence", .integer(absence.map(Int64.init))), ("next", .string(next)),
      ("matched", .integer(matched.map(Int64.init))),
    ]) + "\n"
  }

  /// The validator by which parts of the same content are requested; `nil` without one.
  var contentVersion: String? {
    AnswerHead.rangeValidator(etag: etag, lastModified: lastModified)
  }

  /// Whether the content was confirmed less than a period ago, by the rule of RFC 9111, 4.2: for a
  /// period of 0, nothing is fresh.
  func isFresh(_ maxAge: Duration?, now: Int64) -> Bool {
    guard let maxAge else { return false }
    let (age, overflow) = now.subtractingReportingOverflow(checked)
    // The age of an entry from the future is unknown.
    return !overflow && age >= 0 && Duration.seconds(age) < maxAge
  }

  /// Returns a header if it may be stored: without secrets, and not longer than any validator in
  /// use.
  static func storable(_ text: String?, _ secrets: SecretValues) -> String? {
    text.flatMap { $0.utf8.count <= 1024 && !secrets.occur(in: $0) ? $0 : nil }
  }
}
