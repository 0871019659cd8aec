import Files
import MBTiles
import SystemPackage
import Tiling

/// The files of tiles: a folder of zooms, which are folders of columns or rows, which hold the
/// files.
struct TileFolder {
  /// How the numbers of tiles are spelled in names.
  enum Spelling {
    /// `5/10/12.png`: zoom, column and row.
    case plain
    /// `L05/R0000000c/C0000000a.png`: level, row and column, the last two in hexadecimal digits, as an
    /// exploded cache of ArcGIS has them.
    case cache
  }

  /// Maximum number of names in one folder.
  private static let nameLimit = 1 << 22

  let folder: FilePath

  /// The endings of names, after the last number and a point; empty for none.
  let endings: [String]

  var spelling = Spelling.plain

  init(folder: FilePath, endings: [String], spelling: Spelling = .plain) {
    self.folder = folder
    self.endings = endings
    self.spelling = spelling
  }

  /// Creates the folder of a path template; `nil` if its files do not lie in such folders.
  init?(_ template: TileTemplate) {
    let text = template.text
    guard !template.isRemote, let place = text.firstRange(of: "{z}/{x}/{y}") else { return nil }
    let head = text[..<place.lowerBound]
    let tail = text[place.upperBound...]
    guard !head.contains("{"), head.isEmpty || head.hasSuffix("/"), !tail.contains("{"),
      !tail.contains("/"), tail.isEmpty || tail.hasPrefix(".")
    else { return nil }
    folder = FilePath(String(head))
    endings = [String(tail.dropFirst())]
  }

  /// Returns the folder of an exploded cache of ArcGIS: `_alllayers` in a folder, or the folder itself;
  /// `nil` where neither has levels.
  static func cache(
    _ folder: FilePath, endings: [String]
  ) throws(ArchiveError) -> TileFolder? {
    for place in [folder.appending("_alllayers"), folder] where FileStatus(place)?.kind == .folder {
      let cache = TileFolder(folder: place, endings: endings, spelling: .cache)
      if try !cache.zooms().isEmpty { return cache }
    }
    return nil
  }

  // MARK: Names

  /// A number in the path of a tile.
  private enum Part {
    case zoom, outer, inner
  }

  /// The zooms that have a folder, ascending.
  ///
  /// - Throws: ``ArchiveError`` where the folder cannot be listed.
  func zooms() throws(ArchiveError) -> [Int] {
    try numbers(in: folder, .zoom, upTo: TileCoord.maxZoom)
  }

  /// Returns the possible files of a tile; the first that exists counts.
  ///
  /// - Parameter row: the row as the folder counts rows.
  func files(zoom: Int, column: Int, row: Int) -> [FilePath] {
    let (outer, inner) = spelling == .plain ? (column, row) : (row, column)
    let folder = folder.appending(name(zoom, .zoom)).appending(name(outer, .outer))
    return endings.map {
      folder.appending(name(inner, .inner) + ($0.isEmpty ? "" : ".") + $0)
    }
  }

  /// Calls a function for the tiles of a zoom, until it returns `false`.
  ///
  /// - Parameters:
  ///   - isWanted: whether a column may have tiles.
  ///   - body: receives column and row as the folder counts them.
  /// - Throws: ``ArchiveError`` where a folder cannot be listed.
  func forEachTile(
    zoom: Int, isWanted: (_ column: Int) -> Bool = { _ in true },
    _ body: (_ column: Int, _ row: Int) -> Bool
  ) throws(ArchiveError) {
    let last = 1 << zoom - 1
    let folder = folder.appending(name(zoom, .zoom))
    guard FileStatus(folder)?.kind == .folder else { return }
    for outer in try numbers(in: folder, .outer, upTo: last)
    where spelling == .cache || isWanted(outer) {
      let files = folder.appending(name(outer, .outer))
      for inner in try numbers(in: files, .inner, upTo: last) {
        let (column, row) = spelling == .plain ? (outer, inner) : (inner, outer)
        guard spelling == .plain || isWanted(column) else { continue }
        guard body(column, row) else { return }
      }
    }
  }

  private func name(_ number: Int, _ part: Part) -> String {
    guard spelling == .cache else { return "\(number)" }
    if part == .zoom { return number < 10 ? "L0\(number)" : "L\(number)" }
    let digits = String(number, radix: 16)
    return (part == .outer ? "R" : "C") + String(repeating: "0", count: max(0, 8 - digits.count))
      + digits
  }

  /// Returns the numbers that names in a folder spell, ascending.
  private func numbers(
    in folder: FilePath, _ part: Part, upTo limit: Int
  ) throws(ArchiveError) -> [Int] {
    let names: [String]
    do throws(FolderListing.Refusal) {
      names = try FolderListing.sortedNames(in: folder, limit: Self.nameLimit)
    } catch {
      switch error {
      case .unreadable(.notDirectory): return []
      case .unreadable(let cause), .brokenOff(let cause):
        throw ArchiveError(.file(.unreadable(cause)), path: folder)
      case .notUTF8, .tooMany:
        throw ArchiveError(damagedFolder: folder, "cannot be listed")
      }
    }
    return names.compactMap { name in
      let stem = name.prefix { $0 != "." }
      let ending = name.dropFirst(stem.count)
      let isHexadecimal = spelling == .cache && part != .zoom
      guard
        let number = Int(
          spelling == .cache ? stem.dropFirst() : stem, radix: isHexadecimal ? 16 : 10),
        (0...limit).contains(number), self.name(number, part) == stem,
        part == .inner
          ? endings.contains(where: { ending == ($0.isEmpty ? "" : ".\($0)") }) : ending.isEmpty
      else { return nil }
      return number
    }.sorted()
  }
}
