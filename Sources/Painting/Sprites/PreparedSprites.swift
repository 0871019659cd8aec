import PNG
import Synchronization

/// The kept sprites of a build in palette indexes with their tokens, each prepared when the first
/// tile needs it, and shared by all workers from then on.
final class PreparedSprites: Sendable {
  /// By number; an empty one where the palette does not do.
  private let known = Mutex<[Int: PreparedSprite?]>([:])

  /// The sprite with a number.
  ///
  /// - Parameter prepare: called where no worker has prepared it yet; several may at once, to the
  ///   same end.
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
