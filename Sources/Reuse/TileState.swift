package import Columns
package import Features
import Hashing
package import MBTiles
import Scenes
import Synchronization

/// The scene of each tile of a published archive, and where its image is.
///
/// Kept in the cache under the archive's digest and the ``PaintKey``: a run that finds it beside an
/// archive knows which tiles need not be painted again, and which pages stay as they are. It takes
/// 52 bytes per tile.
package final class TileState: Sendable {
  package let layout: ArchiveLayout
  package let pageSize: PageSize

  /// The digest of the archive's tiles.
  private let digest: String

  /// The hash tree over them.
  package let blocks: BlockHashes

  /// The scene of each tile, in archive order.
  package let scenes: Column<StableHash>

  package let contents: ArchiveContents

  /// The number of the first tile of each scene, made when it is first needed.
  private let table = Mutex<SceneTable?>(nil)

  /// - Parameter scenes: as many as the contents have tiles.
  package init(
    layout: ArchiveLayout, pageSize: PageSize, digest: String, blocks: BlockHashes,
    scenes: Column<StableHash>, contents: ArchiveContents
  ) {
    self.layout = layout
    self.pageSize = pageSize
    self.digest = digest
    self.blocks = blocks
    self.scenes = scenes
    self.contents = contents
  }

  /// Returns the scenes by their hashes; the number of each is the index of its first tile.
  ///
  /// - Complexity: O(tiles) at the first call.
  func sceneTable() -> SceneTable {
    table.withLock { table in
      if let table { return table }
      let made = SceneTable(scenes)
      table = made
      return made
    }
  }

  // MARK: As an artifact

  /// Returns the name of an archive's state.
  static func key(digest: String, _ layout: String, _ paint: PaintKey) -> ArtifactKey {
    ArtifactKey(kind: .scenes, [digest, layout, paint.text])
  }

  package func key(_ paint: PaintKey) -> ArtifactKey {
    Self.key(digest: digest, layout.rawValue, paint)
  }

  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(layout.rawValue)
    writer.append(pageSize.rawValue)
    writer.append(digest)
    writer.append(blocks.keys)
    writer.append(blocks.hashes)
    writer.append(scenes)
    writer.append(contents.tiles)
    writer.append(contents.images)
    writer.append(contents.imageRows)
    writer.append(contents.sizes)
    let segments = contents.segments
    writer.append(segments.isClosed ? 1 : 0)
    writer.append(segments.lastTiles)
    writer.append(segments.firstPages)
    writer.append(segments.pageCounts)
    writer.append(segments.isMovable)
    return writer
  }

  convenience init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    guard let layout = ArchiveLayout(rawValue: try reader.text()),
      let pageSize = PageSize(rawValue: try reader.integer())
    else { throw ArtifactDamage("no such layout") }
    let digest = try reader.text()
    let blocks = BlockHashes(
      keys: try reader.column(of: UInt64.self), hashes: try reader.column(of: SHA256Digest.self))
    let scenes = try reader.column(of: StableHash.self)
    let tiles = try reader.column(of: UInt64.self)
    let images = try reader.column(of: MD5Digest.self)
    let imageRows = try reader.column(of: UInt64.self)
    let sizes = try reader.column(of: StoredSize.self)
    let isClosed = try reader.count(upTo: 1) == 1
    let segments = SegmentList(
      lastTiles: try reader.column(of: UInt64.self), firstPages: try reader.column(of: UInt32.self),
      pageCounts: try reader.column(of: UInt32.self), isMovable: try reader.column(of: UInt8.self),
      isClosed: isClosed)
    guard let segments,
      let contents = ArchiveContents(
        tiles: tiles, images: images, imageRows: imageRows, sizes: sizes, segments: segments),
      contents.count == scenes.count, blocks.keys.count == blocks.hashes.count
    else { throw ArtifactDamage("its columns differ in length") }
    self.init(
      layout: layout, pageSize: pageSize, digest: digest, blocks: blocks, scenes: scenes,
      contents: contents)
  }
}
