import Features
import OrderedCollections
package import Runs
import Styling

/// The layers of a file that names none: features are drawn as their simplestyle 1.1 properties say
/// (`fill`, `stroke`, `marker-color` …), otherwise as a ``SimpleLook`` or the defaults here; clusters
/// are bubbles or cells with their counts.
package enum SimpleStyle {
  /// Returns layers for areas, for outlines and lines, and for points and clusters of a source of
  /// records.
  ///
  /// - Parameters:
  ///   - look: the values for features without a property of their own.
  ///   - drawsImages: whether a source of images gets a layer too.
  package static func layers(
    of source: SourceDefinition, look: SimpleLook, drawsImages: Bool, at place: DocumentPlace
  ) -> [LayerDefinition] {
    guard let records = source.records else {
      return drawsImages ? [layer(source, .raster, "raster", at: place)] : []
    }
    let paint = SimplePaint(look: look, place: place)
    var points = layer(source, .circle, "circle", only: ["Point"], paint.circle, at: place)
    var layers = [
      layer(source, .fill, "fill", only: ["Polygon"], paint.fill, at: place),
      layer(source, .line, "line", only: ["LineString", "Polygon"], paint.line, at: place),
    ]
    if records.stacks != nil {
      let gray = DocumentNode(json: .string("#888888"), at: place)
      layers.append(self.layer(source, .leg, "leg", [("leg-color", gray)], at: place))
    }
    guard let cluster = records.cluster else { return layers + [points] }
    points.filter = DocumentNode(
      json: .array([.string("all"), filter(["Point"]), ClusterLook.loneFilter]), at: place)
    layers.append(points)
    return layers + clusters(source, cluster.method, at: place)
  }

  private static func clusters(
    _ source: SourceDefinition, _ method: ClusterMethod, at place: DocumentPlace
  ) -> [LayerDefinition] {
    let look = ClusterLook(method)
    func members(_ values: OrderedDictionary<String, PropertyValue>) -> [DocumentMember] {
      values.map {
        DocumentMember(key: $0.key, keyPlace: place, node: DocumentNode(json: $0.value, at: place))
      }
    }
    var bubble = layer(source, .circle, "cluster", at: place)
    bubble.filter = DocumentNode(json: ClusterLook.filter, at: place)
    bubble.layout = members(ClusterLook.bubbleLayout)
    bubble.paint = members(look.bubblePaint)
    if case .areas = method {
      bubble.type = .fill
      bubble.layout = []
      bubble.paint = members(look.areaPaint)
    }
    var count = layer(source, .symbol, "count", at: place)
    count.filter = bubble.filter
    count.layout = members(look.countLayout)
    count.paint = members(ClusterLook.countPaint)
    return [bubble, count]
  }

  private static func layer(
    _ source: SourceDefinition, _ type: StyleLayer.Kind, _ name: String,
    only kinds: [String]? = nil, _ paint: [(String, DocumentNode)] = [], at place: DocumentPlace
  ) -> LayerDefinition {
    LayerDefinition(
      id: "\(source.name)-\(name)", type: type, source: source.name,
      filter: kinds.map { DocumentNode(json: filter($0), at: place) },
      minZoom: LayerDefinition.zooms.lowerBound, maxZoom: LayerDefinition.zooms.upperBound,
      paint: paint.map { DocumentMember(key: $0.0, keyPlace: place, node: $0.1) }, layout: [],
      place: place)
  }

  private static func filter(_ kinds: [String]) -> PropertyValue {
    .array([
      .string("in"), .array([.string("geometry-type")]),
      .array([.string("literal"), .array(kinds.map { .string($0) })]),
    ])
  }
}

/// The paint properties of the default layers: a feature's own property, otherwise the look,
/// otherwise a default that is legible on light and on dark maps.
private struct SimplePaint {
  let look: SimpleLook

  /// The place to which errors in generated values are attributed.
  let place: DocumentPlace

