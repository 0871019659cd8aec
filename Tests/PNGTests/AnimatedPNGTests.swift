import PNG
import Raster
import TestSupport
import Testing

/// Takes an animated PNG apart and draws its frames, through the decoder of single pictures.
private struct AnimationReader {
  struct Frame {
    var box: (x: Int, y: Int, width: Int, height: Int)
    var delay: (UInt16, UInt16)
    var dispose: UInt8
    var blend: UInt8
    var data: [UInt8] = []
  }

  var header: [UInt8] = []
  var palette: [UInt8] = []
  var frameCount = 0
  var plays = 0
  var frames: [Frame] = []
  var types: [String] = []

  init(_ file: [UInt8]) throws {
    #expect(Array(file.prefix(8)) == HandmadePNG.signature)
    var position = 8
    var sequence: UInt32 = 0
    func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
    while position < file.count {
      let length = Int(number(file[position..<(position + 4)]))
      let chunk = file[position..<(position + 12 + length)]
      let type = String(decoding: chunk.dropFirst(4).prefix(4), as: UTF8.self)
      let data = Array(chunk.dropFirst(8).dropLast(4))
      #expect(Array(chunk) == HandmadePNG.chunk(type, data))
      types.append(type)
      switch type {
      case "IHDR": header = data
      case "PLTE", "tRNS": palette += chunk
      case "acTL": (frameCount, plays) = (Int(number(data[0..<4])), Int(number(data[4..<8])))
      case "fcTL":
        #expect(number(data[0..<4]) == sequence)
        sequence += 1
        let box = (8...20).filter { $0 % 4 == 0 }.map { Int(number(data[($0 - 4)..<$0])) }
        frames.append(
          Frame(
            box: (box[2], box[3], box[0], box[1]),
            delay: (UInt16(number(data[20..<22])), UInt16(number(data[22..<24]))),
            dispose: data[24], blend: data[25]))
      case "IDAT": frames[frames.count - 1].data += data
      case "fdAT":
        #expect(number(data[0..<4]) == sequence)
        sequence += 1
        frames[frames.count - 1].data += data[4...]
      default: break
      }
      position += 12 + length
    }
  }

  /// The straight pixels of each frame as a player shows it.
  func shown() throws -> [ContiguousArray<UInt32>] {
    let width = try PNGInfo(HandmadePNG.signature + HandmadePNG.chunk("IHDR", header)).width
    var canvas: ContiguousArray<UInt32> = []
    return try frames.map { frame in
      var part = header
      part.replaceSubrange(0..<4, with: HandmadePNG.bigEndian(UInt32(frame.box.width)))
      part.replaceSubrange(4..<8, with: HandmadePNG.bigEndian(UInt32(frame.box.height)))
      let pixels = try PNGDecoder().decodeStraight(
        HandmadePNG.signature + HandmadePNG.chunk("IHDR", part) + palette
          + HandmadePNG.chunk("IDAT", frame.data) + HandmadePNG.chunk("IEND", []))
      if canvas.isEmpty { canvas = pixels }
      for (index, pixel) in pixels.enumerated() {
        let (row, column) = (index / frame.box.width, index % frame.box.width)
        canvas[(frame.box.y + row) * width + frame.box.x + column] = pixel
      }
      return canvas
    }
  }
}

@Suite struct AnimatedPNGTests {
  private func frames(
    _ count: Int, colors: Int, width: Int, height: Int, seed: UInt64
  ) -> [AnimatedPNG.Frame] {
    var random = SplitMix64(seed: seed)
    let palette = (0..<colors).map { _ in randomColor(&random) }
    return (0..<count).map { number in
      let pixmap = picture(width: width, height: height, of: palette, longestRun: 9, &random)
      return AnimatedPNG.Frame(pixmap, delay: 100 * (number + 1))
    }
  }

