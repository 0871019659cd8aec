import Definition
import Inputs
import JSON
package import Painting
import Platform
import PNG
package import Raster
import Reuse
package import Runs
package import Scenes
package import SourceStages
import SpatialIndex
import Styling
package import Tiling

/// A rectangle of the map, as `quadrille render` draws it.
package struct MapView: Hashable, Sendable {
  /// The middle of the rectangle.
  package var center: LngLat

  /// The zoom, 0 … 22, as in a tile's z; fractional ones lie between two sizes of the world.
  package var zoom: Double

  /// The size in style pixels.
  package var width: Int
  package var height: Int

  /// The number of device pixels per style pixel: a power of two.
  package var ratio: Int

  package init(center: LngLat, zoom: Double, width: Int, height: Int, ratio: Int = 1) {
    self.center = center
    self.zoom = zoom
    self.width = width
    self.height = height
    self.ratio = ratio
  }
}

extension Build {
  /// Renders one view as a PNG.
  package func render(_ view: MapView) throws(PipelineError) -> [UInt8] {
    PNGEncoder().encode(try picture(of: view))
  }

  /// Draws one view: the tiles that it touches, shifted so that its corner falls on a whole pixel,
  /// with the same scenes and painting as in an archive, side by side.
  ///
  /// - Parameter note: receives the notes of a build, a sentence each.
  package func picture(
    of view: MapView, note: (String) -> Void = { _ in }
  ) throws(PipelineError) -> Pixmap {
    try picture(of: view, over: { _ in nil }, note: note)
  }

  /// Draws one view on which something will lie.
  ///
  /// - Parameter covered: returns the boxes of what will lie over the map of some sources, in device
  ///   pixels from the view's corner; labels that look for room keep off them and off the view's edges.
  ///   `nil` for a view whose edges cut labels, as those of a viewer do.
  package func picture(
    of view: MapView, over covered: ([ClusteredSource]) throws(PipelineError) -> [PixelBox]?,
    note: (String) -> Void
  ) throws(PipelineError) -> Pixmap {
    let frame = ViewFrame(view, tileSize: definition.tiles.tileSize)
    let scenes = try zoomView(
      ZoomWindow(
        zoom: frame.zoom, bounds: frame.bounds, area: frame.area, shift: frame.shift,
        fraction: frame.fraction),
      scale: view.ratio
    ) { sources throws(PipelineError) in
      try covered(sources).map(frame.taken) ?? []
    }
    let missed = MissedBox(sources: scenes.sources).note(on: view.center) { [definition] center in
      var other = view
      other.center = center
      return GeoBounds(ViewFrame(other, tileSize: definition.tiles.tileSize).area)
    }
    if let missed { note(missed) }
    try notes(on: scenes).forEach(note)
    return try PipelineError.wrapping {
      let picture = Pixmap(width: view.width * view.ratio, height: view.height * view.ratio)
      picture.clear(to: scenes.builder.style.background(at: view.zoom))
      let painter = try scenes.painters.painter()
      for (tile, place) in frame.tiles {
        guard let index = scenes.scenes.index(of: tile) else { continue }
        let pixels = try painter.pixels(index, of: scenes.scenes)
        picture.replace(with: pixels, x: place.x, y: place.y)
      }
      return picture
    }
  }

  /// Returns the legend of a view: what its layers mean at its zoom.
  package func legendPicture(
    of sources: [ClusteredSource], in view: MapView
  ) throws(PipelineError) -> Pixmap {
    // The whole zoom whose clusters and filters it shows.
    let zoom = Int(view.zoom)
    return try Sidecars(of: self).legend(
      clusteredPoints: sources.clusteredPoints,
      classes: ClassBounds.parsed(sources.classes?.line), title: definition.name,
      zooms: zoom...zoom, scale: view.ratio
    ).picture
  }

