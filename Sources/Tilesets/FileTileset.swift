package import MBTiles
package import SystemPackage
package import Tiling
import Files

/// A set of tiles each of which is a file.
package protocol FileTileset: Tileset {
  /// The file of the metadata; `nil` where there is none.
  var headFile: FilePath? { get }

  /// Returns the file of a tile; `nil` where there is none.
  func file(of tile: TileCoord) -> FilePath?
}

extension FileTileset {
  package func storedTile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    guard let file = file(of: tile) else { return nil }
    return try TileFile.bytes(of: file, limit: TileFile.byteLimit)
  }
}

/// The reading of small files.
enum TileFile {
  /// Maximum number of bytes of a tile, and of metadata.
  static let byteLimit = 64 << 20
  static let headLimit = 16 << 20

  /// Returns the bytes of a file; `nil` if none is there.
  static func bytes(of path: FilePath, limit: Int) throws(ArchiveError) -> [UInt8]? {
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
      case .fileTooLarge:
        throw ArchiveError(damagedFolder: path, "has more than \(limit) bytes")
      default: throw ArchiveError(.file(.unreadable(error)), path: path)
      }
    }
  }
}
