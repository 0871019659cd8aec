import PNG
import Raster
import Testing

@Suite("The PNG decoder")
struct PNGDecoderTests {
  @Test("the PNG decoder rounds 16-bit samples to the nearest of 8 bits")
  func sixteenBits() throws {
    let samples: [UInt16] = [0, 127, 128, 129, 255, 256, 385, 386, 32767, 32768, 65407, 65535]
    var rows: [UInt8] = [0]
    for sample in samples { rows += [UInt8(sample >> 8), UInt8(sample & 255)] }
    let file = HandmadePNG.file(
      width: UInt32(samples.count), height: 1, depth: 16, type: 0, rows: rows)
    let expected = samples.map { (UInt32($0) * 255 + 32767) / 65535 }
    #expect(
      try PNGDecoder().decodeStraight(file)
        == ContiguousArray(
          expected.map { $0 | $0 << 8 | $0 << 16 | 0xFF00_0000 }))
  }

  @Test("the PNG decoder makes the single colour of tRNS transparent, at each depth")
  func transparentColor() throws {
    let gray = HandmadePNG.file(
      width: 3, height: 1, depth: 2, type: 0, before: HandmadePNG.chunk("tRNS", [0, 2]),
      rows: [0, 0b01_10_11_00])
    #expect(try PNGDecoder().decodeStraight(gray).map { $0 >> 24 } == [255, 0, 255])
    // 0x0102 and 0x0103 are one colour at 8 bits; only the named one is transparent.
    let deep = HandmadePNG.file(
      width: 2, height: 1, depth: 16, type: 0, before: HandmadePNG.chunk("tRNS", [1, 2]),
      rows: [0, 1, 2, 1, 3])
    #expect(try PNGDecoder().decodeStraight(deep).map { $0 >> 24 } == [0, 255])
  }

  @Test("the PNG decoder reads a palette with a shorter tRNS chunk")
  func palette() throws {
    let file = HandmadePNG.file(
      width: 2, height: 1, depth: 1, type: 3,
      before: HandmadePNG.chunk("PLTE", [1, 2, 3, 4, 5, 6]) + HandmadePNG.chunk("tRNS", [128]),
      rows: [0, 0b0100_0000])
    #expect(try PNGDecoder().decodeStraight(file) == [0x8003_0201, 0xFF06_0504])
    let pixmap = try PNGDecoder().decode(file)
    #expect(pixmap[0, 0] == PremultipliedColor(straightBits: 0x8003_0201))
    #expect(pixmap[1, 0].bits == 0xFF06_0504)
  }

  @Test("the PNG decoder delivers rows from the top, one at a time")
  func rows() throws {
    let file = HandmadePNG.file(
      width: 1, height: 3, depth: 8, type: 0, rows: [0, 10, 0, 20, 0, 30])
    var seen: [(Int, UInt32)] = []
    try file.withUnsafeBytes { bytes in
      try PNGDecoder().forEachRow(of: bytes) { y, row in seen.append((y, row[0] & 255)) }
    }
    #expect(seen.map(\.0) == [0, 1, 2])
    #expect(seen.map(\.1) == [10, 20, 30])
  }

  @Test("the PNG decoder refuses every file truncated at any byte")
  func truncated() throws {
    let file = HandmadePNG.file(
      width: 2, height: 2, depth: 8, type: 0, rows: [0, 1, 2, 0, 3, 4])
    #expect(try PNGDecoder().decodeStraight(file).count == 4)
    for count in 0..<file.count {
      let error = #expect(throws: PNGError.self) {
        try PNGDecoder().decodeStraight(Array(file[0..<count]))
      }
      #expect(error?.code == (count < 8 ? .notPNG : .truncated))
    }
  }

  @Test("the PNG decoder refuses a flip of any bit or keeps to the picture's size")
  func damaged() throws {
    let file = HandmadePNG.file(
      width: 2, height: 2, depth: 8, type: 0, before: HandmadePNG.chunk("tEXt", [65, 0, 66]),
      rows: [0, 1, 2, 0, 3, 4])
    for position in 8..<file.count {
      for bit in 0..<8 {
        var damaged = file
        damaged[position] ^= 1 << bit
        #expect(throws: PNGError.self, "bit \(bit) of byte \(position)") {
          try PNGDecoder().decodeStraight(damaged)
        }
      }
    }
  }

  @Test("the PNG decoder refuses files beyond its limits with a sentence that names them")
  func limits() throws {
    let file = HandmadePNG.file(
      width: 3, height: 2, depth: 8, type: 0, rows: [0, 1, 2, 3, 0, 4, 5, 6])
    var decoder = PNGDecoder()
    #expect(try decoder.decodeStraight(file).count == 6)
    decoder.limits.maxWidth = 2
    let wide = #expect(throws: PNGError.self) { try decoder.decodeStraight(file) }
    #expect(wide?.code == .tooLarge)
    #expect(wide?.message.contains("3 × 2 pixels, more than the limit of 2 ×") == true)
    decoder.limits = PNGLimits()
    decoder.limits.maxPixels = 5
    #expect(throws: PNGError.self) { try decoder.decodeStraight(file) }
    decoder.limits.maxPixels = 6
    #expect(try decoder.decodeStraight(file).count == 6)
  }

  @Test("the PNG decoder refuses at once a small file that promises more pixels than it can hold")
  func bomb() throws {
    let file = HandmadePNG.file(width: 16000, height: 8000, depth: 8, type: 6, rows: [0])
    let error = #expect(throws: PNGError.self) { try PNGDecoder().decode(file) }
    #expect(error?.code == .truncated)
  }

  @Test("the PNG decoder premultiplies so that every straight colour of a picture can be restored")
  func premultiplication() {
    for alpha in UInt32(0)...255 {
      for channel in 0...alpha {
        let color = PremultipliedColor(bits: channel | alpha << 24)
        #expect(PremultipliedColor(straightBits: color.straightBits) == color)
      }
    }
  }
}

