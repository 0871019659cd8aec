import Testing

@testable import Raster

@Suite("The colours of a heatmap")
struct HeatmapRampTests {
  /// Red of the density, transparent below a half.
  private let half = HeatmapRamp { density in
    PremultipliedColor(Color(red: density, green: 0, blue: 0, alpha: density < 0.5 ? 0 : 1))
  }

  @Test("a heatmap ramp has 16 entries for each 1/255 of density")
  func entries() {
    let ramp = HeatmapRamp { PremultipliedColor(Color(red: $0, green: 0, blue: 0)) }
    #expect(ramp.colors.count == 4081)
    #expect((0...255).map { ramp.colors[16 * $0].red } == (0...255).map { UInt8($0) })
    #expect(ramp.firstVisible == 0 && ramp.staysVisible)
  }

  @Test("a heatmap ramp knows from where on it is visible, and whether it stays so")
  func visibility() {
    #expect(half.firstVisible == 2040 && half.staysVisible)
    let band = HeatmapRamp { (0.2...0.4).contains($0) ? .init(.black) : .transparent }
    #expect(band.firstVisible == 816 && !band.staysVisible)
    let none = HeatmapRamp { _ in .transparent }
    #expect(none.firstVisible == nil && none.staysVisible)
  }

  @Test(
    "a density takes the ramp's nearest entry, more than 1 the last",
    arguments: [
      (0.0, 0), (0.00012, 0), (0.00013, 1), (0.5, 2040), (0.9999, 4080), (1, 4080), (7, 4080),
    ])
  func index(density: Double, index: Int) {
    #expect(DensityScale.index(Float(density) * DensityScale.one) == index)
  }

  @Test("heatmap colours are composited over the picture, and transparent ones leave it")
  func draws() {
    let canvas = HeatmapCanvas(width: 9, height: 9)
    canvas.add(x: 72, y: 72, radius: 4, weight: 2)
    let picture = Pixmap(width: 9, height: 9)
    let below = PremultipliedColor(.white)
    picture.clear(to: below)
    canvas.draw(half, onto: picture)
    for y in 0..<9 {
      for x in 0..<9 {
        let density = canvas.density(x: x, y: y)
        let entry = (density * 4080).rounded()
        let red = UInt32((entry / 4080 * 255).rounded())
        #expect(
          picture[x, y] == (entry < 2040 ? below : PremultipliedColor(bits: 0xFF00_0000 | red)))
      }
    }
    #expect(canvas.shows(half, columns: 4..<5, rows: 4..<5))
    #expect(!canvas.shows(half, columns: 0..<2, rows: 0..<9))
    #expect(!canvas.shows(half, columns: 9..<20, rows: -5..<0))
  }

  @Test("translucent heatmap colours are composited with one rounding rule")
  func translucent() {
    let ramp = HeatmapRamp { _ in PremultipliedColor(bits: 0x8040_2010) }
    let canvas = HeatmapCanvas(width: 4, height: 3)
    let picture = Pixmap(width: 4, height: 3)
    picture.clear(to: PremultipliedColor(bits: 0xFF10_90FF))
    canvas.draw(ramp, onto: picture)
    let expected = PremultipliedColor(bits: 0x8040_2010).over(.init(bits: 0xFF10_90FF)).bits
    // A colour at density 0 shows everywhere, without a point.
    #expect(picture.bits == Array(repeating: expected, count: 12))
  }

  @Test("a heatmap is drawn on a picture of another size as far as both reach")
  func sizes() {
    let ramp = HeatmapRamp { _ in .init(.black) }
    let small = Pixmap(width: 2, height: 5)
    HeatmapCanvas(width: 4, height: 3).draw(ramp, onto: small)
    #expect(small.bits.map { $0 >> 24 } == [255, 255, 255, 255, 255, 255, 0, 0, 0, 0])
    let large = Pixmap(width: 5, height: 2)
    HeatmapCanvas(width: 4, height: 3).draw(ramp, onto: large)
    #expect(large.bits.map { $0 >> 24 } == [255, 255, 255, 255, 0, 255, 255, 255, 255, 0])
  }
}
