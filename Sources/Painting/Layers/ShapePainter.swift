import Columns
import Raster
import Scenes
import SpatialIndex
import Styling
import Tiling

/// A painter of a tile's areas and lines, layer by layer; one per worker, with its scratch memory.
final class ShapePainter {
  /// The side of a tile in device pixels.
  private let side: Int

  /// Device pixels per style pixel.
  private let scale: Int
  private let areas = AreaCanvas()
  private let lines = LinePainter()
  private var patterns = PatternPainter()

  /// The picture of a layer that has an opacity of its own; made when a tile first needs it.
  private lazy var group = Pixmap(width: side, height: side, tracksEdges: true)

  init(side: Int, scale: Int) {
    self.side = side
    self.scale = scale
  }

  /// Draws one layer of a tile: its areas, then its lines.
  ///
  /// - Parameters:
  ///   - coord: the tile, in which patterns have their place.
  func draw(
    layer: Int, of tile: Int, _ coord: TileCoord, _ grid: PixelGrid, _ scenes: ShapeScenes,
    onto pixmap: Pixmap
  ) {
    var run = scenes.drawRange(tile).lowerBound
    let end = scenes.drawRange(tile).upperBound
    while run < end, scenes.draws[run].layer < layer { run += 1 }
    guard run < end, scenes.draws[run].layer == layer else { return }
    let opacity = (scenes.look(run).layerOpacity * 255).rounded()
    if opacity < 255 {
      group.clear()
      group.roundsCoverage = pixmap.roundsCoverage
      draw(layer: layer, from: run, to: end, coord, grid, scenes, onto: group)
      pixmap.blend(group, x: 0, y: 0, opacity: UInt8(opacity))
    } else {
      draw(layer: layer, from: run, to: end, coord, grid, scenes, onto: pixmap)
    }
  }

  /// Draws the shapes of one layer, whose draws are given as a range of the tile's.
  private func draw(
    layer: Int, from start: Int, to end: Int, _ coord: TileCoord, _ grid: PixelGrid,
    _ scenes: ShapeScenes, onto pixmap: Pixmap
  ) {
    var run = start
    while run < end, scenes.draws[run].layer == layer {
      let isArea = scenes.look(run).isArea
      var next = run + 1
      while next < end, scenes.draws[next].layer == layer, scenes.look(next).isArea == isArea {
        next += 1
      }
      if isArea {
        if scenes.look(run).areaPattern != nil {
          drawPatterns(run..<next, coord, grid, scenes, onto: pixmap)
        } else {
          drawAreas(run..<next, scenes, onto: pixmap)
        }
      } else {
        drawLines(run..<next, scenes, onto: pixmap)
      }
      run = next
    }
  }

  // MARK: Areas

  private func drawAreas(_ draws: Range<Int>, _ scenes: ShapeScenes, onto pixmap: Pixmap) {
    guard case .fill(let first) = scenes.look(draws.lowerBound) else { return }
    add(
      draws, of: first,
      coloring: first.isOnlyColor ? .constant(PremultipliedColor(first.color)) : .each, scenes)
    areas.composite(onto: pixmap)
  }

  /// Begins a layer and adds areas to it.
  ///
  /// - Parameter first: the look of the first of them.
  private func add(
    _ draws: Range<Int>, of first: FillLook, coloring: AreaCanvas.Coloring, _ scenes: ShapeScenes
  ) {
    areas.beginLayer(width: side, height: side, coloring: coloring, edges: first.edges)
    // Which outlines show must not depend on dust, which a neighbouring tile does not have, nor on
    // specks.
    let dustIsLast = areas.drawsOutlines && coloring != .each
    var hasDust = false
    forEachArea(draws, scenes) { draw, color, offset in
      if draw.dust != nil {
        hasDust = true
        if dustIsLast || !first.isAntialiased { return }
      }
      add(draw, of: scenes.pieces[Int(draw.set)], color: color, offset: offset)
    }
    guard areas.drawsOutlines else { return }
    forEachArea(draws, scenes) { draw, color, offset in
      guard draw.dust == nil else { return }
      let set = scenes.pieces[Int(draw.set)]
      clip(to: draw, of: set)
      set.withContours(of: draw, movedBy: offset) {
        areas.addOutline($0, contourEnds: $1, color: color)
      }
    }
    guard dustIsLast, hasDust || areas.hasSpecks else { return }
    forEachArea(draws, scenes) { draw, color, offset in
      let set = scenes.pieces[Int(draw.set)]
      if draw.dust != nil {
        add(draw, of: set, color: color, offset: offset)
      } else if areas.hasSpecks {
        clip(to: draw, of: set)
        set.withContours(of: draw, movedBy: offset) {
          areas.addSpeck($0, contourEnds: $1, color: color)
        }
      }
    }
  }

