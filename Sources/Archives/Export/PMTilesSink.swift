import JSON
import MBTiles
import PMTiles
import Runs
import SystemPackage
import Tiling

/// A sink that writes tiles to a PMTiles file.
final class PMTilesSink: TileSink {
  private let publication: ArchivePublication
  private let writer: PMTilesWriter
  private let format: TileFormat
  private let cancellation: Cancellation

  init(
    _ publication: ArchivePublication, _ format: TileFormat, scratch: FilePath?,
    _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.publication = publication
    self.format = format
    self.cancellation = cancellation
    writer = try PMTilesWriter(path: publication.temporary, scratch: scratch)
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws {
    guard format == .vector, !bytes.starts(with: [0x1F, 0x8B]) else {
      return try writer.append(tile, bytes)
    }
    // The header declares one compression for all tiles; most archives have gzip here already.
    guard let compressed = Gzip.compress(bytes) else {
      throw PipelineError(.inputOutput, "not enough memory to compress tile \(tile).")
    }
    try compressed.withUnsafeBytes { try writer.append(tile, $0) }
  }

  func publish(_ tileset: TilesetDescription, _ clock: StageClock) throws -> SinkOutcome {
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
      header, metadata: Array(TilesetJSON.pmtiles(tileset).line.utf8)
    ) { _ in try cancellation.check() }
    try prove(summary)
    try publication.commit()
    let leaves =
      summary.leaves == 0
      ? "one directory" : "\(ReportNumber.count(summary.leaves)) leaf directories"
    return SinkOutcome(
      bytes: summary.bytes,
      detail: "\(ReportNumber.count(summary.contents)) distinct in "
        + "\(ReportNumber.count(summary.entries)) entries, \(leaves)")
  }

  /// Verifies the written file by reading it back.
  private func prove(_ summary: PMTilesSummary) throws {
    let check = try PMTilesCheck(try PMTilesReader(publication.temporary))
    guard check.faults.isEmpty, check.tiles == summary.tiles else {
      throw PipelineError(
        .bug, "the new file failed its verification and was not published.",
        cause: check.faults.first ?? "it has \(check.tiles) of \(summary.tiles) tiles")
    }
  }
}
