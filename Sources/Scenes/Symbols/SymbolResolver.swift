package import Clustering
package import Features
package import Raster
package import Styling
package import Tiling

/// A source as the scene stage takes it: its points, their clusters at the zoom, and its shapes.
package struct SymbolSource {
  package let id: String
  package let points: PointSet

  /// The clusters of the zoom; `nil` if every point stands alone.
  package let level: ClusterLevel?

  /// The names of the level's aggregates.
  package let aggregateNames: [String]

  /// The lines and polygons; `nil` if the source has no shapes.
  package let shapes: SymbolShapes?

  /// The borders of the tiles from which the features come, one tile after the other; `nil` for
  /// features that no tile divides.
  package let borders: TileBorders?

  /// The spread points of the zoom; `nil` if every point stays at its place.
  package let stacks: PointStacks?

  /// Whether the zoom draws each point; `nil` for all, and where there are clusters.
  package let keptPoints: Column<Bool>?

  /// Whether the zoom draws each shape; `nil` for all.
  package let keptShapes: Column<Bool>?

  /// The position of each point or cluster on the map of the zoom.
  var positions: Column<WorldPoint> { stacks?.positions ?? level?.positions ?? points.positions }

  package init(
    id: String, points: PointSet, level: ClusterLevel?, aggregateNames: [String] = [],
    shapes: SymbolShapes? = nil, borders: TileBorders? = nil, stacks: PointStacks? = nil,
    keptPoints: Column<Bool>? = nil, keptShapes: Column<Bool>? = nil
  ) {
    self.borders = borders
    self.stacks = stacks
    self.keptPoints = keptPoints
    self.keptShapes = keptShapes
    self.id = id
    self.points = points
    self.level = level
    self.aggregateNames = aggregateNames
    self.shapes = shapes
  }
}

/// A resolver of the features of a zoom to symbols, each with a place and a look stack.
package struct SymbolResolver {
  private let style: Style
  let shaper: TextShaper

  package init(style: Style, fonts: FontLibrary) {
    self.style = style
    shaper = TextShaper(fonts: fonts)
  }

  /// Returns the symbols of all sources at a zoom, in drawing order.
  ///
  /// - Complexity: O(features); looks that depend on the count alone are evaluated once per count.
  ///
  /// - Parameters:
  ///   - keepsFeatures: whether the symbols' ``ZoomSymbols/features`` are filled.
  ///   - shown: the symbols that show, if the sources have only a part of the features; `nil` if
  ///     they have all.
  ///   - taken: boxes in device pixels that symbols which look for room keep off, if all are there.
  package func symbols(
    of sources: [SymbolSource], grid: PixelGrid, looks: inout LookTable,
    keepsFeatures: Bool = false, shown: VisibleSymbols? = nil, taken: [PixelBox] = []
  ) throws -> ZoomSymbols {
    let found = layerGroups(of: sources, grid: grid)
    let placed = placedLayers(found.map(\.layers))
    let repeats = shown == nil ? LabelRepeats() : nil
    var groups: [SymbolGroup] = []
    for (index, layers) in found {
      let own = layers.placed(among: placed)
      let isDecided = shown != nil && layers.areDecided(own)
      var group = SymbolGroup(
        layers: layers, source: sources[index], sourceIndex: index, grid: grid,
        keepsFeatures: !own.isEmpty || isDecided || keepsFeatures)
      var features = FeatureResolver(
        group, source: sources[index], grid: grid, shaper: shaper, repeats: repeats)
      try features.resolve(into: &group, looks: &looks)
      if isDecided { try shown?.filter(&group, layers: own, looks: &looks) }
      group.sortForDrawing()
      groups.append(group)
    }
    if shown == nil, !placed.isEmpty {
      var placement = LabelPlacement(
        grid: grid, shaper: shaper, in: groups.first?.symbols.scratch)
      for box in taken { placement.take(box) }
      for layer in placed {
        for index in groups.indices
        where groups[index].layers.contains(where: { $0.index == layer.index }) {
          try placement.place(layer, in: &groups[index], looks: &looks)
        }
      }
    }
    var missing = MissingImages()
    for layer in groups.lazy.flatMap(\.layers) {
      looks.unusable.insert(layer.values.unusable, of: layer.index)
      missing.add(layer.values.missingImages)
    }
    looks.missingImages.formUnion(missing)
    return Self.joined(groups, keepsFeatures: keepsFeatures)
  }

  /// Returns the layers whose symbols are drawn from north to south; see
  /// ``ZoomScenes/layersFromNorth``.
  func layersFromNorth(at zoom: Double) -> [Int] {
    var lists = 0
    return style.layers.indices.filter { index in
      let layer = style.layers[index]
      return layer.kind == .symbol && layer.shows(at: zoom)
        && LookResolver(layer, index: index, zoom: zoom, shaper: shaper, nextList: &lists)
          .isDrawnFromNorth
    }
  }

  /// Returns the groups of layers of some sources that show at a zoom, with the index of their source.
  func layerGroups(
    of sources: [SymbolSource], grid: PixelGrid
  ) -> [(source: Int, layers: [LookResolver])] {
    let images = style.images.images(scale: grid.scale)
    return sources.enumerated().flatMap { index, source in
      layerGroups(of: source, zoom: grid.styleZoom, images).map { (source: index, layers: $0) }
    }
  }

  /// Returns the layers of a source that show at a zoom, grouped so that one order of features
  /// serves all layers of a group.
  private func layerGroups(
    of source: SymbolSource, zoom: Double, _ images: ScaledImages
  ) -> [[LookResolver]] {
    var plain: [LookResolver] = []
    var alone: [[LookResolver]] = []
    var lists = 0
    for index in style.layers(of: source.id)
    where style.layers[index].kind.isSymbolic && style.layers[index].shows(at: zoom) {
      let resolver = LookResolver(
        style.layers[index], index: index, zoom: zoom, shaper: shaper, images: images,
        nextList: &lists)
      let isFromNorth = source.borders != nil && resolver.isDrawnFromNorth
      if resolver.standsAlone || isFromNorth {
        alone.append([resolver])
      } else {
        plain.append(resolver)
      }
    }
    return (plain.isEmpty ? [] : [plain]) + alone
  }

  /// Returns the layers with symbols to be placed, and the layers whose symbols block them, the
  /// topmost first; before all of them the layers of circles and charts that are obstacles, which
  /// always show.
  func placedLayers(_ groups: [[LookResolver]]) -> [LookResolver] {
    let labels = groups.joined().filter { $0.layer.kind == .symbol }
    guard let lowest = labels.filter(\.looksForRoom).map(\.index).min() else { return [] }
    return groups.joined().filter(\.isObstacle)
      + labels.filter { layer in
        layer.looksForRoom || (layer.index > lowest && layer.blocksOthers)
      }.sorted { $0.index > $1.index }
  }

  /// Returns all symbols that have something left to show.
  private static func joined(_ groups: [SymbolGroup], keepsFeatures: Bool) -> ZoomSymbols {
    if groups.count == 1, !groups[0].keepsFeatures { return groups[0].symbols }
    var symbols = ZoomSymbols(in: groups.first?.symbols.scratch)
    symbols.reserve(groups.reduce(0) { $0 + $1.symbols.count })
    for group in groups {
      for row in 0..<group.symbols.count where group.symbols.stacks[row] != 0 {
        symbols.append(
          stack: group.symbols.stacks[row], x: group.symbols.xs[row], y: group.symbols.ys[row])
        if keepsFeatures { symbols.features.append(group.tapFeature(ofSymbol: row)) }
      }
    }
    return symbols
  }
}
