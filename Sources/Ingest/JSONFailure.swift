package import Features

/// Why reading JSON stopped, with the place.
package struct JSONFailure: Error, Hashable, Sendable {
  /// How much of the input the failure spoils.
  package enum Kind: Hashable, Sendable {
    /// The text breaks RFC 8259 or a limit; nothing behind the place can be trusted.
    case text
    /// One record cannot be used although its JSON is well-formed; reading can go on behind it.
    case record(RejectReason)
    /// The bytes themselves could not be read.
    case source(SourceError)
  }

  package var kind: Kind
  package var place: JSONPlace
  /// What is wrong and what to do about it.
  package var message: String

  package init(_ kind: Kind, _ place: JSONPlace, _ message: String) {
    self.kind = kind
    self.place = place
    self.message = message
  }

  /// The reason under which a text of a sequence that fails so is counted.
  var reason: RejectReason {
    if case .record(let reason) = kind { return reason }
    return .invalidJSON
  }

  /// The same failure as the end of a whole file.
  package func sourceError(file: String) -> SourceError {
    if case .source(let error) = kind { return error }
    return SourceError(
      code: .badData, file: file, line: place.line, column: place.column, message: message)
  }

  /// Text of the input for a message: its first 40 scalars in quotes, with what a terminal could
  /// take for a command written as escapes.
  static func quoted(_ text: some StringProtocol) -> String {
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