  @Test(arguments: [1, 2, 3, 5], [1, 2, 4, 16, 17, 200, 257, 1000])
  func `players of an animated PNG see every frame, to the last pixel`(count: Int, colors: Int)
    throws
  {
    let frames = frames(count, colors: colors, width: 37, height: 41, seed: UInt64(colors))
    let file = try AnimatedPNG().encode(frames)
    let reader = try AnimationReader(file)
    #expect(try reader.shown() == frames.map { straightPixels($0.picture) })
    #expect(reader.frameCount == count)
    #expect(reader.plays == 0)
    #expect(reader.frames.map(\.delay.0) == frames.map { UInt16($0.delay) })
    #expect(reader.frames.allSatisfy { $0.delay.1 == 1000 && $0.dispose == 0 && $0.blend == 0 })
    // Who does not know animations sees the first frame.
    #expect(try PNGDecoder().decodeStraight(file) == straightPixels(frames[0].picture))
  }

  @Test func `the chunks of an animated PNG have the order that the specification demands`() throws
  {
    let frames = frames(3, colors: 5, width: 9, height: 9, seed: 1)
    let reader = try AnimationReader(try AnimatedPNG().encode(frames, plays: 7))
    #expect(reader.plays == 7)
    #expect(
      reader.types == [
        "IHDR", "acTL", "PLTE", "tRNS", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND",
      ])
  }

  @Test func `a frame of an animated PNG contains exactly the box that changed`() throws {
    let first = Pixmap(width: 50, height: 40)
    let second = Pixmap(width: 50, height: 40)
    let red = PremultipliedColor(Color(red: 1, green: 0, blue: 0))
    for (x, y) in [(7, 9), (20, 11), (12, 30)] { second[x, y] = red }
    let frames = [first, second, second, first].map { AnimatedPNG.Frame($0, delay: 1000) }
    let reader = try AnimationReader(try AnimatedPNG().encode(frames))
    let boxes = reader.frames.map { [$0.box.x, $0.box.y, $0.box.width, $0.box.height] }
    #expect(boxes == [[0, 0, 50, 40], [7, 9, 14, 22], [0, 0, 1, 1], [7, 9, 14, 22]])
    #expect(try reader.shown() == frames.map { straightPixels($0.picture) })
  }

  @Test(
    arguments: [
      (1000, 1000, 1000), (65_535, 65_535, 1000), (65_536, 6554, 100), (655_355, 6554, 10),
      (10_000_000, 10_000, 1), (Int.max, 65_535, 1), (0, 1, 1000), (-5, 1, 1000),
    ] as [(Int, UInt16, UInt16)])
  func `delays of an animated PNG are as exact as their 16 bits allow`(
    delay: Int, numerator: UInt16, denominator: UInt16
  ) throws {
    let frame = AnimatedPNG.Frame(Pixmap(width: 1, height: 1), delay: delay)
    let reader = try AnimationReader(try AnimatedPNG().encode([frame]))
    #expect(reader.frames[0].delay == (numerator, denominator))
  }

  @Test func `equal frames of an animated PNG give equal bytes, from a used encoder too`() throws {
    let one = frames(4, colors: 30, width: 64, height: 48, seed: 3)
    let other = frames(2, colors: 900, width: 80, height: 80, seed: 4)
    let encoder = AnimatedPNG()
    let first = try encoder.encode(one)
    _ = try encoder.encode(other)
    #expect(try encoder.encode(one) == first)
    #expect(try AnimatedPNG().encode(one) == first)
  }

  @Test func `frames that cannot form an animated PNG are refused`() {
    let small = AnimatedPNG.Frame(Pixmap(width: 1, height: 1), delay: 1)
    let wide = AnimatedPNG.Frame(Pixmap(width: 2, height: 1), delay: 1)
    let large = AnimatedPNG.Frame(Pixmap(width: 1 << 10, height: 1 << 10), delay: 1)
    for frames in [[], [small, wide], Array(repeating: large, count: 1025)] {
      #expect(throws: PNGError.self) { try AnimatedPNG().encode(frames) }
    }
  }
}
