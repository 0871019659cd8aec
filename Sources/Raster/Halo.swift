extension CoverageRasterizer {
  /// Maximum width of a halo and of its blur, in pixels.
  package static let maxHalo = 64.0

  /// Returns the mask of a path grown by `width` pixels.
  ///
  /// The rim is round everywhere, at a constant distance from the outline. Without blur a pixel's
  /// coverage falls from 1 to 0 over the one pixel around the rim; with blur it follows MapLibre's
  /// text shader: a smoothstep from 0.84 + 1.19 · blur px within the rim to as much beyond.
  ///
  /// - Complexity: O(vertices · (width + blur)²).
  func halo(
    of path: Path, width: Double, blur: Double, within window: PixelBox = .ofMasks
  ) -> CoverageMask {
    guard width > 0 else { return .empty }
    let rim = min(width, CoverageRasterizer.maxHalo)
    let fade = blur > 0 ? 0.84 + 1.19 * min(blur, CoverageRasterizer.maxHalo) : 0.5
    guard distances.measure(path, limit: rim + fade, within: window) else { return .empty }
    let bytes = scratch(distances.width * distances.height)
    for row in 0..<distances.height {
      for column in 0..<distances.width {
        let position = (rim + fade - distances[row, column]) / (2 * fade)
        let t = min(max(position, 0), 1)
        let share = blur > 0 ? t * t * (3 - 2 * t) : t
        bytes[row * distances.width + column] = UInt8((share * 255).rounded())
      }
    }
    return CoverageMask(
      trimming: UnsafeBufferPointer(bytes), width: distances.width, height: distances.height,
      originX: distances.originX, originY: distances.originY)
  }
}
