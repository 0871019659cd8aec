import Features
import MBTiles
import Scenes

/// An index of the row of a published archive that holds the image of each scene.
///
/// Kept in the cache under the archive's digest and the ``PaintKey``: a run that finds it beside an
/// archive knows which tiles need not be painted again. It takes 44 bytes per scene.
package struct SceneIndex: Sendable {
  let layout: ArchiveLayout

  /// The fingerprints of the archive's tiles.
  let hashes: TileHashes

  /// The hash of all rows and their scenes, see ``PlannedTiles/rowsHash``.
  let rowsHash: StableHash

  private let scenes: SceneTable
  private let digests: Column<MD5Digest>
  private let checksums: Column<UInt64>
  private let rows: Column<UInt32>

  /// - Parameters:
  ///   - scenes: the scenes in the order of first use; the other columns have the same length.
  ///   - rows: the rows of `images` or of `tiles`, counted from 1.
  init(
    layout: ArchiveLayout, hashes: TileHashes, rowsHash: StableHash,
    scenes: Column<StableHash>, digests: Column<MD5Digest>,
    checksums: Column<UInt64>, rows: Column<UInt32>
  ) {
    self.layout = layout
    self.hashes = hashes
    self.rowsHash = rowsHash
    self.scenes = SceneTable(scenes)
    self.digests = digests
    self.checksums = checksums
    self.rows = rows
  }

  /// Returns the row of a scene's image, its MD5 and its checksum; `nil` if the archive does not
  /// contain the scene.
  func image(of scene: StableHash) -> (row: Int64, md5: MD5Digest, checksum: UInt64)? {
    guard let number = scenes.number(of: scene) else { return nil }
    return (Int64(rows[number]), digests[number], checksums[number])
  }

  // MARK: As an artifact

  /// Returns the name of an archive's index.
  static func key(digest: String, _ layout: String, _ paint: PaintKey) -> ArtifactKey {
    ArtifactKey(kind: .scenes, [digest, layout, paint.text])
  }

  package func key(_ paint: PaintKey) -> ArtifactKey {
    Self.key(digest: hashes.digest, layout.rawValue, paint)
  }

  package var artifact: ArtifactWriter {
    var writer = ArtifactWriter()
    writer.append(layout.rawValue)
    writer.append(hashes.aggTilesHash)
    writer.append(hashes.digest)
    writer.append([rowsHash] as Column)
    writer.append(scenes.hashes)
    writer.append(digests)
    writer.append(checksums)
    writer.append(rows)
    return writer
  }

  init(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    guard let layout = ArchiveLayout(rawValue: try reader.text()) else {
      throw ArtifactDamage("no such layout")
    }
    let hashes = TileHashes(aggTilesHash: try reader.text(), digest: try reader.text())
    let rowsHash = try reader.column(of: StableHash.self)
    let scenes = try reader.column(of: StableHash.self)
    let digests = try reader.column(of: MD5Digest.self)
    let checksums = try reader.column(of: UInt64.self)
    let rows = try reader.column(of: UInt32.self)
    guard let rowsHash = rowsHash.first,
      [digests.count, checksums.count, rows.count].allSatisfy({ $0 == scenes.count })
    else { throw ArtifactDamage("its columns differ in length") }
    self.init(
      layout: layout, hashes: hashes, rowsHash: rowsHash, scenes: scenes, digests: digests,
      checksums: checksums, rows: rows)
  }
}
