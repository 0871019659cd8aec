/// The role of one run of vertices of a shape.
package enum ShapePart: UInt8, Sendable {
  /// A line with two ends.
  case line
  /// The outer ring of a polygon; closes itself.
  case outerRing
  /// A hole of the polygon whose outer ring precedes it.
  case innerRing
  /// An outer ring that was closed over a pole: an area without an outline of its own.
  case polarOuterRing
  /// A hole that was closed over a pole.
  case polarInnerRing
  /// The outline of a polar ring: once around the globe, with one more edge at each end, so that
  /// its copies one world width to the east and west join it.
  case polarLine

  /// Whether it bounds an area.
  var isRing: Bool { !isLine && self != .polarLine }

  /// Whether it is a line with two ends.
  var isLine: Bool { self == .line }

  /// Whether it begins a polygon.
  var isOuterRing: Bool { self == .outerRing || self == .polarOuterRing }

  /// Whether a line is drawn along it.
  var isOutline: Bool { self != .polarOuterRing && self != .polarInnerRing }

  /// Whether the line along it is closed.
  var isClosedLine: Bool { self == .outerRing || self == .innerRing }
}
