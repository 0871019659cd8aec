import PNG
import Raster
import TestSupport
import Testing
import TileCodecs

/// An encoder with its palette and canvas, and the way back through libpng.
struct SparseWorkshop {
  let encoder: SparseIndexedEncoder
  let palette: [UInt32]
  let canvas: IndexedCanvas

  /// - Parameter colors: distinct straight colours, the most transparent first.
  init(
    width: Int, height: Int, colors: Int, training: [(sprite: IndexedSprite, weight: Int)] = [],
    format: SparseIndexedEncoder.Format = .png
  ) {
    palette = (0..<colors).map { index in
      let alpha = UInt32(min(index * 4, 255))
      return index == 0 ? 0 : UInt32(index * 0x01_0307 & 0xFF_FFFF) | alpha << 24
    }
    encoder = SparseIndexedEncoder(
      width: width, height: height, palette: palette, training: training, format: format)
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

  func encodedCanvas(extras: [UInt32] = []) -> [UInt8] {
    collect { encoder.encode(canvas, extras: extras, into: $0) }
  }

  /// Encodes sprites that lie apart; `nil` where they do not.
  func encoded(_ placements: [SpritePlacement]) -> [UInt8]? {
    var isApart = true
    let file = collect { buffer in
      let count = encoder.encode(placements, into: buffer)
      isApart = count != nil
      return count ?? 0
    }
    return isApart ? file : nil
  }

  func encoded(_ sprite: PreparedSprite, x: Int, y: Int) -> [UInt8] {
    collect { encoder.encode(sprite, x: x, y: y, into: $0) }
  }

  /// Compares a file with the canvas, pixel by pixel.
  func expectCanvas(
    _ file: [UInt8], extras: [UInt32] = [], _ comment: Comment? = nil
  ) throws {
    var wrong = 0
    if encoder.format == .webP {
      let picture = try file.withUnsafeBytes { try WebPDecoder().decodeStraight($0) }
      #expect(picture.width == canvas.width && picture.height == canvas.height, comment)
      for y in 0..<canvas.height {
        for x in 0..<canvas.width {
          let index = Int(canvas[x, y])
          let color =
            index < palette.count ? palette[index] : extras[index - palette.count]
          if picture.pixels[y * canvas.width + x] != color { wrong += 1 }
        }
      }
      #expect(wrong == 0, comment)
      return
    }
    let colors = palette + extras
    try file.withUnsafeBytes { bytes in
      try PNGDecoder().forEachRow(of: bytes) { y, row in
        for x in 0..<canvas.width where row[x] != colors[Int(canvas[x, y])] { wrong += 1 }
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
