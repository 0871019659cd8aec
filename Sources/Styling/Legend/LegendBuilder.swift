import Expressions
package import Features
import OrderedCollections
package import Raster

/// A builder of a style's legend: for each source, the looks of its features at the steps of the
/// styling expressions, and the colours of numeric rasters. Labels and pictures are left out
/// because they explain themselves.
package struct LegendBuilder {
  private let style: Style

  /// The JSON objects that the layers were compiled from, in the style's order.
  private let objects: [PropertyValue]

  private let zooms: ClosedRange<Int>

  /// The largest number of points of each clustered source, by source; no cluster has more.
  private let clusteredPoints: [String: Int]

  /// The bounds of the classes of clusters by source and zoom: the least value, then the upper bound
  /// of each class.
  private let classBounds: [String: [Int: [Double]]]

  /// The sources whose clusters are areas, with any number of points.
  private let cells: Set<String>

  /// The colours of numeric rasters at some values, by source.
  private let ramps: [String: [(value: Double, color: Color)]]

  private let shaper: TextShaper
  private let images: ScaledImages

  package init(
    style: Style, objects: [PropertyValue], zooms: ClosedRange<Int>,
    clusteredPoints: [String: Int], classBounds: [String: [Int: [Double]]] = [:],
    cells: Set<String> = [], ramps: [String: [(value: Double, color: Color)]] = [:],
    scale: Int = 1, fonts: FontLibrary
  ) {
    self.classBounds = classBounds
    self.cells = cells
    self.style = style
    self.objects = objects
    self.zooms = zooms
    self.clusteredPoints = clusteredPoints
    self.ramps = ramps
    shaper = TextShaper(fonts: fonts)
    images = style.images.images(scale: scale)
  }

  /// Returns the legend, with its entries in the order of the layers.
  ///
  /// - Throws: ``FontError`` if no font is available.
  package func legend(title: String) throws -> Legend {
    let groups = groups
    var entries: [LegendEntry] = []
    for group in groups {
      let isOnly = groups.count { $0.source == group.source } == 1
      let given = group.layers.lazy.compactMap { self.title(ofLayer: $0) }.first
      let title =
        given
        ?? LegendWords.title(
          of: group.layers.count > 1 && isOnly
            ? name(group, "source-layer") ?? group.source : id(ofLayer: group.layers[0]))
      entries += try self.entries(of: group, title: title)
    }
    return Legend(title: LegendWords.title(of: title), entries: entries)
  }

  /// The title that the file gives a layer.
  private func title(ofLayer index: Int) -> String? {
    Self.text("title", of: objects[index])
  }

  /// The id of a layer in the file. One layer of vector tiles in the file is several layers here,
  /// for tiles of different zooms.
  private func id(ofLayer index: Int) -> String {
    Self.text("layer", of: objects[index]) ?? style.layers[index].id
  }

  /// A name of vector tiles that a group draws; `nil` for other sources.
  private func name(_ group: Group, _ key: String) -> String? {
    Self.text(key, of: objects[group.layers[0]])
  }

  private static func metadata(_ key: String, of object: PropertyValue) -> PropertyValue? {
    member("metadata", of: object).flatMap { member(key, of: $0) }
  }

  private static func text(_ key: String, of object: PropertyValue) -> String? {
    if case .string(let text)? = metadata(key, of: object) { text } else { nil }
  }

  // MARK: Groups

  /// Layers that are drawn for the same features.
  private struct Group {
    var source: String
    var kind: Kind
    var filter: PropertyValue?
    var layers: [Int]
  }

  private enum Kind {
    case points
    case charts
    case shapes
    case heatmap
    case image
  }

  private var groups: [Group] {
    var groups: [Group] = []
    for (index, layer) in style.layers.enumerated() {
      guard let source = layer.source, let kind = kind(of: layer),
        zooms.contains(where: { layer.shows(at: Double($0)) }), objects.indices.contains(index),
        Self.metadata("legend", of: objects[index]) != .bool(false)
      else { continue }
      let filter = Self.member("filter", of: objects[index])
      let known = groups.firstIndex {
        $0.source == source && $0.kind == kind && (kind == .points || kind == .shapes)
          && $0.filter == filter
      }
      if let known {
        groups[known].layers.append(index)
      } else {
        groups.append(Group(source: source, kind: kind, filter: filter, layers: [index]))
      }
    }
    return groups
  }

  private func kind(of layer: StyleLayer) -> Kind? {
    switch layer.kind {
    case .circle: .points
    case .chart: .charts
    case .fill, .line: .shapes
    case .heatmap: .heatmap
    case .symbol: layer.properties[.iconImage] == nil ? nil : .points
    case .raster: layer.source.flatMap { ramps[$0] } == nil ? nil : .image
    case .background, .leg: nil
    }
  }

  private static func member(_ key: String, of object: PropertyValue) -> PropertyValue? {
    if case .object(let members) = object { members[key] } else { nil }
  }

  // MARK: Entries

  private func entries(of group: Group, title: String) throws -> [LegendEntry] {
    let zoom = zoom(of: group)
    let layers = group.layers.filter { style.layers[$0].shows(at: Double(zoom)) }
    var entry = LegendEntry(
      title: title, source: name(group, "source") ?? group.source,
      layers: group.layers.map(id(ofLayer:)), rows: [])
    if group.kind == .image {
      entry.rows = (ramps[group.source] ?? []).prefix(LegendSteps.limit).map { stop in
        let value = PropertyValue.number(stop.value)
        return LegendRow(
          label: LegendSteps.text(value), value: value, swatch: [.fill(stop.color)])
      }
      return entry.rows.isEmpty ? [] : [entry]
    }
    if group.kind == .charts {
      entry.rows = slices(ofLayer: group.layers[0], zoom: zoom)
      return entry.rows.isEmpty ? [] : [entry]
    }
    guard group.kind != .heatmap else {
      entry.rows = [LegendRow(label: "low – high", swatch: [ramp(of: layers, zoom: zoom)])]
      return [entry]
    }
    let steps = steps(of: group)
    guard !steps.isEmpty else {
      let swatch = try swatch(of: layers, [:], zoom: zoom)
      entry.rows = swatch.isEmpty ? [] : [LegendRow(label: title, swatch: swatch)]
      return entry.rows.isEmpty ? [] : [entry]
    }
    var entries: [LegendEntry] = []
    for one in steps {
      entry.property = one.property
      entry.rows = try one.steps.compactMap { step in
        let swatch = try swatch(
          of: layers, values(one.property, step.value, of: group.source), zoom: zoom)
        let bounds = one.property == Self.clusterClass ? classBounds[group.source]?[zoom] : nil
        return swatch.isEmpty
          ? nil
          : LegendRow(
            label: bounds.flatMap {
              Self.label(ofClass: step.label == "other" ? nil : step.value, besides: one, $0)
            } ?? step.label,
            value: step.label == "other" ? nil : step.value, swatch: swatch)
      }
      if !entry.rows.isEmpty { entries.append(entry) }
    }
    return entries
  }

  /// Returns a row for each slice of a chart: its name, or else the property that it shows.
  private func slices(ofLayer index: Int, zoom: Int) -> [LegendRow] {
    guard let slices = style.layers[index].properties[.chartSlices] else { return [] }
    let feature = SpecimenFeature([:])
    feature.bind(slices.propertyNames, list: 0)
    let context = EvaluationContext(zoom: Double(zoom), feature: feature)
    return zip(slices.slices(context), slices.sliceProperties).prefix(LegendSteps.limit)
      .enumerated().map { number, slice in
        let name = slice.0.name ?? slice.1.first.map(LegendWords.title) ?? "Slice \(number + 1)"
        return LegendRow(label: name, swatch: [.fill(slice.0.color)])
      }
  }

  /// Returns the properties that determine the group's look, colours first, each with its steps.
  private func steps(of group: Group) -> [LegendSteps] {
    var found: [LegendSteps] = []
    func add(_ steps: LegendSteps) {
      if !steps.steps.isEmpty, !found.contains(where: { $0.property == steps.property }) {
        found.append(steps)
      }
    }
    for property in Self.deciding {
      for index in group.layers where style.layers[index].properties[property] != nil {
        guard let expression = style.layers[index].properties[property],
          !expression.isFeatureConstant,
          let raw = Self.member(property.block, of: objects[index]).flatMap({
            Self.member(property.rawValue, of: $0)
          })
        else { continue }
        if let steps = LegendSteps(of: raw), steps.property != Self.count {
          add(steps)
        } else if expression.propertyNames.contains(Self.count) {
          if let counts = countSteps(of: group.source, LegendSteps(of: raw)) { add(counts) }
        } else {
          for (name, values) in expression.specimens.sorted(by: { $0.key < $1.key }) {
            add(LegendSteps(name, comparedWith: values))
          }
        }
      }
    }
    return found
  }

  private static let deciding: [StyleProperty] = [
    .fillColor, .circleColor, .lineColor, .iconImage, .iconColor, .fillPattern, .linePattern,
    .circleStrokeColor, .fillOutlineColor, .circleRadius, .iconSize, .lineWidth, .fillOpacity,
    .circleOpacity, .lineOpacity, .iconOpacity,
  ]

  private static let count = "point_count"

  /// The property that has the class of a cluster.
  private static let clusterClass = "class"

  /// Returns the bounds of a class as text; `nil` if there is no such class.
  ///
  /// - Parameter value: the class; `nil` for the classes that no step names, the last ones.
  private static func label(
    ofClass value: PropertyValue?, besides steps: LegendSteps, _ bounds: [Double]
  ) -> String? {
    let named = steps.steps.compactMap { $0.value.double.flatMap { Int(exactly: $0) } }
    let first = value == nil ? (named.max() ?? -1) + 1 : value?.double.flatMap { Int(exactly: $0) }
    guard let first, (0..<bounds.count - 1).contains(first) else { return nil }
    let last = value == nil ? bounds.count - 1 : first + 1
    let texts = [bounds[first], bounds[last]].map { LegendSteps.text(.number($0)) }
    return "\(texts[0]) – \(texts[1])"
  }

  /// Returns the steps of a cluster's count: the steps in the style, otherwise powers of ten up to
  /// the largest count.
  private func countSteps(of source: String, _ styled: LegendSteps?) -> LegendSteps? {
    guard let points = clusteredPoints[source] else { return nil }
    if let styled { return styled }
    let powers = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000].filter { $0 <= max(points, 1) }
    return LegendSteps(Self.count, comparedWith: powers.map { .number(Double($0)) })
  }

  /// Returns the properties of a specimen feature for one value of a property.
  private func values(
    _ property: String, _ value: PropertyValue, of source: String
  ) -> [String: PropertyValue] {
    guard property == Self.count, case .number(let number) = value,
      number >= (cells.contains(source) ? 1 : 2),
      let count = Int(exactly: number.rounded())
    else { return property == Self.count ? [:] : [property: value] }
    return SpecimenFeature.properties(ofCluster: count)
  }

  /// Returns the zoom at which most of the layers show; the middle one if there are several.
  private func zoom(of group: Group) -> Int {
    let shown = zooms.map { zoom in
      (zoom: zoom, count: group.layers.count { style.layers[$0].shows(at: Double(zoom)) })
    }
    let most = shown.map(\.count).max() ?? 0
    let best = shown.filter { $0.count == most }.map(\.zoom)
    return best.isEmpty ? zooms.lowerBound : best[best.count / 2]
  }

  // MARK: Swatches

  /// Returns the swatch of a feature with these properties. Filters are ignored: a feature that
  /// passes them may have more properties than a specimen.
  private func swatch(
    of layers: [Int], _ values: [String: PropertyValue], zoom: Int
  ) throws -> [LegendSwatch] {
    let feature = SpecimenFeature(values)
    var lists = 0
    var swatches: [LegendSwatch] = []
    for index in layers {
      let layer = style.layers[index].unfiltered
      switch layer.kind {
      case .circle, .chart, .symbol:
        let resolver = LookResolver(
          layer, index: index, zoom: Double(zoom), shaper: shaper, images: images, nextList: &lists)
        for look in try resolver.looks(of: feature) {
          switch look {
          case .circle(let circle): swatches.append(.circle(circle))
          case .icon(let icon): swatches.append(.icon(icon))
          case .chart, .leg, .text: break
          }
        }
      case .fill, .line:
        let resolver = ShapeLookResolver(
          layer, index: index, zoom: Double(zoom), scale: 1, images: images, nextList: &lists)
        guard resolver.shows(feature) else { continue }
        let looks = resolver.looks(of: feature)
        if case .fill(let look)? = looks.area {
          swatches.append(
            look.pattern.map {
              .pattern(
                PatternLook(image: $0.image, opacity: $0.opacity * look.layerOpacity))
            } ?? .fill(look.color.faded(look.layerOpacity)))
        }
        if case .line(var look)? = looks.line {
          look.color = look.color.faded(look.layerOpacity)
          swatches.append(.line(look))
        }
      case .background, .heatmap, .leg, .raster: break
      }
    }
    return swatches
  }

  private func ramp(of layers: [Int], zoom: Int) -> LegendSwatch {
    let steps = 16
    let color =
      layers.first.flatMap { style.layers[$0].properties[.heatmapColor] }
      ?? (try? CompiledExpression.compile(PropertySpecification.heatmapRamp, for: .heatmapColor))
    return .ramp(
      (0...steps).map { step in
        let context = EvaluationContext(
          zoom: Double(zoom), heatmapDensity: Double(step) / Double(steps))
        return color?.color(context) ?? .transparent
      })
  }
}

extension StyleLayer {
  /// The same layer without its filter.
  fileprivate var unfiltered: StyleLayer {
    StyleLayer(
      id: id, kind: kind, source: source, minZoom: minZoom, maxZoom: maxZoom, isVisible: isVisible,
      filter: nil, properties: properties)
  }
}
