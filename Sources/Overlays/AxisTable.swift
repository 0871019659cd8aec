/// The pixels of the image, with weights, from which each pixel of a tile is computed along one
/// axis.
///
/// The table of a tile depends only on the positions of its pixels in the world, so tiles join as
/// if they had been cut from one picture. Where an image spans the whole world, taps continue from
/// its last pixel to its first. The table of a pyramid counts the pixels of the part that a tile
/// needs, which go on beyond the antimeridian.
struct AxisTable {
  /// The taps of each pixel of the tile.
  private(set) var taps: [AxisTaps] = []

  /// The weights of all taps. For linear kernels the weights of a pixel add up to its coverage, 1
  /// inside the image. For `mode` weights are areas; 65536 is the whole area of the smaller of the
  /// two pixels.
  private(set) var weights: [Float] = []

  /// The tile's pixels that the image reaches, from the first to the last.
  private(set) var reached: Range<Int> = 0..<0

  /// The image's pixels that contribute, as one range; all pixels if taps wrap around the world.
  private(set) var sources: Range<Int> = 0..<0

  /// The largest number of taps of a pixel.
  private(set) var maxCount = 0

  private let kernel: ResamplingKernel

  /// The number of pixels of the image along the axis.
  private let size: Int

  private let isPeriodic: Bool

  /// Whether the image has no borders along the axis: it is periodic, or continues where taps need
  /// pixels beyond it.
  private let isEndless: Bool

  /// The image's pixel from which taps are counted.
  private let origin: Int

  /// The reduction up to which a kernel keeps its width.
  private let sharpReduction: Double

  init(kernel: ResamplingKernel, size: Int, isPeriodic: Bool) {
    self.kernel = kernel
    self.size = size
    self.isPeriodic = isPeriodic
    (isEndless, origin, sharpReduction) = (isPeriodic, 0, 1)
  }

  /// Creates the table of a part of a large image, whose taps are counted from one of its pixels.
  ///
  /// As in MapLibre, the kernel keeps its width up to the middle between two zooms, from where on
  /// the tiles of the next zoom are drawn.
  ///
  /// - Parameter isEndless: whether taps may lie before the image's first pixel and after its last,
  ///   as they do along the rows of the world.
  init(kernel: ResamplingKernel, size: Int, isEndless: Bool, origin: Int) {
    self.kernel = kernel
    self.size = size
    self.isEndless = isEndless
    self.origin = origin
    sharpReduction = 2.0.squareRoot() + 1e-6
    isPeriodic = false
  }

  /// Recomputes the table.
  ///
  /// - Parameters:
  ///   - first: the tile's first pixel, counted from the edge of the world.
  ///   - count: the number of the tile's pixels.
  ///   - total: the number of pixels of the world at this zoom.
  ///   - shift: the number of pixels by which the world is shifted.
  ///   - turns: the numbers of whole turns of the world that may lie between a pixel and the
  ///     image.
  ///   - position: returns the position in the image of a world position, in fractions of its side.
  /// - Complexity: O(count + weights).
  mutating func fill(
    first: Int, count: Int, total: Int, shift: Double, turns: ClosedRange<Int>,
    position: (_ world: Double) -> Double
  ) {
    taps.removeAll(keepingCapacity: true)
    weights.removeAll(keepingCapacity: true)
    (reached, sources, maxCount) = (0..<0, 0..<0, 0)
    for pixel in 0..<count {
      let place = Double(first + pixel) - shift
      var best: (overlap: Double, low: Double, high: Double, centre: Double)?
      for turn in turns {
        func source(_ offset: Double) -> Double {
          position((place + offset) / Double(total) + Double(turn)) * Double(size)
        }
        let (start, end) = (source(0), source(1))
        let (low, high) = (min(start, end), max(start, end))
        let centre = source(0.5)
        guard isEndless || low < Double(size) && high > 0 else { continue }
        let overlap = min(high, Double(size)) - max(low, 0)
        if best == nil || overlap > best?.overlap ?? 0 { best = (overlap, low, high, centre) }
      }
      guard let best else {
        taps.append(AxisTaps())
        continue
      }
      append(low: best.low, high: best.high, centre: best.centre, pixel: pixel)
    }
  }

  /// Returns the image's pixels that contribute to some pixels of the tile, as one range; all
  /// pixels if taps wrap around the world.
  ///
  /// - Complexity: O(pixels).
  func sources(of pixels: Range<Int>) -> Range<Int> {
    var (first, last) = (Int.max, 0)
    for tap in taps[pixels] where tap.count > 0 {
      let end = Int(tap.first) + Int(tap.count)
      if isPeriodic, end > size { return 0..<size }
      (first, last) = (min(first, Int(tap.first)), max(last, end))
    }
    return first < last ? first..<last : 0..<0
  }

