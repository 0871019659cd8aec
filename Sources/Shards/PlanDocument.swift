import Definition
import Fetching
import MBTiles
import Reuse
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

  /// The archives, one for each pixel density, in ascending order.
  var archives: [Archive]

  /// Notes on the data, a sentence each.
  var notes: [String]

  /// The shards in the order of their numbers; together they have all rows of all archives, in
  /// archive order.
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
    var origin: String
    var checked: Int64
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

  /// A range of the rows of all archives, in their order.
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

  /// Whether the shards have the rows of all archives, each once and in order.
  var isSound: Bool {
    let counts = archives.map(\.rows) + shards.map(\.rows)
    guard archives.count < 100, counts.allSatisfy({ (0...Self.rowLimit).contains($0) }) else {
      return false
    }
    var next = 0
    for shard in shards {
      guard shard.firstRow == next, next <= 100 * Self.rowLimit else { return false }
      next += shard.rows
    }
    return next == archives.reduce(0) { $0 + $1.rows }
  }
}

// MARK: Values of other targets

extension PlanDocument.Bounds {
  init(_ bounds: GeoBounds) {
    self.init(west: bounds.west, south: bounds.south, east: bounds.east, north: bounds.north)
  }

  var value: GeoBounds { GeoBounds(west: west, south: south, east: east, north: north) }
}

extension PlanDocument.Fetched {
  init(_ file: FetchedFile) {
    self.init(
      uri: file.uri, path: file.path.string, etag: file.etag, lastModified: file.lastModified,
      sha256: file.sha256, bytes: file.bytes, origin: file.origin.rawValue, checked: file.checked)
  }

  /// - Parameter copies: the copies of input files, by their paths.
  func value(_ copies: [String: String]) -> FetchedFile {
    FetchedFile(
      uri: uri, path: FilePath(copies[path] ?? path), etag: etag, lastModified: lastModified,
      sha256: sha256, bytes: bytes, origin: FetchedFile.Origin(rawValue: origin) ?? .cache,
      checked: checked)
  }
}

extension PlanDocument.Extent {
  init(_ extent: TileExtent) {
    self.init(
      zoom: extent.zoom, columns: [extent.columns.lowerBound, extent.columns.upperBound],
      rows: [extent.rows.lowerBound, extent.rows.upperBound])
  }

  /// The extent; `nil` if it is not one.
  var value: TileExtent? {
    guard columns.count == 2, rows.count == 2 else { return nil }
    let corners = zip(columns, rows).map { TileCoord(z: zoom, x: $0, y: $1) }
    guard corners.allSatisfy(\.isValid) else { return nil }
    var extent = TileExtent(corners[0])
    extent.include(corners[1])
    return extent
  }
}

extension PlanDocument.Inputs {
  init(_ provenance: Provenance) {
    self.init(
      options: provenance.options,
      sources: provenance.sources.map { source in
        Source(name: source.name, files: source.files.map(File.init))
      }, fonts: provenance.fonts.map(File.init), libraries: provenance.libraries)
  }

  /// - Parameter program: SHA-256 of the program's file.
  func value(program: String) -> Provenance {
    Provenance(
      program: program, options: options,
      sources: sources.map { source in
        Provenance.Source(name: source.name, files: source.files.compactMap(\.value))
      }, fonts: fonts.compactMap(\.value), libraries: libraries)
  }
}

extension PlanDocument.Inputs.File {
  init(_ file: Provenance.File) {
    self.init(role: file.role.rawValue, name: file.name, sha256: file.sha256)
  }

  var value: Provenance.File? {
    Provenance.Role(rawValue: role).map { Provenance.File(role: $0, name: name, sha256: sha256) }
  }
}
