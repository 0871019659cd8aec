import MBTiles
import Pictures
import PMTiles
import Runs
import SystemPackage
import Tiling

/// A sink that writes tiles to a PMTiles file.
final class PMTilesSink: TileSink {
  private let publication: ArchivePublication
  private let packer: PMTilesPacker

  init(
    _ publication: ArchivePublication, _ format: TileFormat, scratch: FilePath?,
    _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.publication = publication
    packer = try PMTilesPacker(publication.temporary, format, scratch: scratch, cancellation)
  }

  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws {
    try packer.append(tile, bytes)
  }

  func publish(
    _ tileset: TilesetDescription, rows: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome {
    let summary = try packer.finish(tileset, rows: rows)
    try publication.commit()
    let leaves =
      summary.leaves == 0
      ? "one directory" : "\(ReportNumber.count(summary.leaves)) leaf directories"
    return SinkOutcome(
      bytes: summary.bytes,
      detail: "\(ReportNumber.count(summary.contents)) distinct in "
        + "\(ReportNumber.count(summary.entries)) entries, \(leaves)")
  }
}
