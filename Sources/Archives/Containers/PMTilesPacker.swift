import JSON
import MBTiles
import Pictures
import PMTiles
package import Runs
package import SystemPackage
import Tiling

/// A writer of a PMTiles file from tiles in any order.
final class PMTilesPacker {
  /// The maximum number of bytes of a tile that is decompressed to be compressed again.
  private static let tileLimit = 64 << 20

  private let path: FilePath
  private let writer: PMTilesWriter
  private let format: TileFormat
  private let cancellation: Cancellation

  /// - Parameter path: the path of the new file, which must not exist.
  init(
    _ path: FilePath, _ format: TileFormat, scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.path = path
    self.format = format
    self.cancellation = cancellation
    writer = try PMTilesWriter(path: path, scratch: scratch)
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer) throws {
    guard format == .vector, TileFormat(sniffing: bytes) != .vector else {
      return try writer.append(tile, bytes)
    }
    // The header declares one compression for all tiles; vector tiles in most archives are gzip
    // already.
    let plain =
      Gzip.Wrapper(bytes) == .zlib ? Gzip.decompress(bytes, .zlib, limit: Self.tileLimit) : nil
    let compressed =
      plain.map { $0.withUnsafeBytes { Gzip.compress($0) } } ?? Gzip.compress(bytes)
    guard let compressed else {
      throw PipelineError(.inputOutput, "not enough memory to compress tile \(tile).")
    }
    try compressed.withUnsafeBytes { try writer.append(tile, $0) }
  }

  /// Writes the file and verifies it by reading it back.
  ///
  /// - Parameter rows: the metadata of the archive from which all tiles were taken; `nil` for a
  ///   part of one.
  func finish(_ tileset: TilesetDescription, rows: [MetadataEntry]?) throws -> PMTilesSummary {
    var header = PMTilesHeader()
    header.tileType = PMTilesHeader.TileType(format)
    header.tileCompression = format == .vector ? .gzip : .none
    header.minZoom = UInt8(tileset.zooms.lowerBound)
    header.maxZoom = UInt8(tileset.zooms.upperBound)
    let bounds = tileset.bounds
    header.bounds = [bounds.west, bounds.south, bounds.east, bounds.north].map(PMTilesHeader.units)
    header.centerZoom = UInt8(tileset.centerZoom)
    header.center = [tileset.center.longitude, tileset.center.latitude].map(PMTilesHeader.units)
    let summary = try writer.finish(
      header, metadata: Array(TilesetJSON.pmtiles(tileset, rows: rows).line.utf8)
    ) { _ in try cancellation.check() }
    let check = try PMTilesCheck(try PMTilesReader(path))
    guard check.faults.isEmpty, check.tiles == summary.tiles else {
      throw PipelineError(
        .bug, "the new file failed its verification and was not published.",
        cause: check.faults.first ?? "it has \(check.tiles) of \(summary.tiles) tiles")
    }
    return summary
  }
}

/// The packing of an archive that this program wrote as a PMTiles file.
package enum ArchivePacking {
  /// Writes all tiles of an archive to a new file, as `export` does.
  ///
  /// - Parameters:
  ///   - archive: a whole archive with tiles.
  ///   - path: the path of the new file, which must not exist.
  /// - Throws: ``PipelineError`` and ``ArchiveError``.
  /// - Complexity: O(bytes).
  package static func pack(
    _ archive: FilePath, to path: FilePath, scratch: FilePath?, _ cancellation: Cancellation
  ) throws {
    let reader = try ArchiveReader(archive, isStopped: cancellation.isStopped)
    guard try reader.firstTile() != nil else {
      throw PipelineError(
        .unexpected,
        "nothing is drawn, and a PMTiles file has at least one tile. Name an .mbtiles archive in "
          + "'output', which may be empty.")
    }
    let format = reader.metadata["format"].flatMap { TileFormat(metadata: $0) } ?? .png
    let packer = try PMTilesPacker(path, format, scratch: scratch, cancellation)
    var tiles = SelectedTiles(reader, TileSelection()) { _ in [] }
    var count = 0
    try tiles.forEach { tile, bytes, _ in
      try packer.append(tile, bytes)
      count += 1
      if count & 1023 == 0 { try cancellation.check() }
    }
    let tileset = TilesetDescription(
      reader.metadata, format: format, fallbackName: "tiles", selection: TileSelection(),
      taken: tiles.zooms)
    _ = try packer.finish(tileset, rows: reader.packedRows)
  }
}

extension ArchiveReader {
  /// The rows of the metadata that a PMTiles file of all tiles holds: those of an archive of this
  /// program without taps, which such a file cannot have.
  var packedRows: [MetadataEntry]? {
    guard metadata.otherRows == 0, metadata[ArchiveMetadata.digestKey] != nil,
      metadata[ArchiveMetadata.tapsKey] == nil
    else { return nil }
    return metadata.entries
  }
}
