package import Raster
package import Scenes
import SpatialIndex
package import Styling
import Synchronization

/// A store that measures the sprites of a build by drawing each once, and keeps the drawn sprites
/// for the painters as far as the budget allows.
///
/// It is filled zoom by zoom while scenes are made, and read by all workers while tiles are
/// painted.
package final class SpriteStore: SpriteMeter {
  /// The usual maximum size of the kept pixels, in bytes. 96 MiB hold about 9,000 hotel symbols of
  /// 40 pixels.
  package static let usualBudget = 96 << 20

  /// The maximum size of the kept pixels, in bytes.
  private let budget: Int

  /// The part of the budget for sprites that only one symbol shows; at exact positions these are
  /// most sprites, and they would displace the others.
  private var budgetOfSingles: Int { budget / 2 }

  /// The number of sprites that are drawn before choosing which to keep. The size of the largest
  /// recent sprite decides within this range; a sprite takes at most 1.3 MB.
  private static let batches = 16...256
  private static let batchBytes = 16 << 20

  private struct Contents {
    /// The sprites by number; `nil` if the painter must draw the sprite again.
    var sprites: [StackSprite?] = []
    var bytes = 0

    /// The factories, one for each thread that draws.
    var factories: [SpriteFactory]
  }

  private let contents: Mutex<Contents>

  /// The factory that draws parts of vast symbols.
  private let windows: Mutex<SpriteFactory>

  /// - Parameters:
  ///   - scale: device pixels per style pixel.
  ///   - threads: the maximum number of sprites drawn at once.
  ///   - budget: the maximum size of the kept pixels, in bytes.
  package init(
    scale: Int, fonts: FontLibrary, threads: Int, budget: Int = SpriteStore.usualBudget
  ) {
    self.budget = budget
    contents = Mutex(
      Contents(
        factories: (0..<max(1, threads)).map { _ in SpriteFactory(scale: scale, fonts: fonts) }))
    windows = Mutex(SpriteFactory(scale: scale, fonts: fonts))
  }

  /// The sprites that are kept, by number; a copy-on-write snapshot.
  var sprites: [StackSprite?] { contents.withLock { $0.sprites } }

  /// - Complexity: O(pixels of the sprites), on all threads.
  package func extents(
    of sprites: [UnmeasuredSprite], looks: LookTable
  ) throws -> [SpriteExtent] {
    var extents: [SpriteExtent] = []
    extents.reserveCapacity(sprites.count)
    try contents.withLock { contents in
      var (first, count) = (0, Self.batches.lowerBound)
      while first < sprites.count {
        let batch = sprites[first..<min(first + count, sprites.count)]
        first = batch.endIndex
        let drawn = try Self.draw(Array(batch), looks: looks, factories: contents.factories)
        let largest = drawn.map(\.byteCount).max() ?? 0
        count = min(
          max(Self.batchBytes / max(largest, 1), Self.batches.lowerBound), Self.batches.upperBound)
        for (sprite, pixels) in zip(batch, drawn) {
          extents.append(pixels.composite.extent)
          let limit = sprite.isRecurring ? budget : budgetOfSingles
          guard contents.bytes < limit else { continue }
          contents.bytes += pixels.byteCount
          let missing = max(0, sprite.number + 1 - contents.sprites.count)
          contents.sprites.append(contentsOf: repeatElement(nil, count: missing))
          contents.sprites[sprite.number] = pixels
        }
      }
    }
    return extents
  }

  package func shows(
    _ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox
  ) throws -> Bool {
    try windows.withLock { factory in
      try !factory.sprite(of: look, phaseX: phaseX, phaseY: phaseY, within: window).isEmpty
    }
  }

  /// Draws sprites; each factory draws every n-th sprite, where n is the number of factories in
  /// use.
  private static func draw(
    _ sprites: [UnmeasuredSprite], looks: LookTable, factories: [SpriteFactory]
  ) throws -> [StackSprite] {
    let shares = min(factories.count, max(1, sprites.count / 16))
    let shareResults = Mutex([Result<[StackSprite], any Error>?](repeating: nil, count: shares))
    // Each factory is used by one iteration only.
    nonisolated(unsafe) let workers = factories
    ChunkedWork(count: shares, threads: shares, minimum: 1).forEach { share, _ in
      let result = Result {
        try stride(from: share, to: sprites.count, by: shares).map { index in
          try workers[share].sprite(of: sprites[index].key, looks: looks)
        }
      }
      shareResults.withLock { $0[share] = result }
    }
    let parts = try shareResults.withLock { try $0.map { try $0?.get() ?? [] } }
    return sprites.indices.map { parts[$0 % shares][$0 / shares] }
  }
}
