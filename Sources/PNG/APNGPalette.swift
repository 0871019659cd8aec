import Raster

/// One palette for all frames of an animated PNG, where 256 colours suffice for them together.
struct APNGPalette {
  /// Straight colours, the most transparent first, then by first appearance.
  let colors: [UInt32]

  private let places: [UInt32: UInt8]

  /// The colours of all pictures, or `nil` where they are more than 256.
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
    // Swift's sort is stable in practice but not by contract, so the appearance breaks ties itself.
    colors = found.enumerated()
      .sorted { ($0.element >> 24, $0.offset) < ($1.element >> 24, $1.offset) }
      .map(\.element)
    places = Dictionary(
      uniqueKeysWithValues: colors.enumerated().map { ($1, UInt8(truncatingIfNeeded: $0)) })
  }

  /// Bits of an index.
  var bitDepth: Int { colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8 }

  /// Writes each pixel's place in the palette to `indices`.
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
