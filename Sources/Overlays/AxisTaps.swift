/// The range of an image's pixels, along one axis, that contribute to one pixel of a tile.
struct AxisTaps {
  /// The index of the first pixel.
  var first: Int32 = 0

  /// The number of pixels; 0 where the image does not reach.
  var count: Int32 = 0

  /// The offset of their weights in the table.
  var offset: Int32 = 0

  /// The weight that lies outside of the image; for `mode`, the votes for nothing.
  var outside: Float = 0
}
