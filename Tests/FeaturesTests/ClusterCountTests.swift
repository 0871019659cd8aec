import Features
import Testing

@Suite struct ClusterCountTests {
  @Test(
    "counts of clusters are abbreviated as MapLibre writes them",
    arguments: [
      (0, "0"), (1, "1"), (999, "999"), (1000, "1k"), (1049, "1k"), (1050, "1.1k"), (1234, "1.2k"),
      (9949, "9.9k"), (9950, "10k"), (9999, "10k"), (10_000, "10k"), (12_499, "12k"),
      (12_500, "13k"), (999_999, "1000k"), (UInt32.max, "4294967k"),
    ] as [(UInt32, String)])
  func abbreviated(count: UInt32, text: String) {
    #expect(ClusterCount.abbreviated(count) == text)
  }
}
