import Columns
import Definition
import Features
import Inputs
import MBTiles
import Reuse
import Tilesets
import Tiling

/// A finder of the pieces of each zoom that the last build knew; hashes the source tiles of each tileset
/// and zoom once.
struct PieceFinder {
  private let build: Build
  private let streamed: StreamedTilesets

  /// A hash of everything that scenes follow from but the contents of tilesets; see ``PieceMemory``.
  private let fingerprint: String

  /// The digests of the tiles of each tileset and zoom.
  private var digests: [Place: TileDigests] = [:]

  private struct Place: Hashable {
    let tiles: ObjectIdentifier
    let zoom: Int
  }

  init(_ build: Build, _ streamed: StreamedTilesets, _ fingerprint: BuildFingerprint) {
    self.build = build
    self.streamed = streamed
    var provenance = fingerprint.provenance
    let parts = build.pipeline.drawnSources.filter { $0.definition.vectorTiles?.part != nil }
    let names = Set(parts.map(\.name))
    for index in provenance.sources.indices where names.contains(provenance.sources[index].name) {
      provenance.sources[index].files = []
    }
    // Which zooms and layers parts have follows from the metadata of the tileset.
    let texts = parts.map { part in
      "\(part.name) \(part.definition.vectorTiles?.bounds as Any) "
        + "\(part.definition.vectorTiles?.part as Any)"
    }
    self.fingerprint = BuildFingerprint(provenance, texts).text
  }

  /// Returns the pieces of a zoom; none are known or kept where its scenes follow from more than keys
  /// have.
  ///
  /// - Parameters:
  ///   - trials: the trials of the layers on lower zooms.
  ///   - background: the tiles that the background fills; `nil` if it fills all tiles of the map.
  mutating func pieces(
    at zoom: Int, after trials: PartTrials, background: TileRange?
  ) -> ZoomPieces {
    let parts = build.pipeline.drawnSources.filter {
      $0.definition.vectorTiles?.part?.drawnZooms.contains(zoom) == true
    }
    let (areas, symbols) = (streamed.parts(at: zoom), streamed.symbolParts(at: zoom))
    guard build.artifacts.isEnabled, parts.count == areas.count + symbols.count,
      parts.allSatisfy({ $0.definition.vectorTiles?.found == nil }),
      let shapeTiles = tiles(of: areas), let symbolTiles = tiles(of: symbols)
    else { return ZoomPieces(after: trials) }
    let keys = PieceKeys(
      shapeTiles: shapeTiles, symbolTiles: symbolTiles, trials: trials.bytes,
      background: background)
    let memory = PieceMemory(
      ArtifactKey(kind: .blocks, [fingerprint, "\(zoom)"]), in: build.artifacts,
      isForced: build.options.force, build.context.scratch)
    return ZoomPieces(after: trials, keys: keys, memory: memory)
  }

  /// Returns the tiles from which parts are read; `nil` where a tile cannot be read, which is an error
  /// once its features are needed.
  private mutating func tiles(of parts: [ResolvedSource]) -> [PieceKeys.Tiles]? {
    var places: [Place] = []
    for source in parts {
      guard let tiles = source.definition.vectorTiles, let part = tiles.part,
        let shared = source.sharedTiles
      else { return nil }
      let place = Place(tiles: ObjectIdentifier(shared), zoom: part.zoom)
      if !places.contains(place) { places.append(place) }
      guard digests[place] == nil else { continue }
      guard
        let made = try? TileDigests(
          of: shared, zoom: part.zoom, in: tiles.ranges(of: part).first, build.context.scratch)
      else { return nil }
      digests[place] = made
    }
    return places.compactMap { place in
      digests[place].map { PieceKeys.Tiles(zoom: place.zoom, digests: $0) }
    }
  }
}

/// The digests of the tiles of one zoom of a tileset, in Morton order.
struct TileDigests {
  private var keys: Column<UInt64>
  private var digests: Column<StableHash>

  /// - Parameter range: the tiles of interest; `nil` for all.
  /// - Complexity: O(bytes of the tiles).
  init(
    of tiles: SharedTiles, zoom: Int, in range: TileRange?, _ scratch: Scratch?
  ) throws(ArchiveError) {
    keys = Column(in: scratch)
    digests = Column(in: scratch)
    for key in try tiles.presence(zoom: zoom, in: range).keys {
      keys.append(key.rawValue)
      digests.append(try tiles.digest(of: TileCoord(key, z: zoom)))
    }
  }

  /// Returns a hash of which tiles of a range there are, and of their bytes.
  ///
  /// - Complexity: O(range · log tiles).
  func hash(of range: TileRange) -> StableHash {
    var hash = StableHash()
    range.forEachKey { key in
      let place = keys.bisectedIndex { $0 < key.rawValue }
      if place < keys.count, keys[place] == key.rawValue {
        hash.combine(key.rawValue)
        hash.combine(digests[place])
      }
      return true
    }
    return hash
  }
}
