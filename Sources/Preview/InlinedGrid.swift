import Features
import Ingest
import MBTiles
import Pipeline
import TapBlocks
import Tiling

/// The UTFGrid of a tile with what its keys stand for inlined, as the specification has it for
/// clients: `{"grid": […], "keys": […], "data": {key: {…}}}`.
enum InlinedGrid {
  /// The most bytes that one entry may have.
  private static let maxBytes = 1 << 20

  /// Cells along a side of a grid that is made of compact taps, which know places exactly.
  static let exactSide = 128

  /// Reads the grid of a tile, or makes one of compact taps; `nil` where there is none, or none that
  /// makes sense.
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

  /// The grid of what answers at the middles of cells.
  private static func make(_ tile: TileCoord, from archive: ArchiveReader) throws -> ReportJSON? {
    guard let block = try archive.tapBlock(of: tile) else { return nil }
    let cells = try block.grid(ofTile: TapBlockCoord.index(of: tile), side: exactSide)
    let features = Set(cells.compactMap(\.self)).sorted()
    guard !features.isEmpty else { return nil }
    var keys = [""]
    var data: [ReportJSON.Member] = []
    var numbers: [UInt32: Int] = [:]
    // The rows of one record share a key.
    var known: [String: Int] = [:]
    for (feature, entry) in zip(features, try archive.tapEntries(of: features)) {
      guard let entry, entry.count <= maxBytes, let value = ReportJSON(entry),
        let key = value["id"]?.text
      else { continue }
      if known[key] == nil {
        known[key] = keys.count
        keys.append(key)
        data.append(.init(key, value))
      }
      numbers[feature] = known[key]
    }
    let rows = (0..<exactSide).map { row in
      var text = String.UnicodeScalarView()
      for cell in cells[row * exactSide..<(row + 1) * exactSide] {
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
