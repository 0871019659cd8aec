import Clustering
package import Definition
import Features
import Inputs
import JSON
import Painting
import Reuse
package import Runs
import Scenes
import Styling
import Synchronization
import TapBlocks
package import Tiling

/// The tiles of a build, painted when they are asked for instead of being baked: the same pictures
/// and the same answers to taps as in an archive. Any number of threads may paint them.
///
/// Labels look for room among all of a zoom. Where these are so many that it takes seconds, a part of
/// the zoom is drawn with the points around it alone: a label at the edge of the part may then find
/// another place than in an archive.
package final class TilesOnDemand: @unchecked Sendable {
  private let build: Build
  let sources: [ClusteredSource]

  /// The plan of the answers to taps, which are those at density 1; `nil` without any.
  private let taps: TapPlan?

  /// The windows that were drawn last, the newest last. Whoever needs another one draws it under the
  /// lock, so that those who need the same wait for it; sources and build are read under it only.
  private let windows = Mutex<[TileWindow]>([])

  /// The most windows that are kept: those of a screen between two zooms, at two densities.
  private static let windowLimit = 6

  /// Whether windows are parts of a zoom: dots are assigned to the tiles of a zoom at once, while
  /// labels take long to draw, and the tiles of areas and images may be many.
  private let areParts: Bool

  /// The tiles along a side of a part, as a power of two: some screens.
  private static let partLevels = 5

  /// The most features of a zoom that are all placed for each of its parts.
  private static let placedLimit = 10_000

  /// The tiles around a part whose points are placed with it.
  private static let neighbors = 6

  /// Reads and clusters the sources of a build.
  ///
  /// - Complexity: that of a build's first stages.
  package init(_ build: Build) throws(PipelineError) {
    self.build = build
    sources = try build.inputs.whileUnchanged { () throws(PipelineError) in
      try build.reading.clustered(build.context.clock)
    }
    taps = build.tapPlan(sources, scale: 1)
    areParts =
      build.definition.layers.contains { $0.type == .symbol }
      || sources.contains { $0.source.shapes.count > 0 || $0.source.image != nil }
  }

  package var definition: PipelineDefinition { build.definition }

  /// Whether some layer answers taps.
  package var answersTaps: Bool { taps != nil }

  /// Returns the picture of a tile; `nil` where nothing is drawn.
  ///
  /// - Parameter scale: the pixel density, 1 to 3.
  package func picture(_ tile: TileCoord, scale: Int) throws -> [UInt8]? {
    try window(tile, scale: scale).picture(tile)
  }

  /// Returns the answers to taps on a tile, as the JSON of a UTFGrid with the data of its keys:
  /// `{"grid": […], "keys": […], "data": {key: {…}}}`; `nil` where there is none.
  package func grid(_ tile: TileCoord) throws -> [UInt8]? {
    try taps.flatMap { try window(tile, scale: 1).grid(tile, $0, build.cancellation) }
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
  package var bounds: GeoBounds { sources.dataBounds.part(within: definition.tiles.bounds) }

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
    var points: [String: Int] = [:]
    for source in sources where source.pyramid != nil {
      points[source.source.definition.name] = source.source.points.count
    }
    return try Sidecars(of: build).legend(
      clusteredPoints: points, title: definition.name, scale: scale)
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
    let levels = areParts ? min(Self.partLevels, tile.z) : tile.z
    let part = TileCoord(z: tile.z - levels, x: tile.x >> levels, y: tile.y >> levels)
    if windows.count == Self.windowLimit { windows.removeFirst() }
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
  private let view: ZoomView
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

  func picture(_ tile: TileCoord) throws -> [UInt8]? {
    guard let index = view.scenes.index(of: tile) else { return nil }
    var bytes: [UInt8] = []
    try view.painters.painter().paint(index, of: view.scenes, into: &bytes)
    return bytes
  }

  func grid(
    _ tile: TileCoord, _ taps: TapPlan, _ cancellation: Cancellation
  ) throws -> [UInt8]? {
    guard let index = view.scenes.index(of: tile),
      let drawn = Int32(exactly: index)
    else { return nil }
    let painted = try taps.worker().grids(
      of: [TileRows.Row(tile: tile, slot: 0, drawn: drawn)], view.scenes, cancellation)
    guard let features = painted.features.first else { return nil }
    // The grid of an archive is compressed.
    var json = try painted.bytes.withUnsafeBytes { try TapInflater.forGrids.inflate($0) }
    guard json.popLast() == UInt8(ascii: "}") else { return nil }
    json.append(contentsOf: ",\"data\":{".utf8)
    for (number, feature) in features.enumerated() {
      let source = taps.sources[feature.source]
      let level = source.level(tile.z)
      let item = source.item(feature, level)
      let key = source.key(of: item, level)
      if number > 0 { json.append(UInt8(ascii: ",")) }
      JSONWriter.append(string: String(decoding: key, as: UTF8.self), to: &json)
      json.append(UInt8(ascii: ":"))
      json += source.entry(
        of: item, level, firstMembers(of: item, source: feature.source, level, taps))
    }
    json.append(contentsOf: "}}".utf8)
    return json
  }

  private func firstMembers(
    of item: TapSource.Item, source: Int, _ level: ClusterLevel?, _ taps: TapPlan
  ) -> [Int] {
    guard case .cluster(_, let row) = item, let level else { return [] }
    return members.withLock { members in
      let known = members[source] ?? taps.sources[source].members(level)
      members[source] = known
      return known.members(of: row)
    }
  }
}

extension WorldBox {
  /// Returns a box that does not cross the antimeridian with some tiles of a zoom around it, within
  /// the world.
  fileprivate func widened(by tiles: Int, _ zoom: Int) -> WorldBox {
    widened(by: UInt32(clamping: UInt64(tiles) << UInt64(32 - zoom)))
  }
}
