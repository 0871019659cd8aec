/// The surroundings of a view of the map in a publication.
///
/// All lengths are in style pixels.
package struct Figure: Hashable, Sendable {
  /// The line above the map; broken where it is wider than the map.
  package var title: String?

  /// Whether the legend stands in the upper right corner of the map.
  package var hasLegend = false

  /// Whether a bar in metres or kilometres stands in the lower left corner.
  package var hasScaleBar = false

  /// Whether the sources' attribution stands in the lower right corner.
  package var hasAttribution = false

  /// The width of the white border around map and title.
  package var margin = 0

  package init() {}

  /// Whether nothing surrounds the map.
  var isPlain: Bool { self == Figure() }

  /// The widest border that may be asked for.
  package static let widestMargin = 1000
}
