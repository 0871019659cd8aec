import Styling

extension UnusableNumbers {
  /// Returns the notes about numbers that are not finite, a sentence for each property.
  ///
  /// - Parameter noted: properties of which another note says that no record has a value.
  func notes(of style: Style, besides noted: Set<LayerProperty>) -> [String] {
    entries.filter { entry in
      !noted.contains(
        LayerProperty(layer: style.layers[entry.layer].id, property: entry.property.rawValue))
    }.map { entry in
      "layer '\(style.layers[entry.layer].id)': '\(entry.property.rawValue)' is not a finite number"
        + " for some features; they are drawn with its default"
    }
  }
}
