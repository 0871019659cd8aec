/// Lengths at the sides of a box, in style pixels.
package struct BoxSides: Hashable, Sendable {
  package var top = 0.0
  package var right = 0.0
  package var bottom = 0.0
  package var left = 0.0

  package init(top: Double = 0, right: Double = 0, bottom: Double = 0, left: Double = 0) {
    self.top = top
    self.right = right
    self.bottom = bottom
    self.left = left
  }
}
