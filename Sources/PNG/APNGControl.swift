import Raster

/// The position and duration of a frame of an animated PNG: the contents of its `fcTL`.
struct APNGControl: Hashable {
  /// The part of the picture that the frame replaces, in pixels.
  var x = 0
  var y = 0
  var width: Int
  var height: Int

  /// Duration in milliseconds, 1 … ``maxDelay``.
  var delay: Int

  /// Maximum duration: 65,535 s, the longest of 16 bits over a denominator of 1.
  static let maxDelay = 65_535_000

  static let byteCount = 26

  /// The delay as a fraction of a second, as exact as 16 bits allow.
  var delayFraction: (numerator: UInt16, denominator: UInt16) {
    let delay = min(max(delay, 1), Self.maxDelay)
    for denominator in [1000, 100, 10] {
      let divisor = 1000 / denominator
      let numerator = (delay + divisor / 2) / divisor
      if let short = UInt16(exactly: numerator) { return (short, UInt16(denominator)) }
    }
    return (UInt16(clamping: (delay + 500) / 1000), 1)
  }

  /// Writes the contents of the chunk: the part replaces the previous content and is kept.
  func write(sequence: UInt32, to data: UnsafeMutableRawBufferPointer) -> Int {
    let fields = [sequence, UInt32(width), UInt32(height), UInt32(x), UInt32(y)]
    for (index, field) in fields.enumerated() {
      PNGChunkWriter.store(field, at: index * 4, in: data)
    }
    let (numerator, denominator) = delayFraction
    data.storeBytes(of: numerator.bigEndian, toByteOffset: 20, as: UInt16.self)
    data.storeBytes(of: denominator.bigEndian, toByteOffset: 22, as: UInt16.self)
    // APNG_DISPOSE_OP_NONE and APNG_BLEND_OP_SOURCE.
    (data[24], data[25]) = (0, 0)
    return Self.byteCount
  }

  /// Creates the control for the box of pixels in which two pictures of one size differ; one pixel
  /// if none does.
  ///
  /// - Complexity: O(pixels).
  init(from earlier: Pixmap, to later: Pixmap, delay: Int) {
    let (width, height) = (later.width, later.height)
    var (left, right, top, bottom) = (width, 0, height, 0)
    for y in 0..<height {
      let row = y * width
      var first = 0
      while first < width, earlier.pixels[row + first] == later.pixels[row + first] { first += 1 }
      guard first < width else { continue }
      var end = width
      while earlier.pixels[row + end - 1] == later.pixels[row + end - 1] { end -= 1 }
      (left, right) = (min(left, first), max(right, end))
      (top, bottom) = (min(top, y), y + 1)
    }
    let isSame = top >= bottom
    self.delay = delay
    x = isSame ? 0 : left
    y = isSame ? 0 : top
    self.width = isSame ? 1 : right - left
    self.height = isSame ? 1 : bottom - top
  }

  init(whole picture: Pixmap, delay: Int) {
    width = picture.width
    height = picture.height
    self.delay = delay
  }
}
