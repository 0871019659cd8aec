package import Tiling

/// One tile that is not the same in two archives.
package struct TileChange: Hashable, Sendable {
  /// What became of the tile.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the new archive has it.
    case added
    /// Both have it, with other bytes or other answers to taps.
    case changed
    /// Only the old archive has it.
    case removed
  }

  /// What differs of a tile that changed.
  package enum Part: Hashable, Sendable {
    /// The bytes, whatever else does.
    case picture
    /// The bytes are the same, but not where taps are answered, or by which keys.
    case grid
    /// The grid is the same, too, but one of its keys stands for something else.
    case entries
  }

  package let tile: TileCoord
  package let kind: Kind
  package let part: Part

  package init(tile: TileCoord, kind: Kind, part: Part = .picture) {
    self.tile = tile
    self.kind = kind
    self.part = part
  }
}

/// How many tiles of two archives differ, by zoom.
package struct TileChanges: Hashable, Sendable {
  /// One zoom.
  package struct Zoom: Hashable, Sendable {
    package var zoom: Int

    /// Tiles that only the new archive has.
    package var added = 0

    /// Tiles that both have, with other bytes or other answers to taps.
    package var changed = 0

    /// Tiles that only the old archive has.
    package var removed = 0

    /// Tiles that both have with the same bytes and answers.
    package var unchanged = 0

    package init(zoom: Int) {
      self.zoom = zoom
    }
  }

  /// The zooms that either archive has, ascending.
  package var zooms: [Zoom]

  package init(zooms: [Zoom] = []) {
    self.zooms = zooms
  }

  package var added: Int { zooms.reduce(0) { $0 + $1.added } }
  package var changed: Int { zooms.reduce(0) { $0 + $1.changed } }
  package var removed: Int { zooms.reduce(0) { $0 + $1.removed } }
  package var unchanged: Int { zooms.reduce(0) { $0 + $1.unchanged } }

  /// Tiles that are not the same in both.
  package var differing: Int { added + changed + removed }

  /// Tiles of the old archive.
  package var oldTiles: Int { changed + removed + unchanged }

  /// Tiles of the new archive.
  package var newTiles: Int { added + changed + unchanged }
}

/// Counts ``TileChanges`` as they pass, in any order of zooms.
struct TileChangeTally {
  private var zooms = (0...TileCoord.maxZoom).map { TileChanges.Zoom(zoom: $0) }

  /// Counts a tile, which must be valid; `nil` is one that is the same in both archives.
  mutating func count(_ kind: TileChange.Kind?, zoom: Int) {
    switch kind {
    case .added: zooms[zoom].added += 1
    case .changed: zooms[zoom].changed += 1
    case .removed: zooms[zoom].removed += 1
    case nil: zooms[zoom].unchanged += 1
    }
  }

  /// What was counted, without the zooms that had no tile.
  var changes: TileChanges {
    TileChanges(zooms: zooms.filter { $0 != TileChanges.Zoom(zoom: $0.zoom) })
  }
}
