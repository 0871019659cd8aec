import Foundation

/// A series of rain pictures over the United Kingdom: `2014-01-19T0600Z.png` and so on.
///
/// The box is 12° W … 5° E, 48 … 61° N with rows even on the Mercator screen, 600 × 800 px. A frame
/// every quarter of an hour from 06:00 to 09:00, of which 07:30 is missing. Pixels are places in a
/// palette: 0 is dry and transparent, the others are classes of intensity.
struct RainSample {
  /// px; smaller ones show the same rain in fewer pixels.
  var width = 600
  var height = 800

  /// Quarters of an hour after 06:00.
  static let quarters = 0...12

  /// The frame that is not there.
  static let missing = 6

  /// The classes of intensity and their colours.
  var scale = RainScale.classes

  /// Whether a pixel is the mean of itself and its neighbours, so that rain ends softly.
  var isSmooth = false

  private let field = RainField(seed: 2014)

  /// The file of a frame.
  static func name(_ quarter: Int) -> String {
    "2014-01-19T0\(6 + quarter / 4)\(quarter % 4 == 0 ? "00" : String(quarter % 4 * 15))Z.png"
  }

  /// The classes of a frame.
  func image(_ quarter: Int) -> PaletteImage {
    var rain = field.intensities(
      width: width, height: height, frame: Double(quarter))
    if isSmooth { rain = means(of: means(of: rain)) }
    let classes = rain.map { intensity in
      UInt8(scale.thresholds.prefix { $0 <= intensity }.count)
    }
    return PaletteImage(width: width, height: height, palette: scale.palette, indices: classes)
  }

  /// The mean of the nine pixels around each one, but for those of the border.
  private func means(of rain: [Double]) -> [Double] {
    var means = rain
    for y in 1..<(height - 1) {
      for x in 1..<(width - 1) {
        var sum = 0.0
        for row in [y - 1, y, y + 1] {
          for column in [x - 1, x, x + 1] { sum += rain[row * width + column] }
        }
        means[y * width + x] = sum / 9
      }
    }
    return means
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
