/// The maximum number of bytes that the artifacts of a cache folder may take together.
package struct CacheSize: Hashable, Sendable {
  /// The limit in bytes; with 0, artifacts are neither read nor written, and existing ones are
  /// removed.
  package let bytes: Int

  package init(bytes: Int) {
    self.bytes = max(bytes, 0)
  }

  /// The default, 2 GiB: room for some twenty sources of a million records with their clusters.
  package static let standard = CacheSize(bytes: 2 << 30)

  /// Parses a size such as `500M` or `1.5g`; `nil` for anything else.
  package init?(_ text: String) {
    guard let bytes = ByteSize.bytes(of: text) else { return nil }
    self.bytes = bytes
  }
}
