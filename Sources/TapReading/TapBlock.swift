/// The hit areas of a square of 8 × 8 tiles of a zoom, exact.
///
/// Positions are pixels of the archive's tiles, eastward and southward from the block's north-west
/// corner, in units of 1/16 px. Symbols that reach into several tiles are stored once; lines and
/// areas are stored tile by tile, as they are clipped for each.
package struct TapBlock: Hashable, Sendable {
  /// The units per pixel of positions.
  package static let steps = 16

  /// The units per pixel of radii, boxes around anchors and widths.
  package static let fineSteps = 256

  /// The limit of the identifiers of features: every client can hold smaller numbers exactly.
  package static let identifierLimit: UInt64 = 1 << 53

  /// The number of bits of a tile's column or row within a block.
  package static let sideBits = 3

  /// The number of tiles along a side of a block.
  package static let side = 1 << sideBits

  /// Width of a tile in pixels of the archive's images.
  package var tileSide: Int

  /// The tiles that answer taps: a bit for each, row by row from the north-west.
  package var tiles: UInt64 = 0

  /// The stacks of prints of symbols, back to front.
  package var stacks: [[TapPrint]] = []
  package var symbols = TapSymbols()

  /// The lines and areas: tile by tile, within each in drawing order.
  package var shapes: ContiguousArray<TapShape> = []

  /// The end of each run of vertices; runs belong to the shapes one after the other.
  package var runEnds: ContiguousArray<UInt32> = []
  package var vertices: ContiguousArray<TapVertex> = []

  package init(tileSide: Int) {
    self.tileSide = tileSide
  }

  /// The features that occur, ascending.
  ///
  /// - Complexity: O(n log n).
  package var features: [UInt64] {
    var all = Array(symbols.features)
    all.append(contentsOf: shapes.lazy.map(\.feature))
    all.sort()
    var count = 0
    for index in all.indices where count == 0 || all[index] != all[count - 1] {
      all[count] = all[index]
      count += 1
    }
    all.removeLast(all.count - count)
    return all
  }

  /// Returns the vertices of a run.
  package func vertexRange(ofRun run: Int) -> Range<Int> {
    (run == 0 ? 0 : Int(runEnds[run - 1]))..<Int(runEnds[run])
  }
}

/// The hit area of a symbol around its anchor, in 1/256 px: a box, or the disc within it.
package struct TapPrint: BitwiseCopyable, Hashable, Sendable {
  /// The index of the layer in the style.
  package var layer: Int32
  package var isDisc: Bool

  /// Whether the position is the anchor's pixel rather than the anchor.
  package var isOnPixel: Bool
  package var left: Int32
  package var top: Int32
  package var right: Int32
  package var bottom: Int32

  package init(
    layer: Int32, isDisc: Bool, isOnPixel: Bool, left: Int32, top: Int32, right: Int32,
    bottom: Int32
  ) {
    self.layer = layer
    self.isDisc = isDisc
    self.isOnPixel = isOnPixel
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }
}

/// The symbols of a block in drawing order, as columns.
package struct TapSymbols: Hashable, Sendable {
  /// The index of each symbol's stack.
  package var stacks: ContiguousArray<UInt32> = []

  /// The anchors in 1/16 px.
  package var xs: ContiguousArray<Int32> = []
  package var ys: ContiguousArray<Int32> = []

  /// The identifier of each symbol's feature.
  package var features: ContiguousArray<UInt64> = []

  package var count: Int { features.count }

  package mutating func append(stack: UInt32, x: Int32, y: Int32, feature: UInt64) {
    stacks.append(stack)
    xs.append(x)
    ys.append(y)
    features.append(feature)
  }
}

/// A vertex in 1/16 px from the block's north-west corner.
package struct TapVertex: BitwiseCopyable, Hashable, Sendable {
  package var x: Int32
  package var y: Int32

  package init(x: Int32, y: Int32) {
    self.x = x
    self.y = y
  }
}

/// A line or an area in one tile.
package struct TapShape: BitwiseCopyable, Hashable, Sendable {
  package enum Kind: UInt8, BitwiseCopyable, CaseIterable, Sendable {
    /// The whole tile.
    case wholeTile
    /// The interior of its runs, each a closed ring, by the even-odd rule.
    case area
    /// One pixel, whose north-west corner is the single vertex.
    case speck
    /// The area within half a width of its runs.
    case line
    /// A line of a layer of areas, which lies under the areas.
    case outline

    /// Whether ``TapShape/half`` and ``TapShape/gap`` apply.
    package var isStroke: Bool { self == .line || self == .outline }

    /// The order within a layer: outlines, specks, areas.
    package var priority: Int {
      switch self {
      case .outline, .line: 0
      case .speck: 1
      case .area, .wholeTile: 2
      }
    }
  }

  /// The index of the tile in the block.
  package var tile: UInt8
  package var kind: Kind

  /// The index of the layer in the style.
  package var layer: Int32
  package var feature: UInt64

  /// Half of the width, in 1/256 px.
  package var half: Int32

  /// Half of the gap along the middle, which is not hit, in 1/256 px.
  package var gap: Int32

  /// The number of runs of vertices.
  package var runs: UInt32

  package init(
    tile: UInt8, kind: Kind, layer: Int32, feature: UInt64, half: Int32 = 0, gap: Int32 = 0,
    runs: UInt32 = 0
  ) {
    (self.tile, self.kind, self.layer, self.feature) = (tile, kind, layer, feature)
    (self.half, self.gap, self.runs) = (half, gap, runs)
  }
}
