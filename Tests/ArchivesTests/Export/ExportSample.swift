import Foundation
import MBTiles
import PipelineSamples
import SystemPackage
import TestSupport
import Tiling

@testable import Archives
@testable import Pipeline
@testable import Runs

/// An archive that was built, and what is taken out of it.
struct ExportSample {
  let sample: BuildSample

  init(layout: String = "dedup", tiles: String = "{maxzoom: 5, snap: 1}") throws {
    sample = try BuildSample(tiles: tiles, output: "{path: out.mbtiles, layout: \(layout)}")
    try sample.build()
  }

  var archive: String { path("out.mbtiles") }

  func path(_ name: String) -> String { sample.folder.path(name) }

  /// Takes tiles into a container that the name means.
  @discardableResult
  func export(
    to name: String, from archive: String? = nil, _ change: (inout ExportOptions) -> Void = { _ in }
  ) throws -> ExportSummary {
    var options = ExportOptions(
      archive: archive ?? self.archive, output: path(name),
      container: TileContainer(ofPath: name))
    change(&options)
    return try PipelineRunner.export(
      options, cancellation: Cancellation(), progress: { _ in })
  }

  /// The tiles of an archive.
  func tiles(_ name: String = "out.mbtiles") throws -> [TileCoord: [UInt8]] {
    var tiles: [TileCoord: [UInt8]] = [:]
    try ArchiveReader(FilePath(path(name))).forEachTile { tile, bytes throws(ArchiveError) in
      tiles[tile] = Array(bytes)
    }
    return tiles
  }

  func metadata(_ name: String) throws -> StoredMetadata {
    try ArchiveReader(FilePath(path(name))).metadata
  }
}
