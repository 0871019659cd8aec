import Definition
import Examination
import Features
import Ingest
import OrderedCollections

// What stands for points that crowd: bubbles, donuts or hexagons.
extension LayerDrafter {
  /// The classes of hexagons by their number of points.
  private static let classCount = 5

  /// The width of hexagons in pixels.
  private static let cellSize = 24.0

  /// Returns the layers of clusters, the lowest first.
  func clusters(_ facts: SourceDraft.RecordFacts) -> [LayerDraft] {
    let look = ClusterLook(.bubble(gap: 2), shades: hue.shades)
    if facts.look == .hexagons { return [hexagons()] }
    var bubble = LayerDraft(
      .point, "\(source.name)-cluster", "circle", of: source.name,
      comment: "Clusters, larger and darker the more points they hold.")
    bubble.filter = ClusterLook.filter
    bubble.layout = ClusterLook.bubbleLayout
    bubble.paint = look.bubblePaint
    var count = LayerDraft(
      .count, "\(source.name)-count", "symbol", of: source.name, comment: "Their numbers.")
    count.filter = ClusterLook.filter
    count.layout = look.countLayout
    count.paint = ClusterLook.countPaint
    if facts.look == .donuts {
      let radius = bubble.paint["circle-radius"]
      bubble.type = "chart"
      bubble.comment = "Clusters, divided by '\(facts.roles.slices ?? "")'."
      bubble.layout = [
        "chart-type": .string("donut"), "chart-slices": .array(slices(facts).map(\.slice)),
        "chart-sort-key": get("point_count"),
      ]
      bubble.paint = [
        "chart-hole-color": .string("#ffffff"), "chart-stroke-color": .string("#ffffff"),
        "chart-stroke-width": .number(1.5),
      ]
      bubble.paint["chart-radius"] = radius
      // The hole is as wide as 1.2 radii.
      count.layout["text-fit"] = radius
      count.paint = ["text-color": .string(DraftPalette.outline)]
    }
    return [bubble, count]
  }

  private func hexagons() -> LayerDraft {
    var cells = LayerDraft(
      .area, "\(source.name)-cell", "fill", of: source.name,
      comment: "Hexagons, darker the more points they hold; the legend has the numbers.")
    let colors = DraftPalette.steps(Self.classCount, isArea: true)
    let cases = colors.dropLast().enumerated().flatMap {
      [PropertyValue.number(Double($0)), .string($1)]
    }
    cells.filter = ClusterLook.filter
    cells.paint = [
      "fill-color": .array(
        [.string("match"), get("class")] + cases + [.string(colors.last ?? hue.fill)]),
      "fill-outline-color": .string("#ffffff"),
    ]
    return cells
  }

  /// Returns the keys of a clustered source, beside those of its data.
  func clusterKeys(
    _ facts: SourceDraft.RecordFacts, lastZoom: Int
  ) -> OrderedDictionary<String, PropertyValue> {
    var keys: OrderedDictionary<String, PropertyValue> = ["cluster": .bool(true)]
    if facts.look == .hexagons {
      keys["clusterMethod"] = .string("hexagon")
      keys["clusterCellSize"] = .number(Self.cellSize)
      keys["classes"] = .object([
        "method": .string("log"), "n": .number(Double(Self.classCount)),
      ])
    } else {
      keys["clusterMethod"] = .string("bubble")
    }
    if facts.look == .donuts {
      keys["clusterProperties"] = .object(
        OrderedDictionary(uniqueKeysWithValues: slices(facts).map { ($0.property, $0.sum) }))
    }
    keys["clusterMaxZoom"] = .number(Double(lastZoom))
    return keys
  }

  /// Returns a comment on the key `cluster`.
  static func comment(on look: PipelineDraft.Look?) -> String {
    switch look {
    case nil, .time: "Points whose circles would touch are one bubble with their number."
    case .donuts: "Points whose circles would touch are one donut with their number."
    case .hexagons: "Points are counted in hexagons of 24 px."
    }
  }

  // MARK: Slices

  /// A slice of donuts.
  private struct Slice {
    /// The property of clusters that counts its points.
    let property: String

    /// The aggregate of that property.
    let sum: PropertyValue

    /// The slice in the list of the layer.
    let slice: PropertyValue
  }

  /// Returns a slice for each value of the column, and one for points without any.
  private func slices(_ facts: SourceDraft.RecordFacts) -> [Slice] {
    guard let column = facts.roles.slices, let (values, colors) = sliceValues(facts) else {
      return []
    }
    var names: [String] = []
    func slice(_ name: String, _ color: String, _ texts: [String], isAmong: Bool) -> Slice {
      let property = DraftName.unique("\(column) \(name)", besides: names)
      names.append(property)
      let labels = PropertyValue.array(texts.map(PropertyValue.string))
      let (one, other) = isAmong ? (1.0, 0.0) : (0, 1)
      let count = PropertyValue.array([
        .string("match"), text(of: column, facts), texts.count == 1 ? .string(texts[0]) : labels,
        .number(one), .number(other),
      ])
      return Slice(
        property: property, sum: .array([.string("+"), count]),
        slice: .object(["value": get(property), "color": .string(color), "name": .string(name)]))
    }
    let nothing = "no \(column)"
    var slices = zip(values, colors).map { value, color in
      slice(value.isEmpty ? nothing : value, color, [value], isAmong: true)
    }
    let profile = facts.examination.columns.first { $0.name == column }
    if (profile?.values ?? 0) < facts.examination.ledger.read {
      slices.append(slice(nothing, DraftPalette.none, values, isAmong: false))
    }
    return slices
  }

  /// Returns the values of the slices with the colours that single points have.
  private func sliceValues(
    _ facts: SourceDraft.RecordFacts
  ) -> (values: [String], colors: [String])? {
    switch facts.roles.lead {
    case .ordered(_, let classes)?:
      (classes, DraftPalette.steps(classes.count, isArea: false))
    case .category?:
      (
        facts.survey.categories.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key),
        DraftPalette.categories
      )
    case .number?, nil: nil
    }
  }
}
