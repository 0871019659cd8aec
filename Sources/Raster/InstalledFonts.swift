import Files
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fonts of the system. Only two groups are used: families that a style names, and fonts of
/// scripts.
enum InstalledFonts {
  /// The folders of fonts of this system and user.
  static var folders: [String] {
    let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
    let own = ["/.local/share/fonts", "/.fonts", "/Library/Fonts"].map { home + $0 }
    return [
      "/usr/share/fonts", "/usr/local/share/fonts", "/Library/Fonts", "/System/Library/Fonts",
    ]
      + (home.isEmpty ? [] : own)
  }

  /// The maximum number of names that are looked at, the depth of folders, and the number of files
  /// that are returned.
  private static let nameLimit = 50_000
  private static let depthLimit = 5
  private static let fileLimit = 200

  /// The beginnings of families, without spaces, that have the characters of many scripts, or of one.
  private static let scriptFamilies = [
    "notosans", "sourcehansans", "droidsansfallback", "wqy", "pingfang", "arialunicode",
  ]

  /// Returns the font files of these families, judged by the names of the files, in the order of
  /// the folders and then sorted by name; nothing is opened.
  ///
  /// - Parameter names: names of fonts, such as `Noto Sans Regular`.
  /// - Complexity: O(files in the folders), if there are names.
  static func files(ofFamilies names: [String], in folders: [String]) -> [String] {
    let families = Set(names.map { joined(FontTraits(name: $0).family) }).subtracting([""])
    guard !families.isEmpty else { return [] }
    return files(in: folders) { families.contains(joined($0.family)) }
  }

  /// Returns the files of upright fonts, regular or bold, for scripts that the fonts of a style
  /// may lack, such as `NotoSansThai-Regular.ttf`, in the order of ``files(ofFamilies:in:)``.
  ///
  /// - Complexity: O(files in the folders).
  static func files(ofScriptsIn folders: [String]) -> [String] {
    files(in: folders) { traits in
      guard !traits.isSlanted, !traits.isCondensed, [400, 700].contains(traits.weight) else {
        return false
      }
      let family = joined(traits.family)
      return scriptFamilies.contains(where: family.hasPrefix)
    }
  }

  private static func files(
    in folders: [String], where isWanted: (FontTraits) -> Bool
  ) -> [String] {
    var files: [String] = []
    var left = nameLimit
    for folder in folders { collect(folder, depth: 0, &left, into: &files, where: isWanted) }
    return Array(files.prefix(fileLimit))
  }

  private static func collect(
    _ folder: String, depth: Int, _ left: inout Int, into files: inout [String],
    where isWanted: (FontTraits) -> Bool
  ) {
    guard depth <= depthLimit else { return }
    for name in FolderListing.inputNames(in: FilePath(folder)).sorted() where !name.hasPrefix(".") {
      guard left > 0 else { return }
      left -= 1
      let path = "\(folder)/\(name)"
      guard FontCatalogue.isFont(name) else {
        if FileStatus(FilePath(path))?.kind == .folder {
          collect(path, depth: depth + 1, &left, into: &files, where: isWanted)
        }
        continue
      }
      if isWanted(FontTraits(name: String(name.dropLast(4)))) { files.append(path) }
    }
  }

  /// Returns a family without spaces: files are named `NotoSans-Regular` and `PTSans`.
  private static func joined(_ family: String) -> String { family.filter { $0 != " " } }
}
