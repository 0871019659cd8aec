package import Features
package import Raster
package import Styling

/// The content of one sprite: a look stack at a sub-pixel phase.
package struct SpriteKey: Hashable, Sendable {
  /// The number of the stack in the build's ``LookTable``.
  package var stack: UInt32

  /// The eastward position of the stack's centre inside its anchor pixel, in 1/16 px.
  package var phaseX: UInt8

  /// The southward position of the stack's centre inside its anchor pixel, in 1/16 px.
  package var phaseY: UInt8
}

/// The measure of a sprite for scenes: the extent of its pixels, without their colours.
package struct SpriteMeasure: Sendable {
  package var key: SpriteKey

  /// The extent of the pixels; only the box for a vast symbol, of which ``LookGeometry`` knows
  /// more.
  package var extent: SpriteExtent

  /// Whether every tile draws its own part of the symbol, which has no sprite.
  package var isVast = false

  /// The hash of everything that decides the sprite's pixels.
  package var hash: StableHash
}

/// A sprite whose extent is needed.
package struct UnmeasuredSprite: Sendable {
  /// The sprite's number in the build's ``SpriteTable``.
  package var number: Int
  package var key: SpriteKey

  /// Whether more than one symbol will show the sprite.
  package var isRecurring: Bool
}

/// The only part of painting that scenes depend on: finding the pixels that looks show.
///
/// A tile is drawn if and only if a pixel shows in it, and for glyphs and antialiased edges only
/// rasterizing can tell. So sprites are measured by drawing them, all new ones of a zoom at once.
package protocol SpriteMeter: Sendable {
  /// Returns the extents of sprites that were not measured before, in their order.
  func extents(of sprites: [UnmeasuredSprite], looks: LookTable) throws -> [SpriteExtent]

  /// Returns whether a look shows a pixel within a window, measured from the pixel of its anchor.
  ///
  /// Called only for vast symbols that the geometry does not decide; on any thread.
  func shows(_ look: Look, phaseX: Int, phaseY: Int, within window: PixelBox) throws -> Bool
}
