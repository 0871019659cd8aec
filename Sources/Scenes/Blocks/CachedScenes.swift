package import Columns
package import Features

/// The scenes of a zoom from an earlier run: their hashes and quadrants, without the content that
/// would paint them.
package struct CachedScenes: Sendable {
  package let symbols: SymbolBlocks

  /// The drawn tiles; see ``ZoomScenes/tileKeys``.
  package let tileKeys: Column<UInt64>
  package let hashes: Column<StableHash>
  package let quadrants: Column<UInt8>

  /// - Precondition: the columns have equal lengths.
  package init(
    symbols: SymbolBlocks, tileKeys: Column<UInt64>, hashes: Column<StableHash>,
    quadrants: Column<UInt8>
  ) {
    precondition(hashes.count == tileKeys.count && quadrants.count == tileKeys.count)
    self.symbols = symbols
    self.tileKeys = tileKeys
    self.hashes = hashes
    self.quadrants = quadrants
  }
}

/// The part of a zoom whose scenes must be made again.
struct ScenePart: Sendable {
  let known: CachedScenes
  let changed: ChangedBlocks
}

extension ZoomScenes {
  /// Adds the tiles outside the changed blocks as an earlier run made them. Tiles of this run
  /// outside these blocks are dropped, because they have only a part of their symbols.
  ///
  /// - Complexity: O(tiles).
  mutating func complete(from part: ScenePart) {
    let known = part.known
    var whole = ZoomScenes(grid: grid, background: background, in: scratch)
    whole.reserve(known.tileKeys.count + count)
    var next = 0
    for keys in part.changed.tileKeys {
      whole.append(next..<Self.end(of: known.tileKeys, before: keys.lowerBound), of: known)
      next = Self.end(of: known.tileKeys, before: keys.upperBound)
      let made = Self.end(of: tileKeys, before: keys.lowerBound)
      for tile in made..<Self.end(of: tileKeys, before: keys.upperBound) {
        whole.entries.append(contentsOf: entries[entryRange(tile)])
        whole.appendTile(
          tileKeys[tile], end: UInt32(whole.entries.count), hashes[tile], quadrants[tile])
      }
    }
    whole.append(next..<known.tileKeys.count, of: known)
    tileKeys = whole.tileKeys
    entryEnds = whole.entryEnds
    entries = whole.entries
    hashes = whole.hashes
    quadrants = whole.quadrants
    isWhole = false
  }

  /// Appends tiles of which only hashes and quadrants are known.
  private mutating func append(_ tiles: Range<Int>, of known: CachedScenes) {
    guard !tiles.isEmpty else { return }
    tileKeys.append(contentsOf: known.tileKeys[tiles])
    hashes.append(contentsOf: known.hashes[tiles])
    quadrants.append(contentsOf: known.quadrants[tiles])
    entryEnds.append(repeating: UInt32(entries.count), count: tiles.count)
  }

  /// Returns the index of the first key that is not less than a given one.
  private static func end(of keys: Column<UInt64>, before key: UInt64) -> Int {
    keys.bisectedIndex(notBefore: { $0 < key })
  }
}
