import Features

/// The layers of a file that names none: the look that the features give themselves by the property
/// names of simplestyle 1.1 (`fill`, `stroke`, `marker-color` …), with the defaults of that
/// specification.
enum SimpleStyle {
  /// Areas, outlines and lines, and points of every source of records, in the order of the sources.
  static func layers(of sources: [SourceDefinition], at place: DocumentPlace) -> [LayerDefinition] {
    sources.filter { !$0.type.isImage }.flatMap { source in
      [
        layer(source, .fill, only: ["Polygon"], fill, at: place),
        layer(source, .line, only: ["LineString", "Polygon"], line, at: place),
        layer(source, .circle, only: ["Point"], circle, at: place),
      ]
    }
  }

  private static var fill: [(String, PropertyValue)] {
    [("fill-color", color("fill", "#555555")), ("fill-opacity", number("fill-opacity", 0.6))]
  }

  private static var line: [(String, PropertyValue)] {
    [
      ("line-color", color("stroke", "#555555")), ("line-width", number("stroke-width", 2)),
      ("line-opacity", number("stroke-opacity", 1)),
    ]
  }

  /// A marker is a disk here; its three sizes are ours, since the specification leaves them open.
  private static var circle: [(String, PropertyValue)] {
    let size = PropertyValue.array([
      .string("match"), .array([.string("get"), .string("marker-size")]), .string("small"),
      .number(5), .string("large"), .number(11), .number(8),
    ])
    return [
      ("circle-color", color("marker-color", "#7e7e7e")), ("circle-radius", size),
      ("circle-stroke-color", .string("#ffffff")), ("circle-stroke-width", .number(1.5)),
    ]
  }

  /// A colour property; the specification allows one without its `#`.
  private static func color(_ name: String, _ fallback: String) -> PropertyValue {
    let get = PropertyValue.array([.string("get"), .string(name)])
    return .array([
      .string("to-color"), get, .array([.string("concat"), .string("#"), get]), .string(fallback),
    ])
  }

  private static func number(_ name: String, _ fallback: Double) -> PropertyValue {
    .array([
      .string("case"), .array([.string("has"), .string(name)]),
      .array([
        .string("to-number"), .array([.string("get"), .string(name)]), .number(fallback),
      ]), .number(fallback),
    ])
  }

  private static func layer(
    _ source: SourceDefinition, _ type: LayerType, only kinds: [String],
    _ paint: [(String, PropertyValue)], at place: DocumentPlace
  ) -> LayerDefinition {
    let filter = PropertyValue.array([
      .string("in"), .array([.string("geometry-type")]),
      .array([.string("literal"), .array(kinds.map { .string($0) })]),
    ])
    return LayerDefinition(
      id: "\(source.name)-\(type.rawValue)", type: type, source: source.name,
      filter: DocumentNode(json: filter, at: place), minZoom: 0, maxZoom: 24,
      paint: paint.map {
        DocumentMember(key: $0.0, keyPlace: place, node: DocumentNode(json: $0.1, at: place))
      }, layout: [], place: place)
  }
}

extension DocumentNode {
  /// A value that stands in no file; faults in it are shown at `place`.
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
