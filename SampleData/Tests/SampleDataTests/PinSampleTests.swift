import Testing

@testable import sample_data

@Suite struct PinSampleTests {
  @Test func `a pin is as large as its density says, and the same on every run`() {
    for density in 1...2 {
      let image = PinSample(density: density).image()
      #expect(image.width == 22 * density && image.height == 30 * density)
      #expect(image.png() == PinSample(density: density).image().png())
    }
  }

  @Test func `a pin is symmetric, has a hole, and ends in a tip in the middle`() {
    let image = PinSample(density: 2).image()
    func color(_ x: Int, _ y: Int) -> SIMD4<UInt8> {
      image.palette[Int(image.indices[y * image.width + x])]
    }
    for y in 0..<image.height {
      for x in 0..<image.width { #expect(color(x, y) == color(image.width - 1 - x, y)) }
    }
    #expect(color(22, 22) == .init(255, 255, 255, 255))
    #expect(color(22, 40) == .init(200, 38, 52, 255))
    #expect(color(0, 0) == .zero && color(0, 59) == .zero && color(22, 59).w > 0)
  }
}
