/// The coverage of each pixel by polygons of one colour, as a sum of their areas.
///
/// A sum s means that the share frac(s) of the pixel lies under ⌊s⌋ + 1 polygons and the rest
/// under ⌊s⌋ polygons. That is exact for polygons that meet in the pixel, and close enough for
/// polygons that overlap by chance. So its alpha is 1 − (1 − a)^⌊s⌋ · (1 − a · frac(s)).
struct CoverageSums: ~Copyable {
  /// The number of polygons over a pixel that are counted: with more, nothing changes, since
  /// (254/255)⁴⁰⁹⁶ is 0 in 8 bits.
  static let maxLevels: UInt32 = 4096

  /// The number of polygons over a pixel that are counted if every pixel has its own colour.
  private static let maxPaintLevels: UInt32 = 64

  /// The limit of a sum: ``maxLevels`` whole polygons.
  private static var limit: UInt32 { maxLevels &* full }

  /// The area of a fully covered pixel.
  static let full = UInt32(CoverageAccumulator.fullCell)

  /// The covered area per pixel in ``full``ths; what exceeds ``maxLevels`` of them does not count.
  private var sums = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 0)

  /// The area that outlines of each opacity add to a pixel of a translucent layer: no more than a
  /// polygon does.
  private var outlineAreas: ContiguousArray<UInt32> = []

  /// The area that is added to every pixel: polygons that cover the whole picture.
  private var common: UInt32 = 0

  /// The number of polygons since the sums were last limited.
  private var unlimited: UInt32 = 0

  /// (1 − (1 − a)^n) / a for n = 0, 1, … in ``full``ths: the factor of the premultiplied colour.
  private var weights: ContiguousArray<UInt32> = []
  private var weightsAlpha: UInt8 = 0

  init() {}

  deinit {
    sums.deallocate()
  }

  var coversAll: Bool { common > 0 }
  var address: UnsafeMutablePointer<UInt32>? { sums.baseAddress }

  mutating func begin(count: Int) {
    guard sums.count < count else { return }
    sums.deallocate()
    sums = .allocate(capacity: count)
    sums.initialize(repeating: 0)
  }

  /// Begins a polygon; ``add(_:to:)`` may then be called once for each of its pixels.
  ///
  /// Sums are limited when they are read, and here before they could overflow 32 bits.
  mutating func beginPolygon() {
    unlimited += 1
    guard unlimited == CoverageSums.maxLevels * 4 else { return }
    unlimited = 0
    for index in sums.indices { sums[index] = min(sums[index], CoverageSums.limit) }
  }

  /// Adds an area of at most ``full`` to consecutive pixels.
  @inline(__always)
  func add(_ area: UInt32, to pixels: Range<Int>) {
    guard let sums = sums.baseAddress else { return }
    var index = pixels.lowerBound
    repeat {
      sums[index] = sums[index] &+ area
      index &+= 1
    } while index < pixels.upperBound
  }

  /// Adds a polygon that covers every pixel.
  mutating func addFull() {
    common = min(common + CoverageSums.full, CoverageSums.limit)
  }

  /// Adds an outline of the layer's colour to a pixel. In an opaque layer it covers a part of the
  /// area that is still uncovered; in a translucent layer it lies over the polygons.
  ///
  /// - Parameter opacity: the part, or the alpha of the outline, 1 … 255 of 255.
  @inline(__always)
  func lay(_ opacity: UInt32, over pixel: Int) {
    let sum = sums[pixel]
    if !outlineAreas.isEmpty {
      sums[pixel] = sum &+ outlineAreas[Int(opacity)]
    } else if sum < CoverageSums.full {
      sums[pixel] = sum &+ (CoverageSums.full &- sum) &* opacity / 255
    }
  }

  /// Prepares for outlines of a layer's alpha.
  mutating func useOutlines(alpha: UInt8) {
    outlineAreas.removeAll(keepingCapacity: true)
    guard alpha > 0, alpha < 255 else { return }
    for opacity in 0..<UInt32(256) {
      outlineAreas.append(min(CoverageSums.full &* opacity / UInt32(alpha), CoverageSums.full))
    }
  }

  /// Empties consecutive pixels.
  func clear(_ pixels: Range<Int>) { sums[pixels].update(repeating: 0) }

  /// Composites consecutive pixels over a picture with the same rows and empties them.
  ///
  /// - Parameter shift: the difference between the indexes of a pixel here and in the picture.
  /// - Complexity: O(pixels).
  mutating func composite(
    _ pixels: Range<Int>, color: PremultipliedColor, onto pixmap: Pixmap, shift: Int
  ) {
    prepareWeights(alpha: color.alpha)
    guard let first = sums.baseAddress,
      let target = pixmap.pixels.baseAddress.map({ $0 - shift })
    else { return }
    let hides = Int(color.alpha) >= Pixmap.hidingAlpha
    let edges = pixmap.edges(from: -shift)
    var index = pixels.lowerBound
    while index < pixels.upperBound {
      let end = min(index &+ 4, pixels.upperBound)
      // Inside and outside of polygons four pixels at a time.
      if end &- index == 4, let sum = commonSum(first + index) {
        if sum != 0 {
          Pixmap.blendFour(color.bits, isOpaque: color.alpha == 255, at: target + index)
          if hides, let edges { Pixmap.unmarkFour(edges + index) }
          (first + index).update(repeating: 0, count: 4)
        }
      } else {
        for index in index..<end {
          composite(
            first + index, color, hides: hides, onto: target + index, pixmap,
            edge: edges.map { $0 + index })
        }
      }
      index = end
    }
  }

  /// Returns the common area of four pixels if no polygon covers any of them, or exactly one
  /// covers each of them completely; `nil` otherwise.
  @inline(__always)
  private func commonSum(_ sums: UnsafePointer<UInt32>) -> UInt32? {
    let words = UnsafeRawPointer(sums)
    let lower = words.loadUnaligned(as: UInt64.self)
    guard lower == words.loadUnaligned(fromByteOffset: 8, as: UInt64.self) else { return nil }
    let sum = common &+ UInt32(truncatingIfNeeded: lower)
    guard lower >> 32 == lower & 0xFFFF_FFFF, sum == 0 || sum == CoverageSums.full else {
      return nil
    }
    return sum
  }

  /// Composites one pixel and empties its sum.
  @inline(__always)
  private mutating func composite(
    _ place: UnsafeMutablePointer<UInt32>, _ color: PremultipliedColor, hides: Bool,
    onto pixel: UnsafeMutablePointer<UInt32>, _ pixmap: Pixmap,
    edge: UnsafeMutablePointer<UInt8>?
  ) {
    let full = CoverageSums.full
    var sum = min(common &+ place.pointee, CoverageSums.limit)
    guard sum > 0 else { return }
    place.pointee = 0
    if let edge {
      if hides, sum >= full {
        edge.pointee = 0
      } else if sum & (full &- 1) != 0 {
        if sum < full {
          sum = pixmap.grade(sum, of: full, mark: &edge.pointee)
        } else {
          edge.pointee |= Pixmap.mixedEdge
        }
      }
    }
    if sum == full {
      pixel.pointee = PremultipliedColor.over(color.bits, pixel.pointee)
    } else {
      // Under a single polygon the weight is the area itself.
      let weight = sum < full ? sum : weight(of: sum)
      let above = PremultipliedColor.weighted(color.bits, by: weight)
      pixel.pointee = PremultipliedColor.over(above, pixel.pointee)
    }
  }

  /// Composites consecutive pixels, each with a colour of its own, over a picture with the same
  /// rows and empties them.
  ///
  /// - Parameters:
  ///   - shift: the difference between the indexes of a pixel here and in the picture.
  ///   - color: returns the bits of the colour of a pixel, by its index in the picture.
  /// - Complexity: O(pixels · polygons that lie over one another).
  mutating func composite(
    _ pixels: Range<Int>, onto pixmap: Pixmap, shift: Int, color: (Int) -> UInt32
  ) {
    let full = CoverageSums.full
    let edges = pixmap.edges(from: 0)
    for index in pixels {
      let sum = min(common &+ sums[index], CoverageSums.limit)
      guard sum > 0 else { continue }
      sums[index] = 0
      let index = index &- shift
      let above = color(index)
      guard above >> 24 > 0 else { continue }
      var pixel = pixmap.pixels[index]
      if sum >= full {
        // One polygon is enough of an opaque colour; of a translucent one, more polygons soon
        // change nothing.
        for _ in 0..<(above >> 24 == 255 ? 1 : min(sum >> 17, CoverageSums.maxPaintLevels)) {
          pixel = PremultipliedColor.over(above, pixel)
        }
        if let edges, above >> 24 >= Pixmap.hidingAlpha { edges[index] = 0 }
      }
      var rest = sum & (full &- 1)
      if rest > 0, sum < full || above >> 24 < 255 {
        if let edges { rest = pixmap.grade(rest, of: full, mark: &edges[index]) }
        pixel = PremultipliedColor.over(PremultipliedColor.weighted(above, by: rest), pixel)
      }
      pixmap.pixels[index] = pixel
    }
  }

  /// Resets the area that covers every pixel, after all of them were composited.
  mutating func end() {
    common = 0
    unlimited = 0
  }

  /// Returns the factor for a sum; between two whole levels it is linear in the share of the upper
  /// one.
  private mutating func weight(of sum: UInt32) -> UInt32 {
    let level = Int(sum >> 17)
    let share = UInt64(sum & (CoverageSums.full &- 1))
    extendWeights(through: level + 1)
    let lower = weights[level]
    let step = UInt64(weights[level + 1] &- lower)
    return lower &+ UInt32(truncatingIfNeeded: (step &* share &+ 0x1_0000) >> 17)
  }

  private mutating func prepareWeights(alpha: UInt8) {
    guard weightsAlpha != alpha || weights.isEmpty else { return }
    weights.removeAll(keepingCapacity: true)
    weightsAlpha = alpha
    extendWeights(through: 1)
  }

  private mutating func extendWeights(through level: Int) {
    guard weights.count <= level else { return }
    let alpha = max(Double(weightsAlpha), 1) / 255
    var missing = 1.0
    weights.removeAll(keepingCapacity: true)
    for _ in 0...(level * 2) {
      weights.append(UInt32((Double(CoverageSums.full) * (1 - missing) / alpha).rounded()))
      missing *= 1 - alpha
    }
  }
}

