/// A sampler of the colour of one pixel of a tile from a rotated image, with any kernel; one per
/// worker.
final class ObliqueSampler {
  private let kernel: ResamplingKernel
  private let width: Int
  private let height: Int
  private var footprint = Footprint()
  private var chooser: SampleChooser
  private var across: [Double] = []
  private var down: [Double] = []

  init(image: OverlayImage, kernel: ResamplingKernel) {
    self.kernel = kernel
    width = image.width
    height = image.height
    chooser = SampleChooser(kernel: kernel)
  }

  /// - Parameters:
  ///   - centre: the pixel's centre in pixels of the image.
  ///   - quad: its corners in pixels of the image.
  func color(
    _ reader: some TexelReader, centre: PlanePoint, quad: PixelQuad
  ) -> UInt32 {
    if kernel == .nearest {
      let column = (centre.x + 1e-9).rounded(.down)
      let row = (centre.y + 1e-9).rounded(.down)
      guard column >= 0, row >= 0, column < Double(width), row < Double(height) else { return 0 }
      return reader.color(of: reader.sample(Int(row) * width + Int(column)))
    }
    // Far outside, nothing needs to be measured, and numbers may exceed the range of pixels.
    let box = quad.box
    let (right, bottom) = (Double(width), Double(height))
    guard box.right > 0, box.left < right, box.bottom > 0, box.top < bottom else { return 0 }
    if kernel.isLinear && kernel != .average {
      // Inside the image the area is not needed.
      if box.left >= 0, box.right <= right, box.top >= 0, box.bottom <= bottom {
        return weighted(reader, centre: centre, scale: quad.scale, coverage: 1)
      }
      footprint.set(quad, width: width, height: height)
      guard footprint.area > 1e-6 * footprint.wholeArea else { return 0 }
      return weighted(reader, centre: centre, scale: quad.scale, coverage: footprint.coverage)
    }
    footprint.set(quad, width: width, height: height)
    guard footprint.area > 1e-6 * footprint.wholeArea else { return 0 }
    return kernel == .average ? averaged(reader) : chosen(reader)
  }

  /// Returns the mean by exact area.
  private func averaged(_ reader: some TexelReader) -> UInt32 {
    footprint.measure(width: width, height: height)
    var sum = SIMD4<Float>.zero
    var total = 0.0
    for row in footprint.rows {
      for column in footprint.columns {
        let area = footprint.area(column: column, row: row)
        guard area > 0 else { continue }
        sum += reader.light(row &* width &+ column) * Float(area)
        total += area
      }
    }
    guard total > 0 else { return 0 }
    return reader.color(
      ofSum: sum * Float(footprint.coverage / total), hasLobes: kernel.hasLobes)
  }

  private func chosen(_ reader: some TexelReader) -> UInt32 {
    footprint.measure(width: width, height: height)
    chooser.begin()
    let sliver = 1e-6 * min(footprint.wholeArea, 1)
    for row in footprint.rows {
      for column in footprint.columns {
        let area = footprint.area(column: column, row: row)
        guard area > sliver else { continue }
        chooser.add(reader.sample(row &* width &+ column), vote: area, reader)
      }
    }
    return chooser.color(reader, outside: footprint.wholeArea - footprint.area)
  }

  /// Returns the sum under a kernel that is aligned with the image's axes and widens with the
  /// pixel.
  private func weighted(
    _ reader: some TexelReader, centre: PlanePoint, scale: (x: Double, y: Double),
    coverage: Double
  ) -> UInt32 {
    let columns = window(centre.x, scale: scale.x, size: width, into: &across)
    let rows = window(centre.y, scale: scale.y, size: height, into: &down)
    var sum = SIMD4<Float>.zero
    var total = 0.0
    for row in rows {
      let weight = down[row - rows.lowerBound]
      for column in columns {
        let product = weight * across[column - columns.lowerBound]
        sum += reader.light(row &* width &+ column) * Float(product)
        total += product
      }
    }
    guard total > 1e-6 else { return 0 }
    return reader.color(
      ofSum: sum * Float(coverage / total), hasLobes: kernel.hasLobes)
  }

  /// Computes the image's pixels along one axis under the kernel, and their weights.
  private func window(
    _ centre: Double, scale: Double, size: Int, into weights: inout [Double]
  ) -> Range<Int> {
    let middle = min(max(centre, 0), Double(size))
    let reach = kernel.radius * min(scale, Double(size))
    let widening = min(scale, Double(size))
    let start = max(Int((middle - reach - 0.5).rounded(.up)), 0)
    let end = min(Int((middle + reach - 0.5).rounded(.down)) + 1, size)
    weights.removeAll(keepingCapacity: true)
    guard start < end else {
      weights.append(1)
      let only = min(max(Int(middle.rounded(.down)), 0), size - 1)
      return only..<only + 1
    }
    for index in start..<end {
      weights.append(kernel.weight((Double(index) + 0.5 - middle) / widening))
    }
    return start..<end
  }
}
