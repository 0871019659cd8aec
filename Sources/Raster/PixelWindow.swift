/// A rectangle of pixels outside of which a line or an area is not drawn.
package struct PixelWindow: Hashable, Sendable {
  package let columns: Range<Int>
  package let rows: Range<Int>

  package init(columns: Range<Int>, rows: Range<Int>) {
    self.columns = columns
    self.rows = rows
  }

  /// Returns the pixels that it shares with another window.
  func clamped(to other: PixelWindow) -> PixelWindow {
    PixelWindow(
      columns: columns.clamped(to: other.columns), rows: rows.clamped(to: other.rows))
  }
}
