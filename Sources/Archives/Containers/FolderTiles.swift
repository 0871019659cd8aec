import Foundation
import MBTiles
import Pictures
import Runs
import SystemPackage
import Tilesets
import Tiling

/// The tiles of a folder of files, `z/x/y.png` with a TileJSON beside them, as `export` and other
/// programs write it.
///
/// Files that are not named like tiles are left out; the content of the others is not trusted.
struct FolderTiles {
  private let tileset: FolderTileset

  /// - Throws: ``ArchiveError``, also for tiles without a TileJSON: it says how rows are counted.
  init(_ folder: FilePath) throws(ArchiveError) {
    tileset = try FolderTileset(folder)
    guard tileset.headFile != nil else {
      throw ArchiveError(
        damagedFolder: folder, "has no \(FolderSink.descriptionName) that describes its tiles")
    }
  }

  /// Whether there is a folder at a path.
  static func isFolder(_ path: FilePath) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path.string, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// Writes an archive of the tiles.
  ///
  /// - Complexity: O(bytes).
  func write(to path: FilePath, isStopped: @escaping @Sendable () -> Bool) throws(ArchiveError) {
    let folder = tileset.path
    let writer = try ArchiveWriter(path: path, layout: .dedup, isStopped: isStopped)
    var format: TileFormat?
    for zoom in 0...TileCoord.maxZoom {
      for tile in try tiles(zoom: zoom) {
        if isStopped() { throw ArchiveError(.stopped(while: "reading"), path: folder) }
        guard let bytes = try tileset.storedTile(tile), !bytes.isEmpty else { continue }
        format = format ?? bytes.withUnsafeBytes { TileFormat(sniffing: $0) }
        let image = try bytes.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
          let bytes = UnsafeRawBufferPointer(bytes)
          return try writer.addImage(bytes, md5: MD5Digest(of: bytes))
        }
        try writer.addTile(tile, image)
      }
    }
    let statistics = writer.statistics
    guard let format, !statistics.isEmpty else {
      throw ArchiveError(damagedFolder: folder, "has no tiles, files such as 3/4/5.png")
    }
    let description = TilesetDescription(
      StoredMetadata(rows(format)), format: format, fallbackName: folder.stem ?? "tiles",
      selection: TileSelection(), taken: statistics)
    _ = try writer.finish { hashes in
      description.rows(
        hashes: hashes,
        own: [MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current)])
    }
  }

  /// Returns the tiles of a zoom in archive order.
  ///
  /// - Throws: ``ArchiveError``, also for two files of one tile.
  private func tiles(zoom: Int) throws(ArchiveError) -> [TileCoord] {
    var keys: [TileKey] = []
    try tileset.forEachAddress(zoom: zoom, in: nil) { tile in
      keys.append(TileKey(tile))
      return true
    }
    keys.sort()
    for (key, next) in zip(keys, keys.dropFirst()) where key == next {
      throw ArchiveError(
        damagedFolder: tileset.path, "has two files of one tile: \(TileCoord(key, z: zoom))")
    }
    return keys.map { TileCoord($0, z: zoom) }
  }

  /// The metadata as rows of an archive.
  private func rows(_ format: TileFormat) -> [MetadataEntry] {
    func text(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
    func list(_ numbers: [Double]) -> String { numbers.map(text).joined(separator: ",") }
    let head = tileset.head
    let rows: [(name: String, value: String?)] = [
      ("format", format.rawValue), ("name", head.name), ("description", head.description),
      ("attribution", head.attribution), ("version", head.version),
      ("minzoom", head.minZoom.map { "\($0)" }), ("maxzoom", head.maxZoom.map { "\($0)" }),
      ("scale", head.scale.map(text)),
      ("bounds", head.bounds.map { list([$0.west, $0.south, $0.east, $0.north]) }),
      (
        "center",
        head.center.map {
          list([$0.longitude, $0.latitude] + [head.centerZoom].compactMap(\.self))
        }
      ),
    ]
    return rows.compactMap { row in row.value.map { MetadataEntry(row.name, $0) } }
  }
}
