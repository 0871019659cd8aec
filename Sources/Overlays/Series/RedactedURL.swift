/// An address whose descriptions hide the key in it.
package struct RedactedURL: Hashable, Sendable, CustomStringConvertible,
  CustomDebugStringConvertible,
  CustomReflectable
{
  /// The address with `{key}` in place of the key.
  package let description: String

  private let address: String

  package init(_ address: String, secret: SeriesSecret? = nil) {
    self.address = address
    description = secret.map { $0.hidden(in: address) } ?? address
  }

  /// The address as it is to be fetched; for that purpose only.
  package func revealed() -> String { address }

  package var debugDescription: String { description }

  /// The description alone, so that `dump` does not show the address either.
  package var customMirror: Mirror { Mirror(self, children: ["url": description]) }
}