  /// Returns the scenes within a window, with their inputs.
  ///
  /// - Parameters:
  ///   - keepsFeatures: whether the scenes know which features they show.
  ///   - taken: returns boxes of the world, in device pixels, that labels keep off.
  package func zoomView(
    _ window: ZoomWindow, scale: Int, keepsFeatures: Bool = false,
    taken: ([ClusteredSource]) throws(PipelineError) -> [PixelBox] = { _ in [] }
  ) throws(PipelineError) -> ZoomView {
    if let fault = PixelGrid.fault(
      maxZoom: window.zoom, tileSize: definition.tiles.tileSize, scale: scale)
    {
      throw PipelineError(.usage, "\(fault). Choose a smaller zoom or density.")
    }
    // Clusters have whole zooms only: those of the zoom before are shown, as in MapLibre.
    let zoomOfData = window.fraction.map { Int($0.zoom) } ?? window.zoom
    let zoomed = try pipeline.zoomed(to: zoomOfData, in: window.area)
    let sources = try with(sameLayers: zoomed).reading.clustered(context.clock)
    var window = window
    window.taken = try taken(sources)
    return try zoomView(window, of: sources, scale: scale, keepsFeatures: keepsFeatures)
  }

  /// Returns the scenes within a window of sources that are clustered at its zoom.
  ///
  /// - Parameter box: the box outside of which points are left out, as if they were not there; `nil`
  ///   for none.
  func zoomView(
    _ window: ZoomWindow, of sources: [ClusteredSource], within box: WorldBox? = nil, scale: Int,
    keepsFeatures: Bool = false
  ) throws(PipelineError) -> ZoomView {
    let zoomOfData = window.fraction.map { Int($0.zoom) } ?? window.zoom
    return try context.clock.stage("scene", unit: .tiles) { _ in
      let drawing = drawing(scale: scale)
      var builder = drawing.builder(bounds: window.bounds, shift: window.shift)
      builder.keepsFeatures = keepsFeatures || builder.keepsFeatures
      builder.styleZoom = window.fraction?.zoom
      builder.scaling = window.fraction?.scaling
      let scenes = try builder.scenes(
        of: sources.map { $0.symbols(at: zoomOfData, within: box) },
        shapes: sources.compactMap { $0.shapes(at: zoomOfData) },
        images: sources.compactMap(\.source.image?.source), zoom: window.zoom,
        keepingOff: window.taken)
      return ZoomView(
        builder: builder, painters: drawing.painters(clusteredSources: sources.clusteredSources),
        scenes: scenes,
        sources: sources)
    }
  }
}

/// The tiles of one zoom within a box.
package struct ZoomWindow {
  let zoom: Int
  let bounds: WorldBox

  /// The box of the world that the tiles show.
  let area: WorldBox

  /// The distances by which the world is moved, in 1/256 device pixels.
  var shift: (x: Int, y: Int) = (0, 0)

  /// The fractional zoom at which the tiles show the world; `nil` for theirs.
  var fraction: FractionalZoom?

  /// The boxes of the world, in device pixels, that labels keep off.
  var taken: [PixelBox] = []
}

extension ZoomWindow {
  /// Creates the window of a box of the world at rest.
  package init(zoom: Int, bounds: WorldBox) {
    self.init(zoom: zoom, bounds: bounds, area: bounds, shift: (0, 0), fraction: nil)
  }

  /// Creates the window of a single tile.
  package init(_ tile: TileCoord) { self.init(zoom: tile.z, bounds: WorldBox(tile)) }
}

/// The scenes of one zoom, with their inputs.
package struct ZoomView {
  package let builder: SceneBuilder
  package let painters: PainterFactory
  package let scenes: ZoomScenes
  package let sources: [ClusteredSource]
}

/// A zoom between two whole ones, and the world in the tiles from which it is drawn.
package struct FractionalZoom: Hashable, Sendable {
  package let zoom: Double
  package let scaling: WorldScaling
}

/// The position of a view among the pixels of its zoom.
private struct ViewFrame {
  /// The zoom of the tiles from which the view is drawn.
  let zoom: Int

  /// The zoom of the view; `nil` for the zoom of the tiles.
  let fraction: FractionalZoom?

  /// The side of a tile in device pixels.
  private let side: Int

  /// The view's corner in device pixels of the shifted world; may be outside it.
  private let left: Int
  private let top: Int

  private let width: Int
  private let height: Int
  private let ratio: Int

  /// The box of the world that the view shows.
  let area: WorldBox

  /// The shift of the world, in 1/256 device pixels.
  let shift: (x: Int, y: Int)

