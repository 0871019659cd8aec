/// What a colour does to a pixel for each coverage, 0 … 255: a table, because the branches of
/// ``Pixmap/blend(_:by:hides:at:edge:isBlurred:)`` are hard to predict along lines.
struct CoverageRamp: ~Copyable {
  /// The values for one coverage.
  struct Entry {
    /// The colour to composite over a pixel that is marked as an edge, and over another.
    var overEdge: UInt32 = 0
    var overWhole: UInt32 = 0

    /// The bits of a mark that stay, and those that are added.
    var keptMark: UInt8 = 0
    var addedMark: UInt8 = 0

    /// The mark of a pixel that had none.
    var firstMark: UInt8 = 0
  }

  /// What the table was made for.
  private struct Key: Equatable {
    var color: PremultipliedColor
    var levels: [UInt8]
    var roundsCoverage: Bool
    var isBlurred: Bool
  }

  private let entries = UnsafeMutablePointer<Entry>.allocate(capacity: 256)
  private var key: Key?

  init() {
    entries.initialize(repeating: Entry(), count: 256)
  }

  deinit {
    entries.deallocate()
  }

  /// Makes the table for a colour and the rules of a picture, unless it is the last one again.
  ///
  /// - Parameters:
  ///   - color: opaque.
  ///   - levels: the coverages by whole shapes, one or several: they are not edges.
  /// - Returns: its 256 entries, valid until the next call.
  mutating func entries(
    of color: PremultipliedColor, levels: [UInt8], on pixmap: Pixmap, isBlurred: Bool
  ) -> UnsafePointer<Entry> {
    let wanted = Key(
      color: color, levels: levels, roundsCoverage: pixmap.roundsCoverage, isBlurred: isBlurred)
    if key == wanted { return UnsafePointer(entries) }
    key = wanted
    for factor in 0..<256 {
      // Blends over a transparent pixel with each mark, since the mark does not depend on the
      // colour below.
      let isNoEdge = isBlurred || levels.contains(UInt8(factor))
      let whole = pixmap.blended(color, by: factor, mark: 0, isBlurred: isNoEdge)
      let edge = pixmap.blended(color, by: factor, mark: Pixmap.gradedEdge, isBlurred: isNoEdge)
      entries[factor] = Entry(
        overEdge: edge.bits, overWhole: whole.bits,
        keptMark: edge.mark & Pixmap.gradedEdge == 0 ? 0 : .max,
        addedMark: edge.mark & Pixmap.mixedEdge, firstMark: whole.mark)
    }
    return UnsafePointer(entries)
  }
}

extension Pixmap {
  /// Returns what a partly covered, transparent pixel with a mark becomes.
  fileprivate func blended(
    _ color: PremultipliedColor, by factor: Int, mark: UInt8, isBlurred: Bool
  ) -> (bits: UInt32, mark: UInt8) {
    var result = (bits: 0 as UInt32, mark: mark)
    guard factor > 0 else { return result }
    blend(
      color.bits, by: UInt32(factor), hides: Int(color.alpha) >= Pixmap.hidingAlpha,
      at: &result.bits, edge: &result.mark, isBlurred: isBlurred)
    return result
  }

  /// Composites a ramp's colour over consecutive pixels of one row of a picture that tracks edges,
  /// by their coverage.
  func blendRow(
    _ coverage: UnsafeBufferPointer<UInt8>, _ ramp: UnsafePointer<CoverageRamp.Entry>,
    at start: Int
  ) {
    precondition(start >= 0 && start + coverage.count <= min(pixels.count, edges.count))
    guard let pixels = pixels.baseAddress, let edges = edges.baseAddress,
      let factors = coverage.baseAddress
    else { return }
    var column = 0
    while column < coverage.count {
      let end = min(column &+ 8, coverage.count)
      let isClear =
        end &- column == 8
        && UnsafeRawPointer(factors + column).loadUnaligned(as: UInt64.self) == 0
      if !isClear {
        repeat {
          let entry = ramp[Int(factors[column])]
          let place = start &+ column
          let mark = edges[place]
          let above = mark == 0 ? entry.overWhole : entry.overEdge
          edges[place] = mark == 0 ? entry.firstMark : mark & entry.keptMark | entry.addedMark
          pixels[place] = PremultipliedColor.over(above, pixels[place])
          column &+= 1
        } while column < end
      }
      column = end
    }
  }
}
