import Files
import Hashing
import Tiling

/// The fingerprint of an archive's taps: which grid each tile shows, which keys each grid names,
/// and the data of the keys. The bytes of grids are covered by their names.
///
/// Tiles come in archive order. Grids and keys may come in any: an app that patches an archive by
/// SQL does not preserve their order, so their MD5s are added up. It resists accidents, not
/// forgery.
struct TapsDigest {
  /// The hash over zoom (one byte), column and row (four each, little-endian) and the grid's name
  /// (16 bytes).
  private var tiles = SHA256()

  /// The bytes of tiles that are not hashed yet.
  private var waiting: [UInt8] = []

  /// The sum of the MD5s of each grid's name and keys.
  private var grids: DigestSum

  /// The sum of the MD5s of the rows of `keymap`.
  private var entries = DigestSum()

  /// The bytes of the row to hash next.
  private var text: [UInt8] = []

  /// The bytes of tiles that are hashed at once, since each call costs as much as a hundred bytes.
  private static let portion = 4096

  /// - Parameter gridSum: the sum of the MD5s of grids that are not added one by one.
  init(gridSum: MD5Digest = MD5Digest(high: 0, low: 0)) {
    grids = DigestSum(digest: gridSum)
  }

  /// The sum of the MD5s of each grid's name and keys so far.
  var gridSum: MD5Digest { grids.digest }

  /// Adds a tile that shows a grid.
  mutating func add(_ tile: TileCoord, showing grid: MD5Digest) {
    waiting.append(UInt8(truncatingIfNeeded: tile.z))
    for place in [tile.x, tile.y] {
      let word = UInt32(truncatingIfNeeded: place).littleEndian
      withUnsafeBytes(of: word) { waiting.append(contentsOf: $0) }
    }
    Self.append(grid, to: &waiting)
    guard waiting.count >= Self.portion else { return }
    tiles.update(data: waiting)
    waiting.removeAll(keepingCapacity: true)
  }

  /// Adds a grid with its keys, which ascend; a grid without keys adds nothing.
  mutating func add(grid: MD5Digest, keys: [[UInt8]]) {
    if compose(grid, keys) { grids.add(text) }
  }

  /// Removes a grid that was added with these keys.
  mutating func remove(grid: MD5Digest, keys: [[UInt8]]) {
    if compose(grid, keys) { grids.remove(text) }
  }

  /// Composes the text of a grid; returns `false` for a grid without keys.
  private mutating func compose(_ grid: MD5Digest, _ keys: [[UInt8]]) -> Bool {
    text.removeAll(keepingCapacity: true)
    Self.append(grid, to: &text)
    let start = text.count
    for key in keys { Self.append(key, to: &text) }
    return text.count > start
  }

  /// Adds a row of `keymap`.
  mutating func add(key: [UInt8], json: [UInt8]) {
    text.removeAll(keepingCapacity: true)
    Self.append(key, to: &text)
    Self.append(json, to: &text)
    entries.add(text)
  }

  /// The value of ``ArchiveMetadata/tapsKey``: SHA-256 over the SHA-256 of the tiles and the two
  /// sums, in lower-case hexadecimal digits.
  var value: String {
    var tiles = tiles
    tiles.update(data: waiting)
    var whole = tiles.finalize()
    for sum in [grids, entries] { Self.append(sum.digest, to: &whole) }
    return Hexadecimal.text(SHA256.hash(data: whole))
  }

  /// Appends a text preceded by its length in bytes (`3:abc`).
  private static func append(_ part: [UInt8], to text: inout [UInt8]) {
    var (rest, unit) = (part.count, 1)
    while rest / unit >= 10 { unit *= 10 }
    while unit > 0 {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
      rest %= unit
      unit /= 10
    }
    text.append(UInt8(ascii: ":"))
    text.append(contentsOf: part)
  }

  private static func append(_ digest: MD5Digest, to bytes: inout [UInt8]) {
    for half in [digest.high, digest.low] {
      withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }
}

/// A sum of MD5s, each half modulo 2⁶⁴.
private struct DigestSum {
  var digest = MD5Digest(high: 0, low: 0)

  mutating func add(_ bytes: [UInt8]) {
    let more = bytes.withUnsafeBytes { MD5Digest(of: $0) }
    digest = MD5Digest(high: digest.high &+ more.high, low: digest.low &+ more.low)
  }

  mutating func remove(_ bytes: [UInt8]) {
    let less = bytes.withUnsafeBytes { MD5Digest(of: $0) }
    digest = MD5Digest(high: digest.high &- less.high, low: digest.low &- less.low)
  }
}
