import Files
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The fonts of the system, of which only families that a style names are used.
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

  /// Returns the files whose names are those of fonts of the families, in the order of the folders and
  /// then sorted by name; nothing is opened.
  ///
  /// - Parameter names: names of fonts, such as `Noto Sans Regular`.
  /// - Complexity: O(files in the folders), if there are names.
  static func files(ofFamilies names: [String], in folders: [String]) -> [String] {
    let families = Set(names.map { joined(FontTraits(name: $0).family) }).subtracting([""])
    guard !families.isEmpty else { return [] }
    var files: [String] = []
    var left = nameLimit
    for folder in folders { collect(folder, families, depth: 0, &left, into: &files) }
    return Array(files.prefix(fileLimit))
  }

  private static func collect(
    _ folder: String, _ families: Set<String>, depth: Int, _ left: inout Int,
    into files: inout [String]
  ) {
    guard depth <= depthLimit else { return }
    for name in FolderListing.inputNames(in: FilePath(folder)).sorted() where !name.hasPrefix(".") {
      guard left > 0 else { return }
      left -= 1
      let path = "\(folder)/\(name)"
      guard FontCatalogue.isFont(name) else {
        if FileStatus(FilePath(path))?.kind == .folder {
          collect(path, families, depth: depth + 1, &left, into: &files)
        }
        continue
      }
      if families.contains(joined(FontTraits(name: String(name.dropLast(4))).family)) {
        files.append(path)
      }
    }
  }

  /// Returns a family without spaces: files are named `NotoSans-Regular` and `PTSans`.
  private static func joined(_ family: String) -> String { family.filter { $0 != " " } }
}
