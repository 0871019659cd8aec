import Files
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The available font faces, in a fixed order.
struct FontCatalogue: Sendable {
  struct Entry: Sendable {
    let path: String
    let index: Int
    let traits: FontTraits
    /// Whether the face is a fallback for missing families.
    let isDefault: Bool
  }

  let entries: [Entry]

  /// The maximum number of files that are opened, and the maximum depth of folders that are
  /// entered.
  private static let maxFiles = 2000
  private static let maxDepth = 4

  /// A font that is used even if no style names it.
  private struct DefaultFont {
    /// The folders in which packages install it.
    let folders: [String]

    /// Whether a file of that folder, without its ending, is one of its faces.
    let isFace: @Sendable (String) -> Bool
  }

  /// The folders in which any of the default fonts may be: this program's own and those of other
  /// package managers.
  private static let commonFolders =
    [InstalledFiles.folder.map { "\($0)/fonts" }].compactMap(\.self) + [
      "/usr/share/fonts/TTF", "/opt/homebrew/share/fonts", "/Library/Fonts",
    ]

  /// Open Sans, the default font of map styles; then DejaVu, which supplies the characters that
  /// Open Sans lacks and replaces it where it is not installed.
  private static let defaultFonts = [
    DefaultFont(folders: ["/usr/share/fonts/truetype/open-sans", "/usr/share/fonts/open-sans"]) {
      $0.hasPrefix("OpenSans-") && !$0.hasPrefix("OpenSans-Cond")
    },
    DefaultFont(folders: ["/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu"]) {
      $0.hasPrefix("DejaVuSans") || $0.hasPrefix("DejaVuSerif")
    },
  ]

  /// The fallback fonts on a Mac without these.
  private static let macFiles = [
    "/System/Library/Fonts/Supplemental/Arial.ttf",
    "/System/Library/Fonts/Supplemental/Arial Bold.ttf",
    "/System/Library/Fonts/Supplemental/Arial Italic.ttf",
    "/System/Library/Fonts/Supplemental/Arial Bold Italic.ttf",
  ]

  /// Lists the faces in files and folders, in the order given and then sorted by name, followed by
  /// those of the default fonts. Files that are not usable fonts are skipped.
  ///
  /// The default fonts' files are known by name and not opened; other fonts of the system are
  /// ignored, so that two machines draw the same.
  ///
  /// - Parameter installed: files of fonts of the system that a style names; they come last.
  /// - Throws: ``FontError`` with code `machine`; a font that is left out would draw another map.
  init(searchPaths: [String], installed: [String] = []) throws(FontError) {
    var files: [String] = []
    for path in searchPaths {
      FontCatalogue.collect(path, depth: 0, into: &files)
    }
    var found =
      try Self.faces(inAll: files.prefix(FontCatalogue.maxFiles)) + FontCatalogue.defaultFaces()
    let known = Set(found.map(\.path))
    found += try Self.faces(inAll: installed.filter { !known.contains($0) })
    entries = found
  }

  private static func defaultFaces() throws(FontError) -> [Entry] {
    let faces = defaultFonts.flatMap { font in
      (commonFolders + font.folders).lazy.map { Self.faces(of: font, in: $0) }
        .first { !$0.isEmpty } ?? []
    }
    guard faces.isEmpty else { return faces }
    return try Self.faces(
      inAll: macFiles.filter { FileManager.default.fileExists(atPath: $0) }, areDefault: true)
  }

  private static func faces(of font: DefaultFont, in folder: String) -> [Entry] {
    FolderListing.inputNames(in: FilePath(folder)).sorted().compactMap { name in
      let stem = String(name.dropLast(4))
      guard name.hasSuffix(".ttf"), font.isFace(stem) else { return nil }
      return Entry(
        path: folder + "/" + name, index: 0, traits: FontTraits(name: stem), isDefault: true)
    }
  }

  private static func faces(
    inAll files: some Sequence<String>, areDefault: Bool = false
  ) throws(FontError) -> [Entry] {
    var entries: [Entry] = []
    for file in files { entries += try faces(in: file, isDefault: areDefault) }
    return entries
  }

  private static func collect(_ path: String, depth: Int, into files: inout [String]) {
    guard depth <= maxDepth, files.count < maxFiles else { return }
    guard FileStatus(FilePath(path))?.kind == .folder else {
      if isFont(path) || depth == 0 { files.append(path) }
      return
    }
    for name in FolderListing.inputNames(in: FilePath(path)).sorted() where !name.hasPrefix(".") {
      collect(path + "/" + name, depth: depth + 1, into: &files)
    }
  }

  static func isFont(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".ttf", ".otf", ".ttc", ".otc"].contains { name.hasSuffix($0) }
  }

  private static func faces(in path: String, isDefault: Bool) throws(FontError) -> [Entry] {
    var entries: [Entry] = []
    var count = 1
    var index = 0
    while index < min(count, 64) {
      do throws(FontError) {
        let face = try FreeTypeFace(path: path, index: index)
        count = face.faceCount
        let traits = FontTraits(name: face.familyName + " " + face.styleName)
        entries.append(
          Entry(path: path, index: index, traits: traits, isDefault: isDefault || traits.isDejaVu))
      } catch {
        if error.code == .machine { throw error }
      }
      index += 1
    }
    return entries
  }

  /// Returns all faces in fallback order for a font: its own family; then the default fonts and
  /// the others of the same generic kind (serif, sans serif or monospaced); then those of other
  /// kinds. Within a group, the faces with the nearest traits come first.
  func ranked(for wanted: FontTraits) -> [Entry] {
    let kind = Kind(family: wanted.family)
    func rank(_ entry: Entry) -> (Int, Int) {
      let distance = entry.traits.distance(to: wanted)
      if entry.traits.family == wanted.family { return (0, distance) }
      let isKind = Kind(family: entry.traits.family) == kind
      return ((isKind ? 1 : 3) + (entry.isDefault ? 0 : 1), distance)
    }
    return entries.enumerated()
      .map { (rank: rank($0.element), order: $0.offset, entry: $0.element) }
      .sorted { ($0.rank.0, $0.rank.1, $0.order) < ($1.rank.0, $1.rank.1, $1.order) }
      .map(\.entry)
  }

  /// Whether any face belongs to a family, by its name in lower-case words.
  func contains(family: String) -> Bool {
    entries.contains { $0.traits.family == family }
  }

  /// The generic kind of a family, judging by its name.
  private enum Kind {
    case sans, serif, mono

    init(family: String) {
      let words = family.split(separator: " ")
      if words.contains(where: { ["mono", "monospace", "code", "courier"].contains($0) }) {
        self = .mono
      } else if !words.contains("sans")
        && words.contains(where: { ["serif", "times", "georgia", "garamond"].contains($0) })
      {
        self = .serif
      } else {
        self = .sans
      }
    }
  }
}
