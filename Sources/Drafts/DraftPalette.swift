import Definition

/// The colours of drafted layers.
enum DraftPalette {
  /// The colours of one source without classes.
  struct Hue: Hashable {
    let shades: ClusterLook.Shades

    /// The fill of areas, drawn translucent.
    var fill: String { shades.few }

    /// Outlines and lines.
    var line: String { shades.many }
  }

  /// The hues of the sources in their order, told apart by people with colour blindness as well.
  private static let hues = [
    Hue(shades: .blue),
    Hue(shades: .init(few: "#b8562f", many: "#8f3f1f", most: "#6b2a12")),
    Hue(shades: .init(few: "#1f8078", many: "#17625c", most: "#0e4540")),
    Hue(shades: .init(few: "#8a5aa8", many: "#6b4286", most: "#4b2b61")),
    Hue(shades: .init(few: "#8a6d16", many: "#6b540f", most: "#4b3a08")),
    Hue(shades: .init(few: "#b34a72", many: "#8f3558", most: "#66223c")),
  ]

  /// Returns the hue of the source at a place in the order.
  static func hue(_ index: Int) -> Hue { hues[index % hues.count] }

  /// Shades of five classes from few to much: lightness falls evenly, from a pale yellow over orange
  /// and red to a dark violet, so that they stay in order in print and for every eye.
  private static let sequence = ["#fbe6a8", "#f6b56b", "#e27a5b", "#b0446f", "#5f2a78"]

  /// The same for lines and circles, which need contrast to the map below: the first is darker.
  private static let markSequence = ["#eebc45", "#ea8a4a", "#d65a5a", "#9e3f78", "#55267a"]

  /// Blue over pale yellow to red, as temperatures are printed (ColorBrewer's RdYlBu, reversed).
  private static let temperatures = ["#2c7bb6", "#8cc3de", "#f7eda3", "#f2995c", "#d7191c"]

  /// Ever deeper blues (after ColorBrewer's YlGnBu).
  private static let rains = ["#c7e9d4", "#7fcdbb", "#41b6c4", "#2c7fb8", "#253494"]

  /// Brown for less, green for more, ever paler towards 0 (after ColorBrewer's BrBG), and the same for
  /// lines and circles, which need contrast.
  private static let changes = [
    "#8c510a", "#d8b365", "#f3e3bd", "#c3e6e0", "#5ab4ac", "#01665e",
  ]
  private static let markChanges = [
    "#8c510a", "#c98f3c", "#e2c48a", "#93d0c6", "#45a096", "#01665e",
  ]

  /// Lowlands to summits.
  private static let heights = ["#5d9a5a", "#b5c26a", "#e3c878", "#b4824e", "#7a4a2e"]

  /// Returns the colours of a number of classes, from few to much.
  ///
  /// - Parameters:
  ///   - measure: what the numbers measure.
  ///   - isArea: whether areas are filled with them.
  static func classes(
    _ count: Int, of measure: ColumnWords.Measure, isArea: Bool
  ) -> [String] {
    let all: [String]
    switch measure {
    case .change:
      let changes = isArea ? changes : markChanges
      return count >= 6
        ? changes : count >= 4 ? [0, 2, 3, 5].map { changes[$0] } : [changes[1], changes[4]]
    case .temperature: all = temperatures
    case .rain: all = rains
    case .height: all = heights
    case .amount, .magnitude, .level: all = isArea ? sequence : markSequence
    }
    return switch count {
    case ...1: [all[2]]
    case 2: [all[1], all[4]]
    case 3: [all[0], all[2], all[4]]
    case 4: [all[0], all[1], all[3], all[4]]
    default: all
    }
  }

  /// Returns the colours of classes in an order, from the least to the most.
  static func steps(_ count: Int, isArea: Bool) -> [String] {
    let anchors = (isArea ? sequence : markSequence).map { color in
      (0..<3).map { Int(color.dropFirst(1 + 2 * $0).prefix(2), radix: 16) ?? 0 }
    }
    return (0..<count).map { step in
      let place = Double(step * (anchors.count - 1)) / Double(max(count - 1, 1))
      let first = min(Int(place), anchors.count - 2)
      let share = place - Double(first)
      let parts = zip(anchors[first], anchors[first + 1]).map { low, high in
        Int((Double(low) + Double(high - low) * share).rounded())
      }
      return "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// Returns the colours of an image's numbers, low to high, that blend into one another.
  static func ramp(of measure: ColumnWords.Measure) -> [String] {
    switch measure {
    case .temperature:
      ["#313695", "#4575b4", "#74add1", "#e0f3f8", "#fee090", "#f46d43", "#a50026"]
    // Where it is dry, the map below shows.
    case .rain: ["rgba(199,233,212,0)", "#a8ddc8", "#5bb8cc", "#2c7fb8", "#253494", "#54278f"]
    case .height: ["#3f7d4e", "#8fae5a", "#e9dca5", "#c79a68", "#8f5f43", "#ffffff"]
    case .change: changes
    case .amount, .magnitude, .level: sequence
    }
  }

  /// Colours of categories, no two alike in lightness and hue.
  static let categories = [
    "#3a78b8", "#d9822b", "#2f9070", "#b34a72", "#7b62b3", "#b8a233", "#5a6b7a", "#c4523c",
  ]

  /// The outlines of coloured areas, drawn translucent: darker than any fill.
  static let outline = "#2b3440"

  /// Records without a value.
  static let none = "#b9c0c7"
}
