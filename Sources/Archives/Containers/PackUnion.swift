import MBTiles
import Pictures
import Runs
import SystemPackage
import Tiling

/// The packs of a list that lie beside it, as one archive: each tile is that of the first pack that
/// has it, in the order of the list, the shared one last. Apps show packs in the same order.
struct PackUnion {
  private let path: FilePath
  private let list: PackList
  private let packs: [(entry: PackList.Entry, reader: ArchiveReader)]

  /// - Throws: ``ArchiveError``, also where no pack is there.
  init(_ path: FilePath) throws(ArchiveError) {
    guard let list = UpdateFile(contentsOf: path).flatMap({ PackList($0.list) }) else {
      throw ArchiveError(damagedFolder: path, "is not a list of packs, or a damaged one")
    }
    var packs: [(PackList.Entry, ArchiveReader)] = []
    for entry in list.packs + [list.shared].compactMap(\.self) {
      do throws(ArchiveError) {
        packs.append(
          (entry, try ArchiveReader.opening(path.removingLastComponent().appending(entry.file))))
      } catch {
        // An app has some of the packs.
        guard error.code == .missing else { throw error }
      }
    }
    guard !packs.isEmpty else {
      throw ArchiveError(damagedFolder: path, "has none of its packs beside it")
    }
    (self.path, self.list, self.packs) = (path, list, packs)
  }

  /// Writes an archive of the tiles, with what answers taps.
  ///
  /// - Complexity: O(bytes), O(tiles) in memory.
  func write(to target: FilePath, isStopped: @escaping @Sendable () -> Bool) throws {
    let readers = packs.map(\.reader)
    let hasGrids = try readers.contains { try CarriedGrids.areThere(in: $0) }
    let hasTaps = try readers.contains { try $0.hasTapBlocks() }
    let writer = try ArchiveWriter(
      path: target, layout: .dedup, hasGrids: hasGrids, hasTaps: hasTaps && !hasGrids,
      isStopped: isStopped)
    let grids = hasGrids ? try readers.map { try CarriedGrids($0, into: writer) } : []
    let taps = hasTaps && !hasGrids ? CarriedTaps(readers, into: writer) : nil
    for (key, pack) in try owners() {
      if isStopped() { throw ArchiveError(.stopped(while: "reading"), path: path) }
      let tile = TileCoord(archiveKey: key)
      guard let bytes = try readers[pack].tile(tile) else { continue }
      try bytes.withUnsafeBytes {
        _ = try writer.addTile(tile, showingOnly: $0, md5: MD5Digest(of: $0)) {
          grids.isEmpty ? nil : try grids[pack].grid(of: tile)
        }
      }
      taps?.take(tile, from: pack)
    }
    try finish(writer, grids, taps)
  }

  /// Returns the tiles in archive order with the numbers of the packs that show them.
  private func owners() throws(ArchiveError) -> [(key: UInt64, pack: Int)] {
    var all: [(key: UInt64, pack: Int)] = []
    for (number, pack) in packs.enumerated() {
      try pack.reader.forEachTile { (tile, _) throws(ArchiveError) in
        all.append((tile.archiveKey, number))
      }
    }
    all.sort { $0 < $1 }
    var last: UInt64?
    return all.filter { tile in
      defer { last = tile.key }
      return tile.key != last
    }
  }

  private func finish(
    _ writer: ArchiveWriter, _ grids: [CarriedGrids], _ taps: CarriedTaps?
  ) throws(ArchiveError) {
    let digest = if let taps { try taps.finish() } else { try CarriedGrids.finish(grids) }
    let tileset = description(writer.statistics)
    let own = [digest.map { MetadataEntry(ArchiveMetadata.tapsKey, $0) }].compactMap(\.self)
    _ = try writer.finish { hashes in tileset.rows(hashes: hashes, own: own) }
  }

  /// The metadata of the shared pack, or of the first one, without bounds of a region alone.
  private func description(_ taken: [ZoomStatistics]) -> TilesetDescription {
    let sample = packs.last { $0.entry == list.shared } ?? packs[0]
    let metadata = sample.reader.metadata
    let region = PackMark(metadata)?.region.map { ": \($0)" } ?? ""
    let rows = metadata.entries.compactMap { row -> MetadataEntry? in
      switch row.name {
      case "bounds", "center": nil
      case "name" where row.value.hasSuffix(region):
        MetadataEntry(row.name, String(row.value.dropLast(region.count)))
      default: row
      }
    }
    return TilesetDescription(
      StoredMetadata(rows), format: metadata["format"].flatMap { TileFormat(metadata: $0) } ?? .png,
      fallbackName: path.stem ?? "packs", selection: TileSelection(), taken: taken)
  }
}
