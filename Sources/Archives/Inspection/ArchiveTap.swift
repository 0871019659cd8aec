import Features
import Files
import Ingest
import JSON
package import MBTiles
import OrderedCollections
package import Runs
package import SystemPackage
import TapBlocks
package import Tiling

/// A hit test on an archive alone, by its grids or its compact blocks.
package struct ArchiveTap {
  private let reader: ArchiveReader
  private let isCompact: Bool

  /// - Throws: ``PipelineError`` if the archive does not exist or has no hit test data.
  package init(_ path: FilePath) throws(PipelineError) {
    if Self.isOther(path) {
      throw PipelineError(
        .usage,
        "only an archive answers taps, but \(path) is not one. Build the pipeline and query the "
          + "archive.")
    }
    do throws(ArchiveError) {
      try self.init(of: try TileContainer.opening(path))
    } catch {
      throw PipelineError(error)
    }
  }

  /// Shares tiles that are open.
  ///
  /// - Throws: ``ArchiveError`` if they have no hit test data, as in every PMTiles file.
  package init(of tiles: any StoredTiles) throws(ArchiveError) {
    guard let reader = tiles.taps else {
      throw ArchiveError(.content(.packedTaps), path: tiles.path)
    }
    try self.init(reader)
  }

  /// Shares the reader of an archive.
  ///
  /// - Throws: ``ArchiveError`` if the archive has no hit test data.
  package init(_ reader: ArchiveReader) throws(ArchiveError) {
    self.reader = reader
    isCompact = try reader.hasTapBlocks()
    guard try reader.answersTaps() else {
      throw ArchiveError(.content(.noTaps), path: reader.path)
    }
  }

  /// Whether a file is an archive rather than a pipeline file, judging by its beginning.
  package static func isArchive(_ path: String) -> Bool {
    head(of: FilePath(path)) == SQLiteHeader.signature
      || PMTilesMetadata.isPMTiles(FilePath(path))
  }

  /// Whether a file exists and can be read, but is not an archive.
  private static func isOther(_ path: FilePath) -> Bool {
    let head = head(of: path)
    let isRead = !head.isEmpty || FileStatus(path)?.size == 0
    return isRead && head != SQLiteHeader.signature && !PMTilesMetadata.isPMTiles(path)
  }

  /// Returns the first 16 bytes of a file; none where it cannot be read.
  private static func head(of path: FilePath) -> [UInt8] { FileHead.bytes(of: path, 16) }

  /// The key and the entry of the feature at a position.
  package struct Answer: Hashable, Sendable {
    package let key: String
    /// The archive's entry for it, as JSON; empty where it has none.
    package let entry: String
  }

  /// Returns the feature at a position of a zoom; `nil` where there is none, or beyond ±85.0511°
  /// latitude.
  ///
  /// - Parameter zoom: the zoom of the tile; the archive's last one if `nil`.
  package func answer(at place: LngLat, zoom: Int?) throws(PipelineError) -> Answer? {
    let zoom = zoom ?? reader.metadata["maxzoom"].flatMap { Int($0) } ?? 0
    guard (0...TileCoord.maxZoom).contains(zoom), let point = WorldPoint(place) else { return nil }
    let shift = UInt32(32 - zoom)
    let column = zoom == 0 ? 0 : Int(point.x >> shift)
    let row = zoom == 0 ? 0 : Int(point.y >> shift)
    let tile = TileCoord(z: zoom, x: column, y: row)
    let x = Double(point.x) / 0x1p32 * Double(1 << zoom) - Double(column)
    let y = Double(point.y) / 0x1p32 * Double(1 << zoom) - Double(row)
    return try answer(in: tile, x: x, y: y)
  }

  /// Returns the feature of a tile at a position, in tiles from its north-west corner.
  package func answer(in tile: TileCoord, x: Double, y: Double) throws(PipelineError) -> Answer? {
    do throws(ArchiveError) {
      if isCompact { return try exactAnswer(in: tile, x: x, y: y) }
      guard let text = try reader.grid(of: tile) else { return nil }
      switch GridTextReader.read(text) {
      case .fault(let fault):
        throw ArchiveError(
          .content(.damagedGrid(tile, fault: fault)), path: reader.path)
      case .grid(let grid):
        guard let key = grid.key(x: x, y: y) else { return nil }
        return Answer(key: key, entry: try reader.entry(of: key, in: tile) ?? "")
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// Returns the exact answer of compact blocks.
  private func exactAnswer(
    in tile: TileCoord, x: Double, y: Double
  ) throws(ArchiveError) -> Answer? {
    guard let block = try reader.tapBlock(of: tile) else { return nil }
    let index = TapBlockCoord.index(of: tile)
    let side = Double(block.tileSide)
    let column = Double(index & (TapBlockCoord.side - 1))
    let row = Double(index >> TapBlockCoord.sideBits)
    guard let feature = block.feature(x: (column + x) * side, y: (row + y) * side) else {
      return nil
    }
    return Answer(entry: try reader.tapEntry(of: feature) ?? [])
  }
}

extension ArchiveTap.Answer {
  /// Creates an answer whose key is the `id` of its entry, as in compact blocks.
  package init(entry: [UInt8]) {
    var key = ""
    if case .object(let members)? = try? JSONValueParser.parse(entry),
      case .string(let id)? = members["id"]
    {
      key = id
    }
    self.init(key: key, entry: String(decoding: entry, as: UTF8.self))
  }

  /// Returns a GeoJSON collection of the feature, or an empty one. The archive does not hold the
  /// feature's geometry; a cluster has its box.
  package static func collection(_ answer: Self?) -> [UInt8] {
    var features: [PropertyValue] = []
    if let answer {
      let parsed = try? JSONValueParser.parse(Array(answer.entry.utf8))
      var members: OrderedDictionary<String, PropertyValue> = ["type": .string("Feature")]
      if case .object(var properties)? = parsed {
        if case .array(let box)? = properties["bbox"], box.count == 4 {
          members["bbox"] = properties.removeValue(forKey: "bbox")
        }
        members["id"] = .string(answer.key)
        members["geometry"] = .null
        members["properties"] = .object(properties)
      } else {
        members["id"] = .string(answer.key)
        members["geometry"] = .null
        members["properties"] = parsed ?? .null
      }
      features.append(.object(members))
    }
    let collection: OrderedDictionary<String, PropertyValue> = [
      "type": .string("FeatureCollection"), "features": .array(features),
    ]
    return Array((JSONWriter.text(.object(collection)) + "\n").utf8)
  }
}