  /// Calls the body with each drawn area, its colour and its offset.
  private func forEachArea(
    _ draws: Range<Int>, _ scenes: ShapeScenes,
    _ body: (ShapeDraw, PremultipliedColor, (x: Int, y: Int)) -> Void
  ) {
    guard case .fill(let first) = scenes.look(draws.lowerBound) else { return }
    var number = scenes.draws[draws.lowerBound].look
    var color = PremultipliedColor(first.color)
    var offset = scenes.look(draws.lowerBound).offset(scale: scale)
    for index in draws {
      if scenes.draws[index].look != number {
        number = scenes.draws[index].look
        guard case .fill(let fill) = scenes.look(index) else { continue }
        color = PremultipliedColor(fill.color)
        offset = scenes.look(index).offset(scale: scale)
      }
      body(scenes.draws[index], color, offset)
    }
  }

  /// Draws areas with patterns; consecutive areas of one look are drawn as one, so that they meet
  /// without a seam.
  private func drawPatterns(
    _ draws: Range<Int>, _ coord: TileCoord, _ grid: PixelGrid, _ scenes: ShapeScenes,
    onto pixmap: Pixmap
  ) {
    var index = draws.lowerBound
    while index < draws.upperBound {
      let number = scenes.draws[index].look
      guard case .fill(let fill) = scenes.look(index), let pattern = fill.pattern else { return }
      let first = index
      repeat { index += 1 } while index < draws.upperBound && scenes.draws[index].look == number
      add(first..<index, of: fill, coloring: .constant(PremultipliedColor(.black)), scenes)
      draw(pattern, coord, grid) { areas.composite(onto: pixmap, color: $0) }
    }
  }

  /// Draws a pattern over all pixels of a tile.
  func drawAll(_ pattern: PatternLook, _ coord: TileCoord, _ grid: PixelGrid, onto pixmap: Pixmap) {
    areas.beginLayer(
      width: side, height: side, coloring: .constant(PremultipliedColor(.black)))
    areas.addFull(color: PremultipliedColor(.black))
    draw(pattern, coord, grid) { areas.composite(onto: pixmap, color: $0) }
  }

  private func draw(
    _ pattern: PatternLook, _ coord: TileCoord, _ grid: PixelGrid,
    _ body: (_ color: (_ x: Int, _ y: Int) -> UInt32) -> Void
  ) {
    patterns.withColors(
      of: pattern, at: PatternPlace(of: pattern, in: coord, grid), scale: scale, body)
  }

  /// Limits the drawing of an area to the pixels of its source tile.
  @inline(__always)
  private func clip(to draw: ShapeDraw, of set: ShapePieceSet) {
    guard set.pieces.hasWindows else { return }
    areas.clip(to: set.pieces.window(of: Int(draw.piece)).map { PixelWindow($0) })
  }

  private func add(
    _ draw: ShapeDraw, of set: ShapePieceSet, color: PremultipliedColor, offset: (x: Int, y: Int)
  ) {
    if let speck = draw.dust {
      areas.addDust(
        x: Int(set.pieces.dustXs[speck]) + offset.x >> 8,
        y: Int(set.pieces.dustYs[speck]) + offset.y >> 8,
        area: Double(set.pieces.dustAreas[speck]) / 0x1p32, color: color)
    } else if set.pieces.kinds[Int(draw.piece)] == .fullArea {
      areas.addFull(color: color)
    } else {
      clip(to: draw, of: set)
      set.withContours(of: draw, movedBy: offset) {
        areas.add($0, contourEnds: $1, color: color)
      }
    }
  }

