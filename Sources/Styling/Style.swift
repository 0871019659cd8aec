import Expressions
import Features
package import Raster

/// The layers of a tileset, back to front.
package struct Style: Sendable {
  package let layers: [StyleLayer]

  package init(layers: [StyleLayer]) {
    self.layers = layers
  }

  /// Returns the layers of a source, as indexes into ``layers``, back to front.
  package func layers(of source: String) -> [Int] {
    layers.indices.filter { layers[$0].source == source }
  }

  /// The ids of the sources that layers use, in the order of first use.
  package var sources: [String] {
    var ids: [String] = []
    for layer in layers {
      if let id = layer.source, !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  /// Returns whether a layer may put labels into polygons of a source.
  package func labelsPolygons(of source: String) -> Bool {
    layers(of: source).contains { index in
      guard layers[index].kind == .symbol else { return false }
      return layers[index].properties[.symbolPlacement]?.constant.map { $0 == .string("point") }
        ?? true
    }
  }

  /// Returns whether a layer draws symbols or heat at lines and polygons of a source.
  package func marksShapes(of source: String) -> Bool {
    layers(of: source).contains { layers[$0].kind.marksVertices }
  }

  /// Returns the names of the properties that the layers of a source read, in a fixed order; `nil`
  /// if a layer reads all of them.
  package func propertyNames(of source: String) -> [String]? {
    var names: [String] = []
    for index in layers(of: source) {
      if layers[index].usesAllProperties { return nil }
      for name in layers[index].propertyNames where !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns the background colour at a zoom: the visible background layers below all other layers,
  /// blended.
  package func background(at zoom: Double) -> PremultipliedColor {
    var color = PremultipliedColor.transparent
    for layer in layers where layer.shows(at: zoom) {
      guard layer.kind == .background else { break }
      color = backgroundColor(of: layer, zoom: zoom).over(color)
    }
    return color
  }

  /// Returns whether tiles show a background layer at a zoom, so that every tile shows something.
  package func hasBackground(at zoom: Double) -> Bool {
    background(at: zoom).alpha > 0 || !veils(at: zoom).isEmpty
  }

  /// Returns the visible background layers that lie over other layers at a zoom.
  package func veils(at zoom: Double) -> [BackgroundVeil] {
    let shown = layers.indices.filter { layers[$0].shows(at: zoom) }
    return shown.drop { layers[$0].kind == .background }.compactMap { index in
      guard layers[index].kind == .background else { return nil }
      let color = backgroundColor(of: layers[index], zoom: zoom)
      return color.alpha == 0 ? nil : BackgroundVeil(layer: index, color: color)
    }
  }

  private func backgroundColor(of layer: StyleLayer, zoom: Double) -> PremultipliedColor {
    let context = EvaluationContext(zoom: zoom)
    let color = layer.properties[.backgroundColor]?.color(context) ?? .black
    let opacity = layer.properties[.backgroundOpacity]?.number(context) ?? 1
    return PremultipliedColor(color.faded(opacity))
  }
}

/// A background layer over other layers: a colour over the whole tile.
package struct BackgroundVeil: Hashable, Sendable {
  /// The index of the layer in the style.
  package var layer: Int
  package var color: PremultipliedColor
}
