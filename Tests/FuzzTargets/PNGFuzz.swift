import Overlays
import PNG
import Raster

/// PNG files: a byte of options, then the file. The options may have checksums made right and the
/// pixels packed, so that bytes get past the first checks.
enum PNGFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    var file = input.rest
    if form.has(bit: 0) { file = PNGRepair.checked(file) }
    if form.has(bit: 1) { file = PNGRepair.packed(file) }
    _ = file.withUnsafeBytes { PNGCheck().fault(in: $0) }

    var limits = PNGLimits()
    limits.maxPixels = 1 << 18
    let decoder = PNGDecoder(limits: limits)
    let pixmap = try? decoder.decode(file)
    let image = try ImageReading.check(file, form)
    guard let pixmap else { return false }
    let picture = Picture(pixmap)
    try require(Picture(try decoder.decode(file)) == picture, "a second decoding differs")
    if let image, !form.has(bit: 2) {
      try require(Picture(image.pixmap()) == picture, "the two decoders of PNG disagree")
    }
    guard picture.pixels.count <= 1 << 12 else { return true }
    let encoder = PNGEncoder()
    for encoded in [encoder.encode(pixmap), encoder.encodeImage(pixmap)] {
      try require(
        Picture(try decoder.decode(encoded)) == picture,
        "what was encoded is decoded to something else")
    }
    return true
  }
}

/// JPEG files: a byte of options, then the file.
enum JPEGFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    return try ImageReading.check(input.rest, form) != nil
  }
}

/// WebP files: a byte of options, then the file. Where libwebp is not installed all are refused.
enum WebPFuzz {
  static func check(_ bytes: UnsafeRawBufferPointer) throws -> Bool {
    var input = FuzzInput(bytes)
    let form = input.byte()
    return try ImageReading.check(input.rest, form) != nil
  }
}

/// Decoding of images of any format for overlays.
enum ImageReading {
  /// Decodes twice, under the options of the byte, and compares.
  static func check(_ file: [UInt8], _ form: UInt8) throws -> OverlayImage? {
    var limits = ImageLimits()
    limits.maxPixels = 1 << 18
    limits.maxDecodedBytes = 4 << 20
    limits.maxScratchBytes = 8 << 20
    limits.maxScans = 20
    var decoder = ImageDecoder(limits: limits)
    if form.has(bit: 2) { decoder.nodata = [.color(red: 0, green: 0, blue: 0)] }
    guard let image = try? decoder.decode(file) else {
      try require((try? decoder.decode(file)) == nil, "refused once, then decoded")
      return nil
    }
    try require(image.byteCount <= limits.maxDecodedBytes, "more bytes than the limit")
    let picture = Picture(image.pixmap())
    try require(
      picture.pixels.count == image.width * image.height, "not as many pixels as there should be")
    try require(
      Picture(try decoder.decode(file).pixmap()) == picture, "a second decoding differs")
    return image
  }
}

/// The pixels of a picture as a value.
private struct Picture: Equatable {
  var width: Int
  var pixels: [UInt32]

  init(_ pixmap: Pixmap) {
    width = pixmap.width
    // The buffer goes with the object.
    pixels = withExtendedLifetime(pixmap) { Array(pixmap.pixels) }
  }
}