  // MARK: Lines

  /// Draws lines feature by feature; if all lines of a layer have one look, they are painted in
  /// one pass.
  private func drawLines(_ draws: Range<Int>, _ scenes: ShapeScenes, onto pixmap: Pixmap) {
    var index = draws.lowerBound
    while index < draws.upperBound {
      let number = scenes.draws[index].look
      let look = scenes.look(index)
      guard case .line(let line) = look else { return }
      let first = index
      repeat { index += 1 } while index < draws.upperBound && scenes.draws[index].look == number
      let offset = look.offset(scale: scale)
      if let paint = line.paint {
        draw(first..<index, line, paint, offset, scenes, onto: pixmap)
      } else {
        draw(first..<index, line, offset, scenes, onto: pixmap)
      }
    }
  }

  /// Draws consecutive lines of one look.
  private func draw(
    _ draws: Range<Int>, _ line: LineLook, _ offset: (x: Int, y: Int), _ scenes: ShapeScenes,
    onto pixmap: Pixmap
  ) {
    for index in draws {
      if !line.isUnited || index == draws.lowerBound {
        lines.begin(line.stroke, color: line.color, width: side, height: side)
      }
      forEachLine(of: scenes.draws[index], scenes, offset) { runs, _ in lines.add(runs) }
      if !line.isUnited || index == draws.upperBound - 1 { lines.composite(onto: pixmap) }
    }
  }

  /// Draws consecutive lines of one look that have a pattern or gradient.
  private func draw(
    _ draws: Range<Int>, _ line: LineLook, _ paint: LinePaint, _ offset: (x: Int, y: Int),
    _ scenes: ShapeScenes, onto pixmap: Pixmap
  ) {
    let sampler = LinePaintSampler(paint)
    for index in draws {
      forEachLine(of: scenes.draws[index], scenes, offset) { runs, lengths in
        for (run, length) in zip(runs, lengths) {
          lines.draw(run, length: length, style: line.stroke, onto: pixmap) {
            sampler.color(at: $0)
          }
        }
      }
    }
  }

  /// Calls the body with the runs of a drawn line, and the lengths of the whole lines.
  private func forEachLine(
    of draw: ShapeDraw, _ scenes: ShapeScenes, _ offset: (x: Int, y: Int),
    _ body: (_ runs: UnsafeBufferPointer<StrokeRun>, _ lengths: UnsafeBufferPointer<Int64>) -> Void
  ) {
    let pieces = scenes.pieces[Int(draw.set)].pieces
    let window = pieces.window(of: Int(draw.piece)).map { PixelWindow($0) }
    pieces.withLine(Int(draw.piece)) { line in
      line.vertices.withPoints(movedBy: offset) { points in
        line.withRuns(of: points, in: window) { body($0, line.lengths) }
      }
    }
  }
}

extension FillLook {
  /// The drawing of the edges of areas; translucent ones have no lines of their own.
  fileprivate var edges: AreaCanvas.Edges {
    isAntialiased && !hasPlainEdges ? .lined : .stepped
  }
}

extension ShapePieceSet {
  /// Calls the body with the contours of a drawn area that has some.
  @inline(__always)
  fileprivate func withContours(
    of draw: ShapeDraw, movedBy offset: (x: Int, y: Int),
    _ body: (UnsafeBufferPointer<Path.Point>, UnsafeBufferPointer<Int32>) -> Void
  ) {
    guard pieces.kinds[Int(draw.piece)] == .area else { return }
    pieces.withArea(Int(draw.piece)) { area in
      area.vertices.withPoints(movedBy: offset) { points in
        area.ends.withMemoryRebound(to: Int32.self) { body(points, $0) }
      }
    }
  }
}
