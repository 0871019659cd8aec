import Definition
import Inputs
import Fetching
import MBTiles
import Reuse
import Series
import SystemPackage
import Tiling

/// The content of `plan.json`: everything that shards and the merge need besides the files that it
/// lists. docs/scale-out.md describes it.
struct PlanDocument: Codable, Hashable {
  static let format = "quadrille-plan"
  static let version = 1

  var format = PlanDocument.format
  var version = PlanDocument.version
  var program: Program
  var pipeline: Pipeline
  var options: Options
  var sources: [Source]

  /// The files of sprites and images that were fetched.
  var sprites: [Fetched]

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
  struct Program: Codable, Hashable {
    var version: String

    /// SHA-256 of the program's file.
    var sha256: String

    /// The architecture of the machine, such as `x86_64`.
    var machine: String

    /// The place and times of the file (`ProgramIdentity`), which tell a machine that has it in
    /// front of it that it need not be read.
    var file: String?
  }

  /// The pipeline, from which its definition is decoded again.
  struct Pipeline: Codable, Hashable {
    /// The path of the pipeline file as the user entered it.
    var file: String
    var including: [String]

    /// The copies of the pipeline's files, by their paths.
    var documents: [String: String]

    /// The values of the environment's variables; those that only locate data are masked.
    var variables: [String: String]

    /// The copies of input files, by their paths.
    var copies: [String: String]
  }

  /// The options of the command line that affect the archives.
  struct Options: Codable, Hashable {
    var output: String?
    var minZoom: Int?
    var maxZoom: Int?
    var bounds: Bounds?

    /// The zooms and the format that the pipeline's budget decided.
    var choice: TileBudget.Choice?
  }

  struct Bounds: Codable, Hashable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double
  }

  /// The findings about a source of the run that made the plan.
  struct Source: Codable, Hashable {
    var name: String

    /// The table or layer in the keys of its features.
    var layer: String
    var fetched: [Fetched]
    var absence: String?
    var absentAddresses: [String]
    var notes: [String]
  }

  struct Fetched: Codable, Hashable {
    var uri: String
    var path: String
    var etag: String?
    var lastModified: String?
    var sha256: String
    var bytes: Int64

    /// Whether fetching failed, and this is the last copy; otherwise it depends on the run whether a
    /// server sent it.
    var isLastGood: Bool?
  }

  struct Archive: Codable, Hashable {
    /// The pixel density.
    var scale: Int

    /// The number of rows.
    var rows: Int

    /// The hash of all rows and their scenes, two words.
    var rowsHash: [UInt64]

    /// Whether any tile is drawn.
    var drawsAnything: Bool

    /// `dedup` or `flat`.
    var layout: String

    /// The sample that decided the layout; `nil` where none was needed.
    var estimate: Estimate?

    /// The hash of everything besides the scene that decides a tile's bytes: fonts, palette, size.
    var paint: String
    var extents: [Extent]
    var notes: [String]
    var inputs: Inputs
  }

  struct Estimate: Codable, Hashable {
    var rows: Int
    var images: Int
    var bytesPerImage: Double
    var secondsPerImage: Double
  }

  struct Series: Codable, Hashable {
    /// The frames, with the copies of their images.
    var frames: StoredSeries

    /// The inputs that the archives of all frames share, for each pixel density.
    var inputs: [Inputs]
  }

  /// The columns and rows (XYZ) of the tiles of a zoom.
  struct Extent: Codable, Hashable {
    var zoom: Int
    var columns: [Int]
    var rows: [Int]
  }

  /// The inputs of an archive, as its metadata names them.
  struct Inputs: Codable, Hashable {
    var options: String
    var sources: [Source]
    var fonts: [File]
    var sprites: [File]

    /// The libraries that set text, with their versions.
    var libraries: [String]

    struct Source: Codable, Hashable {
      var name: String
      var files: [File]
    }

    struct File: Codable, Hashable {
      var role: String
      var name: String
      var sha256: String
    }
  }

  /// A range of the rows of all archives or of the frames of all series, in their order.
  struct Shard: Codable, Hashable {
    var firstRow: Int
    var rows: Int

    /// The estimated time of painting on one core, in seconds.
    var seconds: Double

    /// The estimated size of its images in bytes.
    var bytes: Int

    var range: Range<Int> { firstRow..<firstRow + rows }
  }

  /// A file of the folder.
  struct File: Codable, Hashable {
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
