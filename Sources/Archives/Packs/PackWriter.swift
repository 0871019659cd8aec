import Files
import Foundation
package import MBTiles
import Pictures
package import Runs
package import SystemPackage
package import Tiling

/// The archive that is divided into packs, which several threads read.
package final class PackSource: Sendable {
  package let archive: FilePath

  /// Whether the archive is a PMTiles file, and its packs are.
  let isPacked: Bool

  /// The tiles of a PMTiles file.
  private let view: ArchiveView?
  private let cancellation: Cancellation

  /// - Parameter scratch: the folder of a temporary archive of the tiles of a PMTiles file; `nil` for
  ///   the system's.
  package init(
    _ archive: FilePath, scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.archive = archive
    self.cancellation = cancellation
    isPacked = PMTilesMetadata.isPMTiles(archive)
    view =
      isPacked
      ? try ArchiveView(
        of: HeldFile(archive: archive), in: scratch, isStopped: cancellation.isStopped) : nil
  }

  /// Opens the tiles for one thread.
  package func reader() throws(ArchiveError) -> ArchiveReader {
    try ArchiveReader(archive, content: view?.path, isStopped: cancellation.isStopped)
  }
}

/// A writer of packs for one thread.
package final class PackWriter {
  /// A pack to write.
  package struct Job: Sendable {
    /// The place of the pack among all.
    package var index: Int
    /// The path of the new file, which must not exist.
    package var path: FilePath
    /// The name of the tileset.
    package var title: String
    package var mark: PackMark
    /// The box of the region; `nil` for that of the archive.
    package var bounds: GeoBounds?
    package var tiles: TileRuns

    package init(
      index: Int, path: FilePath, title: String, mark: PackMark, bounds: GeoBounds?,
      tiles: TileRuns
    ) {
      self.index = index
      self.path = path
      self.title = title
      self.mark = mark
      self.bounds = bounds
      self.tiles = tiles
    }
  }

  /// A pack that is written, verified and on the disk, but not published.
  package struct Written: Sendable {
    package let index: Int
    package let state: ArchiveState
    package let zooms: ClosedRange<Int>
    package let tiles: Int
    package let bytes: Int
    package let sha256: String
  }

  private let source: PackSource
  private let reader: ArchiveReader
  private let scratch: FilePath?
  private let cancellation: Cancellation

  package init(
    _ source: PackSource, scratch: FilePath?, _ cancellation: Cancellation
  ) throws(ArchiveError) {
    self.source = source
    self.scratch = scratch
    self.cancellation = cancellation
    reader = try source.reader()
  }

  /// Writes a pack.
  ///
  /// - Throws: ``PipelineError`` and ``ArchiveError``; files of a PMTiles pack but the one at its
  ///   path are removed.
  /// - Complexity: O(bytes of its tiles).
  package func write(_ job: Job) throws -> Written {
    let archive = source.isPacked ? FilePath("\(job.path)-archive") : job.path
    defer { if source.isPacked { unlink(archive.string) } }
    let writer = try ExtractWriter(archive, of: reader, scratch: scratch, cancellation)
    var count = 0
    var gaps = BlankTiles.gaps(format, in: job.bounds)
    try reader.forEachTile(in: job.tiles) { tile, bytes, md5 in
      for added in try gaps.tiles(before: tile, bytes) {
        try added.bytes.withUnsafeBytes {
          try writer.append(added.tile, $0, md5: MD5Digest(of: $0), isCleared: true)
        }
      }
      try writer.append(tile, bytes, md5: md5 ?? MD5Digest(of: bytes))
      count += 1
      if count & 1023 == 0 { try cancellation.check() }
    }
    let tileset = description(of: job, writer.statistics)
    var taps: String?
    let summary = try writer.finish { hashes, own in
      taps = own.first?.value
      return tileset.rows(
        hashes: hashes,
        own: [
          MetadataEntry("\(ArchiveMetadata.prefix)version", PipelineVersion.current),
          job.mark.entry,
        ] + own)
    }
    let planned = job.tiles.count + gaps.count
    guard summary.tiles == planned else {
      throw PipelineError(
        .bug, "\(summary.tiles) tiles were written where \(planned) were planned.")
    }
    _ = try writer.verify(summary)
    if source.isPacked {
      try ArchivePacking.pack(archive, to: job.path, scratch: scratch, cancellation)
    }
    return Written(
      index: job.index,
      state: ArchiveState(tiles: summary.hashes?.digest ?? "", taps: taps),
      zooms: tileset.zooms, tiles: summary.tiles,
      bytes: try FileStatus.size(of: job.path),
      sha256: try SettledFile(job.path, isStopped: cancellation.isStopped).wait())
  }

  /// The format of the tiles.
  private var format: TileFormat {
    reader.metadata["format"].flatMap { TileFormat(metadata: $0) } ?? .png
  }

  private func description(of job: Job, _ taken: [ZoomStatistics]) -> TilesetDescription {
    let metadata = StoredMetadata(
      reader.metadata.entries.map { entry in
        entry.name == "name" ? MetadataEntry(entry.name, job.title) : entry
      })
    return TilesetDescription(
      metadata, format: format,
      fallbackName: job.title,
      selection: TileSelection(area: job.bounds.map { BoxArea($0) }), taken: taken)
  }
}