  init(_ view: MapView, tileSize: Int) {
    let limit = WorldPoint.maxLatitude
    let latitude = min(max(view.center.latitude, -limit), limit)
    let center = LngLat(longitude: view.center.longitude, latitude: latitude)
    var turn = center.longitude / 360 + 0.5
    var row = Double(WorldVertex(center).y) / Double(WorldVertex.turn)
    area = Self.area(
      of: view, turn: turn, row: row, world: Double(tileSize) * exp2(view.zoom))
    if view.zoom == view.zoom.rounded() {
      zoom = Int(view.zoom)
      fraction = nil
    } else {
      zoom = Self.tileZoom(of: view, tileSize: tileSize)
      // Symbols that stand outside of the view may extend into it.
      let reach = Double(max(view.width, view.height)) / 2 + Self.margin
      let scaling = WorldScaling(
        factor: exp2(view.zoom - Double(zoom)),
        center: WorldPoint(center) ?? WorldPoint(x: 1 << 31, y: 1 << 31),
        reach: reach / (Double(tileSize) * exp2(view.zoom)))
      fraction = FractionalZoom(zoom: view.zoom, scaling: scaling)
      turn = scaling.scaled(x: turn - turn.rounded(.down))
      row = scaling.scaled(y: row)
    }
    ratio = view.ratio
    side = tileSize * view.ratio
    width = view.width * view.ratio
    height = view.height * view.ratio
    let world = Double(side << zoom)
    // In 1/256 pixels; the corner moves up to the next whole pixel, and the world with it.
    let x = Int(((turn * world - Double(width) / 2) * 256).rounded())
    let y = Int(((row * world - Double(height) / 2) * 256).rounded())
    left = (x + 255) >> 8
    top = (y + 255) >> 8
    shift = ((left << 8) - x, (top << 8) - y)
  }

  /// The distance in style pixels from the view's edges up to which a world that is narrower than the
  /// view is repeated.
  private static let margin = 512.0

  /// - Parameters:
  ///   - turn: the column of the middle in widths of the world, as `row` is its row.
  ///   - world: the width of the world in style pixels.
  private static func area(
    of view: MapView, turn: Double, row: Double, world: Double
  ) -> WorldBox {
    func unit(_ share: Double) -> UInt32 { UInt32(clamping: Int64(share * 0x1p32)) }
    let (across, down) = (Double(view.width) / world, Double(view.height) / world)
    let (west, east) = (turn - across / 2, turn + across / 2)
    return WorldBox(
      west: across >= 1 ? 0 : unit(west - west.rounded(.down)),
      north: unit(max(row - down / 2, 0)),
      east: across >= 1 ? .max : unit(east - east.rounded(.down)),
      south: unit(min(row + down / 2, 1)))
  }

  /// Returns the next whole zoom, or a deeper one at which the tiles are wider than the view on all
  /// sides: nothing may come round the edge of a world that is drawn smaller.
  private static func tileZoom(of view: MapView, tileSize: Int) -> Int {
    let tiles = (2 * max(view.width, view.height) + tileSize - 1) / tileSize
    let enough = Int.bitWidth - (tiles - 1).leadingZeroBitCount
    return max(Int(view.zoom.rounded(.up)), enough)
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

  private func floorTile(_ pixel: Int) -> Int { TileDivision(side: side).tile(pixel) }

  /// Returns the boxes of the world that labels keep off: the view's edges, and what lies over it. None
  /// where the view is wider than the world, which it then shows twice.
  ///
  /// - Parameter covered: in device pixels from the view's corner.
  func taken(_ covered: [PixelBox]) -> [PixelBox] {
    guard width < side << zoom else { return [] }
    // As wide as halos are.
    let rim = 2 * ratio
    let edges = [
      PixelBox(left: -1, top: -1, right: rim, bottom: height + 1),
      PixelBox(left: width - rim, top: -1, right: width + 1, bottom: height + 1),
      PixelBox(left: -1, top: -1, right: width + 1, bottom: rim),
      PixelBox(left: -1, top: height - rim, right: width + 1, bottom: height + 1),
    ]
    return (edges + covered).map {
      PixelBox(
        left: $0.left + left, top: $0.top + top, right: $0.right + left, bottom: $0.bottom + top)
    }
  }

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
