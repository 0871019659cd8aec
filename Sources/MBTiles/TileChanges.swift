package import Tiling

/// A tile that differs between two archives.
package struct TileChange: Hashable, Sendable {
  /// The kind of change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Only the new archive has the tile.
    case added
    /// Both have the tile, with different bytes or different answers to taps.
    case changed
    /// Only the old archive has the tile.
    case removed
  }

  /// The part of a changed tile that differs.
  package enum Part: Hashable, Sendable {
    /// The bytes, and possibly more.
    case picture
    /// The bytes are equal, but taps are answered at different places or by different keys.
    case grid
    /// The grid is equal, too, but the data of one of its keys differs.
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

/// The number of tiles that differ between two archives, by zoom.
package struct TileChanges: Hashable, Sendable {
  /// The numbers of one zoom.
  package struct Zoom: Hashable, Sendable {
    package var zoom: Int

    /// The number of tiles that only the new archive has.
    package var added = 0

    /// The number of tiles that both have, with different bytes or different answers to taps.
    package var changed = 0

    /// The number of tiles that only the old archive has.
    package var removed = 0

    /// The number of tiles that both have with equal bytes and answers.
    package var unchanged = 0

    package init(zoom: Int) {
      self.zoom = zoom
    }
  }

  /// The zooms of either archive, ascending.
  package var zooms: [Zoom]

  package init(zooms: [Zoom] = []) {
    self.zooms = zooms
  }

  package var added: Int { zooms.reduce(0) { $0 + $1.added } }
  package var changed: Int { zooms.reduce(0) { $0 + $1.changed } }
  package var removed: Int { zooms.reduce(0) { $0 + $1.removed } }
  package var unchanged: Int { zooms.reduce(0) { $0 + $1.unchanged } }

  /// The number of tiles that differ.
  package var differing: Int { added + changed + removed }

  /// The number of tiles of the old archive.
  package var oldTiles: Int { changed + removed + unchanged }

  /// The number of tiles of the new archive.
  package var newTiles: Int { added + changed + unchanged }
}

/// A tally of ``TileChanges`` as tiles pass, in any order of zooms.
struct TileChangeTally {
  private var zooms = (0...TileCoord.maxZoom).map { TileChanges.Zoom(zoom: $0) }

  /// Counts a tile, which must be valid; `nil` means equal in both archives.
  mutating func count(_ kind: TileChange.Kind?, zoom: Int) {
    switch kind {
    case .added: zooms[zoom].added += 1
    case .changed: zooms[zoom].changed += 1
    case .removed: zooms[zoom].removed += 1
    case nil: zooms[zoom].unchanged += 1
    }
  }

  /// The counts, without the zooms that had no tile.
  var changes: TileChanges {
    TileChanges(zooms: zooms.filter { $0 != TileChanges.Zoom(zoom: $0.zoom) })
  }
}
