import Files
package import MBTiles
package import SystemPackage
package import Tiling

/// The tiles of a folder of files `z/x/y.pbf`, or with another ending, and the metadata beside them.
package final class FolderTileset: FileTileset {
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
  /// - Parameter rows: the order of rows; `nil` for that of the metadata, or else the one by which the
  ///   tiles lie in the box of the metadata, or else from the north.
  /// - Throws: ``ArchiveError``, if it cannot be listed or is not a folder of tiles.
  package convenience init(
    _ folder: FilePath, rows: TileScheme? = nil
  ) throws(ArchiveError) {
    let metadata = try FolderMetadata(of: folder)
    var head = TilesetHead(metadata.members)
    let zooms = try Self.numbers(in: folder, upTo: TileCoord.maxZoom, endings: nil)
    guard let first = zooms.min(), let last = zooms.max() else {
      throw Self.fault("has no tiles, files such as 3/4/5.pbf", folder)
    }
    head.minZoom = head.minZoom ?? first
    head.maxZoom = head.maxZoom ?? last
    if let told = rows ?? metadata.rows {
      head.rows = told
    } else if let box = head.bounds,
      let fitting = try Self.rows(of: folder, zoom: last, in: box)
    {
      head.rows = fitting
    } else {
      // At zoom 0 both orders are the same.
      head.assumesRows = last > 0
    }
    self.init(folder, head, metadata.file, TileFolder(folder: folder, endings: Self.endings))
  }

  /// Maximum number of columns whose rows are compared with a box.
  private static let columnLimit = 64

  /// Returns the order of rows by which more tiles of a zoom lie in a box; `nil` where both orders do.
  private static func rows(
    of folder: FilePath, zoom: Int, in box: GeoBounds
  ) throws(ArchiveError) -> TileScheme? {
    let range = TileRange(WorldBox(box), zoom: zoom)
    let folder = folder.appending("\(zoom)")
    var (north, south) = (0, 0)
    let last = 1 << zoom - 1
    for column in try numbers(in: folder, upTo: last, endings: nil).prefix(columnLimit) {
      for row in try numbers(in: folder.appending("\(column)"), upTo: last, endings: endings) {
        if range.contains(TileCoord(z: zoom, x: column, y: row)) { north += 1 }
        if range.contains(TileCoord(z: zoom, x: column, tmsRow: row)) { south += 1 }
      }
    }
    return north == south ? nil : north > south ? .xyz : .tms
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
