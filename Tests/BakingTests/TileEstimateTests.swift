import MBTiles
import Testing

@testable import Baking

@Suite("An estimate of tiles")
struct TileEstimateTests {
  @Test(
    "an estimate chooses large pages for many images of middle size",
    arguments: [
      (500.0, 100_000, PageSize.small), (700, 100_000, .large), (3900, 100_000, .large),
      (4100, 100_000, .small), (1000, 4000, .small), (1000, 5000, .large),
    ])
  func pageSize(bytes: Double, images: Int, expected: PageSize) {
    let estimate = TileEstimate(
      rows: 2 * images, images: images, bytesPerImage: bytes, secondsPerImage: 0.001)
    #expect(estimate.pageSize(.dedup) == expected)
  }

  @Test("in the layout flat every row has its image, so that fewer are enough for large pages")
  func rowsOfFlat() {
    let estimate = TileEstimate(
      rows: 5000, images: 4000, bytesPerImage: 1000, secondsPerImage: 0.001)
    #expect(estimate.pageSize(.dedup) == .small)
    #expect(estimate.pageSize(.flat) == .large)
  }
}
