import PNG
import Raster
import TestSupport
import Testing

@Suite("PngSuite", .enabled(if: SharedData.isThere, "needs ../shared/data"))
struct PNGSuiteTests {
  static let names = (try? SharedData.names(in: "conformance/pngsuite", ending: ".png")) ?? []

  @Test("PngSuite is complete")
  func complete() {
    #expect(Self.names.count > 150)
  }

  @Test(
    "PngSuite decodes to the sizes in the headers", arguments: names.filter { !$0.hasPrefix("x") })
  func valid(name: String) throws {
    let bytes = try readSuite(name)
    let info = try PNGInfo(bytes)
    #expect(try PNGDecoder().decodeStraight(bytes).count == info.width * info.height)
    let pixmap = try PNGDecoder().decode(bytes)
    #expect(pixmap.width == info.width && pixmap.height == info.height)
  }

  @Test("PngSuite's damaged files are refused", arguments: names.filter { $0.hasPrefix("x") })
  func damaged(name: String) throws {
    let bytes = try readSuite(name)
    #expect(throws: PNGError.self) { try PNGDecoder().decode(bytes) }
  }

  @Test(
    "PngSuite's interlaced files show the same pictures",
    arguments: names.filter { $0.hasPrefix("basi") })
  func interlaced(name: String) throws {
    let plain = name.replacing("basi", with: "basn")
    #expect(try PNGInfo(readSuite(name)).isInterlaced)
    #expect(
      try PNGDecoder().decodeStraight(readSuite(name))
        == PNGDecoder().decodeStraight(readSuite(plain)))
  }

  @Test("PngSuite's pictures survive encoding", arguments: names.filter { !$0.hasPrefix("x") })
  func encoded(name: String) throws {
    let pixmap = try PNGDecoder().decode(readSuite(name))
    #expect(samePixels(try PNGDecoder().decode(PNGEncoder().encode(pixmap)), pixmap))
  }
}
