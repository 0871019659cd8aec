package import MBTiles
import Synchronization
package import Tilesets
package import Tiling
package import VectorTiles

/// The tiles of one tileset for all layers that are read from them: each tile is fetched, unpacked and
/// divided into layers once, as long as there is room.
package final class SharedTiles: Sendable {
  /// The room for unpacked bytes where whole parts are read one after the other.
  package static let usualLimit = 64 << 20

  private struct Place: Hashable {
    let zoom: Int
    let range: TileRange?
  }

  private struct State {
    var tileset: (any Tileset)?
    var presences: [Place: TilePresence] = [:]
    var contents: [TileCoord: VectorTileReader.Content] = [:]
    /// The unpacked bytes of the contents.
    var bytes = 0
    /// The content that was read last, of all tiles that are stored under one number.
    var last: (number: UInt64, content: VectorTileReader.Content)?
  }

  private let opened: @Sendable () throws(ArchiveError) -> any Tileset
  private let layers: Set<String>
  private let limit: Int

  /// The limits of one tile.
  package let limits = VectorTileLimits()

  private let state = Mutex(State())

  /// - Parameters:
  ///   - layers: the layers that are read.
  ///   - limit: the room for unpacked bytes; what finds none is read again when it is needed again.
  ///   - opened: opens the tileset, when something of it is needed.
  package init(
    layers: Set<String>, limit: Int,
    _ opened: @escaping @Sendable () throws(ArchiveError) -> any Tileset
  ) {
    self.opened = opened
    self.layers = layers
    self.limit = limit
  }

  /// Returns the same tiles with nothing of them in memory, for another thread: what is known of which
  /// tiles there are is kept.
  package func copy(limit: Int) -> SharedTiles {
    let copy = SharedTiles(layers: layers, limit: limit, opened)
    let presences = state.withLock { $0.presences }
    copy.state.withLock { $0.presences = presences }
    return copy
  }

  /// Returns the tiles of a zoom that are there.
  ///
  /// - Parameter range: the tiles that are looked for; `nil` for all.
  package func presence(
    zoom: Int, in range: TileRange?
  ) throws(ArchiveError) -> TilePresence {
    try state.withLock { (state) throws(ArchiveError) in
      let place = Place(zoom: zoom, range: range)
      if let known = state.presences[place] { return known }
      let tileset = try tileset(&state)
      let presence = try tileset.presence(zoom: zoom, in: range)
      state.presences[place] = presence
      return presence
    }
  }

  /// Returns what the tileset has of a tile.
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

  private func content(in bytes: [UInt8]) -> VectorTileReader.Content {
    do {
      let tile = try VectorTile(
        bytes, limits: limits, sparesLayers: true, isWanted: { layers.contains($0) })
      return .tile(tile, bytes: bytes.count)
    } catch {
      return .broken(error, bytes: bytes.count)
    }
  }

  /// Returns the number of features of a layer in some tiles.
  package func featureCount(
    of layer: String, in tiles: some Sequence<TileCoord>
  ) throws(ArchiveError) -> Int {
    var count = 0
    for tile in tiles {
      guard case .tile(let read, _) = try content(of: tile) else { continue }
      count += read.layers(named: layer).reduce(0) { $0 + $1.count }
    }
    return count
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
