/// The common form of the two archives of a delta, which determines the delta's tables.
package struct DeltaForm: Hashable, Sendable {
  package var layout: ArchiveLayout

  /// Whether both have taps; only in the layout `dedup`.
  package var hasTaps: Bool

  package init(_ layout: ArchiveLayout, hasTaps: Bool = false) {
    self.layout = layout
    self.hasTaps = hasTaps
  }

  /// All possible forms.
  package static let all = [
    DeltaForm(.dedup), DeltaForm(.dedup, hasTaps: true), DeltaForm(.flat),
  ]

  /// The statements that create the tables, views and indexes of such an archive.
  var archiveSchema: [String] {
    let taps = hasTaps ? [GridSchema.tables, GridSchema.indexes] : []
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
      return common + ["CREATE TABLE new_tiles (\(place), tile_data BLOB)"]
    }
    let images = [
      "CREATE TABLE new_images (tile_id TEXT, tile_data BLOB, replaces TEXT)",
      "CREATE TABLE dropped_images (tile_id TEXT)",
    ]
    guard hasTaps else {
      return common + ["CREATE TABLE new_map (\(place), tile_id TEXT)"] + images
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
}
