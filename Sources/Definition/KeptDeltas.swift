/// The limit on deltas of earlier runs that stay beside an archive, so that an app that missed some
/// runs takes several steps instead of downloading the whole archive.
package enum KeptDeltas: Hashable, Sendable {
  case count(Int)

  /// As many as have at most this many bytes in total.
  case bytes(Int)

  /// As many as have at most the archive's bytes in total: a longer chain saves nothing.
  case archive

  /// All deltas.
  case all

  package static let maxCount = 1000

  /// Returns the limits of an archive of a number of bytes.
  package func limits(ofArchive bytes: Int) -> (count: Int, bytes: Int) {
    switch self {
    case .count(let count): (min(count, Self.maxCount), .max)
    case .bytes(let limit): (Self.maxCount, limit)
    case .archive: (Self.maxCount, bytes)
    case .all: (Self.maxCount, .max)
    }
  }
}
