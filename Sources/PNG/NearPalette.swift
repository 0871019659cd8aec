import Raster

/// Brings a picture of a few thousand colours down to a palette of at most 256, every channel within
/// ``tolerance`` of the exact value and the frequent colours exact.
///
/// Antialiased edges of areas and lines make hundreds of colours that nobody can tell apart; as a
/// palette such a tile takes a third of the bytes and a quarter of the time.
struct NearPalette: ~Copyable {
  /// What a channel of a premultiplied colour may differ by, of 255.
  static let tolerance = 7

  /// Distinct colours beyond which a picture counts as a photograph and stays exact.
  static let limit = 8192

  private static let slotBits = 15

  private struct Entry {
    var color: UInt32
    var count: UInt32
    /// Place in the palette, once it has one.
    var place: UInt16
  }

  /// Pixels of one colour in sequence.
  private struct Run {
    var entry: UInt16
    var count: UInt32
  }

  /// Index into `entries` plus one, 0 for an empty slot.
  private let slots = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: 1 << slotBits)
  private var entries = ContiguousArray<Entry>()
  private var runs = ContiguousArray<Run>()
  private var palette = ContiguousArray<UInt32>()

  /// For each colour of ``palette`` its place in ``colors``.
  private let ranks = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 256)
  private let ordered = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 256)

  init() {
    slots.initialize(repeating: 0)
    ranks.initialize(repeating: 0)
    ordered.initialize(repeating: 0)
    entries.reserveCapacity(Self.limit)
  }

  deinit {
    slots.deallocate()
    ranks.deallocate()
    ordered.deallocate()
  }

  /// Straight colours in the order of the palette, the most transparent first.
  var colors: UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(rebasing: ordered[0..<palette.count])
  }

  /// Writes to `indices` for each pixel the place of the colour that stands for it.
  ///
  /// - Returns: `false` where 256 colours are too few; then nothing is promised of `indices`.
  /// - Complexity: O(pixels + colours · palette), two passes over the pixels.
  mutating func reduce(
    _ pixels: UnsafeBufferPointer<UInt32>, indices: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    defer { slots.update(repeating: 0) }
    entries.removeAll(keepingCapacity: true)
    runs.removeAll(keepingCapacity: true)
    guard count(pixels), choose() else { return false }
    order()
    var index = 0
    for run in runs {
      let place = ranks[Int(entries[Int(run.entry)].place)]
      (indices + index).update(repeating: place, count: Int(run.count))
      index += Int(run.count)
    }
    return true
  }

  /// Puts the palette into order: by alpha, so that the tRNS chunk is short, then by frequency.
  private mutating func order() {
    let sorted = palette.indices.sorted {
      (palette[$0] >> 24, $0) < (palette[$1] >> 24, $1)
    }
    for (rank, place) in sorted.enumerated() {
      ranks[place] = UInt8(rank)
      ordered[rank] = PremultipliedColor(bits: palette[place]).straightBits
    }
  }

  // MARK: Colours

  /// Counts the colours; `false` where there are more than the limit.
  private mutating func count(_ pixels: UnsafeBufferPointer<UInt32>) -> Bool {
    var index = 0
    while index < pixels.count {
      let color = pixels[index]
      var end = index + 1
      while end < pixels.count, pixels[end] == color { end += 1 }
      let slot = slot(of: color)
      if slots[slot] == 0 {
        guard entries.count < Self.limit else { return false }
        entries.append(Entry(color: color, count: 0, place: .max))
        slots[slot] = UInt16(entries.count)
      }
      let entry = slots[slot] - 1
      entries[Int(entry)].count += UInt32(end - index)
      runs.append(Run(entry: entry, count: UInt32(end - index)))
      index = end
    }
    return true
  }

  /// The slot that holds a colour, or the empty one where it would go.
  @inline(__always)
  private func slot(of color: UInt32) -> Int {
    // Fibonacci hashing (Knuth, TAOCP 6.4); a quarter of the slots are used at most.
    var slot = Int((color &* 2_654_435_769) >> (32 - UInt32(Self.slotBits)))
    while slots[slot] != 0, entries[Int(slots[slot]) - 1].color != color {
      slot = (slot + 1) & (1 << Self.slotBits - 1)
    }
    return slot
  }

  // MARK: Palette

  /// Gives every colour its place: the most frequent first, each standing for those near it.
  private mutating func choose() -> Bool {
    palette.removeAll(keepingCapacity: true)
    let order = entries.indices.sorted {
      entries[$0].count != entries[$1].count ? entries[$0].count > entries[$1].count : $0 < $1
    }
    for index in order {
      let color = entries[index].color
      if let place = nearPlace(of: color) {
        entries[index].place = UInt16(place)
      } else {
        guard palette.count < 256 else { return false }
        entries[index].place = UInt16(palette.count)
        palette.append(color)
      }
    }
    return true
  }

  /// The first palette colour within tolerance. Transparent stays transparent and opaque opaque, so
  /// that no veil and no hole appears.
  private func nearPlace(of color: UInt32) -> Int? {
    let alpha = color >> 24
    guard alpha != 0 else { return palette.firstIndex(of: color) }
    let wanted = Self.lanes(color)
    for place in palette.indices {
      let candidate = palette[place]
      let candidateAlpha = candidate >> 24
      if candidateAlpha == 0 || (candidateAlpha == 255) != (alpha == 255) { continue }
      let difference = wanted &- Self.lanes(candidate)
      let magnitude = difference.replacing(with: 0 &- difference, where: difference .< 0)
      if magnitude.max() <= Int16(Self.tolerance) { return place }
    }
    return nil
  }

  @inline(__always)
  private static func lanes(_ color: UInt32) -> SIMD4<Int16> {
    SIMD4(
      Int16(truncatingIfNeeded: color & 0xFF), Int16(truncatingIfNeeded: color >> 8 & 0xFF),
      Int16(truncatingIfNeeded: color >> 16 & 0xFF), Int16(truncatingIfNeeded: color >> 24))
  }
}
