/// The coverage of discs that were drawn lately: charts of one size share their hole and their rim, which
/// are half of their outlines.
struct DiscCoverage {
  /// A disc at a place of its pixel, within a box of pixels.
  struct Disc: Hashable {
    let radius: Double
    let phaseX: Int32
    let phaseY: Int32
    let box: PixelBox
  }

  private var known: [Disc: ContiguousArray<UInt8>] = [:]

  /// The most discs that are kept, and the most pixels of one: 4 MB in all.
  private static let limit = 512
  private static let largest = 8192

  subscript(disc: Disc) -> ContiguousArray<UInt8>? {
    get { known[disc] }
    set {
      guard let newValue, newValue.count <= Self.largest else { return }
      if known.count >= Self.limit { known.removeAll(keepingCapacity: true) }
      known[disc] = newValue
    }
  }
}
