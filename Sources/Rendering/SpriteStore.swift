import PNG
import Raster
import SpatialIndex
import Synchronization

/// All sprites that a build needs: extents of every one, pixels of as many as the budget allows.
///
/// Filled zoom by zoom while scenes are made, read by all workers while they are painted.
package final class SpriteStore: Sendable {
  /// A stack at a phase.
  package struct Key: Hashable, Sendable {
    var stack: UInt32
    var phaseX: UInt8
    var phaseY: UInt8
  }

  /// What is known of one sprite.
  struct Entry: Sendable {
    var key: Key

    /// Of a vast symbol the box alone: ``SpriteFactory/shows(_:phaseX:phaseY:within:)`` knows more.
    var extent: SpriteExtent

    /// Whether every tile draws its own part of the symbol: it has no sprite.
    var isVast = false
    var hash: StableHash
    /// `nil` once the budget is spent: the painter draws it anew.
    var sprite: StackSprite?
    /// The sprite in palette indexes with its tokens; `nil` where the palette does not do, and where
    /// ``sprite`` is.
    var prepared: PreparedSprite?
  }

  /// Pixels that are kept, in bytes. 96 MiB hold some 9,000 hotel symbols of 40 px.
  private static let budget = 96 << 20

  /// A run of entries that never changes again, and the index of each key.
  struct Contents: Sendable {
    var entries: [Entry] = []
    var indexes: [Key: UInt32] = [:]
    var bytes = 0
  }

  private let contents = Mutex(Contents())
  private let sparse: SparseStyle?

  /// - Parameter sparse: the style whose palette sprites are prepared for, if it has one.
  package init(sparse: SparseStyle?) {
    self.sparse = sparse
  }

  /// All entries so far; a copy-on-write snapshot for one zoom's scenes.
  var entries: [Entry] { contents.withLock { $0.entries } }

  /// Makes the sprites of all keys and returns the index of each, in the order of the keys.
  ///
  /// - Parameter keepsAll: whether sprites that one zoom uses only once are kept, too.
  ///
  /// New sprites are drawn on `threads` threads; their indexes follow the keys' first occurrence.
  ///
  /// - Complexity: O(keys) and the drawing of those that are new.
  func indexes(
    of keys: ContiguousArray<Key>, looks: LookTable, factories: [SpriteFactory], keepsAll: Bool
  ) throws -> ContiguousArray<UInt32> {
    var fresh: [Key] = []
    var uses: [Int] = []
    var result = ContiguousArray<UInt32>()
    result.reserveCapacity(keys.count)
    try contents.withLock { contents in
      let base = contents.entries.count
      for key in keys {
        let index: UInt32
        if let known = contents.indexes[key] {
          index = known
        } else {
          index = UInt32(base + fresh.count)
          contents.indexes[key] = index
          fresh.append(key)
          uses.append(0)
        }
        if index >= base { uses[Int(index) - base] += 1 }
        result.append(index)
      }
      var matcher = sparse.map { PaletteMatcher($0.palette) }
      for first in stride(from: 0, to: fresh.count, by: Self.batch) {
        let batch = first..<min(first + Self.batch, fresh.count)
        let drawn = try Self.draw(Array(fresh[batch]), looks: looks, factories: factories)
        for (index, var entry) in zip(batch, drawn) {
          // At exact positions most sprites are used once: they would crowd out the others.
          let isKept = contents.bytes < Self.budget && (uses[index] > 1 || keepsAll)
          if isKept, let sprite = entry.sprite {
            contents.bytes += sprite.byteCount
            entry.prepared = sparse?.prepared(sprite, with: &matcher)
          } else {
            entry.sprite = nil
          }
          contents.entries.append(entry)
        }
      }
    }
    return result
  }

  /// Sprites that are drawn before it is decided which of them are kept: 1.3 MB each at most.
  private static let batch = 256

  /// Draws sprites, factory i every i-th of them.
  private static func draw(_ keys: [Key], looks: LookTable, factories: [SpriteFactory]) throws
    -> [Entry]
  {
    let shares = min(factories.count, max(1, keys.count / 16))
    let shareResults = Mutex([Result<[Entry], any Error>?](repeating: nil, count: shares))
    // Each factory is used by one iteration only.
    nonisolated(unsafe) let workers = factories
    ChunkedWork(count: shares, threads: shares, minimum: 1).forEach { share, _ in
      let result = Result {
        try stride(from: share, to: keys.count, by: shares).map { index in
          try workers[share].entry(of: keys[index], looks: looks)
        }
      }
      shareResults.withLock { $0[share] = result }
    }
    let parts = try shareResults.withLock { try $0.map { try $0?.get() ?? [] } }
    return keys.indices.map { parts[$0 % shares][$0 / shares] }
  }
}

extension SpriteFactory {
  /// What a store knows of a key, its sprite not prepared.
  fileprivate func entry(of key: SpriteStore.Key, looks: LookTable) throws -> SpriteStore.Entry {
    let stack = looks.stacks[Int(key.stack)]
    let (phaseX, phaseY) = (Int(key.phaseX), Int(key.phaseY))
    if let box = try vastBox(of: stack, phaseX: phaseX, phaseY: phaseY) {
      return SpriteStore.Entry(
        key: key, extent: SpriteExtent(box), isVast: true,
        hash: looks.hashes[Int(key.stack)].phased(phaseX, phaseY))
    }
    let sprite = try sprite(of: key, looks: looks)
    return SpriteStore.Entry(
      key: key, extent: sprite.composite.extent, hash: sprite.hash, sprite: sprite)
  }

  /// The sprite of a key of the store.
  func sprite(of key: SpriteStore.Key, looks: LookTable) throws -> StackSprite {
    try sprite(
      of: looks.stacks[Int(key.stack)], hash: looks.hashes[Int(key.stack)],
      phaseX: Int(key.phaseX), phaseY: Int(key.phaseY))
  }
}

extension StackSprite {
  /// Memory of its pixels, in bytes.
  var byteCount: Int {
    layers.reduce(composite.pixels.count) { $0 + $1.sprite.pixels.count } * 5
  }
}
