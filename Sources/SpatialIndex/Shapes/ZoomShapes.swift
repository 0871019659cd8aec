import Tiling

/// A vertex in the plane of one zoom: 1/256 device pixels from the world's north-west corner, x
/// eastward (not wrapped), y southward.
@usableFromInline
package struct ZoomVertex: BitwiseCopyable, Hashable, Sendable {
  @usableFromInline package var x: Int
  @usableFromInline package var y: Int

  @inlinable
  package init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// The shapes of a source at one zoom: simplified below a quarter of a device pixel, in 1/256
/// pixels.
///
/// Columns as in ``WorldShapes``; parts and vertices that coincide with others at this zoom are
/// left out. Shapes that share a border have the same vertices along it. A line that shrinks to a
/// point at this zoom has that vertex twice, since its caps may still be visible.
package struct ZoomShapes: Sendable {
  /// The number of units per device pixel.
  package static let unitsPerPixel = 256

  package let zoom: Int

  /// The length of a tile's side in device pixels.
  package let tilePixels: Int

  /// All vertices that are kept.
  package private(set) var vertices = ContiguousArray<ZoomVertex>()

  /// The role of each part.
  package private(set) var parts = ContiguousArray<ShapePart>()

  /// The end of each part's vertices in ``vertices``.
  package private(set) var vertexEnds = ContiguousArray<Int>()

  /// The box of each part, in 1/256 pixels.
  package private(set) var boxes = ContiguousArray<PlaneBox>()

  /// The source tile of each shape, in 1/256 pixels; empty for shapes that no tile cuts.
  private(set) var windows = ContiguousArray<PlaneBox>()

  /// The end of each shape's parts in ``parts``.
  package private(set) var partEnds = ContiguousArray<Int>()

  /// The box of each shape's rings, in 1/256 pixels; empty for a shape without rings.
  package private(set) var areaBoxes = ContiguousArray<PlaneBox>()

  /// The box of each shape's lines and outlines, in 1/256 pixels; empty for a shape without lines.
  package private(set) var lineBoxes = ContiguousArray<PlaneBox>()

  /// The sub-pixel polygons.
  package private(set) var dust = ShapeDust()

  /// The division into tiles, in 1/256 pixels.
  let division: TileDivision

  /// The width of the square of all tiles in 1/256 pixels.
  var squareUnits: Int { division.side << zoom }

  /// The width of the world, after which everything repeats, in 1/256 pixels: the width of the
  /// square, or less if the world is drawn smaller.
  let worldUnits: Int

  /// The number of shapes.
  package var count: Int { partEnds.count }

  /// Creates the shapes of a zoom by simplifying all shapes.
  ///
  /// - Parameters:
  ///   - zoom: the zoom, 0 … 22.
  ///   - tilePixels: the length of a tile's side in device pixels, 1 to 2,048.
  ///   - shiftX: the eastward shift of everything after rounding, in 1/256 pixels.
  ///   - shiftY: the same southward.
  /// - Complexity: O(vertices).
  package init(
    _ world: WorldShapes, zoom: Int, tilePixels: Int, shiftX: Int = 0, shiftY: Int = 0
  ) {
    precondition((0...22).contains(zoom), "zooms are 0 to 22")
    precondition((1...2048).contains(tilePixels), "tiles have up to 2,048 pixels")
    self.zoom = zoom
    self.tilePixels = tilePixels
    division = TileDivision(side: tilePixels * Self.unitsPerPixel)
    let rounding = UnitRounding(
      tilePixels: tilePixels, zoom: zoom, shiftX: shiftX, shiftY: shiftY)
    worldUnits = max(rounding.length(world.period), 1)
    windows = ContiguousArray(world.windows.lazy.map(rounding.box))
    let speck = (Self.unitsPerPixel / 4) << rounding.bits / rounding.factor
    for shape in 0..<world.count {
      var areaBox = PlaneBox.empty
      var lineBox = PlaneBox.empty
      var isDust = false
      let firstPart = parts.count
      for part in world.partRange(shape) {
        let kind = world.parts[part]
        let box = world.boxes[part]
        if kind.isOuterRing { isDust = box.extent < speck }
        if isDust, kind != .line {
          if kind.isOuterRing { appendDust(shape, box, area: world.areas[part], rounding) }
          continue
        }
        guard let box = append(world, part: part, rounding, tolerance: Float(speck)) else {
          continue
        }
        if parts.count - firstPart > 1, isPoint(parts.count - 1), repeatsLastPart() {
          removeLastPart()
          continue
        }
        if kind.isRing { areaBox.formUnion(box) }
        if kind.isOutline { lineBox.formUnion(box) }
      }
      areaBoxes.append(areaBox)
      lineBoxes.append(lineBox)
      partEnds.append(parts.count)
    }
  }

  /// Returns the parts of a shape, as indexes into ``parts``.
  package func partRange(_ shape: Int) -> Range<Int> {
    (shape == 0 ? 0 : partEnds[shape - 1])..<partEnds[shape]
  }

  /// Returns the vertices of a part, as indexes into ``vertices``.
  package func vertexRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : vertexEnds[part - 1])..<vertexEnds[part]
  }

  /// Whether a part is a line whose vertices are all equal.
  func isPoint(_ part: Int) -> Bool {
    let range = vertexRange(part)
    return parts[part].isLine && range.count == 2
      && vertices[range.lowerBound] == vertices[range.lowerBound + 1]
  }

  /// Whether the last two parts are lines that shrank to the same vertex.
  private func repeatsLastPart() -> Bool {
    isPoint(parts.count - 2) && vertices[vertices.count - 1] == vertices[vertices.count - 3]
  }

  /// Returns the source tile of a shape, in 1/256 pixels; `nil` for one that no tile cuts.
  func window(of shape: Int) -> PlaneBox? {
    windows.isEmpty || windows[shape].isEmpty ? nil : windows[shape]
  }

  private mutating func removeLastPart() {
    vertices.removeLast(vertexRange(parts.count - 1).count)
    vertexEnds.removeLast()
    parts.removeLast()
    boxes.removeLast()
  }

  /// Appends the vertices of a part that the zoom keeps.
  ///
  /// - Returns: the part's box, or `nil` where all of a ring or outline is one vertex.
  private mutating func append(
    _ world: WorldShapes, part: Int, _ rounding: UnitRounding, tolerance: Float
  ) -> PlaneBox? {
    let start = vertices.count
    var box = PlaneBox.empty
    let keepsAll = world.importances.isEmpty
    for index in world.vertexRange(part) where keepsAll || world.importances[index] >= tolerance {
      let vertex = rounding.vertex(world.vertices[index])
      if vertices.count > start, vertices[vertices.count - 1] == vertex { continue }
      vertices.append(vertex)
      box.include(x: vertex.x, y: vertex.y)
    }
    let kind = world.parts[part]
    if kind.isRing {
      while vertices.count > start + 1, vertices[vertices.count - 1] == vertices[start] {
        vertices.removeLast()
      }
    }
    if kind.isLine, vertices.count == start + 1 { vertices.append(vertices[start]) }
    guard vertices.count >= start + 2 else {
      vertices.removeLast(vertices.count - start)
      return nil
    }
    vertexEnds.append(vertices.count)
    parts.append(kind)
    boxes.append(box)
    return box
  }

  private mutating func appendDust(
    _ shape: Int, _ box: PlaneBox, area: Double, _ rounding: UnitRounding
  ) {
    let (x, y) = ((box.minX + box.maxX) >> 1, (box.minY + box.maxY) >> 1)
    dust.append(
      shape: shape, x: ((x * rounding.factor) >> rounding.bits + rounding.shiftX) >> 8,
      y: ((y * rounding.factor) >> rounding.bits + rounding.shiftY) >> 8,
      area: ShapeDust.area(
        area * Double(rounding.factor * rounding.factor), pixelBits: rounding.bits + 8))
  }
}

