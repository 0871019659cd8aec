package import Features
package import Fetching
package import MBTiles
package import Runs

/// The report on one build of one archive.
package struct BuildReport: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable {
    /// A new archive replaced the last.
    case published
    /// The inputs have not changed since the last archive, which stays in place.
    case unchanged
    /// Another run held the lock of the archive, and this one left the archive to it.
    case skipped
  }

  /// The tileset's name.
  package var pipeline: String

  /// The pipeline's file, as ``PipelineFile`` names it; `nil` where it is not known.
  package var pipelineFile: String?

  package var result: Result

  /// The sources in the order of the pipeline file.
  package var sources: [SourceReport] = []

  /// The stages in the order in which they ended.
  package var stages: [StageTime] = []

  /// The zooms, ascending.
  package var zooms: [ZoomReport] = []

  package var tiles = TileReport()

  /// How the tiles came into a new archive; `nil` for one that stays, and for a series.
  package var making: Making?

  /// The reasons for making scenes or records of all data; empty where a part was enough, or nothing is
  /// kept between runs.
  package var anew: [WhyNot] = []

  /// How the tiles of an archive came into its file.
  package enum Making: Hashable, Sendable {
    /// From the last archive, but for what changed.
    case copied
    case whole(WhyNot)
  }

  /// The blocks of vector tiles; `nil` if tilesets are not read block by block.
  package var blocks: Blocks?

  /// The numbers of blocks of vector tiles.
  package struct Blocks: Hashable, Sendable {
    /// The number of blocks whose scenes were made.
    package var made = 0

    /// The number of blocks whose scenes were taken from the last build, because nothing that they depend on
    /// has changed.
    package var known = 0

    package init() {}
  }

  /// The summary of the archive's grids for hit tests; `nil` without grids.
  package var grids: GridSummary?

  /// The content of an archive that stays in place, for the metrics; `nil` for a new one.
  package var standing: ArchiveContent?

  /// The difference from the archive that was replaced; `nil` where there was none.
  package var changes: TileChanges?

  /// Some of the tiles that differ, with both images; only on request.
  package var changedTiles: [ChangedTile] = []

  /// The deltas that lead from earlier archives to this one.
  package var deltas: [DeltaReport] = []

  /// The packs of the archive's regions; `nil` where it is not divided.
  package var packs: PackReport?

  /// The archive. For an image series this is the manifest, and the bytes are those of all its
  /// archives.
  package var archive: ArchiveReport

  /// Notes for the user on a run that succeeded, a sentence each.
  package var notes: [String] = []
  /// The outcomes of the frames, where the pipeline has a series.
  package var series: SeriesReport?

  /// The peaks of the process's memory.
  package var memory = MemoryUse()

  package init(pipeline: String, result: Result, archive: ArchiveReport) {
    self.pipeline = pipeline
    self.result = result
    self.archive = archive
  }
}

/// The outcomes of the records of a source.
package struct SourceReport: Hashable, Sendable {
  /// The name under `sources:`.
  package var name: String

  /// The path of the file as the user entered it, for the places of examples.
  package var file: String

  package var ledger: SourceLedger

  /// The report on the image, for an image source instead of records.
  package var image: ImageReport?

  /// The files that were fetched for the source, in the order of the requests.
  package var fetched: [FetchedFile] = []

  /// The reason why the source was left out; `nil` for one that took part.
  package var absence: String?

  /// Whether the records were taken from the cache: an earlier run read the same data.
  package var isCached: Bool

  /// Whether the clusters were taken from the cache.
  package var hasCachedClusters: Bool

  package init(
    name: String, file: String, ledger: SourceLedger, image: ImageReport? = nil,
    fetched: [FetchedFile] = [], absence: String? = nil, isCached: Bool = false,
    hasCachedClusters: Bool = false
  ) {
    self.name = name
    self.file = file
    self.ledger = ledger
    self.image = image
    self.fetched = fetched
    self.absence = absence
    self.isCached = isCached
    self.hasCachedClusters = hasCachedClusters
  }
}

extension SourceReport {
  /// Returns the report with the values of variables masked in its examples, which are written to a
  /// file.
  package func redacted(by list: RedactionList) -> SourceReport {
    var report = self
    if !list.isEmpty { report.ledger.rewordExamples(list.redact) }
    return report
  }
}

/// The image shown by a source.
package struct ImageReport: Hashable, Sendable {
  /// The format, `PNG` or `JPEG`, detected from its bytes.
  package var format: String

  /// The size in pixels.
  package var width: Int
  package var height: Int

  package init(format: String, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

/// The content of one zoom.
package struct ZoomReport: Hashable, Sendable {
  package var zoom: Int

  /// The points represented by clusters and lone points at this zoom: all that are used.
  package var points = 0

  /// The drawn features: clusters, lone points, lines and polygons.
  package var clusters = 0

  /// The points, lines and polygons that a `featureLimit` leaves out of this zoom.
  package var limited = 0

  /// The number of rows of the archive, including empty tiles.
  package var tiles = 0

  /// The number of rows with the shared transparent tile.
  package var empty = 0

  /// The number of different images among the rows.
  package var distinct = 0

  /// The total bytes of the different images.
  package var bytes = 0

  /// The distribution of the sizes of its tiles in bytes, without empty tiles.
  package var sizes = TileSizes()

  package init(zoom: Int) {
    self.zoom = zoom
  }

  /// Creates the report of the counted rows of an archive, whose content is not known.
  package init(_ counted: ZoomStatistics) {
    self.init(zoom: counted.zoom)
    tiles = counted.tiles
    empty = counted.empty
    distinct = counted.distinct
    bytes = counted.distinctBytes
    sizes = counted.sizes
  }
}

/// The counts of the drawn tiles.
package struct TileReport: Hashable, Sendable {
  /// The number of rows that the plan counted.
  package var planned = 0

  /// The number of images drawn in this build.
  package var rendered = 0

  /// The number of rows whose image was reused: from an equal scene, a cache or the last archive.
  package var reused = 0

  /// The number of different images in the archive.
  package var distinct = 0

  /// The total bytes of the different images.
  package var bytes = 0

  package init() {}
}

/// The archive that the build published or left in place.
package struct ArchiveReport: Hashable, Sendable {
  package var path: String

  /// The size of the file in bytes.
  package var bytes: Int

  /// SHA-256 of the file, lower-case hex; "" where the build did not read all of it, since it copied
  /// what stayed the same.
  package var sha256: String

  /// The root of the hash tree over the tiles, lower-case hex: equal digests, equal tiles.
  package var digest: String

  package init(path: String, bytes: Int = 0, sha256: String = "", digest: String = "") {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.digest = digest
  }
}

/// A delta that leads to the archive.
package struct DeltaReport: Hashable, Sendable {
  /// The name of the file, which is beside the archive.
  package var file: String

  /// The digest of the archive to which the delta applies.
  package var before: String

  /// The size of the file in bytes.
  package var bytes: Int

  package init(file: String, before: String, bytes: Int) {
    self.file = file
    self.before = before
    self.bytes = bytes
  }
}
