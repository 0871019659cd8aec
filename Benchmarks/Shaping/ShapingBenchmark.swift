import Platform
import Raster

/// Lays labels of several scripts out and prints the processor time of one: `quadrille-shaping
/// [LABELS] [SEARCH PATH…]`.
///
/// The labels are made up of the words of a list by a generator, the same in every run; nearly all
/// of them differ. Fonts are looked up as everywhere; the paths name files or folders besides.
@main
enum ShapingBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    let count = arguments.first.flatMap(Int.init) ?? 100_000
    let paths = arguments.dropFirst()
    let fonts = try paths.isEmpty ? FontLibrary() : FontLibrary(searchPaths: Array(paths))
    for sample in Sample.all {
      let labels = sample.labels(count)
      var times: [Double] = []
      var width = 0.0
      var missing = 0
      for _ in 0..<5 {
        let shaper = TextShaper(fonts: fonts)
        let style = TextStyle(fontStack: sample.fontStack, size: 12)
        width = 0
        missing = 0
        let start = processorSeconds()
        for label in labels {
          let shaped = try shaper.shape(label, style: style)
          width += shaped.width
          missing += shaped.missingGlyphs
        }
        times.append(processorSeconds() - start)
      }
      let best = times.min() ?? 0
      let nanoseconds = (best / Double(max(labels.count, 1)) * 1e9).rounded()
      print(
        "\(sample.name): \(labels.count) labels, \(nanoseconds) ns each, mean width "
          + "\((width / Double(max(labels.count, 1))).rounded()) px, \(missing) missing glyphs")
    }
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}

/// Words of one script.
private struct Sample {
  let name: String
  let fontStack: [String]
  let words: [String]

  static let all = [
    Sample(
      name: "Latin", fontStack: ["DejaVu Sans"],
      words: [
        "Hotel", "Avenue", "Park", "River", "Grand", "View", "Saint", "Louis", "Harbor", "Tower",
        "Washington", "Valley", "Inn", "Suites", "Bay", "Lake", "Old", "Mill", "Garden", "Court",
      ]),
    Sample(
      name: "Arabic", fontStack: ["Noto Sans Arabic", "DejaVu Sans"],
      words: [
        "فندق", "شارع", "حديقة", "نهر", "كبير", "منظر", "مدينة", "السلام", "ميناء", "برج",
        "واشنطن", "وادي", "نزل", "أجنحة", "خليج", "بحيرة", "قديم", "طاحونة", "بستان", "ساحة",
      ]),
    Sample(
      name: "Devanagari", fontStack: ["Noto Sans Devanagari", "DejaVu Sans"],
      words: [
        "होटल", "मार्ग", "उद्यान", "नदी", "विशाल", "दृश्य", "संत", "लुई", "बंदरगाह", "मीनार",
        "वाशिंगटन", "घाटी", "सराय", "कक्ष", "खाड़ी", "झील", "पुराना", "चक्की", "बगीचा", "न्यायालय",
      ]),
  ]

  /// Returns labels of two or three words and a number.
  func labels(_ count: Int) -> [String] {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(truncatingIfNeeded: state >> 33) % limit
    }
    return (0..<count).map { _ in
      let parts = (0..<(2 + next(2))).map { _ in words[next(words.count)] }
      return parts.joined(separator: " ") + " \(next(1000))"
    }
  }
}
