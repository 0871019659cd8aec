import Archives
import MBTiles
import Runs
import Synchronization
import SystemPackage
import Tiling

/// An MBTiles archive, opened for reading.
///
/// ```swift
/// let archive = try TileArchive("stores.mbtiles")
/// let png = try archive.tile(zoom: 3, column: 4, row: 2)
/// ```
///
/// It can be used by several threads at once; they take turns. A build that publishes a new archive
/// under the same name does not disturb it: it goes on reading the old one.
public final class TileArchive: Sendable {
  /// The feature at a place.
  public struct Tap: Hashable, Sendable {
    /// The feature's key.
    public let key: String
    /// Its fields as a JSON object; empty if the archive has none.
    public let json: String
  }

  /// The path as it was given.
  public let path: String

  /// The rows of the table `metadata`: `name`, `bounds`, `minzoom`, `attribution` …
  public let metadata: [String: String]

  /// The first and the last zoom that the metadata name; `nil` if they do not.
  public var minZoom: Int? { metadata["minzoom"].flatMap { Int($0) } }
  public var maxZoom: Int? { metadata["maxzoom"].flatMap { Int($0) } }

  private let reader: Mutex<ArchiveReader>

  /// The time limit of one read, in seconds: the file may be hostile.
  private static let limit = 60.0

  /// Opens an archive.
  ///
  /// - Throws: ``QuadrilleError`` if there is none at the path, or what is there is no archive.
  public init(_ path: String) throws(QuadrilleError) {
    let reader = try publicly { () throws(PipelineError) in try Self.open(path) }
    self.path = path
    metadata = Dictionary(
      reader.metadata.entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    self.reader = Mutex(reader)
  }

  private static func open(_ path: String) throws(PipelineError) -> sending ArchiveReader {
    do throws(ArchiveError) {
      return try ArchiveReader(FilePath(path), giveUpAfter: limit)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Reads from the file; the time limit begins with the turn of this thread.
  private func reading<Value: Sendable>(
    _ body: (ArchiveReader) throws(PipelineError) -> Value
  ) throws(QuadrilleError) -> Value {
    try publicly { () throws(PipelineError) in
      try reader.withLock { (reader) throws(PipelineError) in
        reader.giveUp(after: Self.limit)
        return try body(reader)
      }
    }
  }

  /// Returns the image of a tile, a PNG in archives of this program; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - zoom: 0 … 22.
  ///   - column: eastward from 180° W.
  ///   - row: southward from 85.0511° N, as in the urls of map viewers (XYZ).
  public func tile(zoom: Int, column: Int, row: Int) throws(QuadrilleError) -> [UInt8]? {
    let tile = TileCoord(z: zoom, x: column, y: row)
    return try reading { (reader) throws(PipelineError) in
      try PipelineError.wrapping { try reader.tile(tile) }
    }
  }

  /// Returns the feature that is drawn at a place; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - longitude: degrees eastward.
  ///   - latitude: degrees northward.
  ///   - zoom: the zoom of the tile that is tapped; `nil` for the last one.
  /// - Throws: ``QuadrilleError`` if the archive has no taps (`tiles.interactivity`).
  public func tap(
    longitude: Double, latitude: Double, zoom: Int? = nil
  ) throws(QuadrilleError) -> Tap? {
    let place = LngLat(longitude: longitude, latitude: latitude)
    return try reading { (reader) throws(PipelineError) in
      let taps = try PipelineError.wrapping { try ArchiveTap(reader) }
      return try taps.answer(at: place, zoom: zoom).map { Tap(key: $0.key, json: $0.entry) }
    }
  }
}
