import CICU
import Synchronization

/// The rules for comparing texts: whether case and diacritics count, and the language.
///
/// Like `Intl.Collator` with `usage: 'search'`: in German, "ä" matches "ae".
package struct Collator: Hashable, Sendable {
  package let isCaseSensitive: Bool
  package let isDiacriticSensitive: Bool
  /// A BCP 47 language tag; `nil` for English.
  package let locale: String?

  package init(isCaseSensitive: Bool, isDiacriticSensitive: Bool, locale: String?) {
    self.isCaseSensitive = isCaseSensitive
    self.isDiacriticSensitive = isDiacriticSensitive
    self.locale = locale
  }

  /// The language whose rules apply: the requested one, or `en` where it is not a valid tag.
  package var resolvedLocale: String { Language(tag: locale).tag }

  /// Returns a negative number if `lhs` comes before `rhs`, a positive one if after, and 0 if they
  /// are equal.
  ///
  /// - Complexity: O(length).
  package func compare(_ lhs: String, _ rhs: String) throws(TextAnalysisError) -> Int {
    try Self.rules.value(for: self) { () throws(TextAnalysisError) in try CollationRules(self) }
      .compare(lhs, rhs)
  }

  private static let rules = ICUObjects<Collator, CollationRules>()
}

/// A collator of ICU, which any number of threads may use at once.
private final class CollationRules: Sendable {
  nonisolated(unsafe) private let collator: OpaquePointer

  init(_ rules: Collator) throws(TextAnalysisError) {
    var status: Int32 = 0
    let language = Language(tag: rules.locale)
    guard
      let collator = cicu_collator_open(
        language.name, rules.isCaseSensitive, rules.isDiacriticSensitive, &status)
    else { throw TextAnalysisError(operation: "compare texts", status: status) }
    self.collator = collator
  }

  deinit { cicu_collator_close(collator) }

  func compare(_ lhs: String, _ rhs: String) throws(TextAnalysisError) -> Int {
    var status: Int32 = 0
    let order = cicu_collator_compare(
      collator, lhs, Int32(clamping: lhs.utf8.count), rhs, Int32(clamping: rhs.utf8.count), &status)
    guard status == 0 else { throw TextAnalysisError(operation: "compare texts", status: status) }
    return Int(order)
  }
}
