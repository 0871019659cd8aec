import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Finds the faces that MapLibre font names stand for; any thread may ask.
///
/// A name is looked up by its family, then by width, slant and weight. Where no family of a stack is
/// there, the default font (DejaVu Sans) stands in with the style of the stack's first name, or its
/// serif or monospaced sister if that name says so. The same files give the same answer always.
package final class FontLibrary: Sendable {
  /// Files and folders to look in before the default font, separated by colons.
  package static let pathVariable = "QUADRILLE_FONT_PATH"

  private let catalogue: FontCatalogue

  /// Open faces by "index path".
  private let open = Mutex<[String: FontFace]>([:])

  /// Looks in the folders that `QUADRILLE_FONT_PATH` names, then for the default font.
  ///
  /// - Throws: ``FontError`` where there is no font at all.
  package convenience init() throws {
    let paths = ProcessInfo.processInfo.environment[FontLibrary.pathVariable] ?? ""
    try self.init(searchPaths: paths.split(separator: ":").map(String.init))
  }

  /// Looks in these files and folders, then for the default font.
  ///
  /// - Throws: ``FontError`` where there is no font at all.
  package init(searchPaths: [String]) throws {
    catalogue = FontCatalogue(searchPaths: searchPaths)
    guard !catalogue.entries.isEmpty else {
      throw FontError(
        code: .noFont,
        message: "no font found; install fonts-dejavu-core ('make deps' does), "
          + "or name a folder of fonts in \(FontLibrary.pathVariable)"
      ).orTooManyFiles()
    }
  }

  /// The best face for a stack of font names, most wanted first.
  ///
  /// - Throws: ``FontError`` where the font's file became unreadable.
  package func face(forStack stack: [String]) throws -> FontFace {
    guard let entry = candidates(forStack: stack).first else {
      throw FontError(code: .noFont, message: "no font found")
    }
    return try face(entry)
  }

  /// The name of the face that stands in for a stack of which no family is there; `nil` where one is.
  ///
  /// - Throws: ``FontError`` where the font's file became unreadable.
  package func standIn(forStack stack: [String]) throws -> String? {
    let isThere = stack.prefix(16).contains {
      catalogue.contains(family: FontTraits(name: $0).family)
    }
    guard !isThere else { return nil }
    let face = try face(forStack: stack)
    return "\(face.familyName) \(face.styleName)"
  }

  /// Whether any face has a glyph of a scalar: all are looked in for what one lacks.
  ///
  /// - Throws: ``FontError`` where a font's file became unreadable.
  package func hasGlyph(of scalar: Unicode.Scalar) throws -> Bool {
    try catalogue.entries.contains { try face($0).glyphIndex(of: scalar) != 0 }
  }

  /// All faces, the best for the stack first: where to look for a glyph.
  func candidates(forStack stack: [String]) -> [FontCatalogue.Entry] {
    let wanted = stack.prefix(16).map(FontTraits.init(name:))
    let present = wanted.filter { catalogue.contains(family: $0.family) }
    let ranked = (present.isEmpty ? [wanted.first ?? FontTraits(name: "")] : present)
      .map { catalogue.ranked(for: $0) }
    // One face of each family of the stack in its order, then everything else.
    let heads = ranked.compactMap(\.first)
    let rest = ranked.first ?? []
    return heads + rest
  }

  /// The files in which a glyph may be found, in the order in which they are looked in: any of them
  /// may stand in for a face that lacks a character.
  package var files: [String] {
    var seen: Set<String> = []
    return catalogue.entries.map(\.path).filter { seen.insert($0).inserted }
  }

  func face(_ entry: FontCatalogue.Entry) throws -> FontFace {
    let key = "\(entry.index) \(entry.path)"
    if let known = open.withLock({ $0[key] }) { return known }
    let face: FontFace
    do {
      face = try FontFace(path: entry.path, index: entry.index)
    } catch let error as FontError {
      throw error.orTooManyFiles()
    }
    return open.withLock { faces in
      if let known = faces[key] { return known }
      faces[key] = face
      return face
    }
  }
}
