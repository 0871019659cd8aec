package import Features

/// An image of a sprite, or one that a pipeline names: what icons and patterns show.
package final class StyleImage: Sendable {
  /// The name by which a style asks for it.
  package let name: String

  /// The size of the picture, in its own pixels.
  package let width: Int
  package let height: Int

  /// The premultiplied RGBA pixels, row by row; of a signed distance field only alpha counts.
  package let pixels: ContiguousArray<UInt32>

  package let geometry: StyleImageGeometry

  /// The hash of all values except the name: images with equal hashes look alike.
  package let hash: StableHash

  /// - Precondition: there are `width · height` pixels, at least one.
  package init(
    name: String, width: Int, height: Int, pixels: ContiguousArray<UInt32>,
    geometry: StyleImageGeometry = StyleImageGeometry()
  ) {
    precondition(width > 0 && height > 0 && pixels.count == width * height)
    self.name = name
    self.width = width
    self.height = height
    self.pixels = pixels
    self.geometry = geometry
    var hash = StableHash()
    hash.combine(width)
    hash.combine(height)
    for pixel in pixels { hash.combine(UInt64(pixel)) }
    hash.combine(geometry)
    self.hash = hash
  }

  /// The size on a map, in style pixels.
  package var displayWidth: Double { Double(width) / geometry.pixelRatio }
  package var displayHeight: Double { Double(height) / geometry.pixelRatio }
}

extension StyleImage: Hashable {
  package static func == (lhs: StyleImage, rhs: StyleImage) -> Bool {
    lhs === rhs || (lhs.hash == rhs.hash && lhs.name == rhs.name)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash.low) }
}

/// The meaning of an image's pixels: their density, and the parts that may be stretched.
package struct StyleImageGeometry: Hashable, Sendable {
  /// Pixels of the picture per style pixel.
  package var pixelRatio = 1.0

  /// Whether alpha is a signed distance field, to be drawn in any colour.
  package var isSDF = false

  /// The columns and rows, in pixels of the picture, that stretch if an icon is fitted to a text;
  /// ascending and apart. If there are none, all columns or rows stretch.
  package var stretchX: [ClosedRange<Double>] = []
  package var stretchY: [ClosedRange<Double>] = []

  /// The part that a fitted text covers, in pixels of the picture; `nil` for all of it.
  package var content: Content?

  /// The relation of the size of ``content`` to the size of a fitted text.
  package var textFitWidth = TextFit.stretchOrShrink
  package var textFitHeight = TextFit.stretchOrShrink

  /// The way in which one side of the content follows a text.
  package enum TextFit: String, CaseIterable, Hashable, Sendable {
    /// As long as the text.
    case stretchOrShrink
    /// As long as the text; if the other side is proportional, at least as long as the proportion
    /// requires.
    case stretchOnly
    /// In proportion to the other side.
    case proportional
  }

  package struct Content: Hashable, Sendable {
    package var left: Double
    package var top: Double
    package var right: Double
    package var bottom: Double

    package init(left: Double, top: Double, right: Double, bottom: Double) {
      self.left = left
      self.top = top
      self.right = right
      self.bottom = bottom
    }
  }

  package init(pixelRatio: Double = 1, isSDF: Bool = false) {
    self.pixelRatio = pixelRatio
    self.isSDF = isSDF
  }
}

extension StableHash {
  fileprivate mutating func combine(_ geometry: StyleImageGeometry) {
    combine(geometry.pixelRatio)
    combine(geometry.isSDF ? 1 : 0)
    for zones in [geometry.stretchX, geometry.stretchY] {
      combine(zones.count)
      for zone in zones {
        combine(zone.lowerBound)
        combine(zone.upperBound)
      }
    }
    combine(geometry.content == nil ? 0 : 1)
    guard let content = geometry.content else { return }
    for side in [content.left, content.top, content.right, content.bottom] { combine(side) }
    combine("\(geometry.textFitWidth) \(geometry.textFitHeight)")
  }
}
