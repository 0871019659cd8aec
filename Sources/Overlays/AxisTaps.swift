/// The pixels of an image, along one axis, from which one pixel of a tile comes.
struct AxisTaps {
  /// The first of them.
  var first: Int32 = 0

  /// How many; 0 where the image does not reach.
  var count: Int32 = 0

  /// Where their weights begin in the table.
  var offset: Int32 = 0

  /// The weight that lies outside of the image; for `mode`, where nothing may win the vote.
  var outside: Float = 0
}
