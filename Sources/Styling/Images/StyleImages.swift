/// The images of a style, at one or two pixel densities.
package struct StyleImages: Sendable {
  /// The images by density and name.
  private var images: [Int: [String: StyleImage]] = [:]

  package init() {}

  /// Adds an image; a name keeps its first image.
  ///
  /// - Parameter density: the pixel density of the tiles that the image is made for, 1 or 2.
  package mutating func add(_ image: StyleImage, density: Int) {
    if images[density]?[image.name] == nil { images[density, default: [:]][image.name] = image }
  }

  /// Returns the images for tiles of a pixel density; a name without an image for this density
  /// gets its other image, enlarged or reduced.
  package func images(scale: Int) -> ScaledImages {
    var chosen: [String: StyleImage] = [:]
    for density in images.keys.sorted(by: { Self.order($0, $1, scale: scale) }) {
      chosen.merge(images[density] ?? [:]) { first, _ in first }
    }
    return ScaledImages(chosen)
  }

  /// Whether density `a` suits the tiles better than `b`: first their own, then the greater one.
  private static func order(_ a: Int, _ b: Int, scale: Int) -> Bool {
    (a == scale ? 0 : 1, -a) < (b == scale ? 0 : 1, -b)
  }
}

/// The images of a style for tiles of one pixel density.
package struct ScaledImages: Sendable {
  private let images: [String: StyleImage]

  package static let none = ScaledImages([:])

  package init(_ images: [String: StyleImage]) {
    self.images = images
  }

  package subscript(name: String) -> StyleImage? { images[name] }

  /// A test whether there is an image of a name, for expressions.
  var isImage: @Sendable (String) -> Bool {
    { [images] in images[$0] != nil }
  }
}
