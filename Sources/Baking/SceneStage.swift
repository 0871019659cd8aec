package import SourceStages
package import Styling
import Definition
package import Features
import Inputs
package import MBTiles
import Painting
package import Reuse
package import Runs
package import Scenes
import SpatialIndex
package import Tiling

/// The scenes of all zooms at one pixel density: the exact number of tiles that a build will draw.
package struct PlannedTiles {
  package let builder: SceneBuilder
  let painters: PainterFactory
  package let zooms: [ZoomScenes]
  let uses: SceneUses
  let fill: TileFill

  /// Makes the scenes of all tiles, if some were taken over from an earlier run; `nil` if all were
  /// made.
  var remake: (() throws -> PlannedTiles)?

  /// The tiles of the first zoom that are stored as transparent although nothing is drawn, in
  /// archive order.
  package var blankTiles: Column<UInt64> = []

  /// The empty children of each zoom, in archive order, that get the transparent tile because their
  /// parents have visible pixels there: a client would enlarge those (docs/archive.md). A zoom
  /// between others that would have no tile gets one, since readers accept no gap.
  private let transparentChildren: [Column<UInt64>]

  init(
    builder: SceneBuilder, painters: PainterFactory, zooms: [ZoomScenes], _ uses: SceneUses,
    fill: TileFill
  ) {
    self.builder = builder
    self.painters = painters
    self.zooms = zooms
    self.fill = fill
    self.uses = uses
    var transparent = zooms.indices.map { index -> Column<UInt64> in
      guard fill == .children, index > 0 else { return [] }
      return zooms[index - 1].transparentChildren(
        without: zooms[index].tileKeys,
        inside: TileRange(builder.bounds, zoom: zooms[index].grid.zoom),
        isStopped: builder.isStopped)
    }
    let last = zooms.lastIndex { $0.count > 0 } ?? 0
    for index in zooms.indices.dropFirst() where index < last {
      guard zooms[index].count == 0, transparent[index].isEmpty,
        let tile = zooms[index - 1].undrawnChild(
          or: transparent[index - 1].first,
          inside: TileRange(builder.bounds, zoom: zooms[index].grid.zoom))
      else { continue }
      transparent[index] = [tile]
    }
    transparentChildren = transparent
  }

  /// Returns the same tiles with the scenes of all of them, so that any can be painted.
  func whole() throws -> PlannedTiles { try remake?() ?? self }

  /// Side of a tile in device px.
  var tilePixels: Int { builder.tileSize * builder.scale }

  /// Returns the tiles of a zoom within the pipeline's bounds.
  package func range(_ zoom: Int) -> TileRange { TileRange(builder.bounds, zoom: zoom) }

  /// Returns the transparent tiles of a zoom, by its index among the zooms.
  private func transparent(_ index: Int) -> Column<UInt64> {
    index == 0 ? blankTiles : transparentChildren[index]
  }

  /// The rows of the archive.
  package var rows: PlannedRows {
    PlannedRows(
      zooms.indices.map { PlannedRows.Zoom(zooms[$0], blanks: transparent($0)) }, uses)
  }

  /// The numbers of rows of each zoom: drawn tiles, and transparent ones that fill gaps.
  var counts: [(zoom: Int, drawn: Int, transparent: Int)] {
    zooms.indices.map { (zooms[$0].grid.zoom, zooms[$0].count, transparent($0).count) }
  }

  /// Whether any zoom has a drawn tile.
  package var drawsAnything: Bool { zooms.contains { $0.count > 0 } }

  /// Whether any zoom shows what a layer draws beside backgrounds, unless there are no other layers.
  package var drawsLayers: Bool {
    guard drawsAnything, builder.style.layers.contains(where: { $0.kind != .background }) else {
      return drawsAnything
    }
    return zooms.contains(where: \.showsMoreThanBackground)
  }

  /// The columns and rows of each zoom that has any tile.
  ///
  /// - Complexity: O(tiles).
  package var extents: [TileExtent] {
    zooms.indices.compactMap { index in
      let zoom = zooms[index].grid.zoom
      var extent: TileExtent?
      for keys in [zooms[index].tileKeys, transparent(index)] {
        for key in keys {
          let tile = TileCoord(TileKey(rawValue: key), z: zoom)
          if extent == nil { extent = TileExtent(tile) }
          extent?.include(tile)
        }
      }
      return extent
    }
  }

  /// The number of rows of all zooms.
  var rowCount: Int { counts.reduce(0) { $0 + $1.drawn + $1.transparent } }
}