/// The number of polygons over each pixel of a layer.
struct CoverageLevels {
  private let sums: UnsafePointer<UInt32>?
  private let stride: Int

  /// - Parameters:
  ///   - stride: the pixels of a row of the sums, the margin included.
  ///   - margin: the pixels around the picture.
  init(_ sums: borrowing CoverageSums, stride: Int, margin: Int) {
    self.stride = stride
    self.sums = sums.address.map { UnsafePointer($0 + margin * (stride + 1)) }
  }

  /// Whether an edge between two neighbouring pixels shows. It does not if as many polygons cover
  /// the one pixel as the other, because then one polygon continues another. The pixels may lie in
  /// the margin.
  @inline(__always)
  func showEdge(_ first: Int, _ firstRow: Int, _ second: Int, _ secondRow: Int) -> Bool {
    guard let sums else { return false }
    let level = sums[firstRow &* stride &+ first]
    return level == 0 || level != sums[secondRow &* stride &+ second]
  }
}

extension PremultipliedColor {
  /// Returns all channels times a weight in 2⁻¹⁷, at most 1 / alpha, rounded to nearest.
  @inline(__always)
  static func weighted(_ bits: UInt32, by weight: UInt32) -> UInt32 {
    // Two channels at a time in the halves of a word: 255 · 2¹⁷ fits.
    let lanes: UInt64 = 0x0000_00FF_0000_00FF
    let half: UInt64 = 0x0001_0000_0001_0000
    let word = UInt64(bits) | UInt64(bits) &<< 16
    let even = ((word & lanes) &* UInt64(weight) &+ half) &>> 17 & lanes
    let odd = ((word &>> 8 & lanes) &* UInt64(weight) &+ half) &>> 17 & lanes
    let both = even | odd &<< 8
    return UInt32(truncatingIfNeeded: both | both &>> 16)
  }
}
