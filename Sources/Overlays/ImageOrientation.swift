/// The orientation in which the rows of a picture are shown, by the numbers of Exif 2.3, 4.6.4.
package enum ImageOrientation: Int, Hashable, Sendable, CaseIterable {
  /// Rows as they are stored, from the top.
  case upright = 1
  case mirrored = 2
  case upsideDown = 3
  /// The first row is the lowest one.
  case flipped = 4
  /// Rows are shown as columns, the first one at the left.
  case transposed = 5
  /// The first row is shown as the last column: a quarter turn clockwise.
  case turnedRight = 6
  /// The first row is shown as the last column, from the bottom.
  case transversed = 7
  /// The first row is shown as the first column, from the bottom: a quarter turn counter-clockwise.
  case turnedLeft = 8

  /// Whether rows are shown as columns.
  package var swapsSides: Bool { rawValue >= 5 }

  /// Whether the last pixel of a stored row is shown first.
  fileprivate var startsAtRowEnd: Bool { [2, 3, 7, 8].contains(rawValue) }

  /// Whether the last stored row is shown first.
  fileprivate var startsAtLastRow: Bool { [3, 4, 6, 7].contains(rawValue) }
}

extension ImageSize {
  /// Returns the size of a picture that is shown in an orientation.
  package func shown(_ orientation: ImageOrientation) -> ImageSize {
    orientation.swapsSides ? ImageSize(width: height, height: width) : self
  }
}

extension OverlayImage {
  /// Returns the image with its pixels as an orientation shows them.
  ///
  /// - Complexity: O(pixels), with memory for a second copy.
  func shown(_ orientation: ImageOrientation) -> OverlayImage {
    guard orientation != .upright else { return self }
    let walk = PixelWalk(width: width, height: height, orientation)
    let turned: Texels =
      switch texels {
      case .rgba(let pixels): .rgba(ContiguousArray(walk.reordered(pixels)))
      case .rgb(let bytes): .rgb(walk.reordered(bytes, perPixel: 3) + [0])
      case .indexed(let bytes, let palette): .indexed(walk.reordered(bytes), palette: palette)
      case .values8(let values, let meaning): .values8(walk.reordered(values), meaning)
      case .values16(let values, let meaning): .values16(walk.reordered(values), meaning)
      // GDAL's images have no orientation here.
      case .mappedColors, .mappedValues: texels
      }
    return OverlayImage(width: walk.size.width, height: walk.size.height, texels: turned)
  }
}

/// The order in which stored pixels are shown.
private struct PixelWalk {
  /// The size that is shown.
  let size: ImageSize

  /// The stored pixel that is shown first, and the steps to the next one in a row and in a column.
  private let first: Int
  private let across: Int
  private let down: Int

  init(width: Int, height: Int, _ orientation: ImageOrientation) {
    size = ImageSize(width: width, height: height).shown(orientation)
    first =
      (orientation.startsAtRowEnd ? width - 1 : 0)
      + (orientation.startsAtLastRow ? (height - 1) * width : 0)
    let along = orientation.startsAtRowEnd ? -1 : 1
    let below = orientation.startsAtLastRow ? -width : width
    (across, down) = orientation.swapsSides ? (below, along) : (along, below)
  }

  /// - Parameter count: the elements of a pixel.
  func reordered<Element>(
    _ pixels: some RandomAccessCollection<Element>, perPixel count: Int = 1
  ) -> [Element] {
    pixels.withContiguousStorageIfAvailable { pixels in
      [Element](unsafeUninitializedCapacity: size.width * size.height * count) { target, filled in
        for y in 0..<size.height {
          var place = first + y * down
          for _ in 0..<size.width {
            for part in 0..<count {
              target.initializeElement(at: filled, to: pixels[place * count + part])
              filled += 1
            }
            place += across
          }
        }
      }
    } ?? []
  }
}
