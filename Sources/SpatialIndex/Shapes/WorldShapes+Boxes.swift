package import Tiling

extension WorldShapes {
  /// Returns the box of each shape for a ``BoxTree``, cut at the world's north and south edge;
  /// `nil` for a shape without parts or entirely beyond.
  ///
  /// - Complexity: O(parts).
  package func worldBox(_ shape: Int) -> WorldBox? {
    var box = PlaneBox.empty
    for part in partRange(shape) { box.formUnion(boxes[part]) }
    let last = WorldVertex.turn - 1
    guard !box.isEmpty, box.maxY >= 0, box.minY <= last else { return nil }
    let isAllAround = box.maxX - box.minX >= last
    func unit(_ value: Int) -> UInt32 {
      UInt32(truncatingIfNeeded: (value & last) >> (WorldVertex.worldBits - 32))
    }
    return WorldBox(
      west: isAllAround ? 0 : unit(box.minX), north: unit(max(box.minY, 0)),
      east: isAllAround ? .max : unit(box.maxX), south: unit(min(box.maxY, last)))
  }
}
