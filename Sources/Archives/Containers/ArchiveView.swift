package import Files
import Foundation
package import MBTiles
import PMTiles
package import SystemPackage
import Tiling

/// A view of a PMTiles file, a folder of tiles or the packs of a list as an archive, in a temporary file that lives as
/// long as this value. All code that reads archives reads other containers in this way.
///
/// A PMTiles file that a build or an export of a whole archive wrote holds the rows of the archive's
/// metadata, so its view has the bytes of that archive.
package final class ArchiveView: Sendable {
  /// The archive.
  package let path: FilePath

  /// Writes the archive.
  ///
  /// - Parameters:
  ///   - file: the PMTiles file, the folder of tiles or the list, whose content is not trusted.
  ///   - folder: the folder of the archive; `nil` for the system's folder of temporary files.
  /// - Throws: ``ArchiveError``.
  /// - Complexity: O(bytes).
  package init(
    of file: HeldFile, in folder: FilePath? = nil, isStopped: (@Sendable () -> Bool)? = nil
  ) throws(ArchiveError) {
    let folder = folder ?? FilePath(FileManager.default.temporaryDirectory.path)
    StaleFiles.sweep(folder)
    path = RunFile.path(in: folder, for: "view")
    do {
      if FolderTiles.isFolder(file.address) {
        try FolderTiles(file.path).write(to: path, isStopped: isStopped ?? { false })
      } else if PackInspection.isList(file.path.string) {
        try PackUnion(file.path).write(to: path, isStopped: isStopped ?? { false })
      } else {
        try Self.write(try PackedTiles(file), to: path, isStopped)
      }
    } catch let error as ArchiveError {
      unlink(path.string)
      throw error
    } catch {
      unlink(path.string)
      throw ArchiveError(.file(.noMemory), path: file.path)
    }
  }

  /// Whether the file at a path is read through a view.
  package static func isNeeded(of path: String) -> Bool {
    PMTilesMetadata.isPMTiles(FilePath(path)) || FolderTiles.isFolder(FilePath(path))
      || PackInspection.isList(path)
  }

  deinit {
    unlink(path.string)
  }

  private static func write(
    _ tiles: PackedTiles, to path: FilePath, _ isStopped: (@Sendable () -> Bool)?
  ) throws {
    let places = try tiles.places()
    let writer = try ArchiveWriter(
      path: path, layout: .dedup, isStopped: isStopped ?? { false })
    var images: [UInt64: ImageRef] = [:]
    for place in places {
      let tile = TileCoord(archiveKey: place.key)
      if let known = images[place.entry.offset] {
        try writer.addTile(tile, known)
        continue
      }
      let bytes = try tiles.bytes(of: place.entry)
      let image = try bytes.withUnsafeBytes { try writer.addImage($0, md5: MD5Digest(of: $0)) }
      images[place.entry.offset] = image
      try writer.addTile(tile, image)
    }
    let statistics = writer.statistics
    _ = try writer.finish { hashes in tiles.packed.rows(of: statistics, hashes) }
  }
}

extension ArchiveReader {
  /// Opens an archive, or a PMTiles file, a folder of tiles or the packs of a list as one.
  ///
  /// - Parameters:
  ///   - folder: the folder for the view of another container; `nil` for the system's.
  ///   - seconds: the deadline for everything that is read.
  ///   - isStopped: whether the run is to end.
  /// - Complexity: O(1) for an archive, O(bytes) for others.
  package static func opening(
    _ path: FilePath, in folder: FilePath? = nil, giveUpAfter seconds: Double = 3600,
    isStopped: (@Sendable () -> Bool)? = nil
  ) throws(ArchiveError) -> ArchiveReader {
    try opening(
      try HeldFile(archive: path), in: folder, giveUpAfter: seconds, isStopped: isStopped)
  }

  /// Opens a container that the caller holds open and may read in other ways, as
  /// ``opening(_:in:giveUpAfter:isStopped:)`` opens the one at a path.
  package static func opening(
    _ file: HeldFile, in folder: FilePath? = nil, giveUpAfter seconds: Double = 3600,
    isStopped: (@Sendable () -> Bool)? = nil
  ) throws(ArchiveError) -> ArchiveReader {
    guard
      PMTilesMetadata.isPMTiles(file) || FolderTiles.isFolder(file.address)
        || PackInspection.isList(file.path.string)
    else {
      return try ArchiveReader(file, giveUpAfter: seconds, isStopped: isStopped)
    }
    // The open database keeps the file after its name is gone.
    let view = try ArchiveView(of: file, in: folder, isStopped: isStopped)
    return try withExtendedLifetime(view) { () throws(ArchiveError) in
      try ArchiveReader(
        file.path, content: view.path, giveUpAfter: seconds, isStopped: isStopped)
    }
  }
}
