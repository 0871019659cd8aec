import Features
import Files
package import MBTiles
import OrderedCollections
package import SystemPackage
package import Tiling

/// The tiles of a folder of files `z/x/y.pbf`, or with another ending, and the metadata beside them.
package final class FolderTileset: Tileset {
  /// The names of the metadata, the first that exists.
  private static let headNames = ["tiles.json", "tilejson.json", "tile.json", "metadata.json"]

  /// The endings of tiles, the first that a tile has.
  private static let endings = ["pbf", "mvt", "png", "webp", "jpg", "jpeg", "pbf.gz", "mvt.gz"]

  /// Maximum number of names in one folder, and of bytes of a file.
  private static let nameLimit = 1 << 22
  private static let byteLimit = 64 << 20
  private static let headLimit = 16 << 20

  package let path: FilePath
  package let head: TilesetHead

  /// The file of the metadata; `nil` where there is none.
  package let headFile: FilePath?

  private let template: TileTemplate

  /// Opens a folder.
  ///
  /// - Parameter rows: the order of rows; `nil` for that of the metadata, or else from the north.
  /// - Throws: ``ArchiveError``, if it cannot be listed or is not a folder of tiles.
  package convenience init(
    _ folder: FilePath, rows: TilesetHead.RowOrigin? = nil
  ) throws(ArchiveError) {
    var members: OrderedDictionary<String, PropertyValue> = [:]
    var headFile: FilePath?
    for name in Self.headNames where members.isEmpty {
      let path = folder.appending(name)
      guard FileStatus(path)?.kind == .file else { continue }
      headFile = path
      members = MetadataObject.members(try Self.bytes(path, limit: Self.headLimit) ?? [])
    }
    var head = TilesetHead(members)
    if let rows { head.rows = rows }
    let template = TileTemplate(folder: folder, endings: Self.endings)
    let zooms = try Self.numbers(in: folder, upTo: TileCoord.maxZoom, endings: nil)
    guard let first = zooms.min(), let last = zooms.max() else {
      throw Self.fault("has no tiles, files such as 3/4/5.pbf", folder)
    }
    head.minZoom = head.minZoom ?? first
    head.maxZoom = head.maxZoom ?? last
    self.init(folder, head, headFile, template)
  }

  /// Opens the tiles to which a TileJSON leads.
  ///
  /// - Throws: ``ArchiveError``, if it is none, or if its tiles are not files of this machine named by
  ///   zoom, column and row.
  package convenience init(
    tileJSON path: FilePath, rows: TilesetHead.RowOrigin? = nil
  ) throws(ArchiveError) {
    let bytes = try Self.bytes(path, limit: Self.headLimit) ?? []
    var head = TilesetHead(MetadataObject.members(bytes))
    guard let text = head.templates.first else {
      throw Self.fault("is no TileJSON: it has no list 'tiles' of addresses", path)
    }
    guard let template = TileTemplate(text, beside: path) else {
      throw Self.fault(
        "has tiles at \(text.withoutControls.prefix(200)), and only files named FOLDER/{z}/{x}/{y} "
          + "with an ending are read, relative to the TileJSON", path)
    }
    if let rows { head.rows = rows }
    self.init(path, head, path, template)
  }

  private init(
    _ path: FilePath, _ head: TilesetHead, _ headFile: FilePath?, _ template: TileTemplate
  ) {
    self.path = path
    self.head = head
    self.headFile = headFile
    self.template = template
  }

  package func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    guard tile.isValid else { return nil }
    for file in files(of: tile) {
      if let bytes = try Self.bytes(file, limit: Self.byteLimit) { return bytes }
    }
    return nil
  }

  /// Returns the file of a tile; `nil` where there is none.
  package func file(of tile: TileCoord) -> FilePath? {
    guard tile.isValid else { return nil }
    return files(of: tile).first { FileStatus($0)?.kind == .file }
  }

  /// Returns the files that a tile may have, the first that exists counts.
  private func files(of tile: TileCoord) -> [FilePath] {
    let row = head.rows == .tms ? tile.tmsRow : tile.y
    let folder = template.folder.appending("\(tile.z)").appending("\(tile.x)")
    return template.endings.map { folder.appending("\(row)\($0.isEmpty ? "" : ".")\($0)") }
  }

  package func forEachAddress(
    zoom: Int, in range: TileRange?, _ body: (TileCoord) -> Bool
  ) throws(ArchiveError) {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return }
    let last = 1 << zoom - 1
    let folder = template.folder.appending("\(zoom)")
    guard FileStatus(folder)?.kind == .folder else { return }
    for column in try Self.numbers(in: folder, upTo: last, endings: nil)
    where range?.contains(column: column) ?? true {
      let rows = try Self.numbers(
        in: folder.appending("\(column)"), upTo: last, endings: template.endings)
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

  /// Returns the bytes of a file; `nil` if none is there.
  private static func bytes(_ path: FilePath, limit: Int) throws(ArchiveError) -> [UInt8]? {
    do throws(Errno) {
      let file = try HeldFile(path)
      let status = try file.status
      guard status.kind == .file else { return nil }
      guard status.size <= limit else { throw .fileTooLarge }
      return try Errno.thrown {
        var bytes = [UInt8](repeating: 0, count: status.size)
        var done = 0
        while done < bytes.count {
          let count = try bytes.withUnsafeMutableBytes {
            try file.descriptor.read(
              fromAbsoluteOffset: Int64(done),
              into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
          }
          guard count > 0 else { throw Errno.ioError }
          done += count
        }
        return bytes
      }
    } catch {
      switch error {
      case .noSuchFileOrDirectory, .notDirectory: return nil
      case .fileTooLarge: throw fault("has more than \(limit) bytes", path)
      default: throw ArchiveError(.file(.unreadable(error)), path: path)
      }
    }
  }
}

/// The files of tiles: a folder, in it zooms, columns, and rows with one of some endings.
struct TileTemplate {
  let folder: FilePath

  /// The endings of names, after the row and a point; empty for none.
  let endings: [String]

  init(folder: FilePath, endings: [String]) {
    self.folder = folder
    self.endings = endings
  }

  /// Reads the template of an address; `nil` unless it is of files in such folders.
  ///
  /// - Parameter document: the file to which the template is relative.
  init?(_ text: String, beside document: FilePath) {
    var text = text[...]
    if text.hasPrefix("file://") { text = text.dropFirst(7) }
    guard !text.contains("://"), let place = text.firstRange(of: "{z}/{x}/{y}") else { return nil }
    let head = text[..<place.lowerBound]
    let tail = text[place.upperBound...]
    guard !head.contains("{"), head.isEmpty || head.hasSuffix("/"), !tail.contains("{"),
      !tail.contains("/"), tail.isEmpty || tail.hasPrefix("."), !tail.contains("?")
    else { return nil }
    folder = document.removingLastComponent().pushing(FilePath(String(head)))
    endings = [String(tail.dropFirst())]
  }
}
