import Files
import Foundation
import JSON
import MBTiles
import Pictures
import Runs
import SystemPackage
import Tiling

/// A sink that writes tiles as files of a folder, `z/x/y.png`, with a `tile.json` beside them.
///
/// The folder is filled under a temporary name beside its place and renamed at the end. Names of
/// files consist of numbers alone and files are only created, never opened, so nothing is written
/// outside.
final class FolderSink: TileSink {
  /// The name of the TileJSON.
  static let descriptionName = "tile.json"

  private let folder: FilePath
  private let pending: PendingFolder
  private let format: TileFormat
  private let scheme: TileScheme
  private let replaces: Bool
  private let lock: FileLock
  private var bytes = 0

  /// The zoom and column whose folder exists.
  private var column: (zoom: Int, x: Int)?

  /// The name of the file for each content; `nil` where each tile gets its own file.
  private var files: [MD5Digest: UInt64]?
  private var linked = 0

  /// Checks whether the folder may be written, and creates the temporary one.
  init(_ options: ExportOptions, _ format: TileFormat) throws {
    self.format = format
    scheme = options.scheme
    replaces = options.replacesFolder
    files = options.linksEqualTiles ? [:] : nil
    // A trailing slash would make another name of it.
    var path = options.output
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    folder = FilePath(path)
    guard let name = folder.lastComponent, name.kind == .regular else {
      throw PipelineError(.usage, "'\(options.output)' names no folder to make. Name a new one.")
    }
    let parent = DurableFile.folder(of: folder)
    lock = try FileLock(path: parent.appending(".\(name.string).lock"), archive: folder)
    try PendingFolder.settle(folder)
    try Self.refuse(folder, replaces: replaces)
    pending = try PendingFolder(folder)
  }

  func append(_ tile: TileCoord, _ content: UnsafeRawBufferPointer, isCleared: Bool) throws {
    try enter(tile)
    let path = self.path(tile)
    var digest: MD5Digest?
    if files != nil {
      let key = MD5Digest(of: content)
      if let first = files?[key],
        link(place(TileCoord(archiveKey: first)).string, place(tile).string) == 0
      {
        linked += 1
        return
      }
      // Either the content is new, or its file has the maximum number of hard links.
      digest = key
    }
    try pending.write(content, to: path)
    bytes += content.count
    if let digest { files?[digest] = tile.archiveKey }
  }

  func publish(
    _ tileset: TilesetDescription, rows _: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    let json = Array(TilesetJSON.tileJSON(tileset, scheme: scheme).pretty.utf8)
    try pending.writeDurably(json, to: Self.descriptionName)
    // One call for everything: one per file would take longer than writing them.
    sync()
    try clock.cancellation.check()
    // Another process may have filled it meanwhile.
    try Self.refuse(folder, replaces: replaces)
    try pending.publish(replaces: replaces)
    let links = linked == 0 ? "" : "\(ReportNumber.count(linked)) by links"
    return SinkOutcome(bytes: bytes + json.count, detail: links)
  }

  // MARK: Files

  /// Returns the path of a tile in the folder.
  private func path(_ tile: TileCoord) -> FilePath {
    let row = scheme == .tms ? tile.tmsRow : tile.y
    return FilePath("\(tile.z)/\(tile.x)/\(row).\(format.fileExtension)")
  }

  private func place(_ tile: TileCoord) -> FilePath {
    pending.temporary.appending(path(tile).components)
  }

  /// Creates the folders of a tile.
  private func enter(_ tile: TileCoord) throws(FileError) {
    if let column, column == (tile.z, tile.x) { return }
    try pending.makeFolder(FilePath("\(tile.z)/\(tile.x)"))
    column = (tile.z, tile.x)
  }

  // MARK: The place

  /// Returns the first name that neither an export nor a publication makes.
  static func stranger(in names: [String]) -> String? {
    names.sorted().first { name in
      ![descriptionName, TileManifest.name].contains(name)
        && Int(name).map { (0...TileCoord.maxZoom).contains($0) } != true
    }
  }

  /// Refuses anything but a folder, and a folder whose content is not an earlier export that may be
  /// replaced.
  private static func refuse(_ folder: FilePath, replaces: Bool) throws(PipelineError) {
    guard let status = FileStatus(folder, followsLinks: false) else { return }
    guard status.kind == .folder else {
      throw PipelineError(.cannotCreate, "\(folder) exists and is not a folder. Name another one.")
    }
    let names = FolderListing.names(in: folder)
    if names.isEmpty { return }
    guard replaces else {
      throw PipelineError(
        .cannotCreate,
        "the folder \(folder) is not empty. Name another one, or replace an earlier export with "
          + "--force.")
    }
    guard let stranger = stranger(in: names) else { return }
    throw PipelineError(
      .cannotCreate,
      "the folder \(folder) holds '\(stranger)', which no export makes, so --force does not remove "
        + "it. Name another folder.")
  }
}
