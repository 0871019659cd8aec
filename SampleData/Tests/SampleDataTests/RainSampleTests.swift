import Foundation
import Testing

@testable import sample_data

@Suite struct RainSampleTests {
  /// Few pixels: a whole picture takes seconds in a debug build.
  private let sample = RainSample(width: 150, height: 200)

  @Test func `frames are a quarter of an hour apart, one is missing, and names sort by time`() {
    let names = RainSample.quarters.map(RainSample.name)
    #expect(
      names.prefix(5) == [
        "2014-01-19T0600Z.png", "2014-01-19T0615Z.png", "2014-01-19T0630Z.png",
        "2014-01-19T0645Z.png", "2014-01-19T0700Z.png",
      ])
    #expect(names.last == "2014-01-19T0900Z.png")
    #expect(names == names.sorted())
    #expect(RainSample.name(RainSample.missing) == "2014-01-19T0730Z.png")
  }

  @Test func `two runs give the same rain`() {
    let (one, other) = (sample.image(3), RainSample(width: 150, height: 200).image(3))
    #expect(one.indices == other.indices)
    #expect(one.png() == other.png())
  }

  @Test func `it is dry in most places, and every class is there`() {
    let image = sample.image(6)
    var counts = [Int](repeating: 0, count: RainScale.classes.palette.count)
    for index in image.indices { counts[Int(index)] += 1 }
    #expect(counts[0] > image.indices.count / 2)
    #expect(counts.allSatisfy { $0 > 0 })
    #expect(RainScale.classes.palette.filter { $0.w == 0 }.count == 1)
    #expect(RainScale.classes.palette.count == RainScale.classes.thresholds.count + 1)
  }

  @Test func `the fine scale fades in, has no jump, and is as wet as the classes`() {
    let palette = RainScale.fine.palette
    #expect(palette.count == RainScale.fine.thresholds.count + 1)
    #expect(RainScale.fine.thresholds == RainScale.fine.thresholds.sorted())
    for (one, next) in zip(palette.dropFirst(), palette.dropFirst(2)) where one.w > 0 {
      let steps = [(one.x, next.x), (one.y, next.y), (one.z, next.z), (one.w, next.w)]
      #expect(steps.allSatisfy { abs(Int($0) - Int($1)) < 25 }, "\(one), \(next)")
    }
    func wet(_ sample: RainSample) -> Int { sample.image(4).indices.count { $0 > 0 } }
    let smooth = RainSample(width: 150, height: 200, scale: .fine, isSmooth: true)
    #expect((wet(sample)...wet(sample) * 2).contains(wet(smooth)))
  }

  @Test func `the rain moves with the wind`() {
    func centre(_ quarter: Int) -> Double {
      let image = sample.image(quarter)
      let wet = image.indices.indices.filter { image.indices[$0] > 0 }
      return wet.reduce(0.0) { $0 + Double($1 % image.width) } / Double(wet.count)
    }
    #expect(centre(4) > centre(0))
  }
}

@Suite struct PaletteImageTests {
  /// Reads deflate streams of fixed codes at distance 1, as RFC 1951 has them.
  private func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
    var position = 16 + 3
    func bit() -> Int {
      defer { position += 1 }
      return Int(bytes[position / 8] >> UInt8(position % 8)) & 1
    }
    func code(_ width: Int) -> Int { (0..<width).reduce(0) { code, _ in code << 1 | bit() } }
    func number(_ width: Int) -> Int { (0..<width).reduce(0) { $0 | bit() << $1 } }
    var output: [UInt8] = []
    #expect(bytes[2] & 7 == 3)
    while true {
      var symbol = code(7)
      if symbol < 24 {
        symbol += 256
      } else {
        symbol = symbol << 1 | bit()
        switch symbol {
        case 0x30..<0xC0: symbol -= 0x30
        case 0xC0..<0xC8: symbol += 280 - 0xC0
        default: symbol = (symbol << 1 | bit()) - 0x190 + 144
        }
      }
      if symbol == 256 { break }
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      let index = symbol - 257
      let extra = index < 8 || index == 28 ? 0 : index / 4 - 1
      let base = index == 28 ? 258 : index < 8 ? 3 + index : 3 + (4 + index % 4) << extra
      let length = base + number(extra)
      #expect(number(5) == 0)
      output += [UInt8](repeating: try #require(output.last), count: length)
    }
    #expect((position + 7) / 8 + 4 == bytes.count)
    return output
  }

  @Test(arguments: [1, 2, 3, 4, 10, 11, 12, 18, 19, 35, 67, 130, 131, 257, 258, 259, 260, 261, 600])
  func `runs of every length are in the file`(run: Int) throws {
    let rows = 3
    var indices = [UInt8](repeating: 7, count: run * rows)
    // Bytes of both code lengths.
    for x in 0..<run { indices[run + x] = 200 }
    let image = PaletteImage(
      width: run, height: rows, palette: [.init(1, 2, 3, 4)], indices: indices)
    let file = image.png()
    let start = try #require(file.indices.first { file[$0...].starts(with: Array("IDAT".utf8)) })
    let length = file[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
    let raw = try inflated(Array(file[(start + 4)..<(start + 4 + length)]))
    let expected = (0..<rows).flatMap { row in
      [0] + indices[(row * run)..<((row + 1) * run)]
    }
    #expect(raw == expected)
  }
}
