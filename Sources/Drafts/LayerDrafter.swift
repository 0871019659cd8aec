import Definition
import Examination
import Features
import Ingest
import OrderedCollections
import Platform

/// The layers of one source, by what its data holds.
struct LayerDrafter {
  let source: SourceDraft
  let hue: DraftPalette.Hue

  /// Whether the source's geometries are of several dimensions, so that layers need a filter.
  private let isMixed: Bool

  init(_ source: SourceDraft, hue: DraftPalette.Hue) {
    self.source = source
    self.hue = hue
    let facts = source.records
    isMixed =
      [facts?.points, facts?.lines, facts?.polygons].compactMap(\.self).count { $0 > 0 } > 1
  }

  /// Returns the layers, the lowest first.
  func layers() -> [LayerDraft] {
    guard let facts = source.records else {
      return [LayerDraft(.image, source.name, "raster", of: source.name, comment: "The image.")]
    }
    return (facts.polygons > 0 ? areas(facts) : []) + (facts.lines > 0 ? [lines(facts)] : [])
      + (facts.points > 0 ? points(facts) : [])
  }

  // MARK: Areas

  private func areas(_ facts: SourceDraft.RecordFacts) -> [LayerDraft] {
    let colors = colors(facts)
    var fill = LayerDraft(
      .area, "\(source.name)-fill", "fill", of: source.name,
      comment: colors?.comment
        ?? (facts.roles.ownColors.isEmpty ? "The areas." : "The areas, in their own colours."))
    fill.paint = [
      "fill-color": colors?.value ?? owned("fill", facts, else: .string(hue.fill)),
      "fill-opacity": .number(
        colors != nil ? 0.8 : facts.roles.ownColors.contains("fill") ? 0.9 : 0.35),
    ]
    if let column = nested(facts) {
      let value = whereNumber(column.name, number(column.name), else: .number(0))
      fill.layout["fill-sort-key"] =
        column.growsWithSize ? .array([.string("-"), value]) : value
      fill.comment += "\nSmall areas lie on the large ones around them, by '\(column.name)'."
    }
    var outline = LayerDraft(
      .outline, "\(source.name)-outline", "line", of: source.name, comment: "Their outlines.")
    outline.layout = ["line-join": .string("round")]
    outline.paint = [
      "line-color": colors == nil
        ? owned("stroke", facts, else: .string(hue.line)) : .string(DraftPalette.outline),
      "line-width": DefaultWidths.outline, "line-opacity": .number(colors == nil ? 0.9 : 0.55),
    ]
    let kinds = filter("Polygon")
    (fill.filter, outline.filter) = (kinds, kinds)
    var layers = [fill, outline]
    if let name = facts.roles.name {
      var label = label(
        name, "The name of an area, on its largest part, from the zoom at which it has room.")
      label.layout["symbol-parts"] = .string("largest")
      if isMixed { label.id = "\(source.name)-area-name" }
      label.filter = kinds
      label.minZoom = facts.survey.zoom(showing: 60)
      layers.append(label)
    }
    return layers
  }

  /// Returns the column that orders areas of which some lie within others; `nil` where none is hidden.
  private func nested(_ facts: SourceDraft.RecordFacts) -> AreaNesting.Column? {
    guard let nesting = facts.examination.nesting, nesting.hidden.count > 1 else { return nil }
    return nesting.columns.first { $0.name == facts.roles.lead?.column } ?? nesting.columns.first
  }

  private func filter(_ kind: String) -> PropertyValue? {
    guard isMixed else { return nil }
    return .array([.string("=="), .array([.string("geometry-type")]), .string(kind)])
  }

  // MARK: Lines

  private func lines(_ facts: SourceDraft.RecordFacts) -> LayerDraft {
    let colors = facts.polygons == 0 ? colors(facts) : nil
    var line = LayerDraft(
      .line, "\(source.name)-line", "line", of: source.name,
      comment: colors?.comment ?? "Lines, wider the closer one zooms.")
    line.filter = filter("LineString")
    line.layout = ["line-cap": .string("round"), "line-join": .string("round")]
    line.paint = [
      "line-color": colors?.value ?? routes(facts)
        ?? owned("stroke", facts, else: .string(hue.line)),
      "line-width": facts.roles.size.flatMap { lineWidth($0, facts) } ?? DefaultWidths.line,
    ]
    if facts.connections != nil {
      line.comment = colors?.comment ?? "Great circles, wider the larger the amount."
      line.paint["line-opacity"] = .number(0.6)
    }
    return line
  }

