import Fetching
import SystemPackage

/// A file that determines the content of an archive, before it is hashed.
package struct InputFile: Hashable, Sendable {
  /// The purpose of a file.
  package enum Role: String, Codable, Hashable, Sendable {
    /// Records or pixels.
    case data
    /// The position of an image.
    case worldFile
    /// Edits and joined tables.
    case change
    /// A program that converts data.
    case program
    case font
    /// Images for icons and patterns, or their index.
    case sprite
  }

  /// The purpose of the file.
  package let role: Role

  /// The path; `nil` for a file whose digest is known.
  package let path: String?

  /// The name in the archive: without folders, and without the parts of an address that may be
  /// secret; values of variables are still in it.
  package let name: String

  /// The digest of a content-addressed file.
  package let sha256: String?

  /// Creates the entry of a file on this machine.
  ///
  /// - Parameter name: the name in the archive; `nil` for the file's without its folders.
  package init(_ role: Role, path: String, name: String? = nil) {
    self.role = role
    self.path = path
    self.name = name ?? FilePath(path).lastComponent?.string ?? path
    sha256 = nil
  }

  /// Creates the entry of a fetched file.
  init(_ file: FetchedFile, role: Role = .data) {
    self.role = role
    path = nil
    name = String(file.uri.withoutQuery)
    sha256 = file.sha256
  }

  /// Creates the entry of data that is no file, such as standard input.
  init(_ role: Role, name: String, sha256: String) {
    self.role = role
    path = nil
    self.name = name
    self.sha256 = sha256
  }
}
