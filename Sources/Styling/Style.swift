import Expressions
package import Raster

/// The layers of a tileset, back to front.
package struct Style: Sendable {
  package let layers: [StyleLayer]

  /// The images that icons and patterns show.
  package let images: StyleImages

  package init(layers: [StyleLayer], images: StyleImages = StyleImages()) {
    self.layers = layers
    self.images = images
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

  /// Returns whether a layer may put labels or charts into polygons of a source.
  package func labelsPolygons(of source: String) -> Bool {
    layers(of: source).contains { index in
      guard layers[index].kind == .symbol else { return layers[index].kind == .chart }
      return layers[index].properties[.symbolPlacement]?.constant.map { $0 == .string("point") }
        ?? true
    }
  }

  /// Returns whether a layer may mark only the largest part of each feature of a source.
  package func marksLargestParts(of source: String) -> Bool {
    layers(of: source).contains { index in
      guard let parts = layers[index].properties[.symbolParts] else { return false }
      return parts.constant != .string(SymbolParts.all.rawValue)
    }
  }

  /// Whether a layer shows images of the style.
  package var showsImages: Bool {
    layers.contains(where: \.showsImages)
  }

  /// Returns whether a layer draws symbols or heat at lines and polygons of a source.
  package func marksShapes(of source: String) -> Bool {
    layers(of: source).contains { layers[$0].kind.marksShapes }
  }

  /// Returns whether layers only fill and stroke the shapes of a source, each on its own.
  package func onlyPaintsShapes(of source: String) -> Bool {
    let layers = layers(of: source).map { self.layers[$0] }
    return !layers.isEmpty && layers.allSatisfy { $0.kind == .fill || $0.kind == .line }
  }

  /// Returns whether layers only mark the features of a source with symbols, charts and circles.
  package func onlyShowsSymbols(of source: String) -> Bool {
    let layers = layers(of: source)
    return !layers.isEmpty && layers.allSatisfy { self.layers[$0].kind.isSymbolic }
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
      guard layer.isPlainBackground else { break }
      color = backgroundColor(of: layer, zoom: zoom).over(color)
    }
    return color
  }

  /// Returns whether tiles show a background layer at a zoom, so that every tile shows something.
  package func hasBackground(at zoom: Double) -> Bool {
    background(at: zoom).alpha > 0 || !veils(at: zoom, scale: 1).isEmpty
  }

  /// Returns the visible background layers that lie over other layers at a zoom, and those that
  /// have a pattern.
  ///
  /// - Parameter scale: device pixels per style pixel.
  package func veils(at zoom: Double, scale: Int) -> [BackgroundVeil] {
    let shown = layers.indices.filter { layers[$0].shows(at: zoom) }
    return shown.drop { layers[$0].isPlainBackground }.compactMap { index in
      guard layers[index].kind == .background else { return nil }
      if !layers[index].isPlainBackground {
        return pattern(of: layers[index], zoom: zoom, scale: scale).map {
          BackgroundVeil(layer: index, color: .transparent, pattern: $0)
        }
      }
      let color = backgroundColor(of: layers[index], zoom: zoom)
      return color.alpha == 0 ? nil : BackgroundVeil(layer: index, color: color)
    }
  }

  /// Returns the pattern of a background; `nil` if it shows nothing.
  private func pattern(of layer: StyleLayer, zoom: Double, scale: Int) -> PatternLook? {
    let images = images.images(scale: scale)
    let opacity =
      layer.properties[.backgroundOpacity]?.number(EvaluationContext(zoom: zoom)) ?? 1
    guard opacity > 0, let name = patternName(of: layer, zoom: zoom, images),
      let image = images[name]
    else { return nil }
    return PatternLook(
      image: image, opacity: opacity, magnification: StyleZoom(zoom).magnification)
  }

  /// Returns the name of the image that a background shows; `nil` if it names none.
  private func patternName(
    of layer: StyleLayer, zoom: Double, _ images: ScaledImages
  ) -> String? {
    let context = EvaluationContext(
      zoom: StyleZoom(zoom).zoom(of: .backgroundPattern), isImage: images.isImage)
    guard case .image(let image)? = layer.properties[.backgroundPattern]?.evaluate(context),
      !image.name.isEmpty
    else { return nil }
    return image.name
  }

  /// Returns the missing images that backgrounds ask for at a zoom.
  package func missingBackgrounds(at zoom: Double, scale: Int) -> MissingImages {
    let images = images.images(scale: scale)
    var missing = MissingImages()
    for layer in layers where layer.kind == .background && layer.shows(at: zoom) {
      if let name = patternName(of: layer, zoom: zoom, images), images[name] == nil {
        missing.count(name)
      }
    }
    return missing
  }

  private func backgroundColor(of layer: StyleLayer, zoom: Double) -> PremultipliedColor {
    let context = EvaluationContext(zoom: zoom)
    let color = layer.properties[.backgroundColor]?.color(context) ?? .black
    let opacity = layer.properties[.backgroundOpacity]?.number(context) ?? 1
    return PremultipliedColor(color.faded(opacity))
  }
}

extension StyleLayer {
  /// Whether the layer is a background of one colour.
  fileprivate var isPlainBackground: Bool {
    kind == .background && properties[.backgroundPattern] == nil
  }
}

/// A background layer over other layers: a colour or a pattern over the whole tile.
package struct BackgroundVeil: Hashable, Sendable {
  /// The index of the layer in the style.
  package var layer: Int
  package var color: PremultipliedColor

  /// The pattern instead of the colour.
  package var pattern: PatternLook?
}
