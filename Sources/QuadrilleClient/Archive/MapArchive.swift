public import Foundation

/// An archive of map tiles (MBTiles), opened for reading.
///
/// ```swift
/// let archive = try MapArchive(url: folder.appendingPathComponent("hotels.mbtiles"))
/// let picture = try await archive.picture(TileAddress(zoom: 14, column: 8532, row: 5765))
/// let tap = try await archive.tap(at: place, zoom: 14)
/// ```
///
/// An update puts a new file in the place of the old one, and an archive that is open goes on reading
/// the old one; where the file system cannot share blocks, it changes the file in one transaction, and
/// tiles and taps of an open archive are those of the new one. ``isReplaced`` says when to open it
/// again.
public actor MapArchive {
  /// The url as it was given.
  public nonisolated let url: URL

  /// The facts about the archive.
  public nonisolated let info: ArchiveInfo

  /// The file that was opened, whatever has its name now.
  private nonisolated let identity: FileIdentity

  let file: SQLiteFile
  private let tiles: SQLiteRows

  /// The block and the page of the last tap: neighbouring taps need the same.
  var tapMemory = TapMemory()

  /// Opens an archive.
  ///
  /// - Parameter url: the url of a file on this device.
  /// - Throws: ``ClientError/missing(file:)``, ``ClientError/notArchive(file:reason:)``,
  ///   ``ClientError/damaged(file:reason:)`` or ``ClientError/inputOutput(file:reason:)``.
  /// - Complexity: O(rows of the metadata).
  public init(url: URL) throws(ClientError) {
    let path = url.path
    var (file, before) = (try Self.open(path), try FileIdentity(path))
    var info = try ArchiveInfo(file)
    // An update may have come in between.
    while try FileIdentity(path) != before {
      (file, before) = (try Self.open(path), try FileIdentity(path))
      info = try ArchiveInfo(file)
    }
    self.url = url
    identity = before
    self.info = info
    tiles = try file.prepare(
      "SELECT tile_data FROM tiles WHERE zoom_level = ?1 AND tile_column = ?2 AND tile_row = ?3")
    self.file = file
  }

  private static func open(_ path: String) throws(ClientError) -> SQLiteFile {
    do throws(ClientError) {
      return try SQLiteFile(path: path, mode: .shared)
    } catch {
      // A folder that cannot be written hinders SQLite where another program wrote ahead.
      guard case .inputOutput = error else { throw error }
      return try SQLiteFile(path: path, mode: .immutable)
    }
  }

  /// Whether the url leads to another file by now, or the file has changed, because of an update.
  public nonisolated var isReplaced: Bool {
    guard let now = try? FileIdentity(url.path) else { return true }
    return now != identity
  }

  /// Returns the content of a tile as it is stored; `nil` where there is none.
  ///
  /// - Complexity: O(log(tiles) + bytes).
  public func tile(_ address: TileAddress) throws(ClientError) -> Data? {
    guard address.isValid else { return nil }
    tiles.reset()
    tiles.bind(address.zoom, at: 1)
    tiles.bind(address.column, at: 2)
    tiles.bind(address.storedRow, at: 3)
    defer { tiles.reset() }
    guard try tiles.step(), !tiles.isNull(0) else { return nil }
    return tiles.withBytes(0) { Data($0) }
  }

  /// Returns the picture to show for a tile: its own, or for zooms after the last one the enlarged
  /// part of its ancestor's there; `nil` where the map is empty.
  ///
  /// A tile that the archive lacks within its zooms is empty: what its ancestors show there, if
  /// anything, is not enlarged.
  public func picture(_ address: TileAddress) throws(ClientError) -> TilePicture? {
    guard address.isValid else { return nil }
    let source = address.ancestor(at: info.maxZoom)
    guard let data = try tile(source) else { return nil }
    return TilePicture(
      data: data, address: source,
      part: source == address ? .whole : TilePart(of: address, in: source))
  }

  /// Reads the legend beside the archive; `nil` if there is none.
  public nonisolated func legend() throws(ClientError) -> Legend? {
    try Legend(besideArchive: url)
  }
}

/// The device, inode and time of change of a file, which tell it from others that get its name and
/// from itself after an update in place.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  init(_ path: String) throws(ClientError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let name = (path as NSString).lastPathComponent
      throw errno == ENOENT || errno == ENOTDIR
        ? ClientError.missing(file: name) : ClientError.lastSystemError(file: name)
    }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
  }
}

extension ClientError {
  /// The error of the last call of the system's.
  static func lastSystemError(file: String) -> ClientError {
    .inputOutput(file: file, reason: String(cString: strerror(errno)))
  }
}
