import Columns
package import Raster
package import Scenes
import SpatialIndex
import Styling
import Tiling

/// A hit tester that finds the features that answer a tap on a tile; one per worker, with its
/// scratch memory.
///
/// A cell of a tile belongs to the topmost feature drawn in it: by the order of the layers, then by
/// the drawing order within the layer.
/// - A circle is drawn in a cell if its disc, stroke included, reaches into the cell's square; a
///   label or an icon if its box does, a label along a line if one of its circles does.
/// - A line is drawn in a cell if the area within half of its width on both sides of the line
///   reaches into the square, offset by `line-offset`; dashes and blur are ignored. The inside of a
///   `line-gap-width` does not answer taps.
/// - An area is drawn in a cell if the cell's middle lies inside it by the even-odd rule; if no
///   area of the layer contains the middle, the topmost area that reaches into the square takes the
///   cell. Outlines of a fill layer come last.
///
/// As a result, no drawn feature falls between cells, and neighbours divide a border by the
/// middles. A tile includes the features that draw a pixel in it, and as cells never cross a tile's
/// border, tiles agree there. Invisible features (a look without colour, a label that was not
/// placed, a feature that a filter, a zoom range or a limit leaves out) do not answer taps;
/// heatmaps, images and backgrounds never do.
package final class TapPainter {
  private let layers: Set<Int>
  private let canvases: TapCanvasSet
  private var prints: SymbolPrints
  private var targets: [TapHit] = []
  private var crossings: [TapCrossing] = []
  private var drawn: [Int] = []
  private var numbers: [TapFeature: UInt16] = [:]
  /// The prints of the current tile, in drawing order.
  private var symbols: [PlacedPrint] = []

  /// A print of the current tile.
  private struct PlacedPrint {
    let print: SymbolPrint
    let x: Double
    let y: Double
    let feature: TapFeature
    /// The value of ``ZoomScenes/southing(of:)``.
    let southing: Int
  }

  /// - Parameters:
  ///   - layers: the indexes of the layers that answer taps.
  ///   - side: the side of a tile in device pixels.
  ///   - scale: device pixels per style pixel.
  package init(layers: Set<Int>, side: Int, scale: Int, fonts: FontLibrary) {
    self.layers = layers
    prints = SymbolPrints(scale: scale, fonts: fonts, layers: layers)
    canvases = TapCanvasSet(
      TapCanvas(
        cell: Double(side) / Double(TapGrid.side), columns: TapGrid.side, rows: TapGrid.side))
  }

  /// Returns the features in the cells of a drawn tile; `nil` if no feature answers taps.
  ///
  /// - Complexity: O(draws of the tile + cells).
  package func grid(_ tile: Int, of scenes: borrowing ZoomScenes) throws -> TapGrid? {
    try draw(tile, of: scenes, onto: canvases)
    guard !canvases.all.isBlank else { return nil }
    var features: [TapFeature] = []
    var cells = [UInt16](repeating: 0, count: TapGrid.side * TapGrid.side)
    numbers.removeAll(keepingCapacity: true)
    // The number of each target that a cell has shown, 0 for others.
    var known = [UInt16](repeating: 0, count: targets.count)
    let shown = canvases.all.cells
    let rows = canvases.all.usedRows
    // Most cells are blank, or show what the cell before shows.
    var (last, number): (UInt32, UInt16) = (0, 0)
    cells.withUnsafeMutableBufferPointer { cells in
      shown.withUnsafeBufferPointer { shown in
        for index in rows.lowerBound * TapGrid.side..<rows.upperBound * TapGrid.side
        where shown[index] != 0 {
          if shown[index] != last {
            last = shown[index]
            let target = Int(last) - 1
            if known[target] == 0 {
              known[target] = self.number(of: targets[target].feature, &features)
            }
            number = known[target]
          }
          cells[index] = number
        }
      }
    }
    return TapGrid(cells: cells, rows: rows, features: features)
  }

  /// Returns the number of a feature of the current grid, which is appended unless it is known.
  private func number(of feature: TapFeature, _ features: inout [TapFeature]) -> UInt16 {
    if let known = numbers[feature] { return known }
    features.append(feature)
    // It fits: there are 4,096 cells.
    let number = UInt16(truncatingIfNeeded: features.count)
    numbers[feature] = number
    return number
  }

  /// Returns all features drawn at a pixel of a drawn tile, topmost first, including those covered
  /// by others. A feature that a layer draws there several times is listed once.
  ///
  /// - Parameters:
  ///   - x: device pixels eastward from the tile's west edge.
  ///   - y: device pixels southward from the tile's north edge.
  package func hits(_ tile: Int, of scenes: borrowing ZoomScenes, x: Int, y: Int) throws -> [TapHit]
  {
    let canvases = TapCanvasSet(
      TapCanvas(
        originX: Double(x), originY: Double(y), cell: 1, columns: 1, rows: 1, records: true))
    try draw(tile, of: scenes, onto: canvases)
    var hits: [TapHit] = []
    for number in canvases.all.reached.reversed() {
      let hit = targets[Int(number) - 1]
      if !hits.contains(hit) { hits.append(hit) }
    }
    return hits
  }

  // MARK: Drawing

  /// Draws the layers that answer taps, back to front.
  private func draw(_ tile: Int, of scenes: borrowing ZoomScenes, onto canvases: TapCanvasSet)
    throws
  {
    canvases.all.clear()
    targets.removeAll(keepingCapacity: true)
    try placeSymbols(tile, of: scenes)
    drawn.removeAll(keepingCapacity: true)
    for symbol in symbols { note(Int(symbol.print.layer)) }
    let shapes = scenes.shapeTile(tile)
    if let shapes {
      for draw in scenes.shapes.drawRange(shapes) {
        note(Int(scenes.shapes.draws[draw].layer))
      }
    }
    drawn.sort()
    for layer in drawn where layers.contains(layer) {
      drawSymbols(
        of: layer, fromNorth: scenes.layersFromNorth.contains(layer), onto: canvases.all)
      if let shapes { drawShapes(of: layer, in: shapes, scenes, onto: canvases) }
    }
  }

  /// Records a layer that the tile shows; there are few.
  private func note(_ layer: Int) {
    if drawn.last != layer, !drawn.contains(layer) { drawn.append(layer) }
  }

  private func target(_ layer: Int, _ feature: TapFeature) -> UInt32 {
    targets.append(TapHit(layer: layer, feature: feature))
    return UInt32(truncatingIfNeeded: targets.count)
  }

  /// Finds the prints of the tile's symbols, in drawing order.
  private func placeSymbols(_ tile: Int, of scenes: borrowing ZoomScenes) throws {
    symbols.removeAll(keepingCapacity: true)
    guard !scenes.symbolFeatures.isEmpty else { return }
    let coord = scenes.tile(tile)
    let side = scenes.grid.tilePixels
    for index in scenes.entryRange(tile) {
      let entry = scenes.entries[index]
      let symbol = Int(entry >> 2)
      let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: symbol)
      let place = scenes.place(of: entry, originX: coord.x * side, originY: coord.y * side)
      for print in try prints.range(of: stack, in: scenes.looks) {
        let print = prints[print]
        let steps = Double(PixelGrid.phases)
        symbols.append(
          PlacedPrint(
            print: print, x: Double(place.x) + (print.isOnPixel ? 0 : Double(phaseX) / steps),
            y: Double(place.y) + (print.isOnPixel ? 0 : Double(phaseY) / steps),
            feature: scenes.symbolFeatures[symbol], southing: scenes.southing(of: entry)))
      }
    }
  }

  private func drawSymbols(of layer: Int, fromNorth: Bool, onto canvas: TapCanvas) {
    let own = fromNorth ? symbols.fromNorth(\.southing) : symbols
    for symbol in own where Int(symbol.print.layer) == layer {
      let number = target(layer, symbol.feature)
      let print = symbol.print
      if print.isDisc {
        canvas.addDisc(
          x: symbol.x + (print.left + print.right) / 2,
          y: symbol.y + (print.top + print.bottom) / 2, radius: (print.right - print.left) / 2,
          number: number)
      } else {
        canvas.addBox(
          left: symbol.x + print.left, top: symbol.y + print.top, right: symbol.x + print.right,
          bottom: symbol.y + print.bottom, number: number)
      }
    }
  }

  // MARK: Lines and polygons

  private func drawShapes(
    of layer: Int, in tile: Int, _ scenes: borrowing ZoomScenes, onto canvases: TapCanvasSet
  ) {
    // A layer's draws are consecutive, its areas first.
    let all = scenes.shapes.drawRange(tile)
    var start = all.lowerBound
    while start < all.upperBound, scenes.shapes.draws[start].layer < layer { start += 1 }
    var end = start
    while end < all.upperBound, scenes.shapes.draws[end].layer == layer { end += 1 }
    let draws = start..<end
    guard let first = draws.first else { return }
    guard scenes.shapes.look(first).isArea else {
      for draw in draws { drawLine(draw, layer, scenes, onto: canvases.all) }
      return
    }
    for draw in draws {
      if scenes.shapes.look(draw).isArea {
        drawArea(draw, layer, scenes, canvases)
      } else {
        drawLine(draw, layer, scenes, onto: canvases.outlines)
      }
    }
    canvases.joinAreas()
  }

  private func drawArea(
    _ index: Int, _ layer: Int, _ scenes: borrowing ZoomScenes, _ canvases: TapCanvasSet
  ) {
    let draw = scenes.shapes.draws[index]
    let number = target(layer, scenes.tapFeature(of: draw))
    let offset = scenes.shapes.look(index).offset(scale: scenes.grid.scale)
    let pieces = scenes.shapes.pieces[Int(draw.set)].pieces
    if let speck = draw.dust {
      let x = Double(Int(pieces.dustXs[speck]) + offset.x >> 8)
      let y = Double(Int(pieces.dustYs[speck]) + offset.y >> 8)
      canvases.edges.addBox(left: x, top: y, right: x + 1, bottom: y + 1, number: number)
    } else if pieces.kinds[Int(draw.piece)] == .fullArea {
      canvases.middles.addAll(number: number)
    } else {
      pieces.withArea(Int(draw.piece)) { area in
        canvases.middles.addArea(
          area, dx: offset.x, dy: offset.y, number: number, scratch: &crossings)
        var start = 0
        for end in area.ends {
          var last = area.vertices[Int(end) - 1]
          for vertex in area.vertices[start..<Int(end)] {
            canvases.edges.addEdge(last, vertex, dx: offset.x, dy: offset.y, number: number)
            last = vertex
          }
          start = Int(end)
        }
      }
    }
  }

  private func drawLine(
    _ index: Int, _ layer: Int, _ scenes: borrowing ZoomScenes, onto canvas: TapCanvas
  ) {
    guard case .line(let look) = scenes.shapes.look(index) else { return }
    let draw = scenes.shapes.draws[index]
    let number = target(layer, scenes.tapFeature(of: draw))
    let offset = scenes.shapes.look(index).offset(scale: scenes.grid.scale)
    let pen = TapPen(look.stroke, number: number, dx: offset.x, dy: offset.y)
    scenes.shapes.pieces[Int(draw.set)].pieces.withLine(Int(draw.piece)) { line in
      var start = 0
      for (end, flags) in zip(line.ends, line.flags) {
        pen.draw(
          UnsafeBufferPointer(rebasing: line.vertices[start..<Int(end)]),
          isClosed: flags.contains(.isClosed), onto: canvas)
        start = Int(end)
      }
    }
  }
}

/// A canvas for all features that answer taps, with canvases that sort out the areas of one layer.
private final class TapCanvasSet {
  let all: TapCanvas

  /// The areas that cover the middles of cells.
  let middles: TapCanvas

  /// The areas that reach into cells.
  let edges: TapCanvas

  /// The outlines of the layer's areas.
  let outlines: TapCanvas

  init(_ all: TapCanvas) {
    self.all = all
    (middles, edges, outlines) = (all.another, all.another, all.another)
  }

  /// Draws the areas of a layer over the existing cells, and clears the canvases for the next
  /// layer.
  func joinAreas() {
    edges.cover(with: outlines) { [edges] in edges.cells[$0] == 0 }
    all.cover(with: edges) { [middles] in middles.cells[$0] == 0 }
    all.cover(with: middles)
    for canvas in [middles, edges, outlines] { canvas.clear() }
  }
}
