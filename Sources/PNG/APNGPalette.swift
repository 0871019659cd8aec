import Raster

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
