import MBTiles
import Runs
import Tiling

/// Where tiles go that are taken out of an archive.
///
/// Tiles come in archive order, then the description, once. What a sink writes lies at a temporary
/// place that goes away with the sink unless it was published.
protocol TileSink: AnyObject {
  /// Takes a tile; the bytes, never none, are gone after the call.
  ///
  /// - Parameter isCleared: whether the bytes are not the archive's but transparent.
  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws

  /// Completes what was written, proves it, and puts it in its place.
  ///
  /// - Returns: the bytes that it takes, words on it, and notes.
  func publish(_ tileset: TilesetDescription, _ clock: StageClock) throws -> SinkOutcome
}

/// What a sink wrote.
struct SinkOutcome {
  var bytes: Int
  var detail = ""
  var notes: [String] = []
}
