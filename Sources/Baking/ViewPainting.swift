import Definition
import PNG
package import Painting
import Raster
import Reuse
package import Runs
package import Scenes
import Styling
package import Tiling

/// A rectangle of the map, as `quadrille render` draws it.
package struct MapView: Hashable, Sendable {
  /// The middle of the rectangle.
  package var center: LngLat

  /// The zoom of the tiles from which it is drawn.
  package var zoom: Int

  /// The size in style pixels.
  package var width: Int
  package var height: Int

  /// The number of device pixels per style pixel: a power of two.
  package var ratio: Int

  package init(center: LngLat, zoom: Int, width: Int, height: Int, ratio: Int = 1) {
    self.center = center
    self.zoom = zoom
    self.width = width
    self.height = height
    self.ratio = ratio
  }
}

extension Build {
  /// Renders one view as a PNG: the tiles that it touches, shifted so that its corner falls on a
  /// whole pixel, with the same scenes and painting as in an archive, side by side.
  package func render(_ view: MapView) throws(PipelineError) -> [UInt8] {
    let frame = ViewFrame(view, tileSize: definition.tiles.tileSize)
    let scenes = try zoomView(
      zoom: view.zoom, scale: view.ratio, bounds: frame.bounds, shift: frame.shift)
    do {
      let picture = Pixmap(width: view.width * view.ratio, height: view.height * view.ratio)
      picture.clear(to: scenes.builder.style.background(at: view.zoom))
      let painter = try scenes.painters.painter()
      for (tile, place) in frame.tiles {
        guard let index = scenes.scenes.index(of: tile) else { continue }
        let pixels = try painter.pixels(index, of: scenes.scenes)
        picture.replace(with: pixels, x: place.x, y: place.y)
      }
      return PNGEncoder().encode(picture)
    } catch {
      throw PipelineError(wrapping: error)
    }
  }

  /// Returns the scenes of one zoom within a box, with their inputs.
  ///
  /// - Parameter keepsFeatures: whether the scenes know which features they show.
  package func zoomView(
    zoom: Int, scale: Int, bounds: WorldBox, shift: (x: Int, y: Int) = (0, 0),
    keepsFeatures: Bool = false
  ) throws(PipelineError) -> ZoomView {
    var single = definition
    single.tiles.minZoom = zoom
    single.tiles.maxZoom = zoom
    single.tiles.bounds = nil
    let style = try single.style(reading: inputs)
    let fonts = try loadFonts()
    let clock = context.clock
    let sources = try Build(definition: single, context: context).readAndCluster(style, clock)
    return try clock.stage("scene", unit: .tiles) { _ in
      let sprites = SpriteStore(scale: scale, fonts: fonts, threads: threads)
      var builder = SceneBuilder(
        style: style, tileSize: single.tiles.tileSize, scale: scale, snap: single.tiles.snap,
        bounds: bounds, fonts: fonts, meter: sprites, threads: threads, shift: shift)
      builder.keepsFeatures = keepsFeatures
      let scenes = try builder.scenes(
        of: sources.map { $0.symbols(at: zoom) },
        shapes: sources.compactMap { $0.shapes(at: zoom) },
        images: sources.compactMap(\.source.image?.source), zoom: zoom)
      let painters = PainterFactory(
        builder, store: sprites, zooms: definition.tiles.minZoom...definition.tiles.maxZoom,
        clusteredSources: sources.clusteredSources)
      return ZoomView(builder: builder, painters: painters, scenes: scenes, sources: sources)
    }
  }
}

/// The scenes of one zoom, with their inputs.
package struct ZoomView {
  package let builder: SceneBuilder
  package let painters: PainterFactory
  package let scenes: ZoomScenes
  package let sources: [ClusteredSource]
}

/// The position of a view among the pixels of its zoom.
private struct ViewFrame {
  private let zoom: Int

  /// The side of a tile in device pixels.
  private let side: Int

  /// The view's corner in device pixels of the shifted world; may be outside it.
  private let left: Int
  private let top: Int

  private let width: Int
  private let height: Int

  /// The shift of the world, in 1/256 device pixels.
  let shift: (x: Int, y: Int)

  init(_ view: MapView, tileSize: Int) {
    zoom = view.zoom
    side = tileSize * view.ratio
    width = view.width * view.ratio
    height = view.height * view.ratio
    let world = Double(side << view.zoom)
    let turn = view.center.longitude / 360 + 0.5
    let limit = WorldPoint.maxLatitude
    let latitude = min(max(view.center.latitude, -limit), limit)
    let row = WorldPoint(LngLat(longitude: 0, latitude: latitude)).map { Double($0.y) / 0x1p32 }
    // In 1/256 pixels; the corner moves up to the next whole pixel, and the world with it.
    let x = Int(((turn * world - Double(width) / 2) * 256).rounded())
    let y = Int((((row ?? 0.5) * world - Double(height) / 2) * 256).rounded())
    left = (x + 255) >> 8
    top = (y + 255) >> 8
    shift = ((left << 8) - x, (top << 8) - y)
  }

  /// The box of all tiles of the view.
  var bounds: WorldBox {
    let across = 1 << zoom
    let columns = columns
    let first = ((columns.lowerBound % across) + across) % across
    let last = ((columns.upperBound % across) + across) % across
    let north = min(max(rows.lowerBound, 0), across - 1)
    let south = min(max(rows.upperBound, 0), across - 1)
    let northWest = WorldBox(TileCoord(z: zoom, x: first, y: north))
    let southEast = WorldBox(TileCoord(z: zoom, x: last, y: south))
    let isAllAround = columns.count >= across
    return WorldBox(
      west: isAllAround ? 0 : northWest.west, north: northWest.north,
      east: isAllAround ? .max : southEast.east, south: southEast.south)
  }

  private var columns: ClosedRange<Int> { floorTile(left)...floorTile(left + width - 1) }
  private var rows: ClosedRange<Int> { floorTile(top)...floorTile(top + height - 1) }

  private func floorTile(_ pixel: Int) -> Int { pixel >> side.trailingZeroBitCount }

  /// The tiles of the view with the positions of their corners in it; a tile occurs more than once
  /// where the view is wider than the world.
  var tiles: [(tile: TileCoord, place: (x: Int, y: Int))] {
    let across = 1 << zoom
    return rows.filter { (0..<across).contains($0) }.flatMap { row in
      columns.map { column in
        (
          TileCoord(z: zoom, x: ((column % across) + across) % across, y: row),
          (column * side - left, row * side - top)
        )
      }
    }
  }
}
