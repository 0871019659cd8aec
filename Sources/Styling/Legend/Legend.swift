package import Features
package import Raster

/// What the symbols of a tileset mean: the layers' looks, step by step.
package struct Legend: Hashable, Sendable {
  package var title: String
  package var entries: [LegendEntry]
}

/// One part of a legend: layers that are drawn over one another for the same features.
package struct LegendEntry: Hashable, Sendable {
  package var title: String
  package var source: String
  package var layers: [String]

  /// The property whose values the rows show; `nil` where all features look alike.
  package var property: String?

  package var rows: [LegendRow]
}

/// One line of an entry: a swatch and what it means.
package struct LegendRow: Hashable, Sendable {
  /// What stands beside the swatch.
  package var label: String

  /// The value of the property that looks like this; `nil` where no single one does.
  package var value: PropertyValue?

  /// What is drawn, back to front; lengths in px of the style.
  package var swatch: [LegendSwatch]
}

/// One thing of a swatch.
package enum LegendSwatch: Hashable, Sendable {
  case circle(CircleLook)
  case fill(Color)
  case line(LineLook)
  /// Colours from the least to the most density.
  case ramp([Color])
}
