import Files
import MBTiles
import Pictures
import SystemPackage
import Tiling

/// The manifest of a published folder: a line `DIGEST  z/x/y.png` for each tile in archive order,
/// then one for its description, as `md5sum --check` reads it.
enum TileManifest {
  /// The name of the file.
  static let name = "manifest.md5"

  /// Returns a line.
  static func line(_ digest: MD5Digest, _ path: String) -> String {
    "\(digest.description.lowercased())  \(path)\n"
  }
}

/// A manifest that is read line by line; its content is not trusted.
struct TileManifestReader {
  /// The file, mapped; it is replaced by renaming, never in place.
  private let file: MappedFile
  private let path: FilePath
  private var offset = 0
  private var line = 0

  /// The line that was read last, which describes a tile; `nil` after the last tile.
  private(set) var entry: Entry?

  /// The digest of the description; `nil` before the end, and where the file has none.
  private(set) var description: MD5Digest?

  struct Entry {
    let tile: TileCoord
    let digest: MD5Digest
    /// The extension of the tile's file.
    let fileExtension: String
  }

  /// Opens a manifest and reads its first line.
  ///
  /// - Returns: `nil` if there is none.
  /// - Throws: ``ArchiveError`` if it is damaged.
  init?(_ path: FilePath) throws(ArchiveError) {
    guard FileStatus(path) != nil else { return nil }
    self.path = path
    do {
      file = try MappedFile(path)
    } catch {
      if let cause = error as? Errno, cause.isOfMachine {
        throw ArchiveError(.file(.unreadable(cause)), path: path)
      }
      throw ArchiveError(damagedFolder: path, Self.unreadable)
    }
    try advance()
  }

  private static let unreadable = "cannot be read. Publish with --force, which compares every file"

  /// Reads the next line.
  mutating func advance() throws(ArchiveError) {
    let previous = entry
    entry = nil
    guard description == nil, offset < file.bytes.count else { return }
    let rest = file.bytes[offset...]
    let end = rest.prefix(Self.lengthLimit).firstIndex(of: UInt8(ascii: "\n"))
    line += 1
    let digits = MD5Digest.hexadecimalCount
    guard let end, end - offset > digits + 2,
      let digest = MD5Digest(
        hexadecimal: Array(rest[offset..<(offset + digits)]).map { $0 >= 0x61 ? $0 - 32 : $0 }),
      rest[offset + digits] == UInt8(ascii: " "), rest[offset + digits + 1] == UInt8(ascii: " ")
    else { throw damaged() }
    let name = String(decoding: rest[(offset + digits + 2)..<end], as: UTF8.self)
    offset = end + 1
    if name == FolderSink.descriptionName {
      description = digest
      return
    }
    guard let place = TilePath(name) else { throw damaged() }
    if let previous {
      guard previous.tile.archiveKey < place.tile.archiveKey,
        previous.fileExtension == place.fileExtension
      else { throw damaged() }
    }
    entry = Entry(tile: place.tile, digest: digest, fileExtension: place.fileExtension)
  }

  /// Maximum bytes of a line.
  private static let lengthLimit = 100

  private func damaged() -> ArchiveError {
    ArchiveError(
      damagedFolder: path,
      "names no tile in line \(line). Publish with --force, which compares every file")
  }
}

extension MD5Digest {
  fileprivate init?(hexadecimal text: [UInt8]) {
    guard let digest = text.withUnsafeBytes({ MD5Digest(hexadecimal: $0) }) else { return nil }
    self = digest
  }
}

/// The path of a tile in a folder, `z/x/y.png`, with rows counted southward.
struct TilePath {
  let tile: TileCoord
  let fileExtension: String

  /// Creates the path of a text; `nil` unless it is the one text for its tile.
  init?(_ text: String) {
    guard let dot = text.lastIndex(of: "."), let tile = TileCoord(String(text[..<dot])),
      "\(tile)" == text[..<dot]
    else { return nil }
    let fileExtension = String(text[text.index(after: dot)...])
    guard TileFormat.allCases.contains(where: { $0.fileExtension == fileExtension }) else {
      return nil
    }
    self.tile = tile
    self.fileExtension = fileExtension
  }
}
