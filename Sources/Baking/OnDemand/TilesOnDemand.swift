import Clustering
package import Definition
import Features
import Inputs
import JSON
import Painting
import Reuse
package import Runs
import Scenes
package import SourceStages
import Styling
import Synchronization
import TapBlocks
package import Tiling

/// The tiles of a build, painted when they are asked for instead of being baked: the same pictures
/// and the same answers to taps as in an archive. Any number of threads may paint them.
///
/// Labels of a whole zoom compete for room. If a zoom has so many features that placing them takes
/// seconds, a part of the zoom is drawn with only the features around it: a label at the edge of
/// the part may then have another place than in an archive.
package final class TilesOnDemand: @unchecked Sendable {
  private let build: Build
  let sources: [ClusteredSource]

  /// The plan of the answers to taps, which are those at density 1; `nil` without any.
  private let taps: TapPlan?

  /// The windows that were drawn last, the newest last. A thread that needs another window draws it
  /// under the lock, and threads that need the same one wait; sources and build are read only under
  /// the lock.
  private let windows = Mutex<[TileWindow]>([])

  /// The most windows that are kept: those of a screen between two zooms, at two densities.
  private static let windowLimit = 6

  /// Whether windows are parts of a zoom: dots are assigned to the tiles of a zoom at once, while
  /// labels take long to draw, and the tiles of areas and images may be many.
  private let areParts: Bool

  /// The tiles along a side of a part, as a power of two: some screens.
  private static let partLevels = 5

  /// Whether nothing but tiles of other programs is drawn, of which each part reads its own with those around.
  private let readsParts: Bool

  /// The tiles along a side of a part that reads tilesets, as a power of two.
  private static let readLevels = 2

  /// The most features of a zoom that are all placed for each of its parts.
  private static let placedLimit = 10_000

  /// The tiles around a part whose points are placed with it.
  private static let neighbors = 6

  /// Reads and clusters the sources of a build.
  ///
  /// - Parameter read: sources that were read for the same layers in another look.
  /// - Complexity: that of a build's first stages.
  package init(_ build: Build, read: [LoadedSource] = []) throws(PipelineError) {
    self.build = build
    readsParts = build.definition.isOfTilesets
    guard !readsParts else {
      (sources, taps, areParts) = ([], nil, true)
      return
    }
    let clock = build.context.clock
    sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try build.keeping(read, of: clock).reading.clustered(clock)
    }
    taps = build.tapPlan(sources, scale: 1)
    areParts =
      build.definition.layers.contains { $0.type == .symbol }
      || sources.contains { $0.source.shapes.count > 0 || $0.source.image != nil }
  }

  /// Returns the tiles of the same data with changed layers. The data is read again only if the
  /// layers use other properties now.
  ///
  /// - Throws: ``PipelineError`` for layers that do not compile.
  package func repainted(_ overlay: LookOverlay) throws(PipelineError) -> TilesOnDemand {
    let layers = try overlay.applied(to: definition.layers)
    let changed = try build.with(build.pipeline.drawing(layers))
    let before = build.reading
    let isEnough = try PipelineError.wrapping {
      try sources.allSatisfy { try $0.source.serves(changed.reading, as: before) }
    }
    return try TilesOnDemand(changed, read: isEnough ? sources.map(\.source) : [])
  }

  /// Returns the PNG of a view as `render` draws it, between two zooms, too.
  package func picture(of view: MapView) throws(PipelineError) -> [UInt8] {
    try build.render(view)
  }

  package var definition: PipelineDefinition { build.definition }

  /// Whether some layer answers taps.
  package var answersTaps: Bool { taps != nil }

  /// Returns the picture of a tile; `nil` where nothing is drawn.
  ///
  /// - Parameter scale: the pixel density, 1 to 3.
  package func picture(_ tile: TileCoord, scale: Int) throws -> [UInt8]? {
    try window(tile, scale: scale).view.picture(tile)
  }

  /// Returns the answers to taps on a tile, as the JSON of a UTFGrid with the data of its keys:
  /// `{"grid": […], "keys": […], "data": {key: {…}}}`; `nil` where there is none.
  package func grid(_ tile: TileCoord) throws -> [UInt8]? {
    try taps.flatMap { try window(tile, scale: 1).grid(tile, $0) }
  }

  /// Calls `body` with the data of each record, as a tap answers with it, and its place, until that
  /// returns `false`. Places of lines and areas are those of their first vertex.
  package func forEachRecord(_ body: (_ json: [UInt8], _ place: LngLat) throws -> Bool) rethrows {
    for source in taps?.sources ?? [] {
      let isGoing = try source.forEachRecord(body)
      guard isGoing else { return }
    }
  }

  /// The box of the data, within the pipeline's bounds.
  package var bounds: GeoBounds {
    readsParts
      ? definition.tiles.bounds ?? .world
      : sources.dataBounds.part(within: definition.tiles.bounds)
  }

  /// Returns the positions of points, every n-th of them, if there are nothing but points.
  ///
  /// - Parameter limit: the most positions.
  package func positions(limit: Int) -> [LngLat] {
    guard sources.allSatisfy({ $0.source.shapes.count == 0 && $0.source.image == nil }) else {
      return []
    }
    let count = sources.reduce(0) { $0 + $1.source.points.count }
    let step = max(1, (count + limit - 1) / limit)
    return sources.flatMap { source in
      stride(from: 0, to: source.source.points.count, by: step).map {
        LngLat(source.source.points.positions[$0])
      }
    }
  }

  /// Returns the legend of the map, as JSON and as a PNG.
  package func legend(scale: Int) throws(PipelineError) -> (json: [UInt8], picture: [UInt8]) {
    try Sidecars(of: build).legendFiles(
      clusteredPoints: sources.clusteredPoints, classes: ClassBounds.parsed(sources.classes?.line),
      title: definition.name, scale: scale)
  }

  /// Returns the window that holds a tile, drawn now if it is not among the last ones.
  private func window(_ tile: TileCoord, scale: Int) throws(PipelineError) -> TileWindow {
    try windows.withLock { windows throws(PipelineError) in
      try window(tile, scale: scale, &windows)
    }
  }

  private func window(
    _ tile: TileCoord, scale: Int, _ windows: inout [TileWindow]
  ) throws(PipelineError) -> TileWindow {
    if let known = windows.lastIndex(where: { $0.scale == scale && $0.holds(tile) }) {
      let window = windows.remove(at: known)
      windows.append(window)
      return window
    }
    let most = readsParts ? Self.readLevels : Self.partLevels
    let levels = areParts ? min(most, tile.z) : tile.z
    let part = TileCoord(z: tile.z - levels, x: tile.x >> levels, y: tile.y >> levels)
    if windows.count == Self.windowLimit { windows.removeFirst() }
    if readsParts {
      let view = try build.view(of: ZoomWindow(zoom: tile.z, bounds: WorldBox(part)), scale: scale)
      windows.append(TileWindow(view, part: part, scale: scale))
      return windows[windows.count - 1]
    }
    let isCrowded = sources.reduce(0) { $0 + $1.itemCount(at: tile.z) } > Self.placedLimit
    let view = try build.zoomView(
      ZoomWindow(zoom: tile.z, bounds: WorldBox(part)), of: sources,
      within: levels < tile.z && isCrowded
        ? WorldBox(part).widened(by: Self.neighbors, tile.z) : nil,
      scale: scale)
    let window = TileWindow(view, part: part, scale: scale)
    windows.append(window)
    return window
  }
}

