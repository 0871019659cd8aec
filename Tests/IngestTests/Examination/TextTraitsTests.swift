import Features
import Testing

@testable import Ingest

@Suite("Text traits")
struct TextTraitsTests {
  private func of<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    Array(text.utf8).withUnsafeBytes(body)
  }

  @Test("text is mojibake if UTF-8 was decoded as Latin-1 or Windows-1252")
  func mojibake() {
    for text in ["CafÃ©", "itâ€™s", "Â°C Â½", "MÃ¼ller", "â\u{80}\u{99}"] {
      #expect(of(text, TextTraits.isMojibake), "\(text)")
    }
    for text in ["Café", "it’s", "Ã", "São Tomé", "MÃE", "Ââ", "âme", "ÂNGELO", ""] {
      #expect(!of(text, TextTraits.isMojibake), "\(text)")
    }
  }

  @Test("every doubly encoded letter of Latin-1 is recognized as mojibake")
  func everyLetter() {
    for value in UInt32(0xA0)...0xFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = String(scalar)
      let twice = String(String.UnicodeScalarView(once.utf8.map { Unicode.Scalar($0) }))
      #expect(of(twice, TextTraits.isMojibake) && !of(once + once, TextTraits.isMojibake))
    }
  }

  @Test("times are recognized with and without a zone")
  func times() {
    for text in [
      "2014-01-19T06:00:00Z", "2014-01-19 06:00+02:00", "2014-01-19T06:00:00.25-05",
      "2014-01-19 06:00 UTC",
    ] { #expect(of(text, TextTraits.time) == .zoned, "\(text)") }
    for text in [
      "2014-01-19T06:00:00", "2014-01-19 06:00", "2014-1-9 06:00:00.25", "2024-10-09 9:00",
    ] {
      #expect(of(text, TextTraits.time) == .zoneless, "\(text)")
    }
    for text in [
      "10/1/1949 20:30", "1/2/2003 4:05:06.7", "19-01-2014 06:00Z", "2014/01/19 06:00",
      "2014-01-19 25:00",
    ] {
      #expect(of(text, TextTraits.time) == .unread, "\(text)")
    }
    for text in [
      "2014-01-19", "06:00:00", "123-456-7890 x12", "1-2-3T4:5", "2014-01-19T06", "12345678901234",
    ] {
      #expect(of(text, TextTraits.time) == nil, "\(text)")
    }
  }

  @Test("leading zeros, decimal commas and words for null are recognized")
  func words() {
    #expect(["00", "01234", "0001"].allSatisfy { of($0, TextTraits.hasLeadingZero) })
    #expect(!["0", "0.5", "10", "-01", "01a", ""].contains { of($0, TextTraits.hasLeadingZero) })
    #expect(["1,5", "-48,25", "0,1"].allSatisfy { of($0, TextTraits.isDecimalComma) })
    #expect(
      !["1,", ",5", "1,234,567", "1.5", "a,5", ""].contains { of($0, TextTraits.isDecimalComma) })
    #expect(["NA", "\\N", "#N/A", "-"].allSatisfy { of($0, TextTraits.isNamedNull) })
    #expect(!["", "N", "nana", "0"].contains { of($0, TextTraits.isNamedNull) })
  }
}
