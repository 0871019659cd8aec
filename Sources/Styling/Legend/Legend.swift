package import Features
package import Raster

/// A legend of a tileset: the layers' looks, step by step, with their meanings.
package struct Legend: Hashable, Sendable {
  package var title: String
  package var entries: [LegendEntry]
}

/// One part of a legend: layers that are drawn over one another for the same features.
package struct LegendEntry: Hashable, Sendable {
  package var title: String
  package var source: String
  package var layers: [String]

  /// The property whose values the rows show; `nil` if all features look alike.
  package var property: String?

  package var rows: [LegendRow]
}

/// One line of an entry: a swatch and its meaning.
package struct LegendRow: Hashable, Sendable {
  /// The text beside the swatch.
  package var label: String

  /// The value of the property that has this look; `nil` if no single value does.
  package var value: PropertyValue?

  /// The items to draw, back to front; lengths are in style pixels.
  package var swatch: [LegendSwatch]
}

/// One item of a swatch.
package enum LegendSwatch: Hashable, Sendable {
  case circle(CircleLook)
  case fill(Color)
  case icon(IconLook)
  case pattern(PatternLook)
  case line(LineLook)
  /// Colours from the lowest to the highest density.
  case ramp([Color])
}
