package import Features
package import Tiling

/// The lines and polygons of a source in the world plane, unwrapped, with the values needed to
/// simplify them at any zoom. It is made once per source.
///
/// Columns: shape i of the ``ShapeSet`` owns a run of parts, a part a run of vertices. Rings do
/// not repeat their first vertex; degenerate lines and areas (fewer than two or three different
/// vertices) have no part; the holes of such an area have none either. Lines and polygons begin in
/// the world (their westernmost vertex has 0 ≤ x < 2⁴²) and may end beyond it; holes are placed
/// with their outer ring.
package struct WorldShapes: Sendable {
  /// All vertices.
  package private(set) var vertices = ContiguousArray<WorldVertex>()

  /// The tolerance in world units up to which simplification keeps each vertex; infinite for those
  /// that always stay. Equal positions have equal importance. Empty for shapes of tiles, which are
  /// simplified already.
  package private(set) var importances = ContiguousArray<Float>()

  /// The role of each part.
  package private(set) var parts = ContiguousArray<ShapePart>()

  /// The end of each part's vertices in ``vertices``.
  package private(set) var vertexEnds = ContiguousArray<Int>()

  /// The box of each part.
  package private(set) var boxes = ContiguousArray<PlaneBox>()

  /// The area, for each outer ring, of its polygon without the holes, in square world units; 0 for
  /// other parts.
  package private(set) var areas = ContiguousArray<Double>()

  /// The source tile of each shape, to which it is cut when it is drawn; empty for shapes that no
  /// tile cuts.
  private(set) var windows = ContiguousArray<PlaneBox>()

  /// The end of each shape's parts in ``parts``.
  package private(set) var partEnds = ContiguousArray<Int>()

  /// The width of the world, after which everything repeats, in world units: one turn, or less if
  /// the world is drawn smaller.
  package private(set) var period = WorldVertex.turn

  /// The number of shapes.
  package var count: Int { partEnds.count }

  /// Creates the shapes of a set: unwraps them and computes the importance of their vertices.
  ///
  /// - Parameter tileZoom: the zoom of the tiles that the shapes come from; `nil` for shapes that are
  ///   whole. Shapes of tiles stay where they are, also west of the world.
  /// - Complexity: O(n log n) for n vertices; linear except for long winding arcs.
  package init(_ shapes: ShapeSet, tileZoom: Int? = nil) {
    let geometry = shapes.geometry
    vertices.reserveCapacity(geometry.positions.count)
    var unwrapper = ShapeUnwrapper()
    geometry.positions.withUnsafeBufferPointer { positions in
      for shape in 0..<geometry.count {
        // The outer ring to which holes belong, as long as it is an area.
        var outer: Int?
        for part in geometry.partRange(shape) {
          let kind = geometry.parts[part]
          guard kind != .point else { continue }
          unwrapper.unwrap(
            positions[geometry.positionRange(part)], isRing: kind != .line,
            isOfTile: tileZoom != nil)
          switch kind {
          case .outerRing: outer = appendOuterRing(&unwrapper, staysPut: tileZoom != nil)
          case .innerRing:
            if let outer { appendHole(&unwrapper, of: outer, staysPut: tileZoom != nil) }
          default: appendLine(&unwrapper, staysPut: tileZoom != nil)
          }
        }
        partEnds.append(parts.count)
        guard let tileZoom else { continue }
        windows.append(
          geometry.tile(of: shape).map {
            PlaneBox(sourceTile: TileCoord(TileKey(rawValue: $0), z: tileZoom))
          } ?? .empty)
      }
    }
    guard tileZoom == nil else { return }
    importances = ShapeSimplifier.importances(vertices, parts: parts, vertexEnds: vertexEnds)
  }

  /// Returns the shapes in a smaller world.
  ///
  /// - Complexity: O(vertices).
  package func scaled(by scaling: WorldScaling) -> WorldShapes {
    var scaled = WorldShapes()
    scaled.period = max(Int((Double(WorldVertex.turn) * scaling.factor).rounded()), 1)
    for shape in 0..<count {
      for part in partRange(shape) { scaled.append(self, part: part, scaling) }
      scaled.partEnds.append(scaled.parts.count)
    }
    scaled.windows = ContiguousArray(windows.lazy.map { $0.scaled(by: scaling) })
    return scaled
  }

  private init() {}

  /// Appends a part of another set in a smaller world.
  private mutating func append(_ other: WorldShapes, part: Int, _ scaling: WorldScaling) {
    let range = other.vertexRange(part)
    append(
      ContiguousArray(other.vertices[range].lazy.map { $0.scaled(by: scaling) }),
      as: other.parts[part])
    if !other.importances.isEmpty {
      importances.append(
        contentsOf: other.importances[range].lazy.map { $0 * Float(scaling.factor) })
    }
    areas[areas.count - 1] = other.areas[part] * scaling.factor * scaling.factor
  }

  /// Returns the parts of a shape, as indexes into ``parts``.
  package func partRange(_ shape: Int) -> Range<Int> {
    (shape == 0 ? 0 : partEnds[shape - 1])..<partEnds[shape]
  }

  /// Returns the vertices of a part, as indexes into ``vertices``.
  package func vertexRange(_ part: Int) -> Range<Int> {
    (part == 0 ? 0 : vertexEnds[part - 1])..<vertexEnds[part]
  }

  private mutating func appendLine(_ line: inout ShapeUnwrapper, staysPut: Bool) {
    guard line.vertices.count >= 2 else { return }
    if !staysPut { line.move(turns: -(line.box.minX >> WorldVertex.worldBits)) }
    append(line.vertices, as: .line)
  }

  /// - Returns: the number of the part, or `nil` if the ring is not an area.
  private mutating func appendOuterRing(_ ring: inout ShapeUnwrapper, staysPut: Bool) -> Int? {
    guard ring.isArea else { return nil }
    if !staysPut { ring.move(turns: -(ring.box.minX >> WorldVertex.worldBits)) }
    return appendRing(&ring, as: .outerRing, polar: .polarOuterRing)
  }

  private mutating func appendHole(
    _ ring: inout ShapeUnwrapper, of outer: Int, staysPut: Bool
  ) {
    guard ring.isArea else { return }
    if !staysPut {
      let distance = boxes[outer].minX + boxes[outer].maxX - ring.box.minX - ring.box.maxX
      ring.move(turns: (distance + WorldVertex.turn) >> (WorldVertex.worldBits + 1))
    }
    let part = appendRing(&ring, as: .innerRing, polar: .polarInnerRing)
    areas[outer] = max(areas[outer] - areas[part], 0)
    areas[part] = 0
  }

  private mutating func appendRing(
    _ ring: inout ShapeUnwrapper, as part: ShapePart, polar: ShapePart
  ) -> Int {
    let place = parts.count
    if ring.turns == 0 {
      append(ring.vertices, as: part)
    } else {
      let outline = ring.polarLine
      ring.closeOverPole()
      append(ring.vertices, as: polar)
      append(outline, as: .polarLine)
    }
    areas[place] = area(of: place)
    return place
  }

  private mutating func append(_ run: ContiguousArray<WorldVertex>, as part: ShapePart) {
    vertices.append(contentsOf: run)
    vertexEnds.append(vertices.count)
    parts.append(part)
    boxes.append(run.reduce(into: PlaneBox.empty) { $0.include(x: $1.x, y: $1.y) })
    areas.append(0)
  }

  /// Returns the area that a ring encloses, whatever its direction: half the sum of cross products,
  /// exact except for the last rounding.
  private func area(of part: Int) -> Double {
    let range = vertexRange(part)
    let origin = vertices[range.lowerBound]
    var doubled: Int128 = 0
    var previous = vertices[range.upperBound - 1]
    for vertex in vertices[range] {
      doubled &+= Int128(previous.x - origin.x) &* Int128(vertex.y - origin.y)
      doubled &-= Int128(vertex.x - origin.x) &* Int128(previous.y - origin.y)
      previous = vertex
    }
    // The general conversion of 128 bits is slow.
    let (high, low) = (
      UInt64(doubled.magnitude >> 64), UInt64(truncatingIfNeeded: doubled.magnitude)
    )
    return (Double(high) * 18_446_744_073_709_551_616 + Double(low)) / 2
  }
}

extension WorldVertex {
  /// Returns the vertex in a smaller world.
  fileprivate func scaled(by scaling: WorldScaling) -> WorldVertex {
    let turn = Double(Self.turn)
    return WorldVertex(
      x: Int((scaling.scaled(x: Double(x) / turn) * turn).rounded()),
      y: Int((scaling.scaled(y: Double(y) / turn) * turn).rounded()))
  }
}

extension PlaneBox {
  /// Returns the box in a smaller world.
  fileprivate func scaled(by scaling: WorldScaling) -> PlaneBox {
    let northWest = WorldVertex(x: minX, y: minY).scaled(by: scaling)
    let southEast = WorldVertex(x: maxX, y: maxY).scaled(by: scaling)
    return PlaneBox(minX: northWest.x, minY: northWest.y, maxX: southEast.x, maxY: southEast.y)
  }
}
