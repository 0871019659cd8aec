import PNG
import Synchronization

/// The kept sprites of a build in palette indexes with their tokens; each is prepared when the
/// first tile needs it and is then shared by all workers.
final class PreparedSprites: Sendable {
  /// The prepared sprites by number; an empty value if the palette lacks a colour.
  private let known = Mutex<[Int: PreparedSprite?]>([:])

  /// Returns the sprite with a number.
  ///
  /// - Parameter prepare: called if no worker has prepared the sprite yet; several workers may call
  ///   it at once, with the same result.
  func sprite(_ number: Int, orPrepare prepare: () -> PreparedSprite?) -> PreparedSprite? {
    if let sprite = known.withLock({ $0[number] }) { return sprite }
    let sprite = prepare()
    return known.withLock { known in
      if let first = known[number] { return first }
      known[number] = .some(sprite)
      return sprite
    }
  }
}
