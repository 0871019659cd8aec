import JSON
import MBTiles
import Tiling

/// The UTFGrid of a tile with the data of its keys inlined, as the specification defines for
/// clients: `{"grid": […], "keys": […], "data": {key: {…}}}`.
enum InlinedGrid {
  /// Maximum bytes of one entry.
  private static let maxBytes = 1 << 20

  /// Reads the grid of a tile; `nil` if there is none, or only an invalid one.
  static func read(_ tile: TileCoord, from archive: ArchiveReader) throws -> ReportJSON? {
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
}
