import PNG
import Raster
import TestSupport

/// Reads a file of PngSuite.
func readSuite(_ name: String) throws -> [UInt8] {
  try SharedData.bytes("conformance/pngsuite/" + name)
}

/// A random premultiplied colour; no channel exceeds alpha.
func randomColor(
  _ random: inout SplitMix64, alpha: ClosedRange<UInt32> = 0...255
) -> PremultipliedColor {
  let alpha = UInt32.random(in: alpha, using: &random)
  var bits = alpha << 24
  for shift: UInt32 in [0, 8, 16] { bits |= UInt32.random(in: 0...alpha, using: &random) << shift }
  return PremultipliedColor(bits: bits)
}

/// Runs of colours out of a list, as drawn pictures have them.
func picture(
  width: Int, height: Int, of colors: [PremultipliedColor], longestRun: Int,
  _ random: inout SplitMix64
) -> Pixmap {
  let pixmap = Pixmap(width: width, height: height)
  var position = 0
  var next = 0
  while position < width * height {
    let run = Int.random(in: 1...longestRun, using: &random)
    // Every colour is used once, as far as there are pixels, and then at random.
    let color =
      next < colors.count ? colors[next] : colors[Int.random(in: 0..<colors.count, using: &random)]
    next += 1
    for pixel in position..<min(position + run, width * height) {
      pixmap.pixels[pixel] = color.bits
    }
    position += run
  }
  return pixmap
}

/// The straight pixels that a PNG of this picture must hold.
func straightPixels(_ pixmap: Pixmap) -> ContiguousArray<UInt32> {
  ContiguousArray(pixmap.pixels.map { PremultipliedColor(bits: $0).straightBits })
}

/// Whether two pictures hold the same pixels; as parameters both live until they are compared.
func samePixels(_ one: Pixmap, _ other: Pixmap) -> Bool {
  one.width == other.width && one.height == other.height && one.pixels.elementsEqual(other.pixels)
}
