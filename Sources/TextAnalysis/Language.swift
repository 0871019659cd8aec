import CICU

/// A language, with an optional region and options, by ICU's name: `de_AT`.
struct Language: Hashable, Sendable {
  let name: String

  /// Creates the language of a BCP 47 tag; English for no tag and for an invalid one. The
  /// machine's locale is never used.
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
