/// The distance from the dashes along a line, as in MapLibre's line atlas: one row of texels for a
/// period of the pattern; for round caps several rows, from one side of the line to the other.
struct DashTexture {
  /// A dash or a gap, in texels.
  private struct Range {
    var left: Double
    var right: Double
    var isDash: Bool
  }

  /// The number of texels of a period.
  private static let width = 256

  /// The number of rows on each side of the middle one.
  private let sideRows: Int
  private var texels: [UInt8] = []

  /// The length after which the pattern repeats, in px, and the fraction of it that dashes cover.
  private let period: Double
  private let share: Double

  /// Half the width of the ramp at the end of a dash, in values of texels over 255.
  private let softness: Double

  /// Creates the texture of a style; nil for a solid line.
  ///
  /// - Parameter style: bounded.
  init?(_ style: StrokeStyle) {
    let lengths = style.dashes
    let dashed = lengths.indices.reduce(0) { $1 & 1 == 0 ? $0 + lengths[$1] : $0 }
    period = lengths.reduce(0, +)
    guard period > dashed else { return nil }
    share = dashed / period
    softness = style.dashSoftness / period
    let stretch = Double(Self.width) / period
    let ranges = Self.ranges(lengths, stretch: stretch)
    if style.cap == .round {
      sideRows = 7
      addRoundRows(ranges, half: style.dashWidth * stretch / 2)
    } else {
      sideRows = 0
      addRow(ranges)
    }
  }

  /// Returns the opacity, 0 … 1, at a place on the line.
  ///
  /// - Parameters:
  ///   - along: the distance along the line, in px.
  ///   - across: −1 at one side of the line, 1 at the other.
  func opacity(along: Double, across: Double) -> Double {
    // A pattern shorter than a pixel is drawn as a fainter solid line.
    guard period >= 1 else { return share }
    let turns = along / period
    // Positive, so that conversions round down.
    let x = (turns - Double(Int(turns)) + 2) * Double(Self.width) - 0.5
    let row = Double(sideRows) * (1 + min(max(across, -1), 1))
    let first = min(Int(row), sideRows * 2)
    let second = min(first + 1, sideRows * 2)
    let upper = distance(x, row: first)
    let value = upper + (distance(x, row: second) - upper) * (row - Double(first))
    let step = min(max((value - 0.5 + softness) / (2 * softness), 0), 1)
    return step * step * (3 - 2 * step)
  }

  /// Returns the value of a row at a place between texels, 0 … 1.
  private func distance(_ x: Double, row: Int) -> Double {
    let left = Int(x)
    let mask = Self.width - 1
    let start = row * Self.width
    let a = Double(texels[start + (left & mask)])
    let b = Double(texels[start + ((left + 1) & mask)])
    return (a + (b - a) * (x - Double(left))) / 255
  }

  /// Returns the dashes and gaps. If the count of lengths is odd, the last dash continues in the
  /// first one of the next period.
  private static func ranges(_ lengths: [Double], stretch: Double) -> [Range] {
    var position = 0.0
    return lengths.enumerated().map { index, length in
      let left = index == 0 && lengths.count % 2 == 1 ? -(lengths.last ?? 0) : position
      position += length
      return Range(left: left * stretch, right: position * stretch, isDash: index & 1 == 0)
    }
  }

  /// - Parameter half: half of the line's width, in texels.
  private mutating func addRoundRows(_ ranges: [Range], half: Double) {
    for row in -sideRows...sideRows {
      let middle = Double(row) / Double(sideRows) * (half + 1)
      addTexels(ranges) { range, along in
        if range.isDash {
          let edge = half - middle.magnitude
          return (along * along + edge * edge).squareRoot()
        }
        return half - (along * along + middle * middle).squareRoot()
      }
    }
  }

  /// Adds the row of dashes that end straight; neighbours of one kind are one.
  private mutating func addRow(_ ranges: [Range]) {
    var parts: [Range] = []
    for range in ranges where range.right > max(range.left, 0) {
      if let last = parts.last, last.isDash == range.isDash {
        parts[parts.count - 1].right = range.right
      } else {
        parts.append(range)
      }
    }
    if let first = parts.first, let last = parts.last, first.isDash == last.isDash {
      parts[0].left = last.left - Double(Self.width)
      parts[parts.count - 1].right = first.right + Double(Self.width)
    }
    addTexels(parts) { range, along in range.isDash ? along : -along }
  }

  /// Adds a row of texels.
  ///
  /// - Parameter distance: returns the distance from the nearest side of a dash, positive inside a
  ///   dash, given the distance from the nearest end of a range along the line.
  private mutating func addTexels(
    _ ranges: [Range], distance: (_ range: Range, _ along: Double) -> Double
  ) {
    var index = 0
    for x in 0..<Self.width {
      let place = Double(x)
      if place > ranges[index].right, index + 1 < ranges.count { index += 1 }
      let range = ranges[index]
      let along = min((place - range.left).magnitude, (place - range.right).magnitude)
      texels.append(UInt8(min(max(distance(range, along) + 128, 0), 255)))
    }
  }
}
