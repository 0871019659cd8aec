/// Why no font could be used.
package struct FontError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// No usable font file in any of the places that are searched.
    case noFont
    /// A file that is missing, unreadable, damaged, or not a font with scalable outlines.
    case unreadable
    /// FreeType itself did not start.
    case library
  }

  package let code: Code

  /// What is wrong and what to do.
  package let message: String

  /// The font file, where one is to blame.
  package let path: String?

  package init(code: Code, message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  package var description: String { message }
}
