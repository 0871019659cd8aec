import Pictures
import Testing

@testable import MBTiles

@Suite("The structure of a PNG")
struct PNGStructureTests {
  private func parse(_ bytes: [UInt8]) throws -> PNGStructure {
    try bytes.withUnsafeBytes { try PNGStructure($0) }
  }

  @Test("the structure of a PNG has its size")
  func size() throws {
    let png = try parse(samplePNG(size: 512, pixels: [1, 2, 3]))
    #expect((png.width, png.height) == (512, 512))
  }

  @Test(
    "a PNG is blank only if every colour is transparent",
    arguments: [
      ([1, 2, 3], [0], true), ([1, 2, 3], [], false), ([1, 2, 3], [1], false),
      ([1, 2, 3, 4, 5, 6], [0], false), ([1, 2, 3, 4, 5, 6], [0, 0], true),
      ([1, 2, 3, 4, 5, 6], [0, 255], false),
    ] as [([UInt8], [UInt8], Bool)])
  func blank(palette: [UInt8], alpha: [UInt8], isBlank: Bool) throws {
    #expect(try parse(samplePNG(palette: palette, alpha: alpha, pixels: [0])).isBlank == isBlank)
  }

  @Test("a PNG is broken by every truncation and by every further byte")
  func cut() {
    let whole = samplePNG(alpha: [0], pixels: [1, 2, 3])
    for count in 0..<whole.count {
      #expect(throws: PictureFault.self) { try parse(Array(whole[..<count])) }
    }
    #expect(throws: PictureFault.self) { try parse(whole + [0]) }
  }

  @Test("the structure of a PNG is read without a crash whatever a byte becomes")
  func flipped() {
    let whole = samplePNG(alpha: [0], pixels: [1, 2, 3])
    var broken = 0
    for index in whole.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] where whole[index] != value {
        var bytes = whole
        bytes[index] = value
        if (try? parse(bytes)) == nil { broken += 1 }
      }
    }
    // Signature, chunk lengths and the letters of IHDR, IDAT and IEND at the least.
    #expect(broken > 100)
  }

  @Test("a PNG needs pixels, and its header first")
  func chunks() throws {
    let whole = samplePNG(pixels: [9])
    let withoutPixels = Array(whole.prefix(8 + 25 + 15)) + Array(whole.suffix(12))
    let fault = #expect(throws: PictureFault.self) { try parse(withoutPixels) }
    #expect(fault?.message == "has no IDAT chunk")
    let headless = Array(whole.prefix(8)) + Array(whole.dropFirst(33))
    #expect(throws: PictureFault.self) { try parse(headless) }
  }
}
