package import Raster

/// An encoder of a series of pictures as one animated PNG, whose first frame is also what viewers
/// without animation show.
///
/// Every frame after the first contains only the box in which it differs from the one before. All
/// frames share a palette if 256 colours suffice, and are RGBA otherwise; the colours are exact.
/// The bytes depend only on pictures, delays and options. Chunks `acTL`, `fcTL` and `fdAT` as in
/// the PNG specification, third edition, section 11.3.4.
package final class AnimatedPNG {
  /// A picture and its duration in milliseconds, 1 … 65,535,000; from 65.5 s on, the precision
  /// falls in steps to 10 ms, 100 ms and 1 s.
  package struct Frame {
    package let picture: Pixmap
    package let delay: Int

    package init(_ picture: Pixmap, delay: Int) {
      self.picture = picture
      self.delay = delay
    }
  }

  /// Maximum number of pixels of all frames together; a longer series is no overview.
  package static let maxPixels = 1 << 30

  private let compressor = ZlibCompressor(level: 6)
  private var scan = PaletteScan()
  private var indices = ScratchBytes()
  private var rows = FilteredRows()

  package init() {}

  /// Encodes the frames in order.
  ///
  /// - Parameter plays: the number of times that the animation is played; 0 for endless repetition.
  /// - Throws: ``PNGError`` if there are no frames, if two differ in size, or if they have more
  ///   pixels than ``maxPixels`` together.
  /// - Complexity: O(pixels), most of it in libdeflate.
  package func encode(_ frames: [Frame], plays: Int = 0) throws(PNGError) -> [UInt8] {
    guard let first = frames.first?.picture else {
      throw PNGError(.badHeader, "an animation needs a frame at least.")
    }
    for frame in frames
    where (frame.picture.width, frame.picture.height) != (first.width, first.height) {
      throw PNGError(
        .badHeader,
        "a frame of \(frame.picture.width) × \(frame.picture.height) pixels cannot follow one of "
          + "\(first.width) × \(first.height); an animation has one size.")
    }
    let pixels = first.pixels.count.multipliedReportingOverflow(by: frames.count)
    guard !pixels.overflow, pixels.partialValue <= Self.maxPixels else {
      throw PNGError(
        .tooLarge,
        "\(frames.count) frames of \(first.width) × \(first.height) pixels are more than "
          + "an animation holds; take fewer or smaller ones.")
    }
    let palette = APNGPalette(frames.map(\.picture), scan: &scan, indices: &indices)
    let layout = palette.map { PNGLayout(colorType: .palette, bitDepth: $0.bitDepth) } ?? .rgba
    var file = head(
      first, layout, palette, frames: UInt32(frames.count), plays: UInt32(clamping: plays))
    var sequence: UInt32 = 0
    for (index, frame) in frames.enumerated() {
      let control =
        index == 0
        ? APNGControl(whole: frame.picture, delay: frame.delay)
        : APNGControl(from: frames[index - 1].picture, to: frame.picture, delay: frame.delay)
      append(frame.picture, control, layout, palette, sequence: &sequence, to: &file)
    }
    append(to: &file, capacity: PNGChunkWriter.overhead) { $0.appendEnd() }
    return file
  }

  /// Returns the bytes of the file before the first frame.
  private func head(
    _ picture: Pixmap, _ layout: PNGLayout, _ palette: APNGPalette?, frames: UInt32, plays: UInt32
  ) -> [UInt8] {
    Array(unsafeUninitializedCapacity: PNGChunkWriter.maximumOverhead + 20) { bytes, count in
      var chunks = PNGChunkWriter(UnsafeMutableRawBufferPointer(bytes))
      chunks.appendHeader(width: picture.width, height: picture.height, layout: layout)
      chunks.append(.animation) { data in
        PNGChunkWriter.store(frames, at: 0, in: data)
        PNGChunkWriter.store(plays, at: 4, in: data)
        return 8
      }
      palette?.colors.withUnsafeBufferPointer { chunks.appendPalette($0) }
      count = chunks.count
    }
  }

  /// Appends the control chunk and the data of one frame; the data of the first frame is also the
  /// default image.
  private func append(
    _ picture: Pixmap, _ control: APNGControl, _ layout: PNGLayout, _ palette: APNGPalette?,
    sequence: inout UInt32, to file: inout [UInt8]
  ) {
    let samples = indices.reserve(picture.pixels.count)
    palette?.place(picture, scan: &scan, indices: samples)
    let raw = rows.filter(width: control.width, height: control.height, layout: layout) { y, row in
      let start = (control.y + y) * picture.width + control.x
      if palette != nil {
        RowPacker.pack(
          samples + start, count: control.width, bitDepth: layout.bitDepth, into: row)
      } else if let pixels = picture.pixels.baseAddress {
        RowPacker.packRGBA(pixels + start, count: control.width, into: row)
      }
    }
    let isFirst = sequence == 0
    let capacity = ZlibCompressor.bound(raw.count) + 4 + APNGControl.byteCount
    append(to: &file, capacity: capacity + 2 * PNGChunkWriter.overhead) { chunks in
      chunks.append(.frameControl) { control.write(sequence: sequence, to: $0) }
      sequence += 1
      if isFirst {
        chunks.append(.data) { compressor.compress(raw, into: $0) }
      } else {
        chunks.append(.frameData) { data in
          PNGChunkWriter.store(sequence, at: 0, in: data)
          let rest = UnsafeMutableRawBufferPointer(rebasing: data[4...])
          return 4 + compressor.compress(raw, into: rest)
        }
        sequence += 1
      }
    }
  }

  /// Appends chunks to a file, with at most `capacity` bytes.
  private func append(
    to file: inout [UInt8], capacity: Int, _ write: (inout PNGChunkWriter) -> Void
  ) {
    file += [UInt8](unsafeUninitializedCapacity: capacity) { bytes, count in
      var chunks = PNGChunkWriter(continuing: UnsafeMutableRawBufferPointer(bytes))
      write(&chunks)
      count = chunks.count
    }
  }
}

