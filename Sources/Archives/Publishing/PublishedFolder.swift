import Files
import Foundation
import MBTiles
import Runs
import SystemPackage
import Tiling

/// The files of a folder that a web server serves while it is changed: each appears complete, by a
/// rename.
final class PublishedFolder {
  let path: FilePath

  private let lock: FileLock

  /// The file next to the folder that exists while a run changes the folder.
  private let journal: FilePath

  /// Whether an earlier run was broken off.
  let isBrokenOff: Bool

  /// Whether the manifest describes the files: no earlier run was broken off.
  let isSettled: Bool

  /// The zoom and column whose folder exists.
  private var column: (zoom: Int, x: Int)?

  /// Opens or creates a folder, for this run alone.
  ///
  /// - Parameter force: whether a folder without a manifest may be taken over, and its files be
  ///   compared one by one.
  init(_ text: String, force: Bool) throws {
    // A trailing slash would make another name of it.
    var text = text
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    path = FilePath(text)
    guard let name = path.lastComponent, name.kind == .regular else {
      throw PipelineError(.usage, "'\(text)' names no folder to publish. Name one.")
    }
    let parent = DurableFile.folder(of: path)
    lock = try FileLock(path: parent.appending(".\(name.string).lock"), archive: path)
    journal = parent.appending(".\(name.string).publishing")
    isBrokenOff = FileStatus.exists(journal)
    isSettled = !isBrokenOff && !force
    for file in [journal, path.appending(FolderSink.descriptionName)] {
      StaleFiles.remove(besides: file, isLocked: true)
    }
    guard let status = FileStatus(path) else {
      guard mkdir(path.string, 0o755) == 0 else {
        throw FileError(Errno(rawValue: errno), doing: "create", path: path)
      }
      return
    }
    guard status.kind == .folder else {
      throw PipelineError(.cannotCreate, "\(path) exists and is not a folder. Name another one.")
    }
    guard !isBrokenOff, !FileStatus.exists(path.appending(TileManifest.name)) else { return }
    let names = FolderListing.names(in: path)
    guard !names.isEmpty else { return }
    guard force else {
      throw PipelineError(
        .cannotCreate,
        "the folder \(path) is not empty and holds no \(TileManifest.name). Name another one, or take "
          + "over the folder of an export with --force.")
    }
    if let stranger = FolderSink.stranger(in: names) {
      throw PipelineError(
        .cannotCreate,
        "the folder \(path) holds '\(stranger)', which no export makes. Name another folder.")
    }
  }

  /// Declares that the files no longer are what the manifest says.
  func begin() throws(FileError) {
    do {
      try DurableFile.write([], to: journal)
    } catch {
      throw FileError(error, doing: "write", path: journal)
    }
  }

  /// Declares that the manifest describes the files again.
  func end() { unlink(journal.string) }

  /// Whether the file of a tile has a content.
  ///
  /// - Parameter isKnown: whether the manifest says so; then the size has to agree.
  func holds(_ bytes: UnsafeRawBufferPointer, at place: String, isKnown: Bool) -> Bool {
    let file = path.appending(FilePath(place).components)
    guard let status = FileStatus(file, followsLinks: false), status.kind == .file,
      status.size == bytes.count
    else { return false }
    if isKnown { return true }
    return DurableFile.read(file, limit: bytes.count)?.elementsEqual(bytes) == true
  }

  /// Writes a file, replacing one of the same name.
  func write(_ bytes: UnsafeRawBufferPointer, of tile: TileCoord, to place: String) throws {
    if column.map({ $0 != (tile.z, tile.x) }) ?? true {
      for folder in ["\(tile.z)", "\(tile.z)/\(tile.x)"] {
        let folder = path.appending(FilePath(folder).components)
        if mkdir(folder.string, 0o755) != 0, errno != EEXIST {
          throw FileError(Errno(rawValue: errno), doing: "create", path: folder)
        }
      }
      column = (tile.z, tile.x)
    }
    let file = path.appending(FilePath(place).components)
    let temporary = DurableFile.temporary(for: file)
    do {
      let output = try FileDescriptor.open(
        temporary, .writeOnly, options: [.create, .truncate, .noFollow, .closeOnExec],
        permissions: DurableFile.publicPermissions)
      _ = try output.closeAfter { try output.writeAll(bytes) }
      try DurableFile.rename(temporary, to: file)
    } catch {
      unlink(temporary.string)
      throw FileError(error as? Errno ?? .ioError, doing: "write", path: file)
    }
  }

  /// Removes a file, and its folders where they are empty then.
  func remove(_ place: String) throws(FileError) {
    let file = path.appending(FilePath(place).components)
    guard unlink(file.string) == 0 || errno == ENOENT || errno == ENOTDIR else {
      throw FileError(Errno(rawValue: errno), doing: "remove", path: file)
    }
    let column = file.removingLastComponent()
    if rmdir(column.string) == 0 { rmdir(column.removingLastComponent().string) }
  }

  /// Returns the paths of tiles and of leftovers of a broken-off run that are to be removed.
  ///
  /// - Complexity: O(files of the folder).
  func strays(_ isKept: (TilePath) -> Bool) -> [String] {
    func numbers(_ folder: FilePath) -> [String] {
      FolderListing.names(in: folder).filter { name in Int(name).map { "\($0)" == name } ?? false }
        .sorted()
    }
    var strays: [String] = []
    for zoom in numbers(path) {
      for column in numbers(path.appending(zoom)) {
        for name in FolderListing.names(in: path.appending(zoom).appending(column)).sorted() {
          let place = "\(zoom)/\(column)/\(name)"
          let isTemporary = name.hasPrefix(".") && name.contains(".tmp-")
          if isTemporary || TilePath(place).map({ !isKept($0) }) ?? false { strays.append(place) }
        }
      }
    }
    return strays
  }
}
