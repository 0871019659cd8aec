import Overlays
import PNG
import Raster
import TestSupport
import Testing
import TileCodecs

@Suite("The orientation of an image") struct ImageOrientationTests {
  /// The colours of the corners: top left, top right, bottom right, bottom left.
  private static let colors: [PremultipliedColor] = [
    .init(.black), .init(.white), .init(Color(red: 1, green: 0, blue: 0)),
    .init(Color(red: 0, green: 0, blue: 1)),
  ]

  /// Four fields of the corners' colours, each as wide and high as the blocks of a JPEG.
  private static func fields() -> Pixmap {
    let picture = Pixmap(width: 64, height: 32)
    for y in 0..<32 {
      for x in 0..<64 { picture[x, y] = colors[y < 16 ? x / 32 : 3 - x / 32] }
    }
    return picture
  }

  /// The stored corners that are shown at top left, top right, bottom right and bottom left.
  static let shown: [(orientation: Int, corners: [Int])] = [
    (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [2, 3, 0, 1]), (4, [3, 2, 1, 0]),
    (5, [0, 3, 2, 1]), (6, [3, 0, 1, 2]), (7, [2, 1, 0, 3]), (8, [1, 2, 3, 0]),
  ]

  private static func files(_ orientation: Int, isBigEndian: Bool) throws -> [[UInt8]] {
    let exif = ExifSample.data(orientation, isBigEndian: isBigEndian)
    let picture = fields()
    var files = [ExifSample.png(PNGEncoder().encode(picture), exif)]
    let jpeg = try TileEncoder(.jpeg(quality: 95, background: .init(.black)))
      .encode(picture, showing: .drawing)
    files.append(ExifSample.jpeg(jpeg, exif))
    if WebPLibrary.version != nil {
      let webP = try TileEncoder(.webP(quality: nil)).encode(picture, showing: .drawing)
      files.append(ExifSample.webP(webP, width: 64, height: 32, exif))
    }
    return files
  }

  @Test("corners are shown where Exif puts them, in PNG, JPEG and WebP", arguments: shown)
  func shownCorners(orientation: Int, corners: [Int]) throws {
    for isBigEndian in [false, true] {
      for file in try Self.files(orientation, isBigEndian: isBigEndian) {
        let read = file.withUnsafeBytes { ImageOrientation(of: $0) }
        #expect(read.rawValue == orientation)
        var decoder = ImageDecoder()
        decoder.orientation = read
        let picture = try decoder.decode(file).pixmap()
        #expect(picture.width == (orientation < 5 ? 64 : 32))
        let (right, bottom) = (picture.width - 9, picture.height - 9)
        let found = [(8, 8), (right, 8), (right, bottom), (8, bottom)].map { picture[$0.0, $0.1] }
        for (color, corner) in zip(found, corners) {
          let expected = Self.colors[corner]
          let distances = [
            (color.red, expected.red), (color.green, expected.green), (color.blue, expected.blue),
          ].map { abs(Int($0.0) - Int($0.1)) }
          #expect(distances.allSatisfy { $0 < 40 }, "\(file.prefix(4)), \(isBigEndian)")
        }
      }
    }
  }

  @Test("every pixel is shown once, whatever the form of the pixels", arguments: shown)
  func pixels(orientation: Int, corners: [Int]) throws {
    let orientation = try #require(ImageOrientation(rawValue: orientation))
    var random = SplitMix64(seed: 5)
    for (width, height) in [(1, 1), (1, 7), (7, 1), (5, 3)] {
      let picture = Pixmap(width: width, height: height)
      // Gray pixels are stored as indexes, opaque ones in three bytes, others in four.
      for (isGray, isOpaque) in [(true, true), (false, true), (false, false)] {
        for index in picture.pixels.indices {
          let bits = UInt32.random(in: .min ... .max, using: &random)
          let color = isGray ? (bits & 0xFF) * 0x01_0101 : bits & 0xFF_FFFF
          picture.pixels[index] = isOpaque || bits >> 31 == 1 ? color | 0xFF00_0000 : 0
        }
        var decoder = ImageDecoder()
        let file = PNGEncoder().encode(picture)
        let stored = try decoder.decode(file).pixmap()
        decoder.orientation = orientation
        let found = try decoder.decode(file).pixmap()
        #expect(found.pixels.sorted() == stored.pixels.sorted())
        let places = [
          (0, 0), (found.width - 1, 0), (found.width - 1, found.height - 1), (0, found.height - 1),
        ]
        let ends = [(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)]
        for (place, corner) in zip(places, corners) {
          #expect(found[place.0, place.1] == stored[ends[corner].0, ends[corner].1])
        }
      }
    }
  }

  @Test("values for a ramp are turned, too")
  func values() throws {
    let picture = Pixmap(width: 3, height: 2)
    for index in picture.pixels.indices {
      picture.pixels[index] = 0xFF00_0000 | UInt32(index * 40) * 0x01_0101
    }
    let ramp = try ColorRamp(stops: [
      .init(value: 0, color: .black), .init(value: 255, color: .white),
    ])
    let file = PNGEncoder().encode(picture)
    var decoder = ImageDecoder(colorRamp: ramp)
    let stored = try decoder.decode(file).pixmap()
    decoder.orientation = .turnedRight
    let found = try decoder.decode(file).pixmap()
    #expect(found.width == 2 && found.height == 3)
    #expect(Array(found.pixels) == [3, 0, 4, 1, 5, 2].map { stored.pixels[$0] })
    #expect(Set(stored.pixels).count == 6)
  }

  @Test("an image without Exif data, or with damaged ones, is upright, however much of it is there")
  func damage() throws {
    for file in try Self.files(6, isBigEndian: true) {
      let found = (0..<file.count).map { count in
        file[..<count].withUnsafeBytes { ImageOrientation(of: $0) }
      }
      #expect(Set(found).isSubset(of: [.upright, .turnedRight]))
      #expect(found.first == .upright)
      var random = SplitMix64(seed: 9)
      for _ in 0..<2000 {
        var file = file
        for _ in 0..<3 {
          file[random.below(file.count)] = UInt8(random.below(256))
        }
        _ = file.withUnsafeBytes { ImageOrientation(of: $0) }
      }
    }
    for value in [0, 9, 65535] {
      for file in try Self.files(value, isBigEndian: false) {
        #expect(file.withUnsafeBytes { ImageOrientation(of: $0) } == .upright)
      }
    }
    let plain = PNGEncoder().encode(Self.fields())
    #expect(plain.withUnsafeBytes { ImageOrientation(of: $0) } == .upright)
  }
}
