/// Writes a PMTiles archive, version 3 of its specification, of uncompressed vector tiles whose
/// directory fits into its first 16 kB.
struct TilePack {
  private static let headerBytes = 127

  /// Tiles by their numbers along the Hilbert curves of all zooms.
  private var tiles: [(number: UInt64, bytes: [UInt8])] = []
  private let metadata: [UInt8]

  /// - Parameter metadata: a JSON object.
  init(metadata: String) {
    self.metadata = Array(metadata.utf8)
  }

  mutating func append(_ bytes: [UInt8], zoom: Int, x: Int, y: Int) {
    tiles.append((Self.number(zoom: zoom, x: x, y: y), bytes))
  }

  /// The archive.
  ///
  /// - Parameter bounds: west, south, east and north in degrees.
  func bytes(zooms: ClosedRange<Int>, bounds: SIMD4<Double>) -> [UInt8] {
    let tiles = tiles.sorted { $0.number < $1.number }
    let directory = Self.directory(of: tiles)
    var bytes = Array("PMTiles".utf8) + [3]
    let data = tiles.reduce(0) { $0 + $1.bytes.count }
    let start = Self.headerBytes + directory.count + metadata.count
    let places = [
      Self.headerBytes, directory.count, Self.headerBytes + directory.count, metadata.count, start,
      0,
      start, data, tiles.count, tiles.count, tiles.count,
    ]
    for place in places { Self.append(UInt64(place), bytes: 8, to: &bytes) }
    // In order; neither directory nor tiles are compressed; vector tiles.
    bytes += [1, 1, 1, 1, UInt8(zooms.lowerBound), UInt8(zooms.upperBound)]
    func append(_ degrees: Double) {
      Self.append(UInt64(bitPattern: Int64(degrees * 1e7)), bytes: 4, to: &bytes)
    }
    for index in 0..<4 { append(bounds[index]) }
    bytes.append(UInt8(zooms.lowerBound))
    append((bounds[0] + bounds[2]) / 2)
    append((bounds[1] + bounds[3]) / 2)
    return bytes + directory + metadata + tiles.flatMap(\.bytes)
  }

  private static func append(_ number: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
    for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  /// The directory: numbers, each less the one before; runs of one tile; lengths; places, of which 0
  /// means the end of the tile before.
  private static func directory(of tiles: [(number: UInt64, bytes: [UInt8])]) -> [UInt8] {
    var bytes: [UInt8] = []
    VectorTileEncoder.append(UInt64(tiles.count), to: &bytes)
    var last: UInt64 = 0
    for tile in tiles {
      VectorTileEncoder.append(tile.number - last, to: &bytes)
      last = tile.number
    }
    for _ in tiles { VectorTileEncoder.append(1, to: &bytes) }
    for tile in tiles { VectorTileEncoder.append(UInt64(tile.bytes.count), to: &bytes) }
    for index in tiles.indices { VectorTileEncoder.append(index == 0 ? 1 : 0, to: &bytes) }
    return bytes
  }

  /// The number of a tile: all tiles of lower zooms, and its place on the Hilbert curve of its own.
  static func number(zoom: Int, x: Int, y: Int) -> UInt64 {
    var number = (UInt64(1) << (2 * zoom) - 1) / 3
    var (x, y) = (x, y)
    for level in stride(from: zoom - 1, through: 0, by: -1) {
      let side = 1 << level
      let (right, lower) = (x >> level & 1, y >> level & 1)
      number += UInt64((3 * right) ^ lower) << (2 * level)
      (x, y) = (x & (side - 1), y & (side - 1))
      if lower == 0 {
        if right == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
        (x, y) = (y, x)
      }
    }
    return number
  }
}
