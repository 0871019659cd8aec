package import Features
package import Fetching
package import MBTiles
package import Runs

/// What happened in one build of one archive.
package struct BuildReport: Hashable, Sendable {
  package enum Result: String, Hashable, Sendable {
    /// A new archive took the place of the last.
    case published
    /// The inputs are those of the last archive, which stays as it is.
    case unchanged
    /// Another run holds the archive, and this one left it to that.
    case skipped
  }

  /// The tileset's name.
  package var pipeline: String

  package var result: Result

  /// In the order of the pipeline file.
  package var sources: [SourceReport] = []

  /// In the order in which they ended.
  package var stages: [StageTime] = []

  /// Ascending.
  package var zooms: [ZoomReport] = []

  package var tiles = TileReport()

  /// What the archive holds for taps; `nil` without grids.
  package var grids: GridSummary?

  /// What is known of an archive that stays as it is, for the metrics; `nil` for another.
  package var standing: ArchiveContent?

  /// What differs from the archive that was replaced; `nil` where there was none.
  package var changes: TileChanges?

  /// Some of the tiles that differ, with both images; only where they were asked for.
  package var changedTiles: [ChangedTile] = []

  /// The deltas that lead from earlier archives to this one.
  package var deltas: [DeltaReport] = []

  /// Of an image series this is the manifest, and the bytes are those of all its archives.
  package var archive: ArchiveReport

  /// What the user should know although the run succeeded, a sentence each.
  package var notes: [String] = []
  /// What became of the frames, where the pipeline has a series.
  package var series: SeriesReport?

  /// The most memory that the process held, in bytes.
  package var peakMemoryBytes = 0

  package init(pipeline: String, result: Result, archive: ArchiveReport) {
    self.pipeline = pipeline
    self.result = result
    self.archive = archive
  }
}

/// What became of the records of a source.
package struct SourceReport: Hashable, Sendable {
  /// The name under `sources:`.
  package var name: String

  /// The file as the user named it, for the places of examples.
  package var file: String

  package var ledger: SourceLedger

  /// What an image source has instead of records.
  package var image: ImageReport?

  /// What was fetched for the source, in the order of the requests.
  package var fetched: [FetchedFile] = []

  /// Why the source was left out; `nil` for one that took part.
  package var absence: String?

  /// Whether the records were taken from the cache: an earlier run read the same data.
  package var isCached: Bool

  /// Whether the clusters were.
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
  /// The same without the values of variables in its examples, which go into a file.
  package func redacted(by list: RedactionList) -> SourceReport {
    var report = self
    if !list.isEmpty { report.ledger.rewordExamples(list.redact) }
    return report
  }
}

/// The image that a source showed.
package struct ImageReport: Hashable, Sendable {
  /// `PNG` or `JPEG`, told by its bytes.
  package var format: String

  /// Pixels.
  package var width: Int
  package var height: Int

  package init(format: String, width: Int, height: Int) {
    self.format = format
    self.width = width
    self.height = height
  }
}

/// What one zoom holds.
package struct ZoomReport: Hashable, Sendable {
  package var zoom: Int

  /// Points that clusters and lone points stand for, counted at this zoom: all that are used.
  package var points = 0

  /// Clusters, points that stand alone, lines and polygons: what is drawn.
  package var clusters = 0

  /// Points, lines and polygons that a `featureLimit` leaves out of this zoom.
  package var limited = 0

  /// Rows of the archive, empty ones included.
  package var tiles = 0

  /// Rows that show the shared transparent tile.
  package var empty = 0

  /// Different images among the rows.
  package var distinct = 0

  /// Bytes of the different images.
  package var bytes = 0

  /// How many bytes its tiles have, those left out that are empty.
  package var sizes = TileSizes()

  package init(zoom: Int) {
    self.zoom = zoom
  }

  /// The rows of an archive, counted; of what they show nothing is known.
  package init(_ counted: ZoomStatistics) {
    self.init(zoom: counted.zoom)
    tiles = counted.tiles
    empty = counted.empty
    distinct = counted.distinct
    bytes = counted.distinctBytes
    sizes = counted.sizes
  }
}

/// What was drawn.
package struct TileReport: Hashable, Sendable {
  /// Rows that the plan counted.
  package var planned = 0

  /// Images drawn in this build.
  package var rendered = 0

  /// Rows whose image was taken from elsewhere: an equal scene, a cache, the last archive.
  package var reused = 0

  /// Different images in the archive.
  package var distinct = 0

  /// Bytes of the different images.
  package var bytes = 0

  package init() {}
}

/// The archive that the build published or left.
package struct ArchiveReport: Hashable, Sendable {
  package var path: String

  /// The size of the file.
  package var bytes: Int

  /// SHA-256 of the file, lower-case hex.
  package var sha256: String

  /// SHA-256 over (z, x, y, tile bytes) in order, lower-case hex: equal digests, equal tiles.
  package var digest: String

  package init(path: String, bytes: Int = 0, sha256: String = "", digest: String = "") {
    self.path = path
    self.bytes = bytes
    self.sha256 = sha256
    self.digest = digest
  }
}

/// One delta that leads to the archive.
package struct DeltaReport: Hashable, Sendable {
  /// The name of the file, which lies beside the archive.
  package var file: String

  /// The digest of the archive from which it leads.
  package var before: String

  /// The size of the file.
  package var bytes: Int

  package init(file: String, before: String, bytes: Int) {
    self.file = file
    self.before = before
    self.bytes = bytes
  }
}
