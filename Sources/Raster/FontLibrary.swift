import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A thread-safe library that finds the faces for MapLibre font names.
///
/// A name is looked up by its family, then by width, slant and weight. If no family of a stack
/// exists, the default font (Open Sans, or DejaVu Sans) is the fallback, with the style of the stack's first
/// name, or its serif or monospaced variant if that name says so. The same files always give the
/// same answer.
package final class FontLibrary: Sendable {
  /// The environment variable with files and folders to search before the default font, separated
  /// by colons.
  package static let pathVariable = "QUADRILLE_FONT_PATH"

  private let catalogue: FontCatalogue

  /// Whether the families that the style names were searched for among the fonts of the system;
  /// only then is a missing one worth a note.
  private let searchesInstalled: Bool

  /// The open faces by "index path".
  private let open = Mutex<[String: FontFace]>([:])

  /// Creates a library that searches the folders in `QUADRILLE_FONT_PATH`, then the default font.
  ///
  /// - Parameter names: names of fonts whose families are also searched for among the fonts of the
  ///   system.
  /// - Throws: ``FontError`` if there is no font at all.
  package convenience init(named names: [String] = []) throws {
    let paths = ProcessInfo.processInfo.environment[FontLibrary.pathVariable] ?? ""
    try self.init(
      searchPaths: paths.split(separator: ":").map(String.init), named: names,
      in: InstalledFonts.folders)
  }

  /// Creates a library that searches these files and folders, then the default font.
  ///
  /// - Parameters:
  ///   - names: names of fonts whose families are also searched for in `folders`.
  ///   - folders: folders of fonts; of other families in them, only the fonts of scripts are used,
  ///     for characters that no other font has, and only if there are names.
  /// - Throws: ``FontError`` if there is no font at all.
  package init(
    searchPaths: [String], named names: [String] = [], in folders: [String] = []
  ) throws {
    searchesInstalled = !names.isEmpty
    let families = InstalledFonts.files(ofFamilies: names, in: folders)
    let scripts = searchesInstalled ? InstalledFonts.files(ofScriptsIn: folders) : []
    catalogue = try FontCatalogue(
      searchPaths: searchPaths,
      installed: families + scripts.filter { !families.contains($0) })
    guard !catalogue.entries.isEmpty else {
      throw FontError(
        code: .noFont,
        message: "no font found; install fonts-open-sans or fonts-dejavu-core ('make deps' does), "
          + "or name a folder of fonts in \(FontLibrary.pathVariable)"
      )
    }
  }

  /// Returns the best face for a stack of font names, most wanted first.
  ///
  /// - Throws: ``FontError`` if the font's file became unreadable.
  package func face(forStack stack: [String]) throws -> FontFace {
    guard let entry = candidates(forStack: stack).first else {
      throw FontError(code: .noFont, message: "no font found")
    }
    return try face(entry)
  }

  /// The families without serifs that map styles on the web name, in lower-case words: the author
  /// of such a style expects any clear font.
  private static let webFonts: Set = [
    "open sans", "noto sans", "klokantech noto sans", "arial", "arial unicode ms", "helvetica",
    "helvetica neue", "inter", "roboto", "lato", "metropolis", "montserrat", "source sans pro",
    "source sans 3", "din pro", "din offc pro", "pt sans", "fira sans", "ubuntu", "nunito",
    "work sans", "barlow", "ibm plex sans", "public sans", "overpass", "gotham", "frutiger neue",
    "sf pro", "segoe ui", "verdana", "tahoma", "sans", "sans serif",
  ]

  /// Returns the name of the fallback face for a stack if none of its families exists; `nil` if one
  /// does, or one is a common font of the web that was not searched for.
  ///
  /// - Throws: ``FontError`` if the font's file became unreadable.
  package func standIn(forStack stack: [String]) throws -> String? {
    let families = stack.prefix(16).map { FontTraits(name: $0).family }
    let isThere = families.contains(where: catalogue.contains)
    guard !isThere, searchesInstalled || !families.contains(where: Self.webFonts.contains) else {
      return nil
    }
    let face = try face(forStack: stack)
    return "\(face.familyName) \(face.styleName)"
  }

  /// Whether any face has a glyph for a scalar or for its parts: a label is drawn with all faces,
  /// not only the first.
  ///
  /// - Throws: ``FontError`` if a font's file became unreadable.
  package func hasGlyph(of scalar: Unicode.Scalar) throws -> Bool {
    try catalogue.entries.contains { GlyphCoverage(face: try face($0)).has(scalar) }
  }

  /// Returns all faces in the order in which to search for a glyph, the best for the stack first.
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

  /// The files that may provide a glyph, in search order: any of them may be the fallback for a
  /// face that lacks a character.
  package var files: [String] {
    var seen: Set<String> = []
    return catalogue.entries.map(\.path).filter { seen.insert($0).inserted }
  }

  func face(_ entry: FontCatalogue.Entry) throws -> FontFace {
    let key = "\(entry.index) \(entry.path)"
    if let known = open.withLock({ $0[key] }) { return known }
    let face = try FontFace(path: entry.path, index: entry.index)
    return open.withLock { faces in
      if let known = faces[key] { return known }
      faces[key] = face
      return face
    }
  }
}
