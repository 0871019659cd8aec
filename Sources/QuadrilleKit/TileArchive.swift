import Archives
public import Foundation
import MBTiles
import Runs
import Synchronization
import SystemPackage
import Tiling

/// An archive of tiles, opened for reading: an MBTiles or PMTiles file, or a folder of tiles.
///
/// ```swift
/// let archive = try TileArchive(url: URL(filePath: "stores.pmtiles"))
/// let png = try archive.tile(zoom: 3, column: 4, row: 2)
/// ```
///
/// It can be used by several threads at once; they take turns. A build that publishes a new archive
/// under the same name does not disturb it: it goes on reading the old one. The kind of a file is
/// decided by its content. Tiles of MBTiles and PMTiles files are read where they lie; a folder is
/// copied to a temporary archive first.
public final class TileArchive: Sendable {
  /// The feature at a place.
  public struct Tap: Hashable, Sendable {
    /// The feature's key.
    public let key: String
    /// Its fields as a JSON object; empty if the archive has none.
    public let json: String
  }

  /// The URL as it was given.
  public let url: URL

  /// The rows of the table `metadata`: `name`, `bounds`, `minzoom`, `attribution` … A PMTiles file has
  /// them in its header and its JSON.
  public let metadata: [String: String]

  /// The first zoom that the metadata name; `nil` if they do not.
  public var minZoom: Int? { metadata["minzoom"].flatMap { Int($0) } }

  /// The last zoom that the metadata name; `nil` if they do not.
  public var maxZoom: Int? { metadata["maxzoom"].flatMap { Int($0) } }

  private let tiles: Mutex<any StoredTiles>

  /// The time limit of one read, in seconds: the file may be hostile.
  private static let limit = 60.0

  /// Opens an archive.
  ///
  /// - Throws: ``QuadrilleError`` with ``QuadrilleError/Code/missingInput`` if there is no file at
  ///   `url`, and ``QuadrilleError/Code/badData`` if it is not an archive.
  /// - Complexity: O(1); of a folder O(bytes).
  public init(url: URL) throws(QuadrilleError) {
    let tiles = try publicly { () throws(PipelineError) in try Self.open(url) }
    self.url = url
    metadata = Dictionary(
      tiles.metadata.entries.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    self.tiles = Mutex(tiles)
  }

  private static func open(_ url: URL) throws(PipelineError) -> sending any StoredTiles {
    let path = FilePath(try url.filePath())
    do throws(ArchiveError) {
      return try TileContainer.opening(path, giveUpAfter: limit)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Reads from the file; the time limit begins with the turn of this thread.
  private func reading<Value: Sendable>(
    _ body: (any StoredTiles) throws(PipelineError) -> Value
  ) throws(QuadrilleError) -> Value {
    try publicly { () throws(PipelineError) in
      try tiles.withLock { (tiles) throws(PipelineError) in
        tiles.giveUp(after: Self.limit)
        return try body(tiles)
      }
    }
  }

  /// Returns the content of a tile; `nil` where there is none.
  ///
  /// Archives of this program have pictures: PNG, JPEG or WebP, as the row `format` of ``metadata``
  /// says. Vector tiles of other programs are returned as they are stored, which may be compressed.
  ///
  /// - Parameters:
  ///   - zoom: 0 … 22.
  ///   - column: eastward from 180° W.
  ///   - row: southward from 85.0511° N, as in the urls of map viewers (XYZ).
  public func tile(zoom: Int, column: Int, row: Int) throws(QuadrilleError) -> Data? {
    let tile = TileCoord(z: zoom, x: column, y: row)
    return try reading { (tiles) throws(PipelineError) in
      try PipelineError.wrapping { try tiles.tile(tile) }
    }.map { Data($0) }
  }

  /// Returns the number of tiles by zoom.
  ///
  /// - Complexity: O(tiles).
  public func tileCounts() throws(QuadrilleError) -> [Int: Int] {
    try reading { (tiles) throws(PipelineError) in
      try PipelineError.wrapping { try tiles.tileCounts() }
    }
  }

  /// Returns the feature that is drawn at a place; `nil` where there is none.
  ///
  /// - Parameters:
  ///   - longitude: degrees eastward.
  ///   - latitude: degrees northward.
  ///   - zoom: the zoom of the tile that is tapped; `nil` for the last one.
  /// - Throws: ``QuadrilleError`` if the archive has no taps (`tiles.interactivity`), as every PMTiles
  ///   file.
  public func tap(
    longitude: Double, latitude: Double, zoom: Int? = nil
  ) throws(QuadrilleError) -> Tap? {
    let place = LngLat(longitude: longitude, latitude: latitude)
    return try reading { (tiles) throws(PipelineError) in
      let taps = try PipelineError.wrapping { try ArchiveTap(of: tiles) }
      return try taps.answer(at: place, zoom: zoom).map { Tap(key: $0.key, json: $0.entry) }
    }
  }
}
