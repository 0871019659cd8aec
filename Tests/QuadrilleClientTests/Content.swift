import Foundation
import Testing

@testable import QuadrilleClient

/// A transport that is never asked.
struct NoTransport: UpdateTransport {
  func fetch(_ url: URL, from offset: Int) async throws -> UpdateResponse {
    Issue.record("\(url) is fetched")
    throw ClientError.network(url: url.path, reason: "there is none")
  }
}

/// All that readers see of an archive: its rows, whatever their order.
struct Content: Equatable {
  private var rows: [String: [String]] = [:]

  init(_ url: URL) throws {
    let file = try SQLiteFile(path: url.path, mode: .immutable)
    for (table, columns) in [
      ("metadata", "name, value"), ("tiles", "zoom_level, tile_column, tile_row, hex(tile_data)"),
      ("grids", "zoom_level, tile_column, tile_row, hex(grid)"),
      ("grid_data", "zoom_level, tile_column, tile_row, key_name, key_json"),
      ("taps", "zoom_level, block_column, block_row, hex(block_data)"),
      ("tap_entries", "first_feature, hex(entry_data)"),
    ] where try ArchiveInfo.tables(file).contains(table) {
      let found = try file.prepare("SELECT \(columns) FROM \(table)")
      let count = columns.split(separator: ",").count
      var texts: [String] = []
      while try found.step() {
        texts.append((0..<count).map { found.text(Int32($0)) ?? "" }.joined(separator: "|"))
      }
      rows[table] = texts.sorted()
    }
  }
}