/// The position and duration of a frame of an animated PNG: the contents of its `fcTL`.
struct APNGControl: Hashable {
  /// The part of the picture that the frame replaces, in pixels.
  var x = 0
  var y = 0
  var width: Int
  var height: Int

  /// Duration in milliseconds, 1 … ``maxDelay``.
  var delay: Int

  /// Maximum duration: 65,535 s, the longest of 16 bits over a denominator of 1.
  static let maxDelay = 65_535_000

  static let byteCount = 26

  /// The delay as a fraction of a second, as exact as 16 bits allow.
  var delayFraction: (numerator: UInt16, denominator: UInt16) {
    let delay = min(max(delay, 1), Self.maxDelay)
    for denominator in [1000, 100, 10] {
      let divisor = 1000 / denominator
      let numerator = (delay + divisor / 2) / divisor
      if let short = UInt16(exactly: numerator) { return (short, UInt16(denominator)) }
    }
    return (UInt16(clamping: (delay + 500) / 1000), 1)
  }

  /// Writes the contents of the chunk. The frame's part replaces the previous content, and stays
  /// for the next frame.
  func write(sequence: UInt32, to data: UnsafeMutableRawBufferPointer) -> Int {
    let fields = [sequence, UInt32(width), UInt32(height), UInt32(x), UInt32(y)]
    for (index, field) in fields.enumerated() {
      PNGChunkWriter.store(field, at: index * 4, in: data)
    }
    let (numerator, denominator) = delayFraction
    data.storeBytes(of: numerator.bigEndian, toByteOffset: 20, as: UInt16.self)
    data.storeBytes(of: denominator.bigEndian, toByteOffset: 22, as: UInt16.self)
    // APNG_DISPOSE_OP_NONE and APNG_BLEND_OP_SOURCE.
    (data[24], data[25]) = (0, 0)
    return Self.byteCount
  }

  /// Creates the control for the box of pixels in which two pictures of one size differ; one pixel
  /// if none does.
  ///
  /// - Complexity: O(pixels).
  init(from earlier: Pixmap, to later: Pixmap, delay: Int) {
    let (width, height) = (later.width, later.height)
    var (left, right, top, bottom) = (width, 0, height, 0)
    for y in 0..<height {
      let row = y * width
      var first = 0
      while first < width, earlier.pixels[row + first] == later.pixels[row + first] { first += 1 }
      guard first < width else { continue }
      var end = width
      while earlier.pixels[row + end - 1] == later.pixels[row + end - 1] { end -= 1 }
      (left, right) = (min(left, first), max(right, end))
      (top, bottom) = (min(top, y), y + 1)
    }
    let isSame = top >= bottom
    self.delay = delay
    x = isSame ? 0 : left
    y = isSame ? 0 : top
    self.width = isSame ? 1 : right - left
    self.height = isSame ? 1 : bottom - top
  }

  init(whole picture: Pixmap, delay: Int) {
    width = picture.width
    height = picture.height
    self.delay = delay
  }
}

/// A common palette for all frames of an animated PNG, if they have at most 256 colours together.
struct APNGPalette {
  /// The straight colours, most transparent first, then by first appearance.
  let colors: [UInt32]

  private let places: [UInt32: UInt8]

  /// Creates the palette of all pictures, or `nil` if they have more than 256 colours.
  ///
  /// - Complexity: O(pixels).
  init?(_ pictures: [Pixmap], scan: inout PaletteScan, indices: inout ScratchBytes) {
    var found: [UInt32] = []
    var known: Set<UInt32> = []
    for picture in pictures {
      let memory = indices.reserve(picture.pixels.count)
      guard scan.scan(UnsafeBufferPointer(picture.pixels), indices: memory) else { return nil }
      for color in scan.colors where known.insert(color).inserted { found.append(color) }
      guard found.count <= PaletteScan.capacity else { return nil }
    }
    // Swift's sort is stable in practice but not by contract, so the order of appearance breaks
    // ties.
    colors = found.enumerated()
      .sorted { ($0.element >> 24, $0.offset) < ($1.element >> 24, $1.offset) }
      .map(\.element)
    places = Dictionary(
      uniqueKeysWithValues: colors.enumerated().map { ($1, UInt8(truncatingIfNeeded: $0)) })
  }

  /// The number of bits of an index.
  var bitDepth: Int { colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8 }

  /// Writes the palette index of each pixel to `indices`.
  ///
  /// - Complexity: O(pixels).
  func place(
    _ picture: Pixmap, scan: inout PaletteScan, indices: UnsafeMutablePointer<UInt8>
  ) {
    guard scan.scan(UnsafeBufferPointer(picture.pixels), indices: indices) else { return }
    let map = scan.colors.map { places[$0] ?? 0 }
    for position in 0..<picture.pixels.count { indices[position] = map[Int(indices[position])] }
  }
}
