import Features
import Ingest
import JSON
import MBTiles
import OrderedCollections
package import SystemPackage
import TapBlocks
package import Tiling

/// Answers taps from an archive alone, by its grids or its compact taps.
package struct ArchiveTap {
  private let reader: ArchiveReader
  private let isCompact: Bool

  /// - Throws: ``PipelineError`` if there is no such archive, or one that answers no taps.
  package init(_ path: FilePath) throws(PipelineError) {
    if Self.isOther(path) {
      throw PipelineError(
        .usage,
        "a tap is answered by an archive, and \(path) is none. Build the pipeline and ask the "
          + "archive.")
    }
    do throws(ArchiveError) {
      reader = try ArchiveReader(path)
      isCompact = try reader.hasTapBlocks()
      guard try reader.answersTaps() else {
        throw ArchiveError(
          .badArchive,
          "\(path) answers no taps: it has neither grids nor compact taps. Set 'interactivity' in the pipeline's 'tiles'"
            + " and build it again.", path: path)
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// Whether a file is an archive and no pipeline file, by how it begins.
  package static func isArchive(_ path: String) -> Bool {
    head(of: FilePath(path)) == ArchiveHeader.signature
  }

  /// Whether a file is there and can be read, but is no archive.
  private static func isOther(_ path: FilePath) -> Bool {
    head(of: path).map { $0 != ArchiveHeader.signature } ?? false
  }

  /// The first 16 bytes of a file; `nil` where it cannot be read.
  private static func head(of path: FilePath) -> [UInt8]? {
    guard let file = try? FileDescriptor.open(path, .readOnly) else { return nil }
    defer { try? file.close() }
    var head = [UInt8](repeating: 0, count: 16)
    guard let count = try? head.withUnsafeMutableBytes({ try file.read(into: $0) }) else {
      return nil
    }
    return Array(head[..<count])
  }

  /// The key and the entry of what is shown at a place.
  package struct Answer: Hashable, Sendable {
    package let key: String
    /// What the archive says of it, JSON; empty where it says nothing.
    package let entry: String
  }

  /// What is shown at a place of a zoom; `nil` where nothing is, or beyond ±85.0511° latitude.
  ///
  /// - Parameter zoom: of the tile; the archive's last one if `nil`.
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

  /// What a tile shows at a place, in tiles from its north-west corner.
  package func answer(in tile: TileCoord, x: Double, y: Double) throws(PipelineError) -> Answer? {
    do throws(ArchiveError) {
      if isCompact { return try exactAnswer(in: tile, x: x, y: y) }
      guard let text = try reader.grid(of: tile) else { return nil }
      switch GridTextReader.read(text) {
      case .fault(let fault):
        throw ArchiveError(
          .badArchive, "the grid of tile \(tile) in \(reader.path) \(fault).", path: reader.path)
      case .grid(let grid):
        guard let key = grid.key(x: x, y: y) else { return nil }
        return Answer(key: key, entry: try reader.entry(of: key, in: tile) ?? "")
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// What compact taps have exactly there.
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
  /// An answer whose key is the `id` of its entry, as compact taps have it.
  package init(entry: [UInt8]) {
    var key = ""
    if case .object(let members)? = try? JSONValueParser.parse(entry),
      case .string(let id)? = members["id"]
    {
      key = id
    }
    self.init(key: key, entry: String(decoding: entry, as: UTF8.self))
  }

  /// A collection of the one feature, or of none, as GeoJSON. What was tapped has no geometry in an
  /// archive; a cluster has its box.
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
