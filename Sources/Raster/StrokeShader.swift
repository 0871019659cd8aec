/// The treatment of the pixels of the triangles that make up a line.
protocol StrokeShader {
  /// Whether the distance along the line matters.
  static var readsAlong: Bool { get }

  func shade(_ span: StrokeSpan)
}

/// Adds the opacity of a line's pixels to a plane, as if each triangle were drawn over the one
/// before.
struct SolidShader: StrokeShader {
  static var readsAlong: Bool { false }

  private let target: PlaneTarget
  private let ramp: StrokeRamp

  init(_ target: PlaneTarget, _ ramp: StrokeRamp) {
    self.target = target
    self.ramp = ramp
  }

  @inline(__always)
  func shade(_ span: StrokeSpan) {
    let line = target.row(of: span)
    var x = span.x
    for column in span.columns {
      let across = span.across.base + span.across.step * x
      var distance = across.magnitude
      if span.isRound {
        let beyond = span.beyond.base + span.beyond.step * x
        distance = (across * across + beyond * beyond).squareRoot()
      }
      target.add(ramp.opacity(at: distance * ramp.outset), at: line + column)
      x += 256
    }
  }
}

/// Adds the opacity of a dashed line's pixels to a plane.
struct DashShader: StrokeShader {
  static var readsAlong: Bool { true }

  private let target: PlaneTarget
  private let ramp: StrokeRamp
  private let dashes: DashTexture

  init(_ target: PlaneTarget, _ ramp: StrokeRamp, _ dashes: DashTexture) {
    self.target = target
    self.ramp = ramp
    self.dashes = dashes
  }

  func shade(_ span: StrokeSpan) {
    let line = target.row(of: span)
    span.forEachPlace { column, place in
      let opacity = ramp.opacity(at: place.distance * ramp.outset)
      guard opacity > 0 else { return }
      target.add(
        opacity * dashes.opacity(along: place.along, across: place.across), at: line + column)
    }
  }
}

/// Composites the colours of a pattern or gradient over a picture, pixel by pixel.
struct PaintShader: StrokeShader {
  static var readsAlong: Bool { true }

  let pixmap: Pixmap
  let ramp: StrokeRamp
  let isBlurred: Bool

  /// The length of the whole line, in px.
  let length: Double

  /// Returns the bits of the premultiplied colour at a place on a line.
  let color: (LinePlace) -> UInt32

  func shade(_ span: StrokeSpan) {
    span.forEachPlace { column, place in
      let opacity = ramp.opacity(at: place.distance * ramp.outset)
      let covered = UInt32(truncatingIfNeeded: nearestInt(opacity * 255))
      guard covered > 0 else { return }
      pixmap.blend(
        color(LinePlace(along: place.along, across: place.across, length: length)), by: covered,
        at: span.row &* pixmap.width &+ column, isBlurred: isBlurred)
    }
  }
}

/// A place on a line that has a pattern or gradient.
package struct LinePlace {
  /// The distance along the line, in px.
  package let along: Double

  /// The position across the line, −1 at its right rim and 1 at its left rim; the rim is half a
  /// pixel beyond the line's side.
  package let across: Double

  /// The length of the whole line, in px.
  package let length: Double
}

extension StrokeSpan {
  /// Calls `body` with the position of each pixel. `distance` is the distance from the line's
  /// middle or end, as a fraction of the distance to its rim.
  @inline(__always)
  func forEachPlace(
    _ body: (_ column: Int, _ place: (across: Double, distance: Double, along: Double)) -> Void
  ) {
    var x = x
    for column in columns {
      let across = across.base + across.step * x
      let beyond = beyond.base + beyond.step * x
      let distance = isRound ? (across * across + beyond * beyond).squareRoot() : across.magnitude
      body(column, (across, distance, along.base + along.step * x))
      x += 256
    }
  }
}
