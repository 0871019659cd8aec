/// The limits beyond which a sprite is refused.
package enum SpriteLimits {
  /// The maximum size of an index, in bytes; the largest in use have some 100 kB.
  package static let indexBytes = 8 << 20

  /// The maximum size of a PNG, in bytes.
  package static let pictureBytes = 64 << 20

  /// The maximum side of a PNG, in pixels.
  static let side = 8192

  /// The maximum number of pixels of a PNG, and of all images that an index cuts from it.
  static let pixels = 32 << 20

  /// The maximum number of images of an index.
  static let images = 20_000

  /// The maximum side of one image, in pixels: tiles have 1,024 at most.
  static let imageSide = 2048

  /// The maximum number of parts that stretch, of one axis of one image.
  static let zones = 64
}