  var fill: [(String, DocumentNode)] {
    [
      ("fill-color", color("fill", look.fill, "#3a78b8")),
      ("fill-opacity", number("fill-opacity", look.fillOpacity, 0.35)),
    ]
  }

  var line: [(String, DocumentNode)] {
    [
      ("line-color", color("stroke", look.stroke, "#2a5d9c")),
      ("line-width", width), ("line-opacity", number("stroke-opacity", look.strokeOpacity, 1)),
    ]
  }

  /// The width of lines and outlines: one that is given is the same at all zooms.
  private var width: DocumentNode {
    guard look.strokeWidth == nil else { return number("stroke-width", look.strokeWidth, 2) }
    return byZoom(DefaultWidths.lineStops) { number("stroke-width", nil, $0) }
  }

  /// The paint of points; a marker is drawn as a disk.
  var circle: [(String, DocumentNode)] {
    let radius =
      look.markerRadius == nil
      ? byZoom(DefaultWidths.radiusStops) { size(node(.number($0))) }
      : size(constant(look.markerRadius, 8))
    return [
      ("circle-color", color("marker-color", look.markerColor, "#3a78b8")),
      ("circle-radius", radius), ("circle-stroke-color", text("#ffffff")),
      ("circle-stroke-width", node(.number(1.5))),
    ]
  }

  /// Returns the radius of a point by its `marker-size`.
  private func size(_ standard: DocumentNode) -> DocumentNode {
    var size = [text("match"), get("marker-size")]
    for (name, radius) in SimpleLook.markerSizes { size += [text(name), node(.number(radius))] }
    return list(size + [standard])
  }

  /// Returns a number that grows with the zoom.
  private func byZoom(
    _ stops: DefaultWidths.Stops, _ value: (Double) -> DocumentNode
  ) -> DocumentNode {
    list(
      [text("interpolate"), list([text("linear")]), list([text("zoom")])]
        + stops.flatMap { [node(.number($0.zoom)), value($0.pixels)] })
  }

  /// Returns a colour property; the specification allows one without its `#`.
  private func color(_ name: String, _ own: DocumentNode?, _ last: String) -> DocumentNode {
    var choices = [text("to-color"), get(name), list([text("concat"), text("#"), get(name)])]
    if let own { choices.append(own) }
    // A constant never fails, so no fallback follows it.
    if own?.text == nil { choices.append(text(last)) }
    return list(choices)
  }

  private func number(_ name: String, _ own: DocumentNode?, _ last: Double) -> DocumentNode {
    let own = constant(own, last)
    return list([
      text("case"), list([text("has"), text(name)]), list([text("to-number"), get(name), own]), own,
    ])
  }

  /// Returns a number that is always present: the given one, otherwise the fallback.
  private func constant(_ own: DocumentNode?, _ last: Double) -> DocumentNode {
    guard let own else { return node(.number(last)) }
    return own.items == nil ? own : list([text("to-number"), own, node(.number(last))])
  }

  private func get(_ name: String) -> DocumentNode { list([text("get"), text(name)]) }

  private func text(_ text: String) -> DocumentNode { node(.string(text)) }

  private func list(_ items: [DocumentNode]) -> DocumentNode { node(.array(items)) }

  private func node(_ value: DocumentNode.Value) -> DocumentNode { DocumentNode(value, at: place) }
}

extension DocumentNode {
  /// Creates a value that is not written in any file; errors in it are attributed to `place`.
  init(json value: PropertyValue, at place: DocumentPlace) {
    switch value {
    case .null: self.init(.null, at: place)
    case .bool(let bool): self.init(.bool(bool), at: place)
    case .number(let number): self.init(.number(number), at: place)
    case .whole(let whole): self.init(.whole(whole), at: place)
    case .string(let text): self.init(.string(text), at: place)
    case .array(let items): self.init(.array(items.map { Self(json: $0, at: place) }), at: place)
    case .object(let members):
      self.init(
        .object(
          members.map {
            DocumentMember(key: $0.key, keyPlace: place, node: Self(json: $0.value, at: place))
          }), at: place)
    }
  }
}
