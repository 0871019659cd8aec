package import Features

/// Widths and radii in pixels that grow with the zoom.
package enum DefaultWidths {
  /// The stops of a width: zoom and pixels.
  package typealias Stops = [(zoom: Double, pixels: Double)]

  static let outlineStops: Stops = [(4, 0.4), (9, 0.8), (14, 1.5), (18, 2.5)]
  static let lineStops: Stops = [(4, 0.8), (9, 1.6), (14, 3), (18, 6)]
  static let radiusStops: Stops = [(3, 3), (9, 5), (16, 8)]

  static let ringStops: Stops = [(3, 0.4), (9, 1), (14, 1.5)]

  /// The white ring around a dot.
  package static let ring = curve(ringStops) { .number($0) }

  package static let outline = curve(outlineStops) { .number($0) }
  package static let line = curve(lineStops) { .number($0) }
  package static let radius = curve(radiusStops) { .number($0) }

  /// Returns an expression that interpolates over the zoom.
  ///
  /// - Parameter value: makes the value at a stop from its pixels.
  static func curve(_ stops: Stops, _ value: (Double) -> PropertyValue) -> PropertyValue {
    let head: [PropertyValue] = [
      .string("interpolate"), .array([.string("linear")]), .array([.string("zoom")]),
    ]
    return .array(head + stops.flatMap { [.number($0.zoom), value($0.pixels)] })
  }
}
