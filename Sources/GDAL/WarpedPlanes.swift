import Files
import PNG
import Raster
import SystemPackage

/// The planes of red, green, blue and alpha that `gdalwarp` writes, a byte for each pixel.
///
/// They are planes because GDAL 3.6 writes wrong bytes into a raw file of interleaved pixels if
/// its block cache has to be flushed before the end: each band caches lines of all bands.
struct WarpedPlanes {
  /// The file with the four planes.
  let path: FilePath

  /// The number of pixels of a plane.
  let count: Int

  /// The pixels that are written at once.
  private static let batch = 1 << 18

  /// Writes the pixels as premultiplied colours of four bytes, red first.
  ///
  /// - Throws: `Errno`, and what the checkpoint throws.
  func interleave(into target: FilePath, checkpoint: () throws -> Void) throws {
    let planes = try MappedScratch(path, bytes: count * 4)
    let file = try FileDescriptor.open(
      target, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: .ownerReadWrite)
    try file.closeAfter {
      try withUnsafeTemporaryAllocation(
        byteCount: min(Self.batch, count) * 4, alignment: 16
      ) { buffer in
        let pixels = buffer.bindMemory(to: UInt32.self)
        for start in stride(from: 0, to: count, by: Self.batch) {
          try checkpoint()
          let length = min(Self.batch, count - start)
          interleave(planes.bytes, from: start, into: pixels[..<length])
          planes.didRead(length * 4)
          try file.writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<(length * 4)]))
        }
      }
    }
  }

  private func interleave(
    _ planes: UnsafeRawBufferPointer, from start: Int,
    into pixels: Slice<UnsafeMutableBufferPointer<UInt32>>
  ) {
    func plane(_ number: Int) -> UnsafeRawBufferPointer {
      let first = number * count + start
      return UnsafeRawBufferPointer(rebasing: planes[first..<first + pixels.count])
    }
    let (red, green, blue, alpha) = (plane(0), plane(1), plane(2), plane(3))
    let target = UnsafeMutableBufferPointer(rebasing: pixels)
    for index in target.indices {
      let color = UInt32(red[index]) | UInt32(green[index]) << 8 | UInt32(blue[index]) << 16
      let bits = color | UInt32(alpha[index]) << 24
      target[index] = PremultipliedColor(straightBits: bits).bits.littleEndian
    }
  }
}
