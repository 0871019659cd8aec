/// The values that came in through `${VAR}`: they never reach messages, logs or metadata.
package struct RedactionList: Hashable, Sendable {
  /// What a message shows instead.
  package static let mask = "***"

  /// Values shorter than this many characters are no secrets and stay: blotting every `a` out of
  /// a message would hide the message.
  package static let minimumLength = 4

  /// Longest first, so that a secret within another leaves no remains.
  private var secrets: [String] = []

  /// The values themselves, for what hides them elsewhere.
  package var values: [String] { secrets }

  package init() {}

  /// Whether nothing is to be hidden.
  package var isEmpty: Bool { secrets.isEmpty }

  /// Remembers a value.
  package mutating func add(_ secret: String) {
    guard secret.count >= Self.minimumLength, !secrets.contains(secret) else { return }
    let index = secrets.firstIndex { $0.count < secret.count } ?? secrets.endIndex
    secrets.insert(secret, at: index)
  }

  /// Remembers the values of another list too.
  package mutating func add(_ other: RedactionList) {
    for secret in other.secrets { add(secret) }
  }

  /// The text without the secrets.
  package func redact(_ text: String) -> String {
    secrets.reduce(text) { $0.replacing($1, with: Self.mask) }
  }
}
