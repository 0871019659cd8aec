package import MBTiles

/// The common form of the two archives of a delta, which determines the delta's tables.
package struct DeltaForm: Hashable, Sendable {
  package var layout: ArchiveLayout

  /// The taps of both; `nil` where they have none.
  package var taps: Taps?

  /// The two forms of taps.
  package enum Taps: Hashable, Sendable {
    /// UTFGrid; only in the layout `dedup`.
    case grids
    /// Compact taps.
    case blocks
  }

  package init(_ layout: ArchiveLayout, taps: Taps? = nil) {
    self.layout = layout
    self.taps = taps
  }

  /// All possible forms.
  package static let all = [
    DeltaForm(.dedup), DeltaForm(.dedup, taps: .grids), DeltaForm(.flat),
    DeltaForm(.dedup, taps: .blocks), DeltaForm(.flat, taps: .blocks),
  ]

  package var hasGrids: Bool { taps == .grids }
  package var hasBlocks: Bool { taps == .blocks }

  /// The statements that create the tables, views and indexes of such an archive.
  var archiveSchema: [String] {
    let taps =
      switch self.taps {
      case .grids: [GridSchema.tables, GridSchema.indexes]
      case .blocks: [TapSchema.tables, TapSchema.indexes]
      case nil: [String]()
      }
    return ([layout.tables, layout.indexes] + taps).flatMap { script in
      script.split(separator: ";").map { String($0.drop { $0 == "\n" }) }.filter { !$0.isEmpty }
    }
  }

  /// The statements that create the delta's own tables, in order; a delta contains nothing else.
  var tables: [String] {
    let place = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER"
    let common = [
      "CREATE TABLE facts (name TEXT, value TEXT)",
      "CREATE TABLE new_metadata (name TEXT, value TEXT, replaces TEXT)",
      "CREATE TABLE removed_tiles (\(place))",
    ]
    guard layout == .dedup else {
      return common + ["CREATE TABLE new_tiles (\(place), tile_data BLOB)"] + blocks
    }
    let images = [
      "CREATE TABLE new_images (tile_id TEXT, tile_data BLOB, replaces TEXT)",
      "CREATE TABLE dropped_images (tile_id TEXT)",
    ]
    guard hasGrids else {
      return common + ["CREATE TABLE new_map (\(place), tile_id TEXT)"] + images + blocks
    }
    // The number of a key's grid is its row in 'new_grids'.
    return common + ["CREATE TABLE new_map (\(place), tile_id TEXT, grid_id TEXT)"] + images + [
      "CREATE TABLE new_grids (grid_id TEXT, grid_utfgrid BLOB, replaces TEXT)",
      "CREATE TABLE dropped_grids (grid_id TEXT)",
      "CREATE TABLE new_grid_key (grid INTEGER, key_name TEXT)",
      "CREATE TABLE new_keymap (key_name TEXT, key_json TEXT, replaces TEXT)",
      "CREATE TABLE dropped_keymap (key_name TEXT)",
    ]
  }

  /// The statements that create the tables for compact taps.
  private var blocks: [String] {
    guard hasBlocks else { return [] }
    return TapTable.allCases.flatMap { table in
      let keys = table.keys.map { "\($0) INTEGER" }.joined(separator: ", ")
      return [
        "CREATE TABLE new_\(table.name) (\(keys), \(table.content) BLOB)",
        "CREATE TABLE removed_\(table.name) (\(keys))",
      ]
    }
  }
}
