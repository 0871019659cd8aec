import Clustering
package import Features
package import Raster
package import Styling

/// The radii within which clusters and single points of a source are drawn, for clusters that must not
/// touch.
///
/// The size of a cluster follows from its count and the zoom, that of a point also from its own
/// properties. Labels of points that look for room do not count: those without room are not drawn.
package final class BubbleSizes {
  /// The layers that show at a zoom, and the radii of the counts seen so far.
  private struct Zoom {
    var layers: [LookResolver]

    /// Whether the look of a single point depends on its properties.
    var readsPoints: Bool
    var radii: [Int: Double] = [:]
  }

  private let style: Style
  private let source: String
  private let shaper: TextShaper
  private let footprint: LabelFootprint
  private let point: FeatureView
  private var zooms: [Int: Zoom] = [:]

  package init(_ style: Style, source: String, points: PointSet, shaper: TextShaper) {
    self.style = style
    self.source = source
    self.shaper = shaper
    footprint = LabelFootprint(scale: 1, shaper: shaper)
    point = FeatureView(points: points, level: nil)
  }

  /// Returns the radius of a cluster, or of a single point, in pixels; 0 if nothing is drawn.
  ///
  /// - Parameter row: the row of the point; of no account for a cluster.
  package func radius(zoom: Int, count: Int, row: Int) throws -> Double {
    var found = zooms[zoom] ?? layers(at: zoom)
    if let known = found.radii[count] { return known }
    let radius: Double
    if count == 1 {
      point.row = row
      radius = try self.radius(of: point, found.layers, isPoint: true)
    } else {
      let feature = SpecimenFeature(cluster: count, of: found.layers.map(\.layer))
      radius = try self.radius(of: feature, found.layers, isPoint: false)
    }
    if count > 1 || !found.readsPoints { found.radii[count] = radius }
    zooms[zoom] = found
    return radius
  }

  private func layers(at zoom: Int) -> Zoom {
    var lists = 0
    let images = style.images.images(scale: 1)
    let layers = style.layers(of: source).filter {
      style.layers[$0].kind.isSymbolic && style.layers[$0].shows(at: Double(zoom))
    }.map {
      LookResolver(
        style.layers[$0], index: $0, zoom: Double(zoom), shaper: shaper, images: images,
        nextList: &lists)
    }
    let reads = layers.contains { layer in
      layer.layer.usesID || layer.layer.usesAllProperties || layer.layer.usesGeometry
        || !Set(layer.layer.propertyNames).isSubset(of: CountNames.all)
    }
    return Zoom(layers: layers, readsPoints: reads)
  }

  private func radius(
    of feature: any LookFeature, _ layers: [LookResolver], isPoint: Bool
  ) throws -> Double {
    try layers.reduce(0) { largest, layer in
      if isPoint, layer.layer.kind == .symbol, layer.looksForRoom { return largest }
      return try layer.looks(of: feature).reduce(largest) { max($0, try reach(of: $1)) }
    }
  }

  /// Returns the distance from its anchor within which a look is drawn.
  private func reach(of look: Look) throws -> Double {
    switch look {
    case .circle(let circle):
      return Self.length(circle.translateX, circle.translateY)
        + circle.shape(scale: 1).drawnOuterRadius
    case .chart(let chart):
      let reach = chart.shape(scale: 1).reach
      return Self.length(chart.translateX, chart.translateY)
        + (chart.isRound ? reach.x : Self.length(reach.x, reach.y))
    case .leg: return 0
    case .icon(let icon): return Self.reach(of: footprint.box(of: icon))
    case .text(let text):
      return try footprint.obstacles(of: text).reduce(0) { max($0, Self.reach(of: $1)) }
    }
  }

  private static func reach(of box: LabelObstacle) -> Double {
    length(
      Double(max(abs(box.left), abs(box.right))), Double(max(abs(box.top), abs(box.bottom))))
  }

  private static func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
}

extension Style {
  /// Returns a layer of a source whose sizes read one of some properties, and the property.
  package func layer(
    of source: String, sizedBy names: Set<String>
  ) -> (layer: StyleLayer, property: String)? {
    for index in layers(of: source) where layers[index].kind.isSymbolic {
      let read = layers[index].sizeProperties.first { names.contains($0) }
      if let read { return (layers[index], read) }
    }
    return nil
  }
}
