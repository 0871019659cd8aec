import PNG
import Raster
import Testing

@Suite("A palette that is near enough")
struct NearPaletteTests {
  /// A red area under a red line, both antialiased: some thousand colours of one family.
  private func edges() -> Pixmap {
    let pixmap = Pixmap(width: 128, height: 128)
    for y in 0..<128 {
      for x in 0..<128 {
        let (line, area) = (UInt32(x) * 2, UInt32(y) / 2)
        let below = area * (255 - line) / 255
        pixmap[x, y] = PremultipliedColor(bits: (line + below) << 24 | (line + below / 4))
      }
    }
    return pixmap
  }

  private func distance(_ a: UInt32, _ b: UInt32) -> Int {
    [UInt32(0), 8, 16, 24].reduce(0) { most, shift in
      let difference = Int(a >> shift & 255) - Int(b >> shift & 255)
      return max(most, abs(difference))
    }
  }

  @Test("every channel stays within 7 and 256 colours are enough")
  func staysWithinTolerance() throws {
    let pixmap = edges()
    let exact = Array(pixmap.pixels)
    let bytes = PNGEncoder().encodeNearly(pixmap)
    #expect(Set(exact).count > 256)
    let decoded = try PNGDecoder().decode(bytes)
    #expect(Set(decoded.pixels).count <= 256)
    for (before, after) in zip(exact, decoded.pixels) { #expect(distance(before, after) <= 7) }
    #expect(Array(pixmap.pixels) == exact)
  }

  @Test("transparent stays transparent, opaque opaque, and the most frequent colour exact")
  func keepsExtremes() throws {
    let pixmap = edges()
    let solid: UInt32 = 0xFF10_2030
    for x in 0..<128 { for y in 0..<64 { pixmap[x, y] = PremultipliedColor(bits: solid) } }
    let exact = Array(pixmap.pixels)
    let decoded = try PNGDecoder().decode(PNGEncoder().encodeNearly(pixmap))
    for (before, after) in zip(exact, decoded.pixels) {
      #expect((before == 0) == (after == 0))
      #expect((before >> 24 == 255) == (after >> 24 == 255))
      if before == solid { #expect(after == solid) }
    }
  }

  @Test("a photograph stays exact")
  func keepsPhotographs() {
    let pixmap = Pixmap(width: 64, height: 64)
    var state: UInt32 = 1
    for index in pixmap.pixels.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      pixmap.pixels[index] = state | 0xFF00_0000
    }
    let exact = Array(pixmap.pixels)
    #expect(PNGEncoder().encodeNearly(pixmap) == PNGEncoder().encode(pixmap))
    #expect(Array(pixmap.pixels) == exact)
  }
}
