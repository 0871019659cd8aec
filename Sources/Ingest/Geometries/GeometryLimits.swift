/// Limits on one geometry.
package struct GeometryLimits: Hashable, Sendable {
  /// Maximum number of positions; each takes 16 bytes.
  package var positions = 1 << 22

  /// Maximum number of parts: points, lines, rings.
  package var parts = 1 << 22

  package init() {}

  package init(positions: Int, parts: Int) {
    self.positions = positions
    self.parts = parts
  }
}
