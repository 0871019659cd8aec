/// The decays of kernels along an axis, as rows of numbers by radius and sub-pixel phase.
///
/// A kernel is the product of its decays along both axes, so two rows determine all of its pixels.
struct HeatmapKernelTables {
  /// Maximum number of cached decays: 1 MB, or some two hundred radii of 30 px at all phases.
  private static let limit = 1 << 18

  /// The location of the row of one phase.
  private struct Row {
    /// The index of the decay at the pixel that contains the point.
    var center = 0
    /// The number of pixels to each side; −1 if the row does not exist yet.
    var extent = -1
  }

  /// The rows, one after the other.
  private(set) var decays = ContiguousArray<Float>()

  /// The rows of all radii, sixteen per radius.
  private var rows = ContiguousArray<Row>()
  private var rowsOfRadius: [Double: Int] = [:]
  private var lastRadius = -1.0
  private var lastRows = 0

  /// Returns the rows of a kernel at two phases: indexes into ``decays`` of the decay at the pixel
  /// that contains the point. They are valid until the next call.
  ///
  /// - Complexity: O(1) for existing rows, otherwise O(reach).
  mutating func centers(_ kernel: HeatmapKernel, phaseX: Int, phaseY: Int) -> (x: Int, y: Int) {
    let extent = kernel.reach / 16 + 1
    if decays.count + 2 * (2 * extent + 1) > Self.limit { removeAll() }
    if kernel.radius != lastRadius { select(kernel.radius) }
    return (
      center(kernel, phase: phaseX, extent: extent), center(kernel, phase: phaseY, extent: extent)
    )
  }

  private mutating func center(_ kernel: HeatmapKernel, phase: Int, extent: Int) -> Int {
    let row = rows[lastRows + phase]
    if row.extent >= extent { return row.center }
    let center = decays.count + extent
    for pixel in -extent...extent { decays.append(kernel.decay(16 * pixel + 8 - phase)) }
    rows[lastRows + phase] = Row(center: center, extent: extent)
    return center
  }

  private mutating func select(_ radius: Double) {
    lastRadius = radius
    if let known = rowsOfRadius[radius] {
      lastRows = known
      return
    }
    lastRows = rows.count
    rowsOfRadius[radius] = lastRows
    rows.append(contentsOf: repeatElement(Row(), count: 16))
  }

  private mutating func removeAll() {
    decays.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    rowsOfRadius.removeAll(keepingCapacity: true)
    lastRadius = -1
  }
}
