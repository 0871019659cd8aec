import Features

extension VectorTileFeature {
  /// Tells outer rings from holes by their direction, and drops rings without an area. If the
  /// first outer ring encloses a negative area, all rings are turned.
  ///
  /// - Complexity: O(vertices).
  mutating func classifyRings() {
    var kept = ContiguousArray<TilePosition>()
    kept.reserveCapacity(vertices.count)
    var keptEnds = ContiguousArray<Int>()
    var keptParts = ContiguousArray<GeometryColumn.Part>()
    var firstIsPositive: Bool?
    for part in parts.indices {
      let range = withoutClosingVertices(vertexRange(part))
      let area = doubledArea(range)
      guard area != 0 else { continue }
      let first = firstIsPositive ?? (area > 0)
      firstIsPositive = first
      if first {
        kept.append(contentsOf: vertices[range])
      } else {
        kept.append(contentsOf: vertices[range].reversed())
      }
      keptEnds.append(kept.count)
      keptParts.append((area > 0) == first ? .outerRing : .innerRing)
    }
    (vertices, ends, parts) = (kept, keptEnds, keptParts)
  }

  /// Returns a ring without vertices at its end that repeat its first.
  private func withoutClosingVertices(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound + 1, vertices[end - 1] == vertices[range.lowerBound] { end -= 1 }
    return range.lowerBound..<end
  }

  /// Returns twice the area of a ring by the shoelace formula, exact.
  private func doubledArea(_ range: Range<Int>) -> Int128 {
    guard range.count > 2, var previous = range.last.map({ vertices[$0] }) else { return 0 }
    let origin = vertices[range.lowerBound]
    var sum: Int128 = 0
    for vertex in vertices[range] {
      let (ax, ay) = (Int(previous.x) - Int(origin.x), Int(previous.y) - Int(origin.y))
      let (bx, by) = (Int(vertex.x) - Int(origin.x), Int(vertex.y) - Int(origin.y))
      sum += Int128(ax) * Int128(by) - Int128(bx) * Int128(ay)
      previous = vertex
    }
    return sum
  }
}
