package import MBTiles
import Tiling

/// The content of a PMTiles file, and its faults.
package struct PMTilesCheck {
  /// The faults, as the ends of sentences that begin with the file's name: a reader fails or shows
  /// something wrong.
  package private(set) var faults: [String] = []

  /// The number of tiles by zoom, before run lengths.
  package private(set) var zooms: [Int: Int] = [:]
  package private(set) var tiles = 0
  package private(set) var entries = 0
  package private(set) var leaves = 0

  /// The distinct contents, by offset and length, in the order of their first tiles.
  package private(set) var contents: [(offset: UInt64, length: UInt32)] = []

  /// The tiles and their entries, if they were requested.
  package private(set) var places: [(key: UInt64, entry: PMTilesEntry)] = []

  /// Maximum number of tiles that are kept or counted one by one: beyond it, a run in a malicious
  /// file could be endless.
  private static let tileLimit = 1 << 28

  /// Visits all directories.
  ///
  /// - Parameter keepsPlaces: whether to collect ``places``, which takes 40 bytes per tile.
  /// - Complexity: O(entries), or O(tiles) if places are kept.
  package init(_ reader: PMTilesReader, keepsPlaces: Bool = false) throws(ArchiveError) {
    let header = reader.header
    var seen: [UInt64: UInt32] = [:]
    var end: UInt64 = 0
    var isClustered = true
    leaves = try reader.forEachEntry { entry in
      try countTiles(of: entry, keepsPlaces)
      entries += 1
      let (entryEnd, isOver) = entry.offset.addingReportingOverflow(UInt64(entry.length))
      if isOver || entryEnd > header.tiles.length {
        fault("leads out of its tiles for tile \(entry.tile)")
      } else if let length = seen[entry.offset] {
        if length != entry.length { fault("has contents that overlap at tile \(entry.tile)") }
      } else {
        seen[entry.offset] = entry.length
        contents.append((entry.offset, entry.length))
        if entry.offset != end { isClustered = false }
        end = max(end, entryEnd)
      }
    }
    if header.isClustered, !isClustered {
      fault("says that its tiles lie in order, and they do not")
    }
    compare(header)
  }

  private mutating func countTiles(
    of entry: PMTilesEntry, _ keepsPlaces: Bool
  ) throws(PMTilesFault) {
    let last = entry.tile + UInt64(entry.runLength) - 1
    guard let first = HilbertTile(rawValue: entry.tile).tile,
      HilbertTile(rawValue: last).tile != nil
    else { throw PMTilesFault("has tiles beyond zoom \(TileCoord.maxZoom)") }
    tiles += Int(entry.runLength)
    guard tiles <= Self.tileLimit else {
      throw PMTilesFault("has more than \(Self.tileLimit) tiles")
    }
    var (number, zoom) = (entry.tile, first.z)
    while number <= last {
      let next = min(HilbertTile.first(of: zoom + 1), last + 1)
      zooms[zoom, default: 0] += Int(next - number)
      number = next
      zoom += 1
    }
    guard keepsPlaces else { return }
    for number in entry.tile...last {
      guard let tile = HilbertTile(rawValue: number).tile else { continue }
      places.append((tile.archiveKey, entry))
    }
  }

  private mutating func compare(_ header: PMTilesHeader) {
    for (name, said, found) in [
      ("tiles", header.addressedTiles, tiles), ("entries", header.tileEntries, entries),
      ("contents", header.tileContents, contents.count),
    ] where said != 0 && said != UInt64(found) {
      fault("says that it has \(said) \(name), and has \(found)")
    }
    if let first = zooms.keys.min(), let last = zooms.keys.max(),
      Int(header.minZoom) != first || Int(header.maxZoom) != last
    {
      fault("says zooms \(header.minZoom) to \(header.maxZoom), and has \(first) to \(last)")
    }
    if !(header.minZoom...max(header.minZoom, header.maxZoom)).contains(header.centerZoom) {
      fault("has a centre at zoom \(header.centerZoom), outside its zooms")
    }
    let (rootEnd, isOver) = header.root.offset.addingReportingOverflow(header.root.length)
    if isOver || rootEnd > UInt64(PMTilesHeader.rootLimit) {
      fault("has a root directory beyond its first \(PMTilesHeader.rootLimit) bytes")
    }
    let box = header.bounds
    if box[0] > box[2] || box[1] > box[3] || box[0] < -1_800_000_000 || box[2] > 1_800_000_000
      || box[1] < -900_000_000 || box[3] > 900_000_000
    {
      fault("has bounds that are not west, south, east, north")
    } else if !(box[0]...box[2]).contains(header.center[0])
      || !(box[1]...box[3]).contains(header.center[1])
    {
      fault("has a centre outside its bounds")
    }
  }

  /// Adds a fault, unless there are already ten.
  package mutating func fault(_ words: String) {
    if faults.count < 10 { faults.append(words) }
  }
}
