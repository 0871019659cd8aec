import Foundation

/// A series of rain pictures over the United Kingdom: `2014-01-19T0600Z.png` and so on.
///
/// The box is 12° W … 5° E, 48 … 61° N with rows even on the Mercator screen, 600 × 800 px. A frame
/// every quarter of an hour from 06:00 to 09:00, of which 07:30 is missing. Pixels are places in a
/// palette: 0 is dry and transparent, 1 … 7 are classes of intensity.
struct RainSample {
  /// px; smaller ones show the same rain in fewer pixels.
  var width = 600
  var height = 800

  /// Quarters of an hour after 06:00.
  static let quarters = 0...12

  /// The frame that is not there.
  static let missing = 6

  /// The least mm/h of each class from 1 up.
  static let thresholds = [0.25, 0.75, 1.5, 3, 6, 12, 24]

  /// Dry, then from light to heavy rain.
  static let palette: [SIMD4<UInt8>] = [
    .init(0, 0, 0, 0), .init(166, 206, 240, 255), .init(92, 156, 220, 255),
    .init(38, 98, 186, 255), .init(56, 168, 92, 255), .init(244, 214, 70, 255),
    .init(238, 130, 40, 255), .init(204, 36, 58, 255),
  ]

  private let field = RainField(seed: 2014)

  /// The file of a frame.
  static func name(_ quarter: Int) -> String {
    "2014-01-19T0\(6 + quarter / 4)\(quarter % 4 == 0 ? "00" : String(quarter % 4 * 15))Z.png"
  }

  /// The classes of a frame.
  func image(_ quarter: Int) -> PaletteImage {
    let rain = field.intensities(
      width: width, height: height, frame: Double(quarter))
    let classes = rain.map { intensity in
      UInt8(Self.thresholds.prefix { $0 <= intensity }.count)
    }
    return PaletteImage(
      width: width, height: height, palette: Self.palette, indices: classes)
  }

  /// Writes every frame into a folder, which is made if it is not there, each under another name
  /// first, so that no half picture looks whole.
  func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for quarter in Self.quarters where quarter != Self.missing {
      let file = folder.appendingPathComponent(Self.name(quarter))
      try Data(image(quarter).png()).write(to: file, options: .atomic)
    }
  }
}
