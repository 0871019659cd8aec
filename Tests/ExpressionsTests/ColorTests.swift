import Raster
import TestSupport
import Testing

@testable import Expressions

@Suite struct ColorTests {
  @Test(
    "colours are parsed in all notations of CSS",
    arguments: [
      ("red", "255,0,0,1"), (" RebeccaPurple ", "102,51,153,1"), ("transparent", "0,0,0,0"),
      ("#f0c", "255,0,204,1"), ("#f0c8", "255,0,204,0.5333333333333333"),
      ("#FF00CC", "255,0,204,1"),
      ("#ff00cc00", "255,0,204,0"), ("rgb(1,2,3)", "1,2,3,1"), ("rgb(1 2 3)", "1,2,3,1"),
      ("rgba( 1 , 2 , 3 , .5 )", "1,2,3,0.5"), ("rgb(1 2 3 / 50%)", "1,2,3,0.5"),
      ("rgb(1 2 3/.5)", "1,2,3,0.5"), ("rgb(100%,0%,20%)", "255,0,51,1"),
      ("rgba(300, -5, 0, 2)", "255,0,0,1"), ("rgb(1e2 0 0)", "100,0,0,1"),
      ("hsl(120, 100%, 50%)", "0,255,0,1"), ("hsl(480deg 100% 50% / 25%)", "0,255,0,0.25"),
      ("hsla(-120,100%,50%,.5)", "0,0,255,0.5"), ("hsl(0 0% 50%)", "127.5,127.5,127.5,1"),
      ("hsl(30 200% 50%)", "255,127.5,0,1"),
    ])
  func notations(text: String, expected: String) throws {
    let color = try #require(CSSColor.parse(text))
    let channels = [color.red * 255, color.green * 255, color.blue * 255, color.alpha]
    let wanted = expected.split(separator: ",").compactMap { Double($0) }
    #expect(zip(channels, wanted).allSatisfy { abs($0 - $1) < 1e-9 })
  }

  @Test(
    "texts that are not colours are refused",
    arguments: [
      "", "nocolor", "#", "#12", "#12345", "#1234567", "#123456789", "#ggg", "rgb(1,2)",
      "rgb(1,2,3,4,5)", "rgb(1 2,3)", "rgb(1,2 3)", "rgb(1,2,3/4)", "rgb(1 2 3 4)",
      "rgb(1 2 3 , 4)",
      "rgb(1%,2,3)", "rgb(1,2,3", "rgb (1,2,3)", "rgb(1,2,3) x", "rgb(a,2,3)", "rgb(1deg,2,3)",
      "hsl(120,50,50)", "hsl(10%,50%,50%)", "hsl(120rad 50% 50%)", "hsl(1 2% 3% / 4deg)", "rgb()",
      "rgb(--1,2,3)", "rgb(e,2,3)", "lab(50% 0 0)", "rgb(1,2,3,)",
    ])
  func refused(text: String) {
    #expect(CSSColor.parse(text) == nil)
  }

  @Test("every named colour equals its hexadecimal form")
  func names() {
    #expect(NamedColors.table.count == 148)
    for (name, bits) in NamedColors.table {
      let digits = String(bits, radix: 16)
      let hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
      #expect(CSSColor.parse(name) == CSSColor.parse(hex))
      if let spelling = NamedColors.table[name.replacing("gray", with: "grey")] {
        #expect(spelling == bits)
      }
    }
  }

  @Test("conversions to and from L*a*b* and HCL are inverse")
  func spaces() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let color = Color(
        red: .random(in: 0...1, using: &random), green: .random(in: 0...1, using: &random),
        blue: .random(in: 0...1, using: &random), alpha: .random(in: 0...1, using: &random))
      for converted in [LabColor(color).color, HCLColor(color).color] {
        #expect(abs(converted.red - color.red) < 1e-4)
        #expect(abs(converted.green - color.green) < 1e-4)
        #expect(abs(converted.blue - color.blue) < 1e-4)
        #expect(converted.alpha == color.alpha)
      }
    }
  }

  @Test("L*a*b* of red is that of the D50 tables")
  func red() {
    let lab = LabColor(Color(red: 1, green: 0, blue: 0))
    #expect(abs(lab.lightness - 54.2917) < 1e-3)
    #expect(abs(lab.a - 80.8125) < 1e-3)
    #expect(abs(lab.b - 69.8851) < 1e-3)
  }
}
