extension SparseIndexedEncoder {
  /// Encodes a tile of sprites, no two of whose boxes share a pixel.
  ///
  /// The fastest way for more than one sprite: nothing is drawn. The pixels are those of a canvas
  /// with the sprites; the bytes may differ from the canvas's, but do not depend on the order of
  /// the placements.
  ///
  /// - Parameters:
  ///   - placements: sprites prepared by this encoder, inside the tile or not.
  ///   - buffer: at least ``maximumEncodedSize`` bytes.
  /// - Returns: the number of bytes of the file, or `nil` if boxes overlap or sprites have different
  ///   extras, so that a canvas is needed; the buffer's content is then undefined.
  /// - Complexity: O(n² + rows × n + coded bytes).
  package func encode(
    _ placements: [SpritePlacement], into buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    precondition(placements.allSatisfy { $0.sprite.owner == ObjectIdentifier(self) })
    if placements.count == 1, let one = placements.first, contains(one.sprite, x: one.x, y: one.y) {
      return encode(one.sprite, x: one.x, y: one.y, into: buffer)
    }
    var extras: [UInt32] = []
    for placement in placements where !placement.sprite.extras.isEmpty {
      if extras.isEmpty { extras = placement.sprite.extras }
      guard extras == placement.sprite.extras else { return nil }
    }
    return withExtendedLifetime(placements) {
      withUnsafeTemporaryAllocation(
        of: PlacedSprites.Placed.self, capacity: placements.count
      ) { memory in
        PlacedSprites(placements, width: width, height: height, memory: memory).map { sprites in
          let largest = placements.reduce(0) { max($0, $1.sprite.sprite.largestIndex) }
          return write(into: buffer, extras: extras, largest: largest) { sink in
            sprites.write(into: &sink, lead: lead)
          }
        }
      }
    }
  }
}
