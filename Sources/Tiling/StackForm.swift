import Platform

/// The form in which the points of a stack are spread around its middle, and their distances.
package struct StackForm: Hashable, Sendable {
  package enum Name: String, CaseIterable, Hashable, Sendable {
    /// One circle, from the top clockwise.
    case ring
    /// A spiral from the top clockwise whose turns are one spacing apart; a ring for up to six points.
    case spiral
    /// Rows from west to east, the first in the north.
    case grid
  }

  package let name: Name

  /// The least distance of two points of a stack, in pixels.
  package let spacing: Double

  package init(_ name: Name, spacing: Double) {
    self.name = name
    self.spacing = spacing
  }

  /// Returns the places of the points of a stack around its middle, in pixels eastward and southward.
  ///
  /// - Complexity: O(count)
  package func offsets(count: Int) -> [SIMD2<Double>] {
    // Up to six points fill the beginning of a spiral unevenly.
    switch name == .spiral && count <= 6 ? .ring : name {
    case .ring:
      let radius = spacing / (2 * sin(.pi / Double(max(count, 2))))
      return (0..<count).map { Self.polar(radius, 2 * .pi * Double($0) / Double(count)) }
    case .spiral:
      var angle = 0.0
      return (0..<count).map { _ in
        // A turn adds a little more than the spacing, since the arms are not quite circles.
        let radius = spacing * (1 + 1.03 * angle / (2 * .pi))
        defer { angle += 2 * asin(spacing / (2 * radius)) }
        return Self.polar(radius, angle)
      }
    case .grid:
      let columns = Int(Double(count).squareRoot().rounded(.up))
      let rows = (count + columns - 1) / max(columns, 1)
      return (0..<count).map { index in
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        let width = min(columns, count - row * columns)
        return SIMD2(
          (Double(column) - Double(width - 1) / 2) * spacing,
          (Double(row) - Double(rows - 1) / 2) * spacing)
      }
    }
  }

  private static func polar(_ radius: Double, _ angle: Double) -> SIMD2<Double> {
    SIMD2(radius * sin(angle), -radius * cos(angle))
  }
}
