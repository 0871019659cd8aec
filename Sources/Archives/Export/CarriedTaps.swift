package import MBTiles
import TapBlocks
package import Tiling

/// The compact taps of archives that are carried into another one: what answers on the selected
/// tiles, and the data of those features.
package final class CarriedTaps {
  private let readers: [ArchiveReader]
  private let writer: ArchiveWriter

  /// The selected tiles of a block: for each reader among ``readers`` a bit for each tile.
  private var tiles: [TapBlockCoord: [Int: UInt64]] = [:]
  private let deflater = TapDeflater()

  /// - Parameters:
  ///   - readers: an archive, or parts of one: a feature has the same data in each that has it.
  ///   - writer: a writer with tables for compact taps.
  package init(_ readers: [ArchiveReader], into writer: ArchiveWriter) {
    self.readers = readers
    self.writer = writer
  }

  /// Selects a tile of the archive with a number.
  package func take(_ tile: TileCoord, from reader: Int = 0) {
    tiles[TapBlockCoord(tile), default: [:]][reader, default: 0] |=
      1 << UInt64(TapBlockCoord.index(of: tile))
  }

  /// Writes the taps of all selected tiles, by zoom, column and row of their blocks.
  ///
  /// - Returns: the digest of the taps, the value of ``ArchiveMetadata/tapsKey``.
  /// - Complexity: O(bytes of the taps), with a search for each block.
  package func finish() throws(ArchiveError) -> String? {
    let features = try writeBlocks()
    try writeEntries(of: features)
    return writer.taps?.digest
  }

  /// - Returns: the features that the blocks name.
  private func writeBlocks() throws(ArchiveError) -> Set<UInt64> {
    var features: Set<UInt64> = []
    var limit = 0
    for reader in readers { limit += try reader.tapEntryLimit() }
    let coords = tiles.keys.sorted {
      ($0.zoom, $0.column, $0.row) < ($1.zoom, $1.column, $1.row)
    }
    for coord in coords {
      guard let block = try block(coord), block.tiles != 0 else { continue }
      features.formUnion(block.features)
      guard features.count <= limit else {
        throw damaged("name more features than 'tap_entries' has")
      }
      try writer.addTaps(
        coord, deflater.compress(block.encoded()), tiles: block.tiles.nonzeroBitCount)
    }
    return features
  }

  /// Returns the selected tiles of a block, `nil` where nothing answers.
  private func block(_ coord: TapBlockCoord) throws(ArchiveError) -> TapBlock? {
    var block: TapBlock?
    for (reader, wanted) in (tiles[coord] ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard let part = try readers[reader].tapBlock(of: coord.firstTile)?.part(of: wanted) else {
        continue
      }
      block = block?.union(part) ?? part
    }
    return block
  }

  /// Writes the entries of features, and of the members of clusters among them.
  private func writeEntries(of features: Set<UInt64>) throws(ArchiveError) {
    let entries = readers.map { TapEntryReader($0) }
    func entry(of feature: UInt64) throws(ArchiveError) -> TapEntry {
      for reader in entries {
        if let entry = try reader.entry(of: feature) { return entry }
      }
      throw damaged("name the feature \(feature), which 'tap_entries' lacks")
    }
    var all = features
    for feature in features.sorted() {
      all.formUnion(try entry(of: feature).members ?? [])
    }
    var page = TapEntryPage()
    for feature in all.sorted() {
      let entry = try entry(of: feature)
      if page.hasNoRoom(for: entry.byteCount) { try write(&page) }
      page.append(feature, entry)
      if page.isFull { try write(&page) }
    }
    try write(&page)
  }

  private func damaged(_ fault: String) -> ArchiveError {
    ArchiveError(.content(.damagedTaps(fault: "they \(fault)")), path: readers[0].path)
  }

  private func write(_ page: inout TapEntryPage) throws(ArchiveError) {
    guard let first = page.identifiers.first else { return }
    try writer.addTapEntries(
      first: first, deflater.compress(page.encoded()), count: page.entries.count)
    page = TapEntryPage()
  }
}
