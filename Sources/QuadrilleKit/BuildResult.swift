import Features
public import Foundation
import Reports
import Runs

/// The outcome of a build: one for each archive, that is for each pixel density of the pipeline.
public struct BuildResult: Hashable, Sendable {
  /// The outcome for the archive.
  public enum Outcome: String, Hashable, Sendable {
    /// A new archive replaced the last.
    case published
    /// The inputs have not changed since the last archive, which stays in place.
    case unchanged
    /// Another run held the archive's lock, and this one left the archive to it.
    case skipped
  }

  /// The content of one zoom.
  public struct Zoom: Hashable, Sendable {
    /// The zoom, 0 … 22.
    public let zoom: Int
    /// The number of points that the clusters and lone points of this zoom represent.
    public let points: Int
    /// The drawn features: clusters, lone points, lines and polygons.
    public let features: Int
    /// The number of tiles in the archive, including empty ones.
    public let tiles: Int
    /// The tiles that share one transparent image.
    public let empty: Int
    /// The number of different images.
    public let distinct: Int
    /// The total size of the different images in bytes.
    public let bytes: Int
  }

  /// The time that a stage took.
  public struct Stage: Hashable, Sendable {
    /// The stage's name, as in ``BuildProgress``.
    public let name: String
    /// Its time by the wall clock.
    public let seconds: Double
  }

  /// The tileset's name.
  public let name: String

  /// Whether a new archive was published.
  public let outcome: Outcome

  /// The file of the archive; for an image series its manifest.
  public let archive: URL

  /// The size of the archive in bytes.
  public let bytes: Int

  /// The root of the hash tree over all tiles, in lower-case hexadecimal digits: equal digests,
  /// equal tiles.
  public let digest: String

  /// The records of each source, in the order of the pipeline.
  public let sources: [SourceResult]

  /// The zooms, ascending; empty if nothing was built.
  public let zooms: [Zoom]

  /// The stages in the order in which they ended.
  public let stages: [Stage]

  /// Notes on a run that succeeded, a sentence each.
  public let notes: [String]

  init(_ report: BuildReport, hiding redactions: RedactionList) {
    name = report.pipeline
    outcome =
      switch report.result {
      case .published: .published
      case .unchanged: .unchanged
      case .skipped: .skipped
      }
    archive = URL(file: report.archive.path)
    bytes = report.archive.bytes
    digest = report.archive.digest
    sources = report.sources.map { SourceResult(name: $0.name, $0.ledger) }
    zooms = report.zooms.map {
      Zoom(
        zoom: $0.zoom, points: $0.points, features: $0.clusters, tiles: $0.tiles, empty: $0.empty,
        distinct: $0.distinct, bytes: $0.bytes)
    }
    stages = report.stages.map { Stage(name: $0.name, seconds: $0.seconds) }
    notes = report.notes.map { redactions.redact($0) }
  }
}

/// The outcomes of the records of a source: read = used + filtered + noGeometry + beyondMap + limited
/// + rejected.
public struct SourceResult: Hashable, Sendable {
  /// The name under `sources:`.
  public let name: String
  /// The records of the source's data.
  public let read: Int
  /// The records that are on the map.
  public let used: Int
  /// The records that `filter` or `where` leaves out.
  public let filtered: Int
  /// The records without a place.
  public let noGeometry: Int
  /// The records beyond ±85.0511° latitude.
  public let beyondMap: Int
  /// The records that `featureLimit` leaves out of every zoom.
  public let limited: Int
  /// The records that cannot be read.
  public let rejected: Int

  init(name: String, _ ledger: SourceLedger) {
    self.name = name
    read = ledger.read
    used = ledger.used
    filtered = ledger.filtered
    noGeometry = ledger.noGeometry
    beyondMap = ledger.beyondMap
    limited = ledger.limited
    rejected = ledger.rejectedTotal
  }
}
