/// The features that are joined across the borders of tiles.
package enum TileJoining: Hashable, Sendable {
  /// Areas and lines: what a map shows of features as a whole.
  case all

  /// Areas alone. A line is one of its tile, with all that the tile has of it beyond its border, and is
  /// cut there when it is drawn: so MapLibre does, with dashes that begin where the tile's line does.
  case areas

  /// None: each tile's features are read on their own, as symbols and circles are placed.
  case none
}
