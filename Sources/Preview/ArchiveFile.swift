import JSON
import MBTiles
import TapBlocks
import Tiling

/// A file below the address of an archive's tiles: a tile's picture, or what answers taps.
enum ArchiveFile: Hashable {
  /// `z/x/y.png`; the suffix has no point.
  case picture(TileCoord, suffix: String)
  /// `z/x/y.grid.json`: the UTFGrid of a tile with its data.
  case grid(TileCoord)
  /// `z/x/y.taps`: a block of compact taps, as it is stored; `x` and `y` count blocks from the
  /// north-west.
  case block(TapBlockCoord)
  /// `entries/starts.json`: the first features of all pages of entries.
  case entryStarts
  /// `entries/n.taps`: the page of entries whose first feature is `n`, as it is stored.
  case entries(first: Int)

  private static let gridSuffix = "grid.json"
  private static let tapsSuffix = "taps"
  private static let startsName = "starts.json"

  /// - Parameter names: the components of the address.
  init?(_ names: [String]) {
    guard let last = names.last, let point = last.firstIndex(of: ".") else { return nil }
    let stem = String(last[..<point])
    let suffix = String(last[last.index(after: point)...])
    if names.count == 2, names[0] == "entries" {
      if last == Self.startsName {
        self = .entryStarts
      } else if suffix == Self.tapsSuffix, let first = Self.number(stem) {
        self = .entries(first: first)
      } else {
        return nil
      }
      return
    }
    let numbers = (names.dropLast() + [stem]).compactMap(Self.number)
    guard names.count == 3, numbers.count == 3 else { return nil }
    if suffix == Self.tapsSuffix {
      guard let block = TapBlockCoord(zoom: numbers[0], x: numbers[1], y: numbers[2]) else {
        return nil
      }
      self = .block(block)
      return
    }
    let tile = TileCoord(z: numbers[0], x: numbers[1], y: numbers[2])
    guard tile.isValid else { return nil }
    self = suffix == Self.gridSuffix ? .grid(tile) : .picture(tile, suffix: suffix)
  }

  /// The address below that of the archive's tiles.
  var name: String {
    switch self {
    case .picture(let tile, let suffix): "\(tile).\(suffix)"
    case .grid(let tile): "\(tile).\(Self.gridSuffix)"
    case .block(let block): "\(block.zoom)/\(block.column)/\(block.y).\(Self.tapsSuffix)"
    case .entryStarts: "entries/\(Self.startsName)"
    case .entries(let first): "entries/\(first).\(Self.tapsSuffix)"
    }
  }

  /// Returns the content in an archive, `nil` if it has none.
  func content(in archive: any StoredTiles) throws -> PreviewContent? {
    switch self {
    case .picture(let tile, let suffix):
      guard suffix == Catalogue.suffix(of: archive) else { return nil }
      return try archive.tile(tile).map { PreviewContent(tile: $0) }
    case .grid(let tile):
      return try archive.taps.flatMap { try InlinedGrid.read(tile, from: $0) }
        .map { PreviewContent(json: $0) }
    case .block(let block):
      return try Self.taps(of: archive)?.tapStream(of: block).map { PreviewContent(.taps, $0) }
    case .entryStarts:
      return try Self.taps(of: archive).map {
        PreviewContent(json: .array(try $0.tapPageStarts().map { .integer($0) }))
      }
    case .entries(let first):
      return try Self.taps(of: archive)?.tapPageStream(first: first)
        .map { PreviewContent(.taps, $0) }
    }
  }

  /// Returns the archive as one with compact taps, `nil` if it has none.
  private static func taps(of archive: any StoredTiles) throws -> ArchiveReader? {
    try archive.taps.flatMap { try $0.hasTapBlocks() ? $0 : nil }
  }

  /// Returns a number that is written in the only way: no sign, no leading zeros.
  private static func number(_ text: String) -> Int? {
    Int(text).flatMap { $0 >= 0 && "\($0)" == text ? $0 : nil }
  }
}

extension TapBlockCoord {
  /// Creates the block at a column and row from the north-west, `nil` if the zoom has no such block.
  fileprivate init?(zoom: Int, x: Int, y: Int) {
    guard (0...TileCoord.maxZoom).contains(zoom) else { return nil }
    self.init(zoom: zoom, column: x, row: Self.count(zoom) - 1 - y)
    guard isValid else { return nil }
  }

  /// The row from the north.
  fileprivate var y: Int { Self.count(zoom) - 1 - row }

  /// The number of blocks along a side.
  private static func count(_ zoom: Int) -> Int { max(1, (1 << zoom) >> sideBits) }
}