/// A conversion from world units to 1/256 pixels: rounded half up, then shifted.
private struct UnitRounding {
  /// The number of world units per unit is 2^``bits`` / ``factor``; the factor is the odd one of a
  /// tile's side.
  let bits: Int
  let factor: Int
  let shiftX: Int
  let shiftY: Int

  init(tilePixels: Int, zoom: Int, shiftX: Int, shiftY: Int) {
    let units = tilePixels * ZoomShapes.unitsPerPixel
    bits = WorldVertex.worldBits - units.trailingZeroBitCount - zoom
    factor = units >> units.trailingZeroBitCount
    (self.shiftX, self.shiftY) = (shiftX, shiftY)
  }

  /// Returns a length, rounded half up.
  @inline(__always)
  func length(_ length: Int) -> Int { (length * factor + 1 << (bits - 1)) >> bits }

  @inline(__always)
  func vertex(_ vertex: WorldVertex) -> ZoomVertex {
    ZoomVertex(x: length(vertex.x) + shiftX, y: length(vertex.y) + shiftY)
  }

  /// Returns a box that is not empty.
  func box(_ box: PlaneBox) -> PlaneBox {
    guard !box.isEmpty else { return box }
    let northWest = vertex(WorldVertex(x: box.minX, y: box.minY))
    let southEast = vertex(WorldVertex(x: box.maxX, y: box.maxY))
    return PlaneBox(minX: northWest.x, minY: northWest.y, maxX: southEast.x, maxY: southEast.y)
  }
}

/// Sub-pixel polygons: their box is smaller than a quarter of a device pixel, so they have no form,
/// only an area that covers a part of one pixel. Columns in the order of the shapes.
package struct ShapeDust: Sendable {
  /// The index of each polygon's shape.
  package private(set) var shapes = ContiguousArray<UInt32>()

  /// The pixel of each polygon's centre, eastward from the world's west edge, not wrapped.
  package private(set) var xs = ContiguousArray<Int>()

  /// The pixel of each polygon's centre, southward from the world's north edge.
  package private(set) var ys = ContiguousArray<Int>()

  /// The area of each polygon without its holes, in 2⁻³² square pixels; below 2²⁸.
  package private(set) var areas = ContiguousArray<UInt32>()

  package var count: Int { shapes.count }

  mutating func append(shape: Int, x: Int, y: Int, area: UInt32) {
    guard area > 0 else { return }
    shapes.append(UInt32(truncatingIfNeeded: shape))
    xs.append(x)
    ys.append(y)
    areas.append(area)
  }

  /// Returns an area as a fraction of a pixel, in 2⁻³² square pixels, rounded to the nearest.
  ///
  /// - Parameters:
  ///   - worldArea: the area in square world units.
  ///   - pixelBits: the base-2 logarithm of a pixel's side in world units.
  static func area(_ worldArea: Double, pixelBits: Int) -> UInt32 {
    let scale = Double(sign: .plus, exponent: 32 - 2 * pixelBits, significand: 1)
    return UInt32(min((worldArea * scale).rounded(), 268_435_456))
  }
}