extension Build {
  /// Returns the extents of the tiles at some pixel densities, which are planned for this purpose:
  /// an archive's bounds include the tiles of all densities.
  package func extents(
    scales: some Sequence<Int>, _ sources: [ClusteredSource], _ clock: StageClock
  ) throws(PipelineError) -> [TileExtent] {
    var extents: [TileExtent] = []
    for scale in scales { extents += try scenes(scale: scale, sources, clock).extents }
    return extents
  }

  /// Makes the scenes of the pipeline's zooms: the stage `scene`.
  ///
  /// - Parameters:
  ///   - some: the zooms whose scenes are needed; `nil` for all.
  ///   - last: the archive in place; its known scenes are not made again.
  package func scenes(
    scale: Int, zooms some: ClosedRange<Int>? = nil, _ sources: [ClusteredSource],
    after last: LastArchive? = nil, _ clock: StageClock
  ) throws(PipelineError) -> PlannedTiles {
    let zooms = some ?? definition.tiles.minZoom...definition.tiles.maxZoom
    let items = zooms.reduce(0) { $0 + sources.itemCount(at: $1) }
    try definition.requireFewTiles(ofImages: sources.imageBoxes, prepared.style, zooms)
    if let box = sources.backgroundBox(definition.tiles) {
      try definition.requireFewTiles(ofBackgroundOf: prepared.style, zooms, range: box.tiles)
    }
    try context.requireScratch(toDraw: sources, zooms: zooms)
    return try clock.stage("scene", unit: .records, total: items) { advance in
      do {
        let isStopped: @Sendable () -> Bool = cancellation.isStopped
        let drawing = last?.drawing ?? drawing(scale: scale)
        var planned = try sources.scenes(
          drawing, zooms: zooms, after: last, isStopped: isStopped, advance: advance)
        if planned.zooms.contains(where: { !$0.isWhole }) {
          planned.remake = {
            try sources.scenes(
              self.drawing(scale: scale), zooms: zooms, isStopped: isStopped, advance: { _, _ in })
          }
        }
        return planned
      } catch let excess as TileExcess {
        throw definition.error(excess)
      }
    }
  }

  /// Returns the images that the layers of a zoom name and that do not exist, determined from the
  /// properties of the features, without making scenes: the stage `scene`.
  package func missingImages(
    scale: Int, zoom: Int, _ sources: [ClusteredSource], _ clock: StageClock
  ) throws(PipelineError) -> MissingImages {
    try clock.stage("scene", unit: .records, total: sources.itemCount(at: zoom)) { _ in
      var builder = drawing(scale: scale).builder(of: sources)
      builder.isStopped = cancellation.isStopped
      do {
        _ = try builder.resolve(
          sources.map { $0.symbols(at: zoom) }, shapes: sources.compactMap { $0.shapes(at: zoom) },
          images: sources.compactMap(\.source.image?.source), zoom: zoom)
      } catch let excess as TileExcess {
        throw definition.error(excess)
      }
      return builder.missingImages
    }
  }

  /// Returns the plan for the hit test data of tiles; `nil` without any.
  package func tapPlan(_ sources: [ClusteredSource], of planned: PlannedTiles) -> TapPlan? {
    TapPlan(definition, sources, planned.builder)
  }

