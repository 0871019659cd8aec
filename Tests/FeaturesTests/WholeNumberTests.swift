import Features
import Testing

@Suite("Whole numbers beyond 2^53")
struct WholeNumberTests {
  @Test("whole numbers are in the order of their values, whatever their sign and length")
  func order() throws {
    let texts = [
      "-100000000000000000000", "-9007199254740993", "-9007199254740992", "9007199254740992",
      "9007199254740993", "10000000000000000000", "10000000000000000001",
    ]
    let numbers = try texts.map { try #require(WholeNumber($0)) }
    #expect(numbers == numbers.sorted() && Set(numbers).count == texts.count)
    #expect(numbers.map { -$0 }.reversed() == numbers.map { -$0 }.sorted())
    #expect(
      (-numbers[1]).text == "9007199254740993" && (-numbers[3]).double == -9_007_199_254_740_992)
  }

  @Test(
    "other texts are none",
    arguments: [
      "", "5", "9007199254740991", "9007199254740993.0", "1e20", "09007199254740993", "x",
    ])
  func others(text: String) { #expect(WholeNumber(text) == nil) }
}
