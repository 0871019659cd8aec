import Expressions
import Features
package import Raster

/// A chart with all values resolved: the look of one feature in one `chart` layer.
///
/// Lengths are style pixels; colours include their opacity. Equal shares give equal looks, whatever
/// the values are.
package struct ChartLook: Hashable, Sendable {
  /// The words of `chart-type`.
  package enum Form: String, CaseIterable, Hashable, Sendable {
    case pie
    case donut
    /// A bar whose slices follow each other from left to right.
    case bar
    /// A bar whose slices follow each other from bottom to top.
    case column
  }

  /// A slice that shows something.
  package struct Slice: Hashable, Sendable {
    package var color: Color

    /// The share of this slice and all before it, in 0 … 1.
    package var end: Double
  }

  package var form: Form
  package var slices: [Slice]

  /// The outer radius of a pie or donut, without its stroke.
  package var radius: Double = 0

  /// The radius of a donut's hole.
  package var holeRadius: Double = 0
  package var holeColor: Color = .transparent

  /// The size of a bar along and across its slices.
  package var length: Double = 0
  package var thickness: Double = 0

  /// The start of the first slice, in degrees clockwise from the top.
  package var rotate: Double = 0
  package var strokeWidth: Double = 0
  package var strokeColor: Color = .transparent

  /// The offset of `chart-translate`, in pixels eastward and southward.
  package var translateX: Double = 0
  package var translateY: Double = 0

  /// Whether the chart is a disc, hole included.
  package var isRound: Bool { form == .pie || form == .donut }

  /// The colours of the bands of ``shape(scale:)``, in its order.
  package var bandColors: [Color] { [holeColor] + slices.map(\.color) + [strokeColor] }

  /// Returns the chart's shape.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func shape(scale: Double) -> ChartShape {
    let outline: ChartShape.Outline =
      isRound
      ? .round(radius: radius * scale, hole: holeRadius * scale, start: rotate / 360)
      : .bar(length: length * scale, thickness: thickness * scale, isUpright: form == .column)
    return ChartShape(outline, ends: slices.map(\.end), strokeWidth: strokeWidth * scale)
  }

  /// Whether the chart shows nothing.
  var isInvisible: Bool {
    let hasArea = isRound ? radius > 0 : length > 0 && thickness > 0
    return !hasArea || !bandColors.contains { $0.alpha > 0 }
  }
}

extension StableHash {
  mutating func combine(_ look: ChartLook) {
    combine(4)
    combine(look.form.rawValue)
    combine(look.slices.count)
    for slice in look.slices {
      combine(slice.color)
      combine(slice.end)
    }
    for value in [
      look.radius, look.holeRadius, look.length, look.thickness, look.rotate, look.strokeWidth,
    ] { combine(value) }
    combine(look.holeColor)
    combine(look.strokeColor)
  }
}

extension LookResolver {
  /// Returns the chart of a feature; `nil` if none of its slices has a value above 0.
  func chart(_ feature: any LookFeature) -> ChartLook? {
    let opacity = values.number(.chartOpacity, 1, feature)
    let slices = slices(of: feature, opacity: opacity)
    guard !slices.isEmpty else { return nil }
    let form = ChartLook.Form(rawValue: values.string(.chartType, "pie", feature)) ?? .pie
    let translate = values.offset(.chartTranslate, feature)
    var look = ChartLook(
      form: form, slices: slices, strokeWidth: radius(values.number(.chartStrokeWidth, 0, feature)),
      strokeColor: values.color(.chartStrokeColor, .black, feature)
        .faded(values.number(.chartStrokeOpacity, 1, feature)),
      translateX: translate.x, translateY: translate.y)
    guard look.isRound else {
      look.length = radius(values.number(.chartBarLength, 40, feature))
      look.thickness = radius(values.number(.chartBarWidth, 8, feature))
      return look
    }
    look.radius = radius(values.number(.chartRadius, 15, feature))
    // One slice has no border at which it would begin.
    if slices.count > 1 {
      look.rotate = values.number(.chartRotate, 0, feature).truncatingRemainder(dividingBy: 360)
    }
    if form == .donut {
      look.holeRadius = look.radius * min(max(values.number(.chartHole, 0.6, feature), 0), 1)
      look.holeColor = values.color(.chartHoleColor, .transparent, feature).faded(opacity)
    }
    return look
  }

  private func slices(of feature: any LookFeature, opacity: Double) -> [ChartLook.Slice] {
    guard case .array(let items)? = values.value(.chartSlices, feature) else { return [] }
    var sum = 0.0
    var slices: [ChartLook.Slice] = []
    for index in stride(from: 0, to: items.count - 1, by: 2) {
      guard case .number(let value) = items[index], value > 0,
        case .color(let color) = items[index + 1]
      else { continue }
      sum += value
      slices.append(ChartLook.Slice(color: color.faded(opacity), end: sum))
    }
    guard sum > 0, sum.isFinite else { return [] }
    for index in slices.indices { slices[index].end /= sum }
    return slices
  }
}
