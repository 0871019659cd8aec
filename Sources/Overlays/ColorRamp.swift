package import Raster

/// The colours of the values of a one-band image: stops on the axis of the file's samples.
///
/// Between two stops colours are interpolated premultiplied, like MapLibre's `interpolate` in
/// `rgb`; beyond the first and the last stop their colour is kept.
package struct ColorRamp: Hashable, Sendable {
  package struct Stop: Hashable, Sendable {
    /// The sample of the image, 0 … 255 or 0 … 65535.
    package var value: Double
    package var color: Color

    package init(value: Double, color: Color) {
      self.value = value
      self.color = color
    }
  }

  /// The colouring of values between two stops.
  package enum Blending: Hashable, Sendable {
    case linear
    /// The colour of the stop at or below the value, up to the next; transparent below the first.
    case step
  }

  package let stops: [Stop]
  package let blending: Blending

  /// The premultiplied colours of the stops, 0 … 255 per channel.
  private let channels: [SIMD4<Float>]

  /// - Throws: ``OverlayError`` unless there is at least one stop, and the values are finite and
  ///   ascend.
  package init(stops: [Stop], blending: Blending = .linear) throws {
    guard !stops.isEmpty else {
      throw OverlayError(.badOptions, "the colour ramp has no stops; give at least one.")
    }
    guard stops.allSatisfy(\.value.isFinite),
      zip(stops, stops.dropFirst()).allSatisfy({ $0.value < $1.value })
    else {
      throw OverlayError(
        .badOptions, "the values of the colour ramp must be numbers in ascending order.")
    }
    self.stops = stops
    self.blending = blending
    channels = stops.map { stop in
      let color = stop.color
      let alpha = Float(min(max(color.alpha, 0), 1))
      func channel(_ value: Double) -> Float { Float(min(max(value, 0), 1)) * alpha * 255 }
      return SIMD4(
        channel(color.red), channel(color.green), channel(color.blue), alpha * 255)
    }
  }

  /// Returns the premultiplied colour of a value, 0 … 255 per channel, not rounded.
  ///
  /// - Complexity: O(log stops).
  func color(of value: Float) -> SIMD4<Float> {
    var (low, high) = (0, stops.count)
    while low < high {
      let middle = (low &+ high) >> 1
      if Float(stops[middle].value) <= value { low = middle &+ 1 } else { high = middle }
    }
    // `low` stops lie at or below the value.
    if low == 0 { return blending == .step ? .zero : channels[0] }
    if low == stops.count || blending == .step { return channels[low &- 1] }
    let (below, above) = (Float(stops[low &- 1].value), Float(stops[low].value))
    let part = (value - below) / (above - below)
    return channels[low &- 1] + (channels[low] - channels[low &- 1]) * part
  }
}
