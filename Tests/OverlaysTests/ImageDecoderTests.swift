import Foundation
import Overlays
import PNG
import Raster
import TestSupport
import Testing
import TileCodecs

@Suite("The image decoder")
struct ImageDecoderTests {
  static let suite = SharedData.path("conformance/pngsuite")
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: suite)) ?? []
    return files.filter { $0.hasSuffix(".png") }.sorted()
  }()

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: suite + "/" + name)))
  }

  @Test(
    "the image decoder gives each valid file of PngSuite the pixels of libpng's RGBA",
    .enabled(if: SharedData.isThere, "shared/data is absent"),
    arguments: names.filter { !$0.hasPrefix("x") })
  func pngSuite(name: String) throws {
    let bytes = try Self.bytes(name)
    let expected = try PNGDecoder().decode(bytes)
    let image = try ImageDecoder().decode(bytes)
    #expect(image.width == expected.width && image.height == expected.height)
    let found = image.pixmap()
    #expect(found.pixels.elementsEqual(expected.pixels))
    #expect(image.color(x: image.width - 1, y: 0) == expected[image.width - 1, 0].bits)
    let info = try PNGInfo(bytes)
    if info.colorType == .palette || (info.colorType == .gray && info.bitDepth < 16) {
      #expect(image.byteCount == info.width * info.height)
    }
  }

  @Test(
    "the image decoder refuses each damaged file of PngSuite in one sentence",
    .enabled(if: SharedData.isThere, "shared/data is absent"),
    arguments: names.filter { $0.hasPrefix("x") })
  func damagedSuite(name: String) throws {
    let error = #expect(throws: OverlayError.self) {
      try ImageDecoder().decode(Self.bytes(name))
    }
    #expect(error?.message.hasSuffix(".") == true)
  }

  @Test("the image decoder reads 16-bit gray as values, with its nodata and a ramp")
  func values() throws {
    let image = try ImageDecoder(
      nodata: [.value(9000)],
      colorRamp: ColorRamp(stops: [
        .init(value: 0, color: .black), .init(value: 1000, color: .white),
      ])
    ).decode(SmallImages.deepGray)
    #expect(image.byteCount == 8)
    #expect((0..<4).map { image.color(x: $0, y: 0) } == [0xFF00_0000, 0xFF80_8080, 0, 0xFFFF_FFFF])
    let plain = try ImageDecoder().decode(SmallImages.deepGray)
    #expect(plain.byteCount == 4)
    #expect((0..<4).map { plain.color(x: $0, y: 0) & 255 } == [0, 2, 35, 255])
  }

  @Test("the image decoder names the kind of an image without values for a ramp or nodata")
  func kinds() throws {
    let ramp = try ColorRamp(stops: [.init(value: 0, color: .black)])
    for (options, code) in [
      (ImageDecoder(colorRamp: ramp), OverlayError.Code.badOptions),
      (ImageDecoder(nodata: [.value(3)]), .badNoData),
    ] {
      let error = #expect(throws: OverlayError.self) {
        try options.decode(SmallImages.grayAlpha)
      }
      #expect(error?.code == code && error?.message.contains("a gray PNG with alpha") == true)
      let colour = #expect(throws: OverlayError.self) {
        try options.decode(SmallImages.baselineJPEG)
      }
      #expect(colour?.code == code && colour?.message.contains("a colour JPEG") == true)
    }
    var one = ImageDecoder(nodata: [.value(300)])
    #expect(throws: OverlayError.self) { try one.decode(SmallImages.grayJPEG) }
    // Another frame of its series may have 16 bits, but none colours; of tiles some may.
    one.noDataCheck = .frame
    #expect(throws: Never.self) { try one.decode(SmallImages.grayJPEG) }
    #expect(throws: OverlayError.self) { try one.decode(SmallImages.grayAlpha) }
    one.noDataCheck = .none
    #expect(throws: Never.self) { try one.decode(SmallImages.grayAlpha) }
  }

  @Test("the image decoder makes nodata colours transparent, and values of palettes and grays")
  func nodata() throws {
    let decoder = ImageDecoder(nodata: [.color(red: 255, green: 255, blue: 255)])
    let pixmap = Pixmap(width: 3, height: 1)
    for (x, bits) in [0xFFFF_FFFF, 0xFF00_00FF, 0xFFFF_FFFE].enumerated() {
      pixmap.pixels[x] = UInt32(bits)
    }
    let image = try decoder.decode(PNGEncoder().encode(pixmap))
    #expect((0..<3).map { image.color(x: $0, y: 0) } == [0, 0xFF00_00FF, 0xFFFF_FFFE])
    let gray = try ImageDecoder(nodata: [.value(35)]).decode(SmallImages.grayJPEG)
    #expect(gray.byteCount == gray.width * gray.height)
  }

  @Test("the image decoder reads JPEG gray, baseline and progressive, and refuses CMYK")
  func jpegs() throws {
    let gray = try ImageDecoder().decode(SmallImages.grayJPEG)
    #expect(gray.width == 16 && gray.height == 8)
    #expect(gray.color(x: 0, y: 0) == 0xFF80_8080)
    for bytes in [SmallImages.baselineJPEG, SmallImages.progressiveJPEG] {
      let image = try ImageDecoder().decode(bytes)
      #expect(image.width == 16 && image.height == 8)
      #expect(image.byteCount == 16 * 8 * 3 + 1)
      for x in [1, 8, 14] {
        let color = PremultipliedColor(bits: image.color(x: x, y: 4))
        #expect(abs(Int(color.red) - 200) < 4 && abs(Int(color.green) - 100) < 4)
        #expect(abs(Int(color.blue) - 50) < 4)
      }
    }
    let error = #expect(throws: OverlayError.self) {
      try ImageDecoder().decode(SmallImages.cmykJPEG)
    }
    #expect(error?.code == .unsupported)
    #expect(throws: OverlayError.self) {
      try ImageDecoder(colorRamp: ColorRamp(stops: [.init(value: 0, color: .black)]))
        .decode(SmallImages.baselineJPEG)
    }
  }

  @Test(
    "the image decoder reads WebP like the PNG with its pixels",
    .enabled(if: WebPLibrary.version != nil))
  func webPs() throws {
    let picture = Pixmap(width: 9, height: 5)
    for y in 0..<5 {
      for x in 0..<9 {
        let straight = UInt32(x * 28) | UInt32(y * 50) << 8 | 0x40_0000
        picture[x, y] = PremultipliedColor(straightBits: straight | UInt32(255 - 30 * y) << 24)
      }
    }
    let png = PNGEncoder().encode(picture)
    let webP = try TileEncoder(.webP(quality: nil)).encode(picture, showing: .image)
    #expect(webP.withUnsafeBytes { ImageFormat($0) } == .webp)
    let size = try webP.withUnsafeBytes { try ImageSize(header: $0) }
    #expect(size == ImageSize(width: 9, height: 5))
    for nodata in [[], [NoData.color(red: 28, green: 0, blue: 64)]] {
      let decoder = ImageDecoder(nodata: nodata)
      let (one, other) = (try decoder.decode(png).pixmap(), try decoder.decode(webP).pixmap())
      #expect(one.pixels.elementsEqual(other.pixels))
    }
    for count in 0..<webP.count {
      #expect(throws: OverlayError.self) { try ImageDecoder().decode(Array(webP[..<count])) }
    }
    let ramp = try ColorRamp(stops: [.init(value: 0, color: .black)])
    let refused = #expect(throws: OverlayError.self) {
      try ImageDecoder(colorRamp: ramp).decode(webP)
    }
    #expect(refused?.code == .badOptions)
    var limits = ImageLimits()
    limits.maxPixels = 44
    let large = #expect(throws: OverlayError.self) { try ImageDecoder(limits: limits).decode(webP) }
    #expect(large?.message.contains("more than the limit of 44") == true)
  }

  @Test(
    "the image decoder refuses a JPEG truncated at any byte",
    arguments: [SmallImages.grayJPEG, SmallImages.baselineJPEG, SmallImages.progressiveJPEG])
  func truncated(file: [UInt8]) {
    for count in 0..<file.count {
      #expect(throws: OverlayError.self, "at \(count)") {
        try ImageDecoder().decode(Array(file[0..<count]))
      }
    }
  }

  @Test("the image decoder survives any damaged byte of a JPEG")
  func damaged() {
    var random = SplitMix64(seed: 3)
    for file in [SmallImages.grayJPEG, SmallImages.baselineJPEG, SmallImages.progressiveJPEG] {
      for _ in 0..<120 {
        var damaged = file
        for _ in 0...random.below(3) {
          damaged[random.below(file.count)] = UInt8(truncatingIfNeeded: random.next())
        }
        // Either an error of ours or a whole picture; sizes may grow, limits hold.
        var decoder = ImageDecoder()
        decoder.limits.maxPixels = 1 << 16
        do {
          let image = try decoder.decode(damaged)
          #expect(image.width * image.height <= 1 << 16)
        } catch {
          #expect(error is OverlayError)
        }
      }
    }
  }

  @Test("the image decoder refuses non-images, and sizes over the limits before it allocates")
  func limits() throws {
    var huge = SmallImages.grayJPEG
    // The height and width of the frame header (SOF0: FF C0, length, precision, height, width).
    let frame = try #require(
      (0..<huge.count - 1).first { huge[$0] == 0xFF && huge[$0 + 1] == 0xC0 })
    for offset in 5...8 { huge[frame + offset] = 0xFF }
    #expect(throws: OverlayError.self) { try ImageDecoder().decode(huge) }
    var small = ImageDecoder()
    small.limits.maxPixels = 100
    let error = #expect(throws: OverlayError.self) { try small.decode(SmallImages.grayJPEG) }
    #expect(error?.code == .tooLarge)
    small.limits = ImageLimits()
    small.limits.maxFileBytes = 10
    #expect(throws: OverlayError.self) { try small.decode(SmallImages.grayJPEG) }
    for text in ["", "GIF89a", "<html>", "{}", "plain"] {
      let error = #expect(throws: OverlayError.self) {
        try ImageDecoder().decode(Array(text.utf8))
      }
      #expect(error?.code == .unknownFormat)
    }
  }
}
