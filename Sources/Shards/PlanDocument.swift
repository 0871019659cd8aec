import Baking
import Definition
import Features
import Fetching
import GDAL
import Inputs
import MBTiles
import Reuse
import Series
import SystemPackage
import Tiling

/// The content of `plan.json`: everything that shards and the merge need besides the files that it
/// lists. docs/scale-out.md describes it.
struct PlanDocument: Codable {
  static let format = "quadrille-plan"
  static let version = 2

  var format = PlanDocument.format
  var version = PlanDocument.version
  var program: Program
  var pipeline: Pipeline
  var options: Options
  var sources: [Source]

  /// The files of sprites and images that were fetched.
  var sprites: [FetchedFile]

  /// The archives, one for each pixel density, in ascending order; none for series.
  var archives: [Archive]

  /// The image series, each of which is painted frame by frame.
  var series: [Series]

  /// Notes on the data, a sentence each.
  var notes: [String]

  /// The shards in the order of their numbers; together they have all rows of all archives, in
  /// archive order, or all frames of all series, in the order of time.
  var shards: [Shard]

  /// All other files of the folder, except parts.
  var files: [File]

  /// The program that made the plan; another one would paint other bytes.
  struct Program: Codable {
    var version: String

    /// SHA-256 of the program's file.
    var sha256: String

    /// The architecture of the machine, such as `x86_64`.
    var machine: String

    /// The identity of the program's file (`ProgramIdentity`): a machine where it is the same need
    /// not hash the file.
    var file: String?
  }

  /// The pipeline, from which its definition is decoded again.
  struct Pipeline: Codable {
    /// The path of the pipeline file as the user entered it.
    var file: String
    var including: [String]
    var replacing: [SourceReplacement]

    /// The copies of the pipeline's files, by their paths.
    var documents: [String: String]

    /// The values of the environment's variables; those that only locate data are masked.
    var variables: [String: String]

    /// The copies of input files, by their paths.
    var copies: [String: String]

    /// The images that GDAL warped, by the names of their sources.
    var warped: [String: Warped]
  }

  /// The pixels of an image that GDAL warped.
  struct Warped: Codable {
    /// The file with the pixels.
    var pixels: String
    var hasValues: Bool
    var grid: RasterGrid

    /// The name of the image's format in GDAL, and the size of its files in bytes.
    var format: String
    var bytes: Int
  }

  /// The options of the command line that affect the archives.
  struct Options: Codable {
    var output: String?
    var minZoom: Int?
    var maxZoom: Int?
    var bounds: GeoBounds?

    /// The zooms and the format that the pipeline's budget allows.
    var choice: TileBudget.Choice?
  }

  /// The findings about a source of the run that made the plan.
  struct Source: Codable {
    var name: String

    /// The table or layer in the keys of its features.
    var layer: String
    var fetched: [FetchedFile]
    var absence: String?
    var absentAddresses: [String]
    var notes: [String]

    /// The facts about the vector tiles of which it is the first part; `nil` for other sources.
    var tileset: TilesetOutline?

    /// The tiles of a raster source that were fetched one by one; `nil` for other sources.
    var pictures: PictureOutline?
  }

  struct Archive: Codable {
    /// The pixel density.
    var scale: Int

    /// The number of rows.
    var rows: Int

    /// Whether any tile is drawn.
    var drawsAnything: Bool

    var decision: LayoutDecision

    /// The hash of everything besides the scene that decides a tile's bytes: fonts, palette, size.
    var paint: String
    var extents: [TileExtent]
    var notes: [String]
    var inputs: Provenance
  }

  struct Series: Codable {
    /// The frames, with the copies of their images.
    var frames: StoredSeries

    /// The inputs that the archives of all frames share, for each pixel density.
    var inputs: [Provenance]
  }

  /// A range of the rows of all archives or of the frames of all series, in their order.
  struct Shard: Codable {
    var firstRow: Int
    var rows: Int

    /// The estimated time of painting on one core, in seconds.
    var seconds: Double

    /// The estimated size of its images in bytes.
    var bytes: Int

    var range: Range<Int> { firstRow..<firstRow + rows }
  }

  /// A file of the folder.
  struct File: Codable {
    /// The path within the folder.
    var name: String
    var bytes: Int
    var sha256: String
  }
}

extension PlanDocument {
  /// The maximum number of rows of an archive, more than any has.
  private static let rowLimit = 1 << 40

  /// The numbers of rows or frames of all archives or series.
  private var counts: [Int] { archives.map(\.rows) + series.map(\.frames.count) }

  /// Returns the table of the shards.
  ///
  /// - Parameter pipeline: the name of the pipeline.
  func summary(of pipeline: String, in folder: FilePath) -> ShardPlanSummary {
    ShardPlanSummary(
      pipeline: pipeline, folder: folder.string, unit: unit,
      shards: shards.map {
        ShardPlanSummary.Shard(count: $0.rows, seconds: $0.seconds, bytes: $0.bytes)
      })
  }

  /// The unit into which the work is divided.
  var unit: ShardPlanSummary.Unit { series.isEmpty ? .tiles : .frames }

  /// Returns the parts of a range of rows or frames: the index of the archive or series, and the
  /// range within it.
  func sections(of range: Range<Int>) -> [(index: Int, range: Range<Int>)] {
    var first = 0
    return counts.enumerated().compactMap { index, count in
      defer { first += count }
      let own = range.clamped(to: first..<first + count)
      return own.isEmpty ? nil : (index, own.lowerBound - first..<own.upperBound - first)
    }
  }

  /// Whether the shards have the rows of all archives, each once and in order.
  var isSound: Bool {
    guard counts.count < 1000, archives.isEmpty || series.isEmpty,
      archives.flatMap(\.extents).allSatisfy(\.isOfTiles),
      sources.allSatisfy({ $0.tileset?.isSound != false && $0.pictures?.isSound != false }),
      (counts + shards.map(\.rows)).allSatisfy({ (0...Self.rowLimit).contains($0) })
    else { return false }
    var next = 0
    for shard in shards {
      guard shard.firstRow == next, next <= 1000 * Self.rowLimit else { return false }
      next += shard.rows
    }
    return next == counts.reduce(0, +)
  }
}
