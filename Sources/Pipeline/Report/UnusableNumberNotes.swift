import Rendering

extension UnusableNumbers {
  /// What the user should know of numbers that are not finite, a sentence for each property.
  func notes(of style: Style) -> [String] {
    entries.map { entry in
      "layer '\(style.layers[entry.layer].id)': '\(entry.property.rawValue)' is not a finite number"
        + " for some features; they are drawn with its default"
    }
  }
}
