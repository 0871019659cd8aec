/// The reason why reading JSON stopped, and its place.
@usableFromInline
package struct JSONFailure: Error {
  /// The extent of the input that the failure affects.
  package enum Kind: Sendable {
    /// The text violates RFC 8259 or a limit; nothing after the place can be trusted.
    case text
    /// One record cannot be used although its JSON is well-formed; reading can continue after it.
    /// The reader words the reason.
    case unusable(reason: String)
    /// The bytes themselves could not be read.
    case source(any Error)
  }

  package var kind: Kind
  package var place: JSONPlace
  /// The problem and its remedy.
  package var message: String

  package init(_ kind: Kind, _ place: JSONPlace, _ message: String) {
    self.kind = kind
    self.place = place
    self.message = message
  }

  /// Returns text of the input for a message: its first 40 scalars in quotes, with characters that
  /// a terminal could take for a command written as escapes.
  package static func quoted(_ text: some StringProtocol) -> String {
    var quoted = "'"
    let excerpt = text.unicodeScalars.prefix(40)
    for scalar in excerpt {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        quoted += "\\u{\(String(scalar.value, radix: 16))}"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + (excerpt.endIndex == text.unicodeScalars.endIndex ? "'" : "…'")
  }
}