@Suite("The header of a PNG")
struct PNGInfoTests {
  @Test("the header of a PNG is read without the picture")
  func header() throws {
    let bytes =
      HandmadePNG.signature
      + HandmadePNG.header(width: 300, height: 7, depth: 4, type: 3, interlace: 1)
    let info = try PNGInfo(bytes)
    #expect(info.width == 300)
    #expect(info.height == 7)
    #expect(info.bitDepth == 4)
    #expect(info.colorType == .palette)
    #expect(info.isInterlaced)
  }

  @Test("a PNG header that describes an impossible picture is refused")
  func refused() {
    for type in UInt8(0)...7 {
      for depth in UInt8(0)...17 {
        let exists =
          switch type {
          case 0: [1, 2, 4, 8, 16].contains(depth)
          case 3: [1, 2, 4, 8].contains(depth)
          case 2, 4, 6: [8, 16].contains(depth)
          default: false
          }
        let bytes =
          HandmadePNG.signature
          + HandmadePNG.header(width: 1, height: 1, depth: depth, type: type)
        #expect(((try? PNGInfo(bytes)) != nil) == exists)
      }
    }
    for (width, height) in [(0, 1), (1, 0), (UInt32(1) << 31, 1), (1, .max)] as [(UInt32, UInt32)] {
      let bytes =
        HandmadePNG.signature
        + HandmadePNG.header(width: width, height: height, depth: 8, type: 0)
      #expect(throws: PNGError.self) { try PNGInfo(bytes) }
    }
  }

  @Test("the PNG reader delivers the samples of gray and palette pictures as stored")
  func samples() throws {
    let deep = HandmadePNG.file(
      width: 2, height: 1, depth: 16, type: 0, before: HandmadePNG.chunk("tRNS", [1, 2]),
      rows: [0, 1, 2, 0xAB, 0xCD])
    try deep.withUnsafeBytes { bytes in
      var reader = try PNGRowReader(bytes, limits: PNGLimits(), format: .samples)
      #expect(reader.rowByteCount == 4 && reader.hasAlpha && reader.transparentSample == 0x0102)
      #expect(reader.palette == nil)
      var row: [UInt16] = [0, 0]
      try row.withUnsafeMutableBytes { try reader.readSamples(into: $0) }
      #expect(row == [0x0102, 0xABCD])
    }
    let palette = HandmadePNG.file(
      width: 3, height: 1, depth: 2, type: 3,
      before: HandmadePNG.chunk("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9])
        + HandmadePNG.chunk("tRNS", [128]), rows: [0, 0b10_00_01_00])
    try palette.withUnsafeBytes { bytes in
      var reader = try PNGRowReader(bytes, limits: PNGLimits(), format: .samples)
      #expect(reader.palette?.count == 256 && reader.transparentSample == nil)
      #expect(reader.palette?.prefix(4) == [0x8003_0201, 0xFF06_0504, 0xFF09_0807, 0xFF00_0000])
      var row: [UInt8] = [0, 0, 0]
      try row.withUnsafeMutableBytes { try reader.readSamples(into: $0) }
      #expect(row == [2, 0, 1])
    }
    let colors = HandmadePNG.file(width: 1, height: 1, depth: 8, type: 2, rows: [0, 1, 2, 3])
    #expect(throws: PNGError.self) {
      try colors.withUnsafeBytes {
        _ = try PNGRowReader($0, limits: PNGLimits(), format: .samples)
      }
    }
  }
}
