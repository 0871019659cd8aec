import Features
import Files
package import MBTiles
import OrderedCollections
package import SystemPackage
package import Tiling

/// The tiles of a folder of files `z/x/y.pbf`, or with another ending, and the metadata beside them.
package final class FolderTileset: FileTileset {
  /// The names of the metadata, the first that exists.
  private static let headNames = ["tiles.json", "tilejson.json", "tile.json", "metadata.json"]

  /// The endings of tiles, the first that a tile has.
  private static let endings = ["pbf", "mvt", "png", "webp", "jpg", "jpeg", "pbf.gz", "mvt.gz"]

  /// Maximum number of names in one folder.
  private static let nameLimit = 1 << 22

  package let path: FilePath
  package let head: TilesetHead

  package let headFile: FilePath?

  private let names: TileFolder

  /// Opens a folder.
  ///
  /// - Parameter rows: the order of rows; `nil` for that of the metadata, or else from the north.
  /// - Throws: ``ArchiveError``, if it cannot be listed or is not a folder of tiles.
  package convenience init(
    _ folder: FilePath, rows: TileScheme? = nil
  ) throws(ArchiveError) {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    var headFile: FilePath?
    for name in Self.headNames where members.isEmpty {
      let path = folder.appending(name)
      guard FileStatus(path)?.kind == .file else { continue }
      headFile = path
      members = try MetadataObject.members(of: path)
    }
    var head = TilesetHead(members)
    if let rows { head.rows = rows }
    let zooms = try Self.numbers(in: folder, upTo: TileCoord.maxZoom, endings: nil)
    guard let first = zooms.min(), let last = zooms.max() else {
      throw Self.fault("has no tiles, files such as 3/4/5.pbf", folder)
    }
    head.minZoom = head.minZoom ?? first
    head.maxZoom = head.maxZoom ?? last
    self.init(folder, head, headFile, TileFolder(folder: folder, endings: Self.endings))
  }

  /// - Parameter headFile: the TileJSON; `nil` where there is none.
  init(_ path: FilePath, _ head: TilesetHead, _ headFile: FilePath?, _ names: TileFolder) {
    self.path = path
    self.head = head
    self.headFile = headFile
    self.names = names
  }

  package func file(of tile: TileCoord) -> FilePath? {
    guard tile.isValid else { return nil }
    return files(of: tile).first { FileStatus($0)?.kind == .file }
  }

  /// Returns the files that a tile may have, the first that exists counts.
  private func files(of tile: TileCoord) -> [FilePath] {
    let row = head.rows == .tms ? tile.tmsRow : tile.y
    let folder = names.folder.appending("\(tile.z)").appending("\(tile.x)")
    return names.endings.map { folder.appending("\(row)\($0.isEmpty ? "" : ".")\($0)") }
  }

  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return }
    let last = 1 << zoom - 1
    let folder = names.folder.appending("\(zoom)")
    guard FileStatus(folder)?.kind == .folder else { return }
    for column in try Self.numbers(in: folder, upTo: last, endings: nil)
    where range?.contains(column: column) ?? true {
      let rows = try Self.numbers(
        in: folder.appending("\(column)"), upTo: last, endings: names.endings)
      for row in rows {
        let tile =
          head.rows == .tms
          ? TileCoord(z: zoom, x: column, tmsRow: row) : TileCoord(z: zoom, x: column, y: row)
        guard body(tile) else { return }
      }
    }
  }

  // MARK: Files

  private static func fault(_ fault: String, _ path: FilePath) -> ArchiveError {
    ArchiveError(.content(.damagedFolder(fault: fault)), path: path)
  }

  /// Returns the names that are numbers in plain digits, ascending.
  ///
  /// - Parameter endings: what must follow the digits after a point, one of these; `nil` for nothing.
  private static func numbers(
    in folder: FilePath, upTo limit: Int, endings: [String]?
  ) throws(ArchiveError) -> [Int] {
    let names: [String]
    do throws(FolderListing.Refusal) {
      names = try FolderListing.sortedNames(in: folder, limit: nameLimit)
    } catch {
      switch error {
      case .unreadable(.notDirectory): return []
      case .unreadable(let cause), .brokenOff(let cause):
        throw ArchiveError(.file(.unreadable(cause)), path: folder)
      case .notUTF8, .tooMany: throw fault("cannot be listed", folder)
      }
    }
    return names.compactMap { name in
      let digits = name.prefix { $0.isASCII && $0.isNumber }
      let rest = name.dropFirst(digits.count)
      guard let number = Int(digits), "\(number)" == digits, number <= limit,
        endings.map({ $0.contains { rest == ($0.isEmpty ? "" : ".\($0)") } }) ?? rest.isEmpty
      else { return nil }
      return number
    }.sorted()
  }
}

/// The files of tiles: a folder, in it zooms, columns, and rows with one of some endings.
struct TileFolder {
  let folder: FilePath

  /// The endings of names, after the row and a point; empty for none.
  let endings: [String]

  init(folder: FilePath, endings: [String]) {
    self.folder = folder
    self.endings = endings
  }

  /// Creates the folder that a path leads to; `nil` unless it is of files in such folders.
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
}
