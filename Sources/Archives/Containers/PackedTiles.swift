package import Files
package import MBTiles
import PMTiles
package import SystemPackage
package import Tiling

/// A PMTiles file that is read where it lies, by its directories.
package final class PackedTiles: StoredTiles {
  package let metadata: StoredMetadata

  /// The metadata as the file has it.
  let packed: PMTilesMetadata

  private let reader: PMTilesReader

  /// Reads the head of a file.
  ///
  /// - Complexity: O(bytes of the root directory and of the metadata).
  package init(_ file: HeldFile) throws(ArchiveError) {
    reader = try PMTilesReader(file)
    packed = try PMTilesMetadata(of: reader)
    metadata = StoredMetadata(packed.entries)
  }

  package var path: FilePath { reader.path }

  package var taps: ArchiveReader? { nil }

  /// Does nothing: a tile is found in at most five directories of limited size.
  package func giveUp(after _: Double) {}

  package func tile(_ tile: TileCoord) throws(ArchiveError) -> [UInt8]? {
    try reader.tile(tile)
  }

  package func anyTile() throws(ArchiveError) -> [UInt8]? {
    try reader.firstTile()
  }

  package func tileCounts() throws(ArchiveError) -> [Int: Int] {
    try check(keepsPlaces: false).zooms
  }

  package func forEachTile(
    _ body: (TileCoord, UnsafeRawBufferPointer) throws(ArchiveError) -> Void
  ) throws(ArchiveError) {
    for place in try places() {
      let bytes = try reader.bytes(of: place.entry)
      try bytes.withUnsafeBufferPointer { (bytes) throws(ArchiveError) in
        try body(TileCoord(archiveKey: place.key), UnsafeRawBufferPointer(bytes))
      }
    }
  }

  /// Returns the tiles and their entries in archive order.
  ///
  /// - Complexity: O(tiles log tiles).
  func places() throws(ArchiveError) -> [(key: UInt64, entry: PMTilesEntry)] {
    // A run of a hostile file can be any number of tiles, so they are counted before they are kept.
    _ = try check(keepsPlaces: false)
    return try check(keepsPlaces: true).places.sorted { $0.key < $1.key }
  }

  /// Returns the bytes to which an entry of ``places()`` leads.
  func bytes(of entry: PMTilesEntry) throws(ArchiveError) -> [UInt8] {
    try reader.bytes(of: entry)
  }

  /// Maximum number of tiles that are visited one by one.
  private static let tileLimit = 1 << 24

  private func check(keepsPlaces: Bool) throws(ArchiveError) -> PMTilesCheck {
    var check = try PMTilesCheck(reader, keepsPlaces: keepsPlaces)
    if check.tiles > Self.tileLimit {
      check.fault("has more than \(Self.tileLimit) tiles, too many to be read as an archive")
    }
    if let fault = check.faults.last {
      throw ArchiveError(.content(.damagedPMTiles(fault: fault)), path: path)
    }
    return check
  }
}

extension TileContainer {
  /// Opens the tiles to which a path leads: an archive, a PMTiles file, a folder of tiles, or a list
  /// of packs.
  ///
  /// - Parameter seconds: the deadline for what is read from an archive.
  /// - Complexity: O(1); of a folder O(bytes).
  package static func opening(
    _ path: FilePath, giveUpAfter seconds: Double = 3600
  ) throws(ArchiveError) -> any StoredTiles {
    let file = try HeldFile(archive: path)
    return PMTilesMetadata.isPMTiles(file)
      ? try PackedTiles(file) : try ArchiveReader.opening(file, giveUpAfter: seconds)
  }
}
