/// The colours of polygons, each with its share of a pixel.
///
/// A pixel is split into a front share and a back share; the back is covered by one polygon fewer.
/// A new polygon first covers the back. If it is larger than the back, the whole pixel becomes the
/// back, and the rest of the polygon starts a new front over it. So polygons that meet in a pixel
/// fill it exactly, whatever polygons lie below them, and a polygon that covers the whole pixel is
/// composited source-over. With S the covered share, L its colour, c and a the polygon's coverage
/// and alpha, the first layer is L′ = L · (1 − a · max(0, S + c − 1) / S) + c · C; with equal
/// colours it is the formula of ``CoverageSums``.
struct ColorShares: ~Copyable {
  /// The area of a fully covered pixel.
  static let full = CoverageSums.full

  /// The sizes of the front shares in ``full``ths, below one.
  private var sizes = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 0)

  /// The sums of premultiplied channels (0 … 255) times area in ``full``ths: exact while nothing
  /// overlaps.
  private var fronts = UnsafeMutableBufferPointer<SIMD4<UInt32>>.allocate(capacity: 0)
  private var backs = UnsafeMutableBufferPointer<SIMD4<UInt32>>.allocate(capacity: 0)

  /// The number of polygons that have covered a part of each pixel since the last one that hides
  /// all of it: 0, 1, or 2 for more.
  private var mixed = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 0)

  init() {}

  deinit {
    sizes.deallocate()
    fronts.deallocate()
    backs.deallocate()
    mixed.deallocate()
  }

  mutating func begin(count: Int) {
    guard sizes.count < count else { return }
    sizes.deallocate()
    fronts.deallocate()
    backs.deallocate()
    mixed.deallocate()
    sizes = .allocate(capacity: count)
    fronts = .allocate(capacity: count)
    backs = .allocate(capacity: count)
    mixed = .allocate(capacity: count)
    sizes.initialize(repeating: 0)
    fronts.initialize(repeating: .zero)
    backs.initialize(repeating: .zero)
    mixed.initialize(repeating: 0)
  }

  /// Composites a polygon's area of at most ``full`` over consecutive pixels.
  ///
  /// - Complexity: O(pixels).
  @inline(__always)
  func add(_ area: UInt32, of color: PremultipliedColor, to pixels: Range<Int>) {
    let channels = ColorShares.channels(of: color)
    let through = ColorShares.ratio(UInt32(255 &- color.alpha), 255)
    guard area == ColorShares.full, let sizes = sizes.baseAddress, let backs = backs.baseAddress,
      let mixed = mixed.baseAddress
    else {
      for index in pixels { split(index, area: area, channels: channels, through: through) }
      return
    }
    let whole = channels &<< 17
    let hides = Int(color.alpha) >= Pixmap.hidingAlpha
    for index in pixels {
      if sizes[index] == 0 {
        backs[index] =
          through == 0 ? whole : whole &+ ColorShares.scaled(backs[index], by: through)
        if hides { mixed[index] = 0 }
      } else {
        split(index, area: area, channels: channels, through: through)
      }
    }
  }

  /// Composites a polygon over a part of a pixel.
  @inline(__always)
  private func split(_ index: Int, area: UInt32, channels: SIMD4<UInt32>, through: UInt64) {
    mixed[index] = mixed[index] == 0 ? 1 : 2
    let size = sizes[index]
    let rest = ColorShares.full &- size
    if area < rest {
      sizes[index] = size &+ area
      fronts[index] = fronts[index] &+ channels &* area
      let back = backs[index]
      if ColorShares.isZero(back) { return }
      let taken = ColorShares.scaled(back, by: ColorShares.ratio(area, rest))
      fronts[index] = fronts[index] &+ ColorShares.scaled(taken, by: through)
      backs[index] = back &- taken
    } else {
      let excess = area &- rest
      let front = fronts[index]
      let taken =
        excess == 0 ? .zero : ColorShares.scaled(front, by: ColorShares.ratio(excess, size))
      sizes[index] = excess
      fronts[index] = channels &* excess &+ ColorShares.scaled(taken, by: through)
      backs[index] =
        front &- taken &+ channels &* rest &+ ColorShares.scaled(backs[index], by: through)
    }
  }

  /// Composites an opaque colour over a whole pixel.
  ///
  /// - Parameter opacity: the opacity of the colour, 1 … 255 of 255.
  @inline(__always)
  func lay(_ color: PremultipliedColor, opacity: UInt32, over index: Int) {
    let channels = ColorShares.channels(of: color)
    // Mostly the polygon itself lies there.
    if sizes[index] == 0, ColorShares.isZero(backs[index] ^ (channels &<< 17)) { return }
    if opacity == 255, sizes[index] == 0 {
      backs[index] = channels &<< 17
      mixed[index] = 0
      return
    }
    let size = sizes[index]
    if size == 0, ColorShares.isZero(backs[index]) {
      let area = (ColorShares.full &* opacity &+ 127) / 255
      sizes[index] = area
      fronts[index] = channels &* area
      mixed[index] = mixed[index] == 0 ? 1 : 2
      return
    }
    mixed[index] = 2
    if size > 0 { ColorShares.lay(channels, opacity, over: &fronts[index], size: size) }
    ColorShares.lay(channels, opacity, over: &backs[index], size: ColorShares.full &- size)
  }

  /// Composites an opaque colour over a share of a pixel.
  @inline(__always)
  private static func lay(
    _ channels: SIMD4<UInt32>, _ opacity: UInt32, over share: inout SIMD4<UInt32>, size: UInt32
  ) {
    let area = (size &* opacity &+ 127) / 255
    share = scaled(share, by: ratio(size &- area, size)) &+ channels &* area
  }

  /// Composites consecutive pixels over a picture with the same rows and empties them.
  ///
  /// Parts of one colour that make up the whole pixel again are not an edge: their sum has no
  /// fraction.
  ///
  /// - Complexity: O(pixels).
  func composite(_ pixels: Range<Int>, onto pixmap: Pixmap) {
    guard let target = pixmap.pixels.baseAddress, let backs = backs.baseAddress,
      let mixed = mixed.baseAddress
    else { return }
    let edges = pixmap.edges(from: 0)
    for index in pixels {
      var total = backs[index]
      var isPartial = false
      if mixed[index] != 0 {
        (total, isPartial) = takeMixed(index, onto: pixmap)
      } else if ColorShares.isZero(total) {
        continue
      }
      backs[index] = .zero
      let sum = (total &+ 0x1_0000) &>> 17
      let above = sum.x | sum.y << 8 | sum.z << 16 | sum.w << 24
      target[index] = PremultipliedColor.over(above, target[index])
      if !isPartial, sum.w >= Pixmap.hidingAlpha, let edges { edges[index] = 0 }
    }
  }

  /// Removes the front share of a pixel that polygons have covered in part and keeps its back;
  /// unmixed pixels have no front.
  ///
  /// - Returns: the sum of its shares, to be drawn, and whether the pixel is an edge.
  @inline(__always)
  private func takeMixed(
    _ index: Int, onto pixmap: Pixmap
  ) -> (total: SIMD4<UInt32>, isPartial: Bool) {
    var total = fronts[index] &+ backs[index]
    let isPartial = ColorShares.hasFraction(total)
    if isPartial, let edge = pixmap.edges(from: index) {
      if mixed[index] == 1, ColorShares.isZero(backs[index]) {
        // One polygon on an empty pixel of its layer: its colour times its coverage.
        let size = sizes[index]
        let drawn = pixmap.grade(size, of: ColorShares.full, mark: &edge.pointee)
        if drawn != size { total = total / size &* drawn }
      } else {
        edge.pointee |= Pixmap.mixedEdge
      }
    }
    mixed[index] = 0
    sizes[index] = 0
    fronts[index] = .zero
    return (total, isPartial)
  }

  /// Whether a sum of shares is a mixture rather than one whole colour. Parts of one colour that
  /// fill a pixel over other polygons may add up to a sum that is about 2⁻¹⁷ off.
  @inline(__always)
  private static func hasFraction(_ total: SIMD4<UInt32>) -> Bool {
    let fractions = (total &+ 8) & (ColorShares.full &- 1)
    return max(max(fractions.x, fractions.y), max(fractions.z, fractions.w)) > 16
  }

  /// Whether all channels are zero; as words, because the comparison of whole vectors is compiled
  /// lane by lane.
  @inline(__always)
  private static func isZero(_ channels: SIMD4<UInt32>) -> Bool {
    let words = unsafeBitCast(channels, to: SIMD2<UInt64>.self)
    return words.x | words.y == 0
  }

  /// Returns a factor of at most one in 2⁻²⁴.
  @inline(__always)
  private static func ratio(_ part: UInt32, _ whole: UInt32) -> UInt64 {
    (UInt64(part) &<< 24) / UInt64(whole)
  }

  /// Returns the channels scaled; rounding is monotone, so no channel exceeds alpha, and nothing
  /// grows.
  @inline(__always)
  private static func scaled(_ channels: SIMD4<UInt32>, by factor: UInt64) -> SIMD4<UInt32> {
    func part(_ channel: UInt32) -> UInt32 {
      UInt32(truncatingIfNeeded: (UInt64(channel) &* factor &+ 0x80_0000) &>> 24)
    }
    if isZero(channels) { return .zero }
    return SIMD4(part(channels.x), part(channels.y), part(channels.z), part(channels.w))
  }

  private static func channels(of color: PremultipliedColor) -> SIMD4<UInt32> {
    SIMD4(UInt32(color.red), UInt32(color.green), UInt32(color.blue), UInt32(color.alpha))
  }
}
