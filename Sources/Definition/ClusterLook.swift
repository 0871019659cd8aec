package import Features
package import OrderedCollections

/// The look of clusters as bubbles with their counts, whose sizes fit the distance that the method of
/// clustering leaves between them.
///
/// A bubble grows with the logarithm of its count. Where two come close the larger one lies on top.
/// Every bubble shows its number, and other labels keep off it.
package struct ClusterLook {
  /// Three shades of one colour, dark enough for white numbers.
  package struct Shades: Hashable, Sendable {
    package let few: String
    package let many: String
    package let most: String

    package init(few: String, many: String, most: String) {
      self.few = few
      self.many = many
      self.most = most
    }

    package static let blue = Shades(few: "#3a78b8", many: "#2a5d9c", most: "#173d73")
  }

  /// The largest radius in pixels, by zoom.
  private let radii: [ZoomValue]

  private let shades: Shades

  package init(_ method: ClusterMethod, shades: Shades = .blue) {
    self.shades = shades
    let spacings =
      switch method {
      case .grid(let cellSizes): cellSizes
      case .radius(let radius): [ZoomValue(zoom: 0, value: radius)]
      // The symbols decide the distance: the largest look has room.
      case .bubble: [ZoomValue(zoom: 0, value: 60)]
      case .areas(let areas): areas.sizes
      }
    var radii: [ZoomValue] = []
    for spacing in spacings {
      let radius = Self.radius(spacing: spacing.value)
      if radii.last?.value != radius { radii.append(ZoomValue(zoom: spacing.zoom, value: radius)) }
    }
    self.radii = radii
  }

  /// Returns the largest radius for clusters that stand a distance apart, in pixels: a gap of a tenth
  /// stays between two, and a number of three digits has room in 9 px.
  private static func radius(spacing: Double) -> Double {
    min(max((spacing * 0.45).rounded(), 9), 24)
  }

  /// The features that are clusters.
  package static let filter = call("has", "point_count")

  /// The features that stand alone.
  package static let loneFilter = PropertyValue.array([.string("!"), filter])

  // MARK: Bubbles

  package var bubblePaint: OrderedDictionary<String, PropertyValue> {
    [
      "circle-radius": byZoom { Self.curve([(0.3, $0 * 0.6), (4, $0)]) },
      "circle-color": Self.curve([(0.3, shades.few), (2, shades.many), (4, shades.most)]),
      "circle-stroke-color": .string("#ffffff"), "circle-stroke-width": .number(1.5),
    ]
  }

  /// The paint of cells that are areas, in the colours of bubbles.
  package var areaPaint: OrderedDictionary<String, PropertyValue> {
    [
      "fill-color": bubblePaint["circle-color"] ?? .string(shades.many),
      "fill-outline-color": .string("#ffffff"),
    ]
  }

  package static let bubbleLayout: OrderedDictionary<String, PropertyValue> = [
    "circle-sort-key": call("get", "point_count")
  ]

  // MARK: Numbers

  package var countLayout: OrderedDictionary<String, PropertyValue> {
    [
      "text-field": Self.call("get", "point_count_abbreviated"),
      "text-font": .array([.string("Open Sans Bold")]), "text-size": .number(12),
      "text-fit": byZoom { Self.curve([(0.3, $0), (4, $0 * 1.7)]) },
      "text-allow-overlap": .bool(true), "text-padding": .number(10),
      "symbol-sort-key": .array([.string("-"), Self.call("get", "point_count")]),
    ]
  }

  package static let countPaint: OrderedDictionary<String, PropertyValue> = [
    "text-color": .string("#ffffff")
  ]

  // MARK: Expressions

  private static func call(_ name: String, _ argument: String) -> PropertyValue {
    .array([.string(name), .string(argument)])
  }

  /// Returns a value for the radius of each zoom.
  private func byZoom(_ value: (Double) -> PropertyValue) -> PropertyValue {
    var values = radii.map { (zoom: $0.zoom, value: value($0.value)) }[...]
    guard let first = values.popFirst() else { return .null }
    if values.isEmpty { return first.value }
    let zoom = PropertyValue.array([.string("zoom")])
    return .array(
      [.string("step"), zoom, first.value]
        + values.flatMap { [.number(Double($0.zoom)), $0.value] })
  }

  private static func curve(_ stops: [(power: Double, value: Double)]) -> PropertyValue {
    curve(stops.map { ($0.power, .number(($0.value * 2).rounded() / 2)) })
  }

  private static func curve(_ stops: [(power: Double, color: String)]) -> PropertyValue {
    curve(stops.map { ($0.power, .string($0.color)) })
  }

  /// Returns an expression that interpolates over the logarithm of the count to the base of 10.
  private static func curve(_ stops: [(power: Double, value: PropertyValue)]) -> PropertyValue {
    let input = PropertyValue.array([.string("log10"), call("get", "point_count")])
    let curve = PropertyValue.array([.string("linear")])
    return .array(
      [.string("interpolate"), curve, input]
        + stops.flatMap { stop in
          [.number(stop.power), stop.value]
        })
  }
}
