package import Definition
package import Fetching
import Platform

/// A sprite or an image whose files are found.
package struct ResolvedSprite: Sendable {
  package private(set) var definition: SpriteDefinition

  /// The files, in the order of the definition's.
  package private(set) var parts: [Part]

  /// The sentence for the user on a sprite that could not be fetched; `nil` for one that is there.
  package private(set) var absenceNote: String?

  /// One file of a sprite.
  package struct Part: Sendable {
    /// The pixel density that it is made for, 1 or 2.
    package let density: Int

    /// Whether it is an index, not a PNG.
    package let isIndex: Bool

    /// The path of the file, of its copy or of what was fetched; `nil` for one that was not.
    package let path: String?

    /// The name in messages.
    package let name: String

    /// The file as it was fetched; `nil` for one of this machine.
    package let fetched: FetchedFile?
  }

  /// Finds the files of this machine; those for density 2 may be missing.
  package init(_ definition: SpriteDefinition) {
    self.definition = definition
    self.definition.dropMissingParts()
    parts = self.definition.parts.map { part in
      switch part.location {
      case .file(let path): Part(part, path: path, name: path)
      case .url(let url): Part(part, path: nil, name: url)
      default: Part(part, path: nil, name: "")
      }
    }
  }

  /// Replaces the files of the definition by others.
  ///
  /// - Parameter place: returns the file of a part; `nil` leaves the part out.
  package init<Failure>(
    _ definition: SpriteDefinition, place: (SpriteDefinition.Part) throws(Failure) -> Part?
  ) throws(Failure) {
    var (kept, parts): ([SpriteDefinition.Part], [Part]) = ([], [])
    for part in definition.parts {
      guard let placed = try place(part) else { continue }
      kept.append(part)
      parts.append(placed)
    }
    self.definition = definition
    self.definition.parts = kept
    self.parts = parts
  }

  /// Returns the sprite with what is at URLs.
  ///
  /// - Parameter fetch: fetches the URL of a part.
  func fetching(
    _ fetch: (SpriteDefinition.Part, String) throws -> FetchedFile
  ) throws -> ResolvedSprite {
    var fetched = self
    for (index, part) in definition.parts.enumerated() {
      guard case .url(let url) = part.location else { continue }
      fetched.parts[index] = Part(part, fetched: try fetch(part, url))
    }
    return fetched
  }

  /// Returns the sprite without files, whose images are not drawn.
  func leftOut(because error: FetchError) -> ResolvedSprite {
    var absent = self
    (absent.definition.parts, absent.parts) = ([], [])
    absent.absenceNote =
      "\(definition.place): the sprite is left out with its icons and patterns: \(error)"
    return absent
  }

  /// The files of the sprite as inputs.
  package var inputFiles: [InputFile] {
    parts.compactMap { part in
      if let file = part.fetched { return InputFile(file, role: .sprite) }
      return part.path.map { InputFile(.sprite, path: $0) }
    }
  }
}

extension ResolvedSprite.Part {
  package init(_ part: SpriteDefinition.Part, path: String?, name: String) {
    self.init(
      density: part.density, isIndex: part.isIndex, path: path, name: name, fetched: nil)
  }

  package init(_ part: SpriteDefinition.Part, fetched file: FetchedFile) {
    self.init(
      density: part.density, isIndex: part.isIndex, path: file.path, name: file.uri,
      fetched: file)
  }
}

extension SpriteDefinition {
  /// Leaves out the files for density 2 that are not there.
  fileprivate mutating func dropMissingParts() {
    let missing = Set(
      parts.filter { part in
        guard part.density == 2, case .file(let path) = part.location else { return false }
        return access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR)
      }.map(\.density))
    parts.removeAll { missing.contains($0.density) }
  }
}
