import Columns
package import Features
package import Raster
package import Scenes
import SpatialIndex
import Styling
package import TapBlocks
import Tiling

/// A writer of the tap data for the tiles of a block: the shapes that ``TapPainter`` draws into
/// cells. One per worker.
package final class TapBlockMaker {
  private let layers: Set<Int>
  private let side: Int
  private var prints: SymbolPrints

  private var block = TapBlock(tileSide: 0)

  /// The number that each stack of the looks has in the current block; valid if ``stackBlocks``
  /// has the block's number.
  private var stacks = ContiguousArray<UInt32>()
  private var stackBlocks = ContiguousArray<UInt32>()
  private var blockNumber: UInt32 = 0
  private var entries: [UInt32] = []

  /// The tiles of the current block, by their index in it, and the features that they show.
  private var tiles: [(index: Int, tile: Int)] = []
  private var features: [UInt64] = []

  /// - Parameters:
  ///   - layers: the indexes of the layers that answer taps.
  ///   - side: the side of a tile in device pixels.
  ///   - scale: device pixels per style pixel.
  package init(layers: Set<Int>, side: Int, scale: Int, fonts: FontLibrary) {
    self.layers = layers
    self.side = side
    prints = SymbolPrints(scale: scale, fonts: fonts, layers: layers)
  }

  /// The content that a block is made from.
  package struct Content {
    /// The numbers of its features, ascending.
    package let features: [UInt64]

    /// A hash of everything that determines the block's bytes, except the version of the program.
    package let hash: StableHash
  }

  /// Collects what a block of some drawn tiles shows; `nil` if no feature answers taps there.
  ///
  /// - Parameters:
  ///   - drawn: the tiles among the zoom's scenes, all of one block.
  ///   - number: the number of a feature.
  ///   - name: the identifier of a number.
  /// - Complexity: O(n log n) over the draws of the tiles.
  package func content(
    _ coord: TapBlockCoord, drawn: some Collection<UInt32>, of scenes: borrowing ZoomScenes,
    number: (TapFeature) -> UInt64, name: (UInt64) -> UInt64
  ) throws -> Content? {
    block = TapBlock(tileSide: side)
    blockNumber &+= 1
    entries.removeAll(keepingCapacity: true)
    features.removeAll(keepingCapacity: true)
    tiles = drawn.map { (index: TapBlockCoord.index(of: scenes.tile(Int($0))), tile: Int($0)) }
    tiles.sort { $0.index < $1.index }
    var hash = StableHash()
    for (index, tile) in tiles {
      if try appendEntries(tile, of: scenes) { block.tiles |= 1 << UInt64(index) }
      combineShapes(tile, index, of: scenes, number: number, name: name, into: &hash)
    }
    appendSymbols(coord, of: scenes, number: number)
    features.append(contentsOf: block.symbols.features)
    guard !features.isEmpty else { return nil }
    combineSymbols(name: name, into: &hash)
    features.sort()
    var distinct: [UInt64] = []
    for feature in features where feature != distinct.last { distinct.append(feature) }
    return Content(features: distinct, hash: hash)
  }

  /// Returns the block of the content that was collected last; `nil` if nothing of it answers taps.
  package func makeBlock(
    of scenes: borrowing ZoomScenes, number: (TapFeature) -> UInt64
  ) -> TapBlock? {
    for (index, tile) in tiles where appendShapes(tile, index, of: scenes, number: number) {
      block.tiles |= 1 << UInt64(index)
    }
    return block.tiles == 0 ? nil : block
  }

  /// Mixes the symbols, their prints and the tiles that show them into a hash.
  private func combineSymbols(name: (UInt64) -> UInt64, into hash: inout StableHash) {
    hash.combine(block.tiles)
    for stack in block.stacks {
      hash.combine(stack.count)
      for print in stack {
        hash.combine(Int(print.layer) << 2 | (print.isDisc ? 1 : 0) | (print.isOnPixel ? 2 : 0))
        for edge in [print.left, print.top, print.right, print.bottom] { hash.combine(Int(edge)) }
      }
    }
    let symbols = block.symbols
    for index in 0..<symbols.count {
      hash.combine(Int(symbols.stacks[index]))
      hash.combine(Int(symbols.xs[index]) << 32 ^ Int(symbols.ys[index]))
      hash.combine(name(symbols.features[index]))
    }
  }

  /// Mixes the lines and areas of a tile into a hash, and collects their features.
  private func combineShapes(
    _ tile: Int, _ index: Int, of scenes: borrowing ZoomScenes, number: (TapFeature) -> UInt64,
    name: (UInt64) -> UInt64, into hash: inout StableHash
  ) {
    guard let shapes = scenes.shapeTile(tile) else { return }
    hash.combine(index)
    // The scene holds the vertices.
    hash.combine(scenes.hashes[tile].high)
    hash.combine(scenes.hashes[tile].low)
    for draw in scenes.shapes.drawRange(shapes) {
      let layer = Int(scenes.shapes.draws[draw].layer)
      guard layers.contains(layer) else { continue }
      let feature = number(scenes.tapFeature(of: scenes.shapes.draws[draw]))
      features.append(feature)
      hash.combine(layer)
      hash.combine(name(feature))
    }
  }

  // MARK: Symbols

  /// Collects the symbols of a tile that leave a print.
  ///
  /// - Returns: whether there is at least one.
  private func appendEntries(_ tile: Int, of scenes: borrowing ZoomScenes) throws -> Bool {
    guard !scenes.symbolFeatures.isEmpty else { return false }
    let count = entries.count
    for index in scenes.entryRange(tile) {
      let entry = scenes.entries[index]
      let stack = scenes.stack(ofSymbol: Int(entry >> 2)).stack
      if try number(of: stack, in: scenes.looks) != .max { entries.append(entry) }
    }
    return entries.count > count
  }

  /// Returns the number of a stack in the block, adding a new one; `.max` for a stack without
  /// prints.
  private func number(of stack: UInt32, in looks: LookTable) throws -> UInt32 {
    let index = Int(stack)
    if index >= stacks.count {
      let more = index + 1 - stacks.count
      stacks.append(contentsOf: repeatElement(0, count: more))
      stackBlocks.append(contentsOf: repeatElement(0, count: more))
    }
    guard stackBlocks[index] != blockNumber else { return stacks[index] }
    stackBlocks[index] = blockNumber
    let range = try prints.range(of: stack, in: looks)
    stacks[index] = range.isEmpty ? .max : UInt32(truncatingIfNeeded: block.stacks.count)
    if !range.isEmpty { block.stacks.append(range.map { TapPrint(prints[$0]) }) }
    return stacks[index]
  }

  /// Appends the collected symbols, each once for every place in which the block shows it.
  private func appendSymbols(
    _ coord: TapBlockCoord, of scenes: borrowing ZoomScenes, number: (TapFeature) -> UInt64
  ) {
    // Entries are in ascending drawing order.
    entries.sort()
    let origin = coord.firstTile
    let steps = TapBlock.steps
    var last: UInt32?
    for entry in entries where entry != last {
      last = entry
      let symbol = Int(entry >> 2)
      let (stack, phaseX, phaseY) = scenes.stack(ofSymbol: symbol)
      let place = scenes.place(of: entry, originX: origin.x * side, originY: origin.y * side)
      block.symbols.append(
        stack: stacks[Int(stack)],
        x: Int32(truncatingIfNeeded: place.x * steps + Int(phaseX)),
        y: Int32(truncatingIfNeeded: place.y * steps + Int(phaseY)),
        feature: number(scenes.symbolFeatures[symbol]))
    }
  }

  // MARK: Lines and areas

  /// Appends the lines and areas of a tile.
  ///
  /// - Returns: whether there is at least one.
  private func appendShapes(
    _ tile: Int, _ index: Int, of scenes: borrowing ZoomScenes, number: (TapFeature) -> UInt64
  ) -> Bool {
    guard let shapes = scenes.shapeTile(tile) else { return false }
    let count = block.shapes.count
    var layer = -1
    var hasAreas = false
    for draw in scenes.shapes.drawRange(shapes) {
      let next = Int(scenes.shapes.draws[draw].layer)
      if next != layer {
        // A layer's draws are consecutive, its areas first.
        (layer, hasAreas) = (next, scenes.shapes.look(draw).isArea)
      }
      guard layers.contains(layer) else { continue }
      let shape = TapShape(
        tile: UInt8(truncatingIfNeeded: index), kind: hasAreas ? .outline : .line,
        layer: Int32(truncatingIfNeeded: layer),
        feature: number(scenes.tapFeature(of: scenes.shapes.draws[draw])))
      if scenes.shapes.look(draw).isArea {
        appendArea(draw, shape, of: scenes)
      } else {
        appendLine(draw, shape, of: scenes)
      }
    }
    return block.shapes.count > count
  }

  private func appendArea(_ index: Int, _ shape: TapShape, of scenes: borrowing ZoomScenes) {
    var shape = shape
    let draw = scenes.shapes.draws[index]
    let offset = scenes.shapes.look(index).offset(scale: scenes.grid.scale)
    let pieces = scenes.shapes.pieces[Int(draw.set)].pieces
    if let speck = draw.dust {
      let origin = origin(ofTile: shape.tile)
      (shape.kind, shape.runs) = (.speck, 1)
      block.vertices.append(
        TapVertex(
          x: Int32(truncatingIfNeeded: (Int(pieces.dustXs[speck]) + offset.x >> 8) * 16 + origin.x),
          y: Int32(truncatingIfNeeded: (Int(pieces.dustYs[speck]) + offset.y >> 8) * 16 + origin.y))
      )
      endRun()
    } else if pieces.kinds[Int(draw.piece)] == .fullArea {
      shape.kind = .wholeTile
    } else {
      shape.kind = .area
      pieces.withArea(Int(draw.piece)) { area in
        var start = 0
        for end in area.ends {
          for vertex in area.vertices[start..<Int(end)] {
            appendVertex(
              x: Double(Int(vertex.x) + offset.x) / 256, y: Double(Int(vertex.y) + offset.y) / 256,
              tile: shape.tile)
          }
          start = Int(end)
          if endRun() { shape.runs += 1 }
        }
      }
      guard shape.runs > 0 else { return }
    }
    block.shapes.append(shape)
  }

  private func appendLine(_ index: Int, _ shape: TapShape, of scenes: borrowing ZoomScenes) {
    guard case .line(let look) = scenes.shapes.look(index) else { return }
    var shape = shape
    let draw = scenes.shapes.draws[index]
    let offset = scenes.shapes.look(index).offset(scale: scenes.grid.scale)
    let pen = TapPen(look.stroke, number: 0, dx: offset.x, dy: offset.y)
    let fine = Double(TapBlock.fineSteps)
    shape.half = Self.rounded(pen.half * fine)
    shape.gap = Self.rounded(pen.gap * fine)
    scenes.shapes.pieces[Int(draw.set)].pieces.withLine(Int(draw.piece)) { line in
      var start = 0
      for (end, flags) in zip(line.ends, line.flags) {
        var last: (x: Double, y: Double)?
        pen.forEachSegment(
          UnsafeBufferPointer(rebasing: line.vertices[start..<Int(end)]),
          isClosed: flags.contains(.isClosed)
        ) { segment in
          if let place = last, place.x != segment.ax || place.y != segment.ay, endRun() {
            shape.runs += 1
            last = nil
          }
          if last == nil { appendVertex(x: segment.ax, y: segment.ay, tile: shape.tile) }
          appendVertex(x: segment.bx, y: segment.by, tile: shape.tile)
          last = (segment.bx, segment.by)
        }
        start = Int(end)
        if endRun() { shape.runs += 1 }
      }
    }
    if shape.runs > 0 { block.shapes.append(shape) }
  }

  // MARK: Places

  /// Returns the north-west corner of a tile of the block in 1/16 pixels.
  private func origin(ofTile tile: UInt8) -> (x: Int, y: Int) {
    let step = side * TapBlock.steps
    return (
      (Int(tile) & (TapBlockCoord.side - 1)) * step, (Int(tile) >> TapBlockCoord.sideBits) * step
    )
  }

  /// Appends a vertex in pixels of a tile, unless it equals the run's last one.
  private func appendVertex(x: Double, y: Double, tile: UInt8) {
    let origin = origin(ofTile: tile)
    let steps = Double(TapBlock.steps)
    let vertex = TapVertex(
      x: Self.rounded(x * steps + Double(origin.x)), y: Self.rounded(y * steps + Double(origin.y)))
    let isFirst = block.vertices.count == Int(block.runEnds.last ?? 0)
    if isFirst || block.vertices.last != vertex { block.vertices.append(vertex) }
  }

  /// Ends a run.
  ///
  /// - Returns: whether it has vertices.
  @discardableResult
  private func endRun() -> Bool {
    let end = UInt32(truncatingIfNeeded: block.vertices.count)
    guard end > block.runEnds.last ?? 0 else { return false }
    block.runEnds.append(end)
    return true
  }

  /// Returns a length clamped to the range of the format.
  fileprivate static func rounded(_ value: Double) -> Int32 {
    // The edges of a disc are sums of two such lengths.
    let limit = Double(1 << 27)
    return value.isFinite ? Int32(min(max(value, -limit), limit).rounded()) : 0
  }
}

extension TapPrint {
  /// Creates a print in 1/256 pixels; a disc keeps its middle.
  init(_ print: SymbolPrint) {
    let fine = Double(TapBlock.fineSteps)
    func rounded(_ value: Double) -> Int32 { TapBlockMaker.rounded(value * fine) }
    var edges = [print.left, print.top, print.right, print.bottom].map(rounded)
    if print.isDisc {
      let x = rounded((print.left + print.right) / 2)
      let y = rounded((print.top + print.bottom) / 2)
      let radius = rounded((print.right - print.left) / 2)
      edges = [x - radius, y - radius, x + radius, y + radius]
    }
    self.init(
      layer: print.layer, isDisc: print.isDisc, isOnPixel: print.isOnPixel, left: edges[0],
      top: edges[1], right: edges[2], bottom: edges[3])
  }
}