  /// Returns the colours of public transport routes; `nil` for other lines.
  private func routes(_ facts: SourceDraft.RecordFacts) -> PropertyValue? {
    let name = SourceDrafter.routeColor
    guard facts.roles.ownColors.contains(name) else { return nil }
    let text = PropertyValue.array([.string("concat"), .string("#"), get(name)])
    return .array([.string("to-color"), text, .string(hue.line)])
  }

  /// Returns the width of lines that grows with a number, by the zoom.
  private func lineWidth(_ column: String, _ facts: SourceDraft.RecordFacts) -> PropertyValue? {
    guard let top = facts.survey.sizes.last, top > 0 else { return nil }
    let value = whereNumber(column, number(column), else: .number(0))
    func stops(_ least: Double, _ most: Double) -> PropertyValue {
      .array([
        .string("interpolate"), .array([.string("linear")]), value, .number(0), .number(least),
        .number(Self.rounded(top)), .number(most),
      ])
    }
    return .array([
      .string("interpolate"), .array([.string("linear")]), .array([.string("zoom")]), .number(4),
      stops(0.5, 6), .number(12), stops(1, 16),
    ])
  }

  // MARK: Points

  private func points(_ facts: SourceDraft.RecordFacts) -> [LayerDraft] {
    // Every cell is drawn, even the cell of a single point.
    if facts.look == .hexagons { return clusters(facts) }
    let isPoint = filter("Point")
    let colors = facts.polygons + facts.lines == 0 ? colors(facts) : nil
    let kind = facts.isClustered ? "Points that stand alone." : "The points."
    var lone = LayerDraft(
      .point, "\(source.name)-point", "circle", of: source.name,
      comment: [kind, colors?.comment].compactMap(\.self).joined(separator: "\n"))
    lone.filter = isPoint
    lone.paint = [
      "circle-radius": facts.isClustered ? DefaultWidths.radius : dotRadius(facts),
      "circle-color": colors?.value ?? owned("marker-color", facts, else: .string(hue.fill)),
      "circle-stroke-color": .string("#ffffff"), "circle-stroke-width": DefaultWidths.ring,
    ]
    if let (column, measure) = sizing(facts, isColored: colors != nil) {
      let value = whereNumber(column, number(column), else: .number(0))
      lone.layout["circle-sort-key"] = value
      if !facts.isClustered, let radius = bubbleRadius(column, measure, facts) {
        // Small bubbles lie on large ones.
        lone.layout["circle-sort-key"] = .array([.string("-"), value])
        lone.paint["circle-radius"] = radius
        lone.paint["circle-opacity"] = .number(0.85)
        lone.comment += "\nThe area of a bubble grows with the value."
      }
    }
    if facts.isClustered { lone.filter = both(isPoint, ClusterLook.loneFilter) }
    var layers = [lone]
    if let name = facts.roles.name {
      var label = label(name, "Their names, where there is room.")
      label.filter = lone.filter
      label.minZoom = max(facts.survey.separationZoom - 3, 0)
      label.layout["text-variable-anchor"] = .array(
        ["left", "right", "top", "bottom"].map(PropertyValue.string))
      label.layout["text-radial-offset"] = lone.paint["circle-radius"].map(Self.beside)
      if case .number(let column, _)? = facts.roles.lead {
        // Where there is room for one name, it is that of the larger value.
        label.layout["symbol-sort-key"] = .array([
          .string("-"), whereNumber(column, number(column), else: .number(0)),
        ])
      }
      layers.append(label)
    }
    return layers + (facts.isClustered ? clusters(facts) : [])
  }

  /// Returns the distance of a name from the middle of a disc, in ems, by the disc's radius.
  private static func beside(_ radius: PropertyValue) -> PropertyValue {
    // The ring is up to 1.5 px wide, and a text above or below has its box nearer than one beside.
    func past(_ radius: PropertyValue) -> PropertyValue {
      guard case .number(let radius) = radius else {
        let past = PropertyValue.array([.string("+"), radius, .number(3)])
        return .array([.string("/"), past, .number(nameSize)])
      }
      return .number(((radius + 3) / nameSize * 100).rounded() / 100)
    }
    guard case .array(var parts) = radius, parts.count > 2,
      parts[2] == .array([.string("zoom")])
    else { return past(radius) }
    for output in stride(from: 4, to: parts.count, by: 2) { parts[output] = past(parts[output]) }
    return .array(parts)
  }

