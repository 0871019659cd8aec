import JSON
import MBTiles
import TapBlocks
import Tiling

/// The UTFGrid of a tile with the data of its keys inlined, as the specification defines for
/// clients: `{"grid": […], "keys": […], "data": {key: {…}}}`.
enum InlinedGrid {
  /// Maximum bytes of one entry.
  private static let maxBytes = 1 << 20

  /// Maximum bytes of all entries of a grid.
  private static let allBytes = 32 << 20

  /// The numbers of cells along a side to try for a grid made from compact taps, which are exact:
  /// fewer if a tile has so much content that more would take seconds.
  private static let exactSides = [128, 64, 32, 16]

  /// Reads the grid of a tile, or makes one from compact taps; `nil` if there is none, or only an
  /// invalid one.
  static func read(_ tile: TileCoord, from archive: ArchiveReader) throws -> ReportJSON? {
    if try archive.hasTapBlocks() { return try make(tile, from: archive) }
    guard try archive.hasGrids(), let bytes = try archive.grid(of: tile),
      case .object(let members)? = ReportJSON(bytes)
    else { return nil }
    var data: [ReportJSON.Member] = []
    for (key, json) in try archive.gridData(of: tile) {
      guard json.utf8.count <= maxBytes, let value = ReportJSON(Array(json.utf8)) else { continue }
      data.append(.init(key, value))
    }
    return .object(
      members.filter { ["grid", "keys"].contains($0.key) } + [.init("data", .object(data))])
  }

  /// Returns the grid of the features at the middles of cells.
  private static func make(_ tile: TileCoord, from archive: ArchiveReader) throws -> ReportJSON? {
    guard let block = try archive.tapBlock(of: tile) else { return nil }
    let index = TapBlockCoord.index(of: tile)
    let grids = exactSides.lazy.compactMap { side in
      (try? block.grid(ofTile: index, side: side)).map { (side: side, cells: $0) }
    }
    guard let (side, cells) = grids.first else { return nil }
    let features = Set(cells.compactMap(\.self)).sorted()
    guard !features.isEmpty else { return nil }
    var keys = [""]
    var data: [ReportJSON.Member] = []
    var numbers: [UInt32: Int] = [:]
    // The rows of one record share a key.
    var known: [String: Int] = [:]
    var room = allBytes
    try archive.forEachTapEntry(of: features) { feature, entry in
      guard let entry, entry.count <= min(maxBytes, room), let value = ReportJSON(entry),
        let key = value["id"]?.text
      else { return }
      if known[key] == nil {
        room -= entry.count
        known[key] = keys.count
        keys.append(key)
        data.append(.init(key, value))
      }
      numbers[feature] = known[key]
    }
    let rows = (0..<side).map { row in
      var text = String.UnicodeScalarView()
      for cell in cells[row * side..<(row + 1) * side] {
        let key = cell.flatMap { numbers[$0] } ?? 0
        text.append(Unicode.Scalar(UTFGridCode.character(of: key)) ?? " ")
      }
      return ReportJSON.string(String(text))
    }
    return .members([
      "grid": .array(rows), "keys": .array(keys.map { .string($0) }), "data": .object(data),
    ])
  }
}