/// The tiles of one zoom in a part of the world, at one pixel density.
private final class TileWindow: @unchecked Sendable {
  /// The scenes, which are only read.
  let view: ZoomView
  private let part: TileCoord
  let scale: Int

  /// The members of the clusters by source, found with the first tap.
  private let members = Mutex<[Int: ClusterMembers]>([:])

  init(_ view: ZoomView, part: TileCoord, scale: Int) {
    self.view = view
    self.part = part
    self.scale = scale
  }

  func holds(_ tile: TileCoord) -> Bool {
    guard tile.z == view.scenes.grid.zoom else { return false }
    let levels = tile.z - part.z
    return tile.x >> levels == part.x && tile.y >> levels == part.y
  }

  func grid(_ tile: TileCoord, _ taps: TapPlan) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    guard let index = view.scenes.index(of: tile),
      let grid = try taps.worker().grid(ofTile: index, of: view.scenes, to: &bytes)
    else { return nil }
    // The grid of an archive is compressed.
    var json = try bytes.withUnsafeBytes { try TapInflater.forGrids.inflate($0) }
    guard json.popLast() == UInt8(ascii: "}") else { return nil }
    json.append(contentsOf: ",\"data\":{".utf8)
    for (number, feature) in grid.features.enumerated() {
      let source = taps.sources[feature.source]
      let level = source.level(tile.z)
      let item = source.item(feature, level)
      if number > 0 { json.append(UInt8(ascii: ",")) }
      JSONWriter.append(string: String(decoding: grid.keys[number], as: UTF8.self), to: &json)
      json.append(UInt8(ascii: ":"))
      source.appendEntry(
        of: item, level, firstMembers(of: item, source: feature.source, level, taps), to: &json)
    }
    json.append(contentsOf: "}}".utf8)
    return json
  }

  private func firstMembers(
    of item: TapSource.Item, source: Int, _ level: TapSource.Level?, _ taps: TapPlan
  ) -> [Int] {
    guard case .cluster(_, let row) = item, let level else { return [] }
    return members.withLock { members in
      let known = members[source] ?? taps.sources[source].members(level)
      members[source] = known
      return known.members(of: row)
    }
  }
}

extension PipelineDefinition {
  /// Whether tiles of other programs are all that the pipeline draws.
  package var isOfTilesets: Bool {
    tiles.interactivity == nil && sources.contains { $0.vectorTiles != nil }
      && sources.allSatisfy { $0.vectorTiles != nil || $0.image?.tileset != nil }
  }
}

extension Build {
  /// Returns the scenes within a window of tilesets, of which only the window's are read and
  /// those around it.
  fileprivate func view(
    of window: ZoomWindow, scale: Int
  ) throws(PipelineError) -> ZoomView {
    let zoomed = try pipeline.zoomed(to: window.zoom, in: window.area, only: true)
    let sources = try with(sameLayers: zoomed).reading.clustered(context.clock)
    return try zoomView(window, of: sources, scale: scale)
  }
}

extension WorldBox {
  /// Returns a box that does not cross the antimeridian with some tiles of a zoom around it, within
  /// the world.
  fileprivate func widened(by tiles: Int, _ zoom: Int) -> WorldBox {
    widened(by: UInt32(clamping: UInt64(tiles) << UInt64(32 - zoom)))
  }
}