  /// The size of names in pixels.
  private static let nameSize = 11.0

  /// Returns the column that decides which point lies over others, and how large it is.
  private func sizing(
    _ facts: SourceDraft.RecordFacts, isColored: Bool
  ) -> (String, ColumnWords.Measure)? {
    if let size = facts.roles.size { return (size, .amount) }
    guard isColored, case .number(let column, let measure)? = facts.roles.lead else { return nil }
    return (column, measure)
  }

  /// Returns the radius of bubbles whose area grows with amounts, by the zoom; `nil` for values that
  /// are no amounts.
  private func bubbleRadius(
    _ column: String, _ measure: ColumnWords.Measure, _ facts: SourceDraft.RecordFacts
  ) -> PropertyValue? {
    let numbers = facts.roles.size == column ? facts.survey.sizes : facts.survey.numbers
    // A few giants would make all others dots.
    guard
      let top = numbers.isEmpty ? nil : numbers[min(numbers.count - 1, numbers.count * 49 / 50)],
      let least = numbers.first, top > 0, least >= 0 || measure == .magnitude
    else { return nil }
    let value = whereNumber(column, number(column), else: .number(0))
    func stops(_ smallest: Double, _ largest: Double) -> PropertyValue {
      switch measure {
      case .magnitude:
        .array([
          .string("interpolate"), .array([.string("exponential"), .number(1.7)]), value,
          .number(0), .number(smallest), .number(8), .number(largest * 1.6),
        ])
      default:
        .array([
          .string("interpolate"), .array([.string("linear")]), .array([.string("sqrt"), value]),
          .number(0), .number(smallest), .number(Self.rounded(top.squareRoot())), .number(largest),
        ])
      }
    }
    guard measure == .amount || measure == .magnitude else { return nil }
    return byZoom(facts) { zoom in
      let largest = Self.size(zoom, at: 22, power: 0.4, within: 4...26)
      return stops(max((largest * 0.3).rounded() / 2, 1), largest)
    }
  }

  /// Returns the radius of dots by the zoom: 6 px where most have 64 px to themselves, less where
  /// they crowd.
  private func dotRadius(_ facts: SourceDraft.RecordFacts) -> PropertyValue {
    byZoom(facts) { .number(Self.size($0, at: 6, power: 0.3, within: 2...7)) }
  }

  /// Returns a value at some zooms around the one at which points stand alone.
  ///
  /// - Parameter value: the value at a distance from that zoom.
  private func byZoom(
    _ facts: SourceDraft.RecordFacts, _ value: (Double) -> PropertyValue
  ) -> PropertyValue {
    let alone = Double(facts.survey.separationZoom)
    let stops = [-8.0, -4, 0, 2].filter { alone + $0 >= 0 }
    return .array(
      [.string("interpolate"), .array([.string("linear")]), .array([.string("zoom")])]
        + stops.flatMap { [.number(alone + $0), value($0)] })
  }

  /// Returns a size in pixels, in halves, that grows with the zoom.
  private static func size(
    _ distance: Double, at middle: Double, power: Double, within limits: ClosedRange<Double>
  ) -> Double {
    let size = (middle * exp2(distance * power) * 2).rounded() / 2
    return min(max(size, limits.lowerBound), limits.upperBound)
  }

  /// Rounds to three digits.
  private static func rounded(_ value: Double) -> Double {
    ClassBreaks.round(value, low: value * 0.995, high: value * 1.005)
  }

  private func both(_ one: PropertyValue?, _ other: PropertyValue) -> PropertyValue {
    one.map { .array([.string("all"), $0, other]) } ?? other
  }

  // MARK: Labels

  private func label(_ column: String, _ comment: String) -> LayerDraft {
    var label = LayerDraft(
      .label, "\(source.name)-name", "symbol", of: source.name, comment: comment)
    label.layout = [
      "text-field": .array([.string("to-string"), get(column)]),
      "text-font": .array([.string("Open Sans Semibold")]), "text-size": .number(Self.nameSize),
      "text-max-width": .number(9), "text-padding": .number(4),
    ]
    label.paint = [
      "text-color": .string("#1c2630"), "text-halo-color": .string("#ffffff"),
      "text-halo-width": .number(1.4),
    ]
    return label
  }
}
