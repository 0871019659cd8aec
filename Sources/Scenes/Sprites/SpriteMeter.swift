package import Raster
package import Styling

/// What one sprite shows: a look stack at a sub-pixel phase.
package struct SpriteKey: Hashable, Sendable {
  /// Number of the stack in the build's ``LookTable``.
  package var stack: UInt32

  /// The place of the stack's centre inside its anchor pixel, in 1/16 px eastward.
  package var phaseX: UInt8

  /// The same southward.
  package var phaseY: UInt8

  package init(stack: UInt32, phaseX: UInt8, phaseY: UInt8) {
    self.stack = stack
    self.phaseX = phaseX
    self.phaseY = phaseY
  }
}

/// What scenes know of a sprite: where its pixels lie, and nothing of their colours.
package struct SpriteMeasure: Sendable {
  package var key: SpriteKey

  /// Of a vast symbol the box alone: ``LookGeometry`` knows more.
  package var extent: SpriteExtent

  /// Whether every tile draws its own part of the symbol: it has no sprite.
  package var isVast = false

  /// The hash of all that decides its pixels.
  package var hash: StableHash
}

/// A sprite of which the extent is wanted.
package struct UnmeasuredSprite: Sendable {
  /// The sprite's number in the build's ``SpriteTable``.
  package var number: Int
  package var key: SpriteKey

  /// Whether more than one symbol is going to show it.
  package var isRecurring: Bool

  package init(number: Int, key: SpriteKey, isRecurring: Bool) {
    self.number = number
    self.key = key
    self.isRecurring = isRecurring
  }
}

/// What scenes ask of painting, and all that they ask: which pixels looks show.
///
/// A tile is drawn exactly where a pixel shows in it, and only rasterizing tells that of glyphs and
/// antialiased edges. So sprites are measured by drawing them, all new ones of a zoom at once; nothing
/// else of the painting belongs to the scenes.
package protocol SpriteMeter: Sendable {
  /// The extents of sprites that were not asked for before, in their order.
  func extents(of sprites: [UnmeasuredSprite], looks: LookTable) throws -> [SpriteExtent]

  /// Whether a look shows a pixel within a window, counted from the pixel of its anchor.
  ///
  /// Asked of vast symbols only, where geometry leaves it open; on any thread.
  func shows(_ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox) throws -> Bool
}
