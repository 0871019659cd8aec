import TapBlocks
package import Tiling

/// The compact taps of an archive that are carried into an extract: what answers on the selected
/// tiles, and the data of those features.
package final class CarriedTaps {
  private let reader: ArchiveReader
  private let writer: ArchiveWriter

  /// The selected tiles, a bit for each in its block.
  private var tiles: [TapBlockCoord: UInt64] = [:]
  private let deflater = TapDeflater()

  /// - Parameter writer: a writer with tables for compact taps.
  package init(_ reader: ArchiveReader, into writer: ArchiveWriter) {
    self.reader = reader
    self.writer = writer
  }

  /// Selects a tile.
  package func take(_ tile: TileCoord) {
    tiles[TapBlockCoord(tile), default: 0] |= 1 << UInt64(TapBlockCoord.index(of: tile))
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
    let limit = try reader.tapEntryLimit()
    let coords = tiles.keys.sorted {
      ($0.zoom, $0.column, $0.row) < ($1.zoom, $1.column, $1.row)
    }
    for coord in coords {
      guard let wanted = tiles[coord], let whole = try reader.tapBlock(of: coord.firstTile) else {
        continue
      }
      let block = whole.part(of: wanted)
      guard block.tiles != 0 else { continue }
      features.formUnion(block.features)
      guard features.count <= limit else {
        throw damaged("name more features than 'tap_entries' has")
      }
      try writer.addTaps(
        coord, deflater.compress(block.encoded()), tiles: block.tiles.nonzeroBitCount)
    }
    return features
  }

  /// Writes the entries of features, and of the members of clusters among them.
  private func writeEntries(of features: Set<UInt64>) throws(ArchiveError) {
    let entries = TapEntryReader(reader)
    func entry(of feature: UInt64) throws(ArchiveError) -> TapEntry {
      guard let entry = try entries.entry(of: feature) else {
        throw damaged("name the feature \(feature), which 'tap_entries' lacks")
      }
      return entry
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
    ArchiveError(.content(.damagedTaps(fault: "they \(fault)")), path: reader.path)
  }

  private func write(_ page: inout TapEntryPage) throws(ArchiveError) {
    guard let first = page.identifiers.first else { return }
    try writer.addTapEntries(
      first: first, deflater.compress(page.encoded()), count: page.entries.count)
    page = TapEntryPage()
  }
}
