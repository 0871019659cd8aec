/// An image that stands in a line of text like a letter; lengths are in ems of the text.
package struct InlineImage: Hashable, Sendable {
  /// The index of the image among the images of the text.
  package var number: Int

  package var width: Double
  package var height: Double

  /// The offset of the picture from its place in a horizontal line, rightward and downward; the line
  /// makes no room for it.
  package var shiftX: Double
  package var shiftY: Double

  package init(
    number: Int, width: Double, height: Double, shiftX: Double = 0, shiftY: Double = 0
  ) {
    self.number = number
    self.width = width
    self.height = height
    self.shiftX = shiftX
    self.shiftY = shiftY
  }

  /// The length that the image takes up along a line, and across it.
  func length(isUpright: Bool) -> Double { isUpright ? height : width }
  func depth(isUpright: Bool) -> Double { isUpright ? width : height }
}
