/// An example of what a ledger counts, with its place.
package struct LedgerNote: Hashable, Sendable {
  /// The file, `nil` for the source's own.
  package var file: String?

  /// Line in the file, from 1.
  package var line: Int

  /// A description, without the place.
  package var message: String

  package init(file: String?, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }
}
