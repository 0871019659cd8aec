import Features
package import Raster

/// An icon with all values resolved: the look of one feature in one `symbol` layer.
///
/// Lengths are style pixels around the anchor, before the icon is turned.
package struct IconLook: Hashable, Sendable {
  /// A column or row of the image's pixels, and its place.
  package struct Stop: Hashable, Sendable {
    /// The distance from the image's left or upper edge, in its own pixels.
    package var texel: Double
    package var place: Double

    package init(texel: Double, place: Double) {
      self.texel = texel
      self.place = place
    }
  }

  package var image: StyleImage

  /// The positions of columns and rows of the image, ascending; pixels between two stops are
  /// spread evenly.
  package var columns: [Stop]
  package var rows: [Stop]

  /// Whether the icon is fitted to a text and its image keeps its pixel size outside the stretched
  /// parts.
  package var isFitted = false

  /// Whether the image is interpolated even if it is neither scaled nor turned.
  package var isSmooth = false

  /// The rotation about the anchor, in degrees clockwise.
  package var rotate = 0.0

  /// The part of ``rotate`` by which the icon turns with its line.
  package var lineAngle = 0.0

  package var opacity = 1.0

  /// The colours of a signed distance field; other images have their own.
  package var color = Color.black
  package var haloColor = Color.transparent

  /// The width of the halo of a signed distance field beyond its outline, and of its fading rim.
  package var haloWidth = 0.0
  package var haloBlur = 0.0

  /// The offset of `icon-translate`, eastward and southward.
  package var translateX = 0.0
  package var translateY = 0.0

  /// - Precondition: `columns` and `rows` have two stops each, at least.
  package init(image: StyleImage, columns: [Stop], rows: [Stop]) {
    self.image = image
    self.columns = columns
    self.rows = rows
  }

  /// The edges of the picture.
  package var left: Double { columns.first?.place ?? 0 }
  package var top: Double { rows.first?.place ?? 0 }
  package var right: Double { columns.last?.place ?? 0 }
  package var bottom: Double { rows.last?.place ?? 0 }

  /// The icon as it counts in placement: as in MapLibre, without the rotation of its line.
  package var unturnedByLine: IconLook {
    var icon = self
    icon.rotate -= lineAngle
    icon.lineAngle = 0
    return icon
  }

  /// Returns the icon larger or smaller around its anchor.
  package func scaled(by factor: Double) -> IconLook {
    guard factor != 1 else { return self }
    var icon = self
    icon.columns = columns.map { Stop(texel: $0.texel, place: $0.place * factor) }
    icon.rows = rows.map { Stop(texel: $0.texel, place: $0.place * factor) }
    return icon
  }

  /// Whether the icon shows nothing.
  var isInvisible: Bool {
    guard opacity > 0, left < right, top < bottom else { return true }
    guard image.geometry.isSDF else { return false }
    return color.alpha <= 0 && (haloColor.alpha <= 0 || haloWidth <= 0)
  }
}

extension StableHash {
  /// Mixes in all values that decide an icon's pixels.
  mutating func combine(_ icon: IconLook) {
    combine(5)
    combine(icon.image.hash)
    for stops in [icon.columns, icon.rows] {
      combine(stops.count)
      for stop in stops {
        combine(stop.texel)
        combine(stop.place)
      }
    }
    combine((icon.isFitted ? 1 : 0) | (icon.isSmooth ? 2 : 0))
    for value in [icon.rotate, icon.opacity, icon.haloWidth, icon.haloBlur] { combine(value) }
    combine(icon.color)
    combine(icon.haloColor)
  }
}
