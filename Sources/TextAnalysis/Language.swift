import CICU

/// A language, perhaps of a region and with options, by ICU's name: `de_AT`.
struct Language: Hashable, Sendable {
  let name: String

  /// Creates the language of a BCP 47 tag; English without one, and for one that is not valid. The
  /// locale of the machine never counts.
  init(tag: String?) {
    name = tag.flatMap { tag in Self.text { cicu_locale(tag, $0) } } ?? "en"
  }

  /// The BCP 47 tag without its options.
  var tag: String { Self.text { cicu_language_tag(name, $0) == 0 } ?? "en" }

  private static func text(_ write: (UnsafeMutablePointer<CChar>) -> Bool) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(CICU_LOCALE_BYTES)) { buffer in
      buffer.initialize(repeating: 0)
      guard let base = buffer.baseAddress, write(base) else { return nil }
      return String(cString: base)
    }
  }
}
