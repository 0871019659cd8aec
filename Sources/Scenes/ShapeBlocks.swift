import Columns
package import Features
package import Styling
package import Tiling

/// Draws a zoom's lines and polygons block by block, over scenes of everything else: only the
/// shapes of one block are in memory at a time.
package struct ShapeBlocks: Sendable {
  private let style: Style

  /// The scenes of everything else, which have no shapes.
  package let base: ZoomScenes

  private let isStopped: @Sendable () -> Bool

  /// - Parameters:
  ///   - base: scenes without shapes that the builder has made.
  package init(_ builder: SceneBuilder, over base: ZoomScenes) {
    style = builder.style
    self.base = base
    isStopped = builder.isStopped
  }

  /// The scenes of a block.
  package struct Made: Sendable {
    package let scenes: ZoomScenes

    /// The images that layers ask for and the style does not have.
    package let missingImages: MissingImages

    /// The numbers of the style that were not finite.
    package let unusableNumbers: UnusableNumbers

    package init(
      scenes: ZoomScenes, missingImages: MissingImages, unusableNumbers: UnusableNumbers
    ) {
      self.scenes = scenes
      self.missingImages = missingImages
      self.unusableNumbers = unusableNumbers
    }
  }

  /// Returns the scenes of the tiles of a block.
  ///
  /// - Parameters:
  ///   - keys: the keys of its tiles.
  ///   - range: its tiles within the box of the map.
  ///   - shapes: the lines and polygons that may show there.
  package func scenes(
    of shapes: [ShapeSource], keys: Range<UInt64>, in range: TileRange
  ) throws(TileExcess) -> Made {
    var looks = ShapeLookTable()
    let resolved = ShapeSceneBuilder(
      style: style, grid: base.grid, range: range, isStopped: isStopped
    ).resolve(shapes, looks: &looks)
    var scenes = base.part(keys)
    scenes.add(try resolved.scenes(), isStopped: isStopped)
    return Made(
      scenes: scenes, missingImages: looks.missingImages, unusableNumbers: looks.unusable)
  }
}

extension ZoomScenes {
  /// Returns the scenes of the tiles in a range of keys.
  ///
  /// - Complexity: O(tiles of the range + their entries + log tiles).
  fileprivate func part(_ keys: Range<UInt64>) -> ZoomScenes {
    let first = tileKeys.bisectedIndex { $0 < keys.lowerBound }
    let tiles = first..<tileKeys.bisectedIndex { $0 < keys.upperBound }
    let entryStart = first == 0 ? 0 : entryEnds[first - 1]
    let entryEnd = tiles.isEmpty ? entryStart : entryEnds[tiles.upperBound - 1]
    var part = self
    part.tileKeys = Column(tileKeys[tiles])
    part.entryEnds = Column(entryEnds[tiles].lazy.map { $0 - entryStart })
    part.entries = Column(entries[Int(entryStart)..<Int(entryEnd)])
    part.hashes = Column(hashes[tiles])
    part.quadrants = Column(quadrants[tiles])
    if !layerTiles.isEmpty {
      let lists = heats.count + rasters.count
      part.layerTiles = Column(layerTiles[tiles.lowerBound * lists..<tiles.upperBound * lists])
    }
    if !shapeTiles.isEmpty { part.shapeTiles = Column(shapeTiles[tiles]) }
    return part
  }

  /// Returns scenes with tiles and hashes only: what they show has been painted already.
  package func outline(
    tileKeys: Column<UInt64>, hashes: Column<StableHash>, quadrants: Column<UInt8>
  ) -> ZoomScenes {
    var outline = ZoomScenes(grid: grid, background: background, veils: veils, in: scratch)
    outline.fillsRange = fillsRange
    outline.layersFromNorth = layersFromNorth
    outline.tileKeys = tileKeys
    outline.hashes = hashes
    outline.quadrants = quadrants
    return outline
  }
}
