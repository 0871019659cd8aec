import Raster
import Styling
import Testing

@testable import Painting

@Suite("The pixels of an image")
struct ImageSamplerTests {
  @Test(
    "a pixel between two that differ visibly is the edge of a shape; steps and faint shades are not",
    arguments: [
      ([255, 128, 0], [false, true, false]), ([255, 255, 0], [false, false, false]),
      ([255, 0, 255], [false, false, false]), ([255, 250, 245], [false, false, true]),
      ([0, 100, 200, 255], [false, true, true, false]),
    ] as [([UInt32], [Bool])])
  func mixtures(alpha: [UInt32], expected: [Bool]) {
    for isUpright in [false, true] {
      let image = StyleImage(
        name: "shades", width: isUpright ? 1 : alpha.count, height: isUpright ? alpha.count : 1,
        pixels: ContiguousArray(alpha.map { $0 << 24 | $0 }), geometry: StyleImageGeometry())
      let sampler = ImageSampler(image, columns: .transparent, rows: .transparent)
      let found = alpha.indices.map { index in
        isUpright ? sampler.isMixture(0, index) : sampler.isMixture(index, 0)
      }
      #expect(found == expected, "\(alpha)")
    }
  }
}