  /// Appends the taps of one pixel that covers `low` ..< `high` of the image.
  private mutating func append(low: Double, high: Double, centre: Double, pixel: Int) {
    var tap = AxisTaps()
    tap.offset = Int32(truncatingIfNeeded: weights.count)
    if kernel == .nearest {
      // As in GDAL: a position on the edge of two pixels belongs to the second, with a tolerance
      // for rounding.
      let place = (centre + 1e-9).rounded(.down)
      if abs(place) < 1e10, isEndless || (place >= 0 && place < Double(size)) {
        appendRun(&tap, from: Int(place), weights: [1])
      }
    } else if kernel.isLinear && kernel != .average {
      appendWindow(&tap, low: low, high: high, centre: centre)
    } else {
      appendAreas(&tap, low: low, high: high)
    }
    taps.append(tap)
    guard tap.count > 0 else { return }
    reached = reached.isEmpty ? pixel..<pixel + 1 : reached.lowerBound..<pixel + 1
    maxCount = max(maxCount, Int(tap.count))
    let end = Int(tap.first) + Int(tap.count)
    let run = isPeriodic && end > size ? 0..<size : Int(tap.first)..<end
    sources =
      sources.isEmpty
      ? run : min(sources.lowerBound, run.lowerBound)..<max(sources.upperBound, run.upperBound)
  }

  /// Appends the weights of a kernel that widens with the pixel of the tile.
  private mutating func appendWindow(
    _ tap: inout AxisTaps, low: Double, high: Double, centre: Double
  ) {
    let span = high - low
    // A kernel need not be wider than the image; and the numbers stay in the range of pixels.
    let scale = min(span > sharpReduction ? span : 1, Double(size))
    let reach = kernel.radius * scale
    // A pixel on the border whose centre lies outside samples the border itself.
    let middle = isEndless ? centre : min(max(centre, 0), Double(size))
    var start = Int((middle - reach - 0.5).rounded(.up))
    var end = Int((middle + reach - 0.5).rounded(.down)) + 1
    if !isEndless { (start, end) = (max(start, 0), min(end, size)) }
    if start >= end {
      start = min(max(Int(middle.rounded(.down)), 0), size - 1)
      end = start + 1
    }
    var run = (start..<end).map { kernel.weight((Double($0) + 0.5 - middle) / scale) }
    while run.count > 1, run.last == 0 { run.removeLast() }
    while run.count > 1, run.first == 0 {
      run.removeFirst()
      start += 1
    }
    let sum = run.reduce(0, +)
    let coverage = coverage(low: low, high: high)
    // Only kernels with negative lobes can cancel out, and never this close to the border; a
    // single pixel then serves.
    let factor = sum > 1e-6 ? coverage / sum : 0
    appendRun(&tap, from: start, weights: run.map { $0 * factor })
  }

  /// Appends the lengths of the image's pixels that lie in the tile's: for `average` as fractions
  /// of the whole, for the choosing kernels as votes.
  private mutating func appendAreas(_ tap: inout AxisTaps, low: Double, high: Double) {
    let span = high - low
    let (from, to) = isEndless ? (low, high) : (max(low, 0), min(high, Double(size)))
    let unit = kernel == .average ? 1 / span : 65536 / min(span, 1)
    // An overlap with the tile's pixel that is only a rounding error does not count.
    let sliver = 1e-6 * min(span, 1)
    var start = Int(from.rounded(.down))
    var run: [Double] = []
    var index = start
    while Double(index) < to {
      let length = min(Double(index + 1), to) - max(Double(index), from)
      if length > sliver {
        run.append(kernel == .average ? length * unit : (length * unit).rounded())
      } else if run.isEmpty {
        start = index + 1
      }
      index += 1
    }
    let coverage = coverage(low: low, high: high)
    if coverage < 1 { tap.outside = Float(max((span * unit).rounded() - run.reduce(0, +), 0)) }
    if kernel == .average, !run.isEmpty {
      let sum = run.reduce(0, +)
      run = run.map { $0 / sum * coverage }
    }
    appendRun(&tap, from: start, weights: run)
  }

  /// Returns the fraction of `low` ..< `high` that lies in the image, 0 … 1.
  private func coverage(low: Double, high: Double) -> Double {
    if isEndless { return 1 }
    let part = (min(high, Double(size)) - max(low, 0)) / (high - low)
    return part > 1 - 1e-6 ? 1 : max(part, 0)
  }

  /// Appends consecutive weights. Around the world they wrap, and weights that meet the same pixel
  /// are added.
  private mutating func appendRun(_ tap: inout AxisTaps, from start: Int, weights run: [Double]) {
    guard isPeriodic else {
      tap.first = Int32(truncatingIfNeeded: start - origin)
      tap.count = Int32(truncatingIfNeeded: run.count)
      weights.append(contentsOf: run.lazy.map { Float($0) })
      return
    }
    let first = ((start % size) + size) % size
    guard run.count > size else {
      tap.first = Int32(truncatingIfNeeded: first)
      tap.count = Int32(truncatingIfNeeded: run.count)
      weights.append(contentsOf: run.lazy.map { Float($0) })
      return
    }
    var folded = [Double](repeating: 0, count: size)
    for (index, weight) in run.enumerated() { folded[(first + index) % size] += weight }
    tap.count = Int32(truncatingIfNeeded: size)
    weights.append(contentsOf: folded.lazy.map { Float($0) })
  }
}
