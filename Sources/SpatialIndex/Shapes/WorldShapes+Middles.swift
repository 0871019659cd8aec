package import Tiling

extension WorldShapes {
  /// The middle of each shape's box: the position that counts for a shape when features are
  /// counted by cells. A shape without parts is at the world's corner.
  ///
  /// - Complexity: O(parts).
  package var middles: ContiguousArray<WorldPoint> {
    ContiguousArray(
      (0..<count).map { shape in
        var box = PlaneBox.empty
        for part in partRange(shape) { box.formUnion(boxes[part]) }
        guard !box.isEmpty else { return WorldPoint(x: 0, y: 0) }
        let x = (box.minX + box.maxX) / 2 & (WorldVertex.turn - 1)
        let y = min(max((box.minY + box.maxY) / 2, 0), WorldVertex.turn - 1)
        let shift = WorldVertex.worldBits - 32
        return WorldPoint(
          x: UInt32(truncatingIfNeeded: x >> shift), y: UInt32(truncatingIfNeeded: y >> shift))
      })
  }
}
