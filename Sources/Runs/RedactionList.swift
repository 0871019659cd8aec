/// The values of `${VAR}` variables, which must never appear in messages, logs or metadata.
package struct RedactionList: Hashable, Sendable {
  /// The text that a message shows instead.
  package static let mask = "***"

  /// The minimum length of a secret in characters; shorter values are not masked, because masking
  /// every `a` would make a message unreadable.
  package static let minimumLength = 4

  /// The secrets, longest first, so that a secret within another leaves nothing behind.
  private var secrets: [String] = []

  /// The values themselves, for code that hides them elsewhere.
  package var values: [String] { secrets }

  package init() {}

  /// Whether there is nothing to hide.
  package var isEmpty: Bool { secrets.isEmpty }

  /// Adds a value.
  package mutating func add(_ secret: String) {
    guard secret.count >= Self.minimumLength, !secrets.contains(secret) else { return }
    let index = secrets.firstIndex { $0.count < secret.count } ?? secrets.endIndex
    secrets.insert(secret, at: index)
  }

  /// Adds the values of another list.
  package mutating func add(_ other: RedactionList) {
    for secret in other.secrets { add(secret) }
  }

  /// Returns the text with the secrets masked.
  package func redact(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: Self.mask) }
  }
}
