extension Pixmap {
  /// The pixels as bytes: premultiplied red, green, blue and alpha, row by row from the top.
  package var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: pixels.count * 4) { bytes, count in
      for pixel in pixels {
        for shift in stride(from: 0 as UInt32, to: 32, by: 8) {
          bytes.initializeElement(at: count, to: UInt8(truncatingIfNeeded: pixel >> shift))
          count += 1
        }
      }
    }
  }

  /// Creates a picture of the bytes that ``bytes`` gives; missing ones are transparent.
  package convenience init(width: Int, height: Int, bytes: [UInt8]) {
    self.init(width: width, height: height)
    for index in 0..<min(pixels.count, bytes.count / 4) {
      let place = index * 4
      pixels[index] =
        UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        | UInt32(bytes[place + 3]) << 24
    }
  }
}
