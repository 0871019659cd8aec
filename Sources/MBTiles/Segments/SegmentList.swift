package import Columns

/// The segments of an archive (``ArchiveSegments``): for each the last tile and the pages.
package struct SegmentList: Sendable {
  /// The number of each segment's last tile, ascending.
  package private(set) var lastTiles: Column<UInt64>

  /// The first page of each, and the number of its pages.
  package private(set) var firstPages: Column<UInt32>
  package private(set) var pageCounts: Column<UInt32>

  /// 1 if a segment has the same bytes at any place in the file, 0 if it holds numbers of pages.
  package private(set) var isMovable: Column<UInt8>

  /// Whether the last segment ends at a tile that always ends one (``ArchiveSegments``), and not
  /// only because no tile follows.
  package private(set) var isClosed = true

  package init(in scratch: Scratch? = nil) {
    lastTiles = Column(in: scratch)
    firstPages = Column(in: scratch)
    pageCounts = Column(in: scratch)
    isMovable = Column(in: scratch)
  }

  /// Creates the list from its columns, which have equal lengths.
  package init?(
    lastTiles: Column<UInt64>, firstPages: Column<UInt32>, pageCounts: Column<UInt32>,
    isMovable: Column<UInt8>, isClosed: Bool
  ) {
    guard
      [firstPages.count, pageCounts.count, isMovable.count].allSatisfy({ $0 == lastTiles.count })
    else { return nil }
    self.lastTiles = lastTiles
    self.firstPages = firstPages
    self.pageCounts = pageCounts
    self.isMovable = isMovable
    self.isClosed = isClosed
  }

  package var count: Int { lastTiles.count }

  /// Returns the pages of a segment.
  package func pages(_ segment: Int) -> Range<UInt32> {
    firstPages[segment]..<(firstPages[segment] + pageCounts[segment])
  }

  mutating func append(
    lastTile: UInt64, pages: Range<UInt32>, isMovable: Bool, isClosed: Bool = true
  ) {
    lastTiles.append(lastTile)
    firstPages.append(pages.lowerBound)
    pageCounts.append(UInt32(pages.count))
    self.isMovable.append(isMovable ? 1 : 0)
    self.isClosed = isClosed
  }
}
