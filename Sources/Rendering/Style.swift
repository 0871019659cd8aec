import Expressions
import Features
package import Raster

/// The layers of a tileset, back to front.
package struct Style: Sendable {
  package let layers: [StyleLayer]

  package init(layers: [StyleLayer]) {
    self.layers = layers
  }

  /// The layers of a source, as indexes into ``layers``, back to front.
  package func layers(of source: String) -> [Int] {
    layers.indices.filter { layers[$0].source == source }
  }

  /// The names of the properties that the layers of a source read, in a fixed order; `nil` where
  /// one asks for all of them.
  package func propertyNames(of source: String) -> [String]? {
    var names: [String] = []
    for index in layers(of: source) {
      if layers[index].usesAllProperties { return nil }
      for name in layers[index].propertyNames where !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The colour under everything at a zoom: all visible background layers over one another.
  package func background(at zoom: Int) -> PremultipliedColor {
    let context = EvaluationContext(zoom: Double(zoom))
    var bits: UInt32 = 0
    for layer in layers where layer.kind == .background && layer.shows(at: zoom) {
      let color = layer.properties[.backgroundColor]?.color(context) ?? .black
      let opacity = layer.properties[.backgroundOpacity]?.number(context) ?? 1
      bits = sourceOver(PremultipliedColor(color.faded(opacity)).bits, bits)
    }
    return PremultipliedColor(bits: bits)
  }
}

extension Style {
  /// The font lists that symbol layers name by constants, and the default where one names none.
  package var fontStacks: [[String]] {
    let context = EvaluationContext(zoom: 0)
    return layers.filter { $0.kind == .symbol }.map { layer in
      layer.properties[.textFont]?.strings(context) ?? LookResolver.defaultFonts
    }
  }
}
