import PNG
import TestSupport
import Testing

/// An encoder with its palette and canvas, and the way back through libpng.
struct SparseWorkshop {
  let encoder: SparseIndexedEncoder
  let palette: [UInt32]
  let canvas: IndexedCanvas

  /// - Parameter colors: distinct straight colours, the most transparent first.
  init(
    width: Int, height: Int, colors: Int, training: [(sprite: IndexedSprite, weight: Int)] = []
  ) {
    palette = (0..<colors).map { index in
      let alpha = UInt32(min(index * 4, 255))
      return index == 0 ? 0 : UInt32(index * 0x01_0307 & 0xFF_FFFF) | alpha << 24
    }
    encoder = SparseIndexedEncoder(
      width: width, height: height, palette: palette, training: training)
    canvas = IndexedCanvas(width: width, height: height)
  }

  /// Runs `body` on a buffer of the size asked for and checks that nothing behind it is touched.
  private func collect(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> [UInt8] {
    let size = encoder.maximumEncodedSize
    var memory = [UInt8](repeating: 0x55, count: size + 32)
    let count = memory.withUnsafeMutableBytes { bytes in
      body(UnsafeMutableRawBufferPointer(rebasing: bytes[0..<size]))
    }
    #expect(count <= size)
    #expect(memory[size...].allSatisfy { $0 == 0x55 })
    return Array(memory[0..<count])
  }

  func encodedCanvas() -> [UInt8] {
    collect { encoder.encode(canvas, into: $0) }
  }

  func encoded(_ sprite: PreparedSprite, x: Int, y: Int) -> [UInt8] {
    collect { encoder.encode(sprite, x: x, y: y, into: $0) }
  }

  /// Compares a file with the canvas, pixel by pixel.
  func expectCanvas(_ file: [UInt8], _ comment: Comment? = nil) throws {
    var wrong = 0
    try file.withUnsafeBytes { bytes in
      try PNGDecoder().forEachRow(of: bytes) { y, row in
        for x in 0..<canvas.width where row[x] != palette[Int(canvas[x, y])] { wrong += 1 }
      }
    }
    #expect(wrong == 0, comment)
  }
}

/// An oval with a random share of stray indices, holes among them.
func randomSprite(
  _ random: inout SplitMix64, width: ClosedRange<Int>, height: ClosedRange<Int>, colors: Int
) -> IndexedSprite {
  let (width, height) = (
    Int.random(in: width, using: &random), Int.random(in: height, using: &random)
  )
  let noise = Int.random(in: 0...6, using: &random)
  let tint = UInt8(Int.random(in: 0..<colors, using: &random))
  var indices: [UInt8] = []
  for y in 0..<height {
    for x in 0..<width {
      let (dx, dy) = ((2 * x + 1 - width) * height, (2 * y + 1 - height) * width)
      let isInside = dx * dx + dy * dy <= width * width * height * height
      let isStray = Int.random(in: 0..<20, using: &random) < noise
      let stray = UInt8(Int.random(in: 0..<colors, using: &random))
      indices.append(isStray ? stray : isInside ? tint : 0)
    }
  }
  return IndexedSprite(width: width, height: height, indices: indices)
}
