import Raster
import Styling

/// Images that tests make up.
enum SampleImages {
  /// An arrow of 8 × 6 pixels that points to the right: red, with a translucent tip.
  static func arrow(pixelRatio: Double = 1) -> StyleImage {
    image("arrow", ["##......", "####....", "######++", "######++", "####....", "##......"]) {
      $0.pixelRatio = pixelRatio
    }
  }

  /// A frame of 6 × 6 pixels, of which the middle stretches and holds a text.
  static var frame: StyleImage {
    image("frame", [".####.", "#++++#", "#++++#", "#++++#", "#++++#", ".####."]) {
      $0.stretchX = [2...4]
      $0.stretchY = [2...4]
      $0.content = StyleImageGeometry.Content(left: 1, top: 1, right: 5, bottom: 5)
    }
  }

  /// A signed distance field of 16 × 16 pixels: a disc of 5 pixels.
  static var disc: StyleImage {
    var pixels = ContiguousArray<UInt32>()
    for y in 0..<16 {
      for x in 0..<16 {
        let (dx, dy) = (Double(x) - 7.5, Double(y) - 7.5)
        let outside = (dx * dx + dy * dy).squareRoot() - 5
        pixels.append(UInt32(min(max(192 - outside * 32, 0), 255)) << 24)
      }
    }
    return StyleImage(
      name: "disc", width: 16, height: 16, pixels: pixels,
      geometry: StyleImageGeometry(isSDF: true))
  }

  private static func image(
    _ name: String, _ rows: [String], _ change: (inout StyleImageGeometry) -> Void
  ) -> StyleImage {
    var geometry = StyleImageGeometry()
    change(&geometry)
    let colors: [Character: UInt32] = [
      "#": PremultipliedColor(Color(red: 1, green: 0, blue: 0)).bits,
      "+": PremultipliedColor(Color(red: 1, green: 0, blue: 0).faded(0.5)).bits,
    ]
    return StyleImage(
      name: name, width: rows[0].count, height: rows.count,
      pixels: ContiguousArray(rows.joined().map { colors[$0] ?? 0 }), geometry: geometry)
  }

  static var all: ScaledImages {
    ScaledImages(["arrow": arrow(), "frame": frame, "disc": disc])
  }

  /// The images as a style has them.
  static var images: StyleImages {
    var images = StyleImages()
    for image in [arrow(), frame, disc] { images.add(image, density: 1) }
    return images
  }

  /// An icon around its anchor, as large as its image.
  static func icon(_ image: StyleImage, size: Double = 1) -> IconLook {
    let (width, height) = (image.displayWidth * size, image.displayHeight * size)
    return IconLook(
      image: image,
      columns: [
        IconLook.Stop(texel: 0, place: -width / 2),
        IconLook.Stop(texel: Double(image.width), place: width / 2),
      ],
      rows: [
        IconLook.Stop(texel: 0, place: -height / 2),
        IconLook.Stop(texel: Double(image.height), place: height / 2),
      ])
  }
}
