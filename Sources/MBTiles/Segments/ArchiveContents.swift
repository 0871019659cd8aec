package import Columns
import Tiling

/// The tiles of an archive with their images, in archive order, and its segments: enough to write the
/// next archive without reading what stays the same.
///
/// It takes 36 bytes per tile.
package struct ArchiveContents: Sendable {
  /// The number of each tile (``TileCoord/number``).
  package private(set) var tiles: Column<UInt64>

  /// The MD5 of its image.
  package private(set) var images: Column<MD5Digest>

  /// The number of the row that holds the image: the tile's own, or that of the first tile that
  /// shows the image; in the layout `flat` always the tile's own.
  package private(set) var imageRows: Column<UInt64>

  /// The number of bytes of the image, and whether it is blank.
  package private(set) var sizes: Column<StoredSize>

  package var segments: SegmentList

  package init(in scratch: Scratch? = nil) {
    tiles = Column(in: scratch)
    images = Column(in: scratch)
    imageRows = Column(in: scratch)
    sizes = Column(in: scratch)
    segments = SegmentList(in: scratch)
  }

  /// Creates the contents from their columns; `nil` unless these have equal lengths.
  package init?(
    tiles: Column<UInt64>, images: Column<MD5Digest>, imageRows: Column<UInt64>,
    sizes: Column<StoredSize>, segments: SegmentList
  ) {
    guard [images.count, imageRows.count, sizes.count].allSatisfy({ $0 == tiles.count }) else {
      return nil
    }
    self.tiles = tiles
    self.images = images
    self.imageRows = imageRows
    self.sizes = sizes
    self.segments = segments
  }

  package var count: Int { tiles.count }

  mutating func append(
    _ tile: TileCoord, image: MD5Digest, row: UInt64, size: StoredSize
  ) {
    tiles.append(tile.number)
    images.append(image)
    imageRows.append(row)
    sizes.append(size)
  }

  /// Appends rows of another archive.
  mutating func append(_ rows: Range<Int>, of other: ArchiveContents) {
    tiles.append(contentsOf: other.tiles[rows])
    images.append(contentsOf: other.images[rows])
    imageRows.append(contentsOf: other.imageRows[rows])
    sizes.append(contentsOf: other.sizes[rows])
  }

  /// Changes the rows of images.
  ///
  /// - Complexity: O(tiles).
  mutating func move(_ rows: [MD5Digest: UInt64]) {
    var filter = HashFilter()
    for image in rows.keys { filter.insert(image.low) }
    for (index, image) in images.enumerated() where filter.mayContain(image.low) {
      if let row = rows[image] { imageRows[index] = row }
    }
  }

  mutating func reserveCapacity(_ count: Int) {
    tiles.reserveCapacity(count)
    images.reserveCapacity(count)
    imageRows.reserveCapacity(count)
    sizes.reserveCapacity(count)
  }

  /// Returns the index of the first tile with a number or a greater one.
  package func index(from number: UInt64) -> Int {
    tiles.bisectedIndex(notBefore: { $0 < number })
  }

  /// Returns the index after the last tile of a segment.
  package func end(ofSegment segment: Int) -> Int { index(from: segments.lastTiles[segment] + 1) }
}

/// The number of bytes of an image, and whether it is blank, as 32 bits.
package struct StoredSize: BitwiseCopyable, Hashable, Sendable {
  private let bits: UInt32

  init(bytes: Int, isBlank: Bool) {
    bits = UInt32(clamping: bytes) & 0x7FFF_FFFF | (isBlank ? 1 << 31 : 0)
  }

  /// Returns the size of an image, and whether it is blank.
  package init(of image: UnsafeRawBufferPointer) {
    // A blank tile of any size is far shorter than this, so others need not be parsed.
    let isBlank = image.count <= 1024 && (try? PictureStructure(image))?.isBlank == true
    self.init(bytes: image.count, isBlank: isBlank)
  }

  package var bytes: Int { Int(bits & 0x7FFF_FFFF) }
  package var isBlank: Bool { bits >> 31 != 0 }
}