  /// Returns the plan for the hit test data of an archive whose tiles other processes paint; `nil`
  /// without any.
  package func tapPlan(_ sources: [ClusteredSource], scale: Int) -> TapPlan? {
    TapPlan(definition, sources, drawing(scale: scale).builder())
  }

  /// Returns the key of everything but the scenes that determines the images of tiles.
  package func paintKey(of planned: PlannedTiles) throws(PipelineError) -> PaintKey {
    try paintKey(of: planned.painters, scale: planned.builder.scale)
  }

  /// Returns the key of everything but the scenes that determines the images of a pixel density.
  func paintKey(of painters: PainterFactory, scale: Int) throws(PipelineError) -> PaintKey {
    try PaintKey(
      painters, tileSize: definition.tiles.tileSize, scale: scale, fonts: prepared.fontFiles,
      inputs: inputs)
  }
}

extension Array where Element == ClusteredSource {
  /// The number of points of each source that is clustered.
  var clusteredPoints: [String: Int] {
    reduce(into: [:]) { points, source in
      guard source.pyramid != nil else { return }
      points[source.source.definition.name] = source.source.points.count
    }
  }

  /// The names of the sources whose points come as clusters.
  var clusteredSources: Set<String> {
    Set(filter { $0.pyramid != nil }.map(\.source.definition.name))
  }

  /// Computes the scenes of some zooms.
  ///
  /// - Parameters:
  ///   - last: the archive in place; `nil` if none is known, and nothing is kept for the next run.
  ///   - isStopped: whether the run should stop; `advance` then throws.
  /// - Throws: ``TileExcess`` for more tiles than an archive may have, and the errors of `advance`.
  func scenes(
    _ drawing: TileDrawing, zooms: ClosedRange<Int>, after last: LastArchive? = nil,
    isStopped: @escaping @Sendable () -> Bool = { false }, advance: (Int, Int?) throws -> Void
  ) throws -> PlannedTiles {
    var builder = drawing.builder(of: self)
    builder.isStopped = isStopped
    builder.keepsBlocks = last?.canCopy == true
    // An error is reported by the code that reads the archive's other known values.
    builder.known = (try? last?.known().scenes) ?? [:]
    var scenes: [ZoomScenes] = []
    var uses: SceneUses?
    var seen = SceneTable()
    var done = 0
    var tileCount = 0
    var next = zooms.lowerBound
    // Looks are resolved zoom by zoom; while the next zoom is resolved, the looks of the last one
    // are assigned to their tiles.
    try OrderedWork<ResolvedZoom, ZoomScenes>(threads: Swift.min(drawing.threads, 2), limit: 3).run(
      worker: {
        var sorter = RadixSorter()
        return { try $0.scenes(sorter: &sorter) }
      },
      next: {
        guard next <= zooms.upperBound else { return nil }
        defer { next += 1 }
        try advance(done, nil)
        return try builder.resolve(
          map { $0.symbols(at: next) }, shapes: compactMap { $0.shapes(at: next) },
          images: compactMap(\.source.image?.source), zoom: next)
      },
      consume: { made in
        if uses == nil {
          uses = SceneUses(in: made.tileKeys.scratch)
          seen = SceneTable(in: made.tileKeys.scratch)
        }
        uses?.add(made.hashes, &seen, isStopped: isStopped)
        scenes.append(made)
        tileCount += made.count
        try TileExcess.check(.zooms, zoom: made.grid.zoom, tiles: tileCount)
        done += itemCount(at: made.grid.zoom)
        try advance(done, made.grid.zoom)
      })
    let planned = PlannedTiles(
      builder: builder,
      painters: try last?.painters ?? drawing.trainer.map(drawing.painters(trainedAs:))
        ?? drawing.painters(clusteredSources: clusteredSources),
      zooms: scenes,
      uses ?? SceneUses(in: nil), fill: drawing.tiles.fill)
    try advance(done, nil)
    return planned
  }
}
