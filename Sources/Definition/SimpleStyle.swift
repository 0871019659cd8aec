import Features
package import Runs
import Styling

/// The layers of a file that names none: features are drawn as their simplestyle 1.1 properties say
/// (`fill`, `stroke`, `marker-color` …), with the defaults of that specification or of a
/// ``SimpleLook``.
package enum SimpleStyle {
  /// Returns layers for areas, for outlines and lines, and for points of a source of records.
  ///
  /// - Parameters:
  ///   - look: the values for features without a property of their own.
  ///   - drawsImages: whether a source of images gets a layer too.
  package static func layers(
    of source: SourceDefinition, look: SimpleLook, drawsImages: Bool, at place: DocumentPlace
  ) -> [LayerDefinition] {
    guard source.records != nil else {
      return drawsImages ? [layer(source, .raster, [], at: place)] : []
    }
    let paint = SimplePaint(look: look, place: place)
    return [
      layer(source, .fill, only: ["Polygon"], paint.fill, at: place),
      layer(source, .line, only: ["LineString", "Polygon"], paint.line, at: place),
      layer(source, .circle, only: ["Point"], paint.circle, at: place),
    ]
  }

  private static func layer(
    _ source: SourceDefinition, _ type: StyleLayer.Kind, only kinds: [String]? = nil,
    _ paint: [(String, DocumentNode)], at place: DocumentPlace
  ) -> LayerDefinition {
    let filter = kinds.map { kinds in
      PropertyValue.array([
        .string("in"), .array([.string("geometry-type")]),
        .array([.string("literal"), .array(kinds.map { .string($0) })]),
      ])
    }
    return LayerDefinition(
      id: "\(source.name)-\(type.rawValue)", type: type, source: source.name,
      filter: filter.map { DocumentNode(json: $0, at: place) },
      minZoom: LayerDefinition.zooms.lowerBound, maxZoom: LayerDefinition.zooms.upperBound,
      paint: paint.map { DocumentMember(key: $0.0, keyPlace: place, node: $0.1) }, layout: [],
      place: place)
  }
}

/// The paint properties of the default layers: a feature's own property, otherwise the look,
/// otherwise the default of simplestyle 1.1.
private struct SimplePaint {
  let look: SimpleLook

  /// The place to which errors in generated values are attributed.
  let place: DocumentPlace

  var fill: [(String, DocumentNode)] {
    [
      ("fill-color", color("fill", look.fill, "#555555")),
      ("fill-opacity", number("fill-opacity", look.fillOpacity, 0.6)),
    ]
  }

  var line: [(String, DocumentNode)] {
    [
      ("line-color", color("stroke", look.stroke, "#555555")),
      ("line-width", number("stroke-width", look.strokeWidth, 2)),
      ("line-opacity", number("stroke-opacity", look.strokeOpacity, 1)),
    ]
  }

  /// The paint of points; a marker is drawn as a disk.
  var circle: [(String, DocumentNode)] {
    var size = [text("match"), get("marker-size")]
    for (name, radius) in SimpleLook.markerSizes { size += [text(name), node(.number(radius))] }
    size.append(constant(look.markerRadius, 8))
    return [
      ("circle-color", color("marker-color", look.markerColor, "#7e7e7e")),
      ("circle-radius", list(size)), ("circle-stroke-color", text("#ffffff")),
      ("circle-stroke-width", node(.number(1.5))),
    ]
  }

  /// Returns a colour property; the specification allows one without its `#`.
  private func color(_ name: String, _ own: DocumentNode?, _ last: String) -> DocumentNode {
    var choices = [text("to-color"), get(name), list([text("concat"), text("#"), get(name)])]
    if let own { choices.append(own) }
    // A constant never fails, so no fallback is needed behind it.
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
