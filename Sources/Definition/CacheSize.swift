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

  /// Parses a whole number of bytes, or of KiB, MiB, GiB or TiB with the suffix K, M, G or T
  /// (`500M`, `2g`); `nil` for anything else.
  package init?(_ text: String) {
    var digits = text[...]
    var shift = 0
    if let letter = text.last, let place = ["k", "m", "g", "t"].firstIndex(of: letter.lowercased())
    {
      digits = text.dropLast()
      shift = 10 * (place + 1)
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(digits), number <= Int.max >> shift
    else { return nil }
    bytes = number << shift
  }
}
