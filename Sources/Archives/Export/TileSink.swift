import MBTiles
import Runs
import Tiling

/// A container that receives the tiles of an archive.
///
/// Tiles arrive in archive order, then the description, once. A sink writes to a temporary path
/// that is removed with the sink unless it was published.
protocol TileSink: AnyObject {
  /// Appends a tile; the bytes, never empty, are invalid after the call.
  ///
  /// - Parameter isCleared: whether the bytes are not the archive's but transparent.
  func append(_ tile: TileCoord, _ bytes: UnsafeRawBufferPointer, isCleared: Bool) throws

  /// Completes the written container, verifies it, and moves it to its place.
  ///
  /// - Parameter rows: the metadata of the archive, if these are all of its tiles.
  /// - Returns: the size in bytes, a description, and notes.
  func publish(
    _ tileset: TilesetDescription, rows: [MetadataEntry]?, _ clock: StageClock
  ) throws -> SinkOutcome
}

/// The result of a sink.
struct SinkOutcome {
  var bytes: Int
  var detail = ""
  var notes: [String] = []
}
