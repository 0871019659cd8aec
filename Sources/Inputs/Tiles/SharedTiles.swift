package import Features
package import MBTiles
import Synchronization
package import Tilesets
package import Tiling
package import VectorTiles

/// The tiles of one tileset for all layers that are read from them: each tile is fetched, unpacked and
/// divided into layers once, as long as there is room.
package final class SharedTiles: Sendable {
  /// The limit on unpacked bytes for readers of whole parts, one after the other.
  package static let usualLimit = 64 << 20

  private struct Place: Hashable {
    let zoom: Int
    let range: TileRange?
  }

  private struct State {
    var tileset: (any Tileset)?
    var presences: [Place: TileKeySet] = [:]
    var contents: [TileCoord: VectorTileReader.Content] = [:]
    /// The unpacked bytes of the contents.
    var bytes = 0
    /// The content that was read last, of all tiles that are stored under one number.
    var last: (number: UInt64, content: VectorTileReader.Content)?
    /// The digest that was made last, of all tiles that are stored under one number.
    var lastDigest: (number: UInt64, digest: StableHash)?
  }

  private let opened: @Sendable () throws(ArchiveError) -> any Tileset
  private let layers: Set<String>
  private let limit: Int

  /// The limits of one tile.
  package let limits = VectorTileLimits()

  private let state = Mutex(State())

  /// - Parameters:
  ///   - layers: the layers that are read.
  ///   - limit: the maximum number of unpacked bytes; tiles beyond it are read again each time.
  ///   - opened: opens the tileset on first use.
  package init(
    layers: Set<String>, limit: Int,
    _ opened: @escaping @Sendable () throws(ArchiveError) -> any Tileset
  ) {
    self.opened = opened
    self.layers = layers
    self.limit = limit
  }

  /// Returns a copy for another thread, without contents in memory; the known presences are kept.
  package func copy(limit: Int) -> SharedTiles {
    let copy = SharedTiles(layers: layers, limit: limit, opened)
    let presences = state.withLock { $0.presences }
    copy.state.withLock { $0.presences = presences }
    return copy
  }

  /// Returns the tiles of a zoom that are there.
  ///
  /// - Parameter range: the tiles of interest; `nil` for all.
  package func presence(
    zoom: Int, in range: TileRange?
  ) throws(ArchiveError) -> TileKeySet {
    try state.withLock { (state) throws(ArchiveError) in
      let place = Place(zoom: zoom, range: range)
      if let known = state.presences[place] { return known }
      let tileset = try tileset(&state)
      let presence = try tileset.presence(zoom: zoom, in: range)
      state.presences[place] = presence
      return presence
    }
  }

  /// Returns the content of a tile: its layers, or the reason why there are none.
  package func content(
    of tile: TileCoord
  ) throws(ArchiveError) -> VectorTileReader.Content {
    try state.withLock { (state) throws(ArchiveError) in
      if let known = state.contents[tile] { return known }
      let tileset = try tileset(&state)
      let number = try tileset.storedNumber(tile)
      if let last = state.last, last.number == number { return last.content }
      guard let stored = try tileset.storedTile(tile) else { return .absent }
      let unpacked = PackedTile.unpacked(stored, limit: limits.bytes)
      let content: VectorTileReader.Content = unpacked.map { self.content(in: $0) } ?? .damaged
      state.last = number.map { ($0, content) }
      guard let bytes = unpacked else { return content }
      if state.bytes + bytes.count <= limit {
        state.bytes += bytes.count
        state.contents[tile] = content
      }
      return content
    }
  }

  /// Returns a hash of the stored bytes of a tile; the empty hash if there is no tile.
  ///
  /// - Complexity: O(bytes), at some GB/s; a tile is decoded for far more.
  package func digest(of tile: TileCoord) throws(ArchiveError) -> StableHash {
    try state.withLock { (state) throws(ArchiveError) in
      let tileset = try tileset(&state)
      let number = try tileset.storedNumber(tile)
      if let last = state.lastDigest, last.number == number { return last.digest }
      var digest = StableHash()
      if let stored = try tileset.storedTile(tile) {
        let content = stored.withUnsafeBytes { ContentHash($0) }
        digest.combine(stored.count)
        digest.combine(content.high)
        digest.combine(content.low)
      }
      state.lastDigest = number.map { ($0, digest) }
      return digest
    }
  }

  /// Returns what is wrong with all tiles below a tile, which are stored once; `nil` where they are not,
  /// or can be read.
  ///
  /// - Parameter zoom: the zoom of the tiles.
  package func fault(
    ofAllBelow square: TileCoord, zoom: Int
  ) throws(ArchiveError) -> (error: VectorTileError, bytes: Int)? {
    let (first, last) = square.corners(ofZoom: zoom)
    let numbers = try state.withLock { (state) throws(ArchiveError) in
      let tileset = try tileset(&state)
      return [try tileset.storedNumber(first), try tileset.storedNumber(last)]
    }
    guard numbers[0] != nil, numbers[0] == numbers[1],
      case .broken(let error, let bytes) = try content(of: first)
    else { return nil }
    return (error, bytes)
  }

  private func content(in bytes: [UInt8]) -> VectorTileReader.Content {
    do {
      let tile = try VectorTile(
        bytes, limits: limits, sparesLayers: true, isWanted: { layers.contains($0) })
      return .tile(tile, bytes: bytes.count)
    } catch {
      return .broken(error, bytes: bytes.count)
    }
  }

  /// Forgets the contents of tiles.
  package func removeContents() {
    state.withLock { state in
      state.contents = [:]
      state.last = nil
      state.bytes = 0
    }
  }

  private func tileset(_ state: inout State) throws(ArchiveError) -> any Tileset {
    if let tileset = state.tileset { return tileset }
    let tileset = try opened()
    state.tileset = tileset
    return tileset
  }
}
