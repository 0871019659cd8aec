import Platform

/// Coverages as logarithms of the transparency that is left, so that shapes drawn over one another
/// add up, in any order.
struct CoverageLogarithms: ~Copyable {
  /// The sum that stands for full coverage.
  static let full: UInt32 = 65_535

  /// The logarithm of each coverage, 0 … 255.
  let values = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)

  /// The coverage of each sixteenth logarithm.
  private let coverages = UnsafeMutablePointer<UInt8>.allocate(capacity: 4096)

  init() {
    // The greatest logarithm below ``full`` leaves less than half a step of transparency; the
    // logarithm of the least coverage, 1 / 255, is 37.
    let scale = Double(Self.full) / log(255 * 4)
    for coverage in 0..<255 {
      (values + coverage).initialize(
        to: UInt16((-log(1 - Double(coverage) / 255) * scale).rounded()))
    }
    (values + 255).initialize(to: UInt16(Self.full))
    for index in 0..<4096 {
      let through = exp(-(Double(index) * 16 + 8) / scale)
      (coverages + index).initialize(to: UInt8((255 * (1 - through)).rounded()))
    }
    coverages[0] = 0
  }

  deinit {
    values.deallocate()
    coverages.deallocate()
  }

  /// Returns the coverage of a logarithm.
  @inline(__always)
  func coverage(_ value: UInt16) -> UInt8 { coverages[Int(value >> 4)] }

  /// Returns the sum of a logarithm and that of a coverage.
  @inline(__always)
  static func sum(
    _ value: UInt16, _ coverage: Int, _ values: UnsafePointer<UInt16>
  ) -> UInt16 {
    UInt16(truncatingIfNeeded: min(UInt32(value) &+ UInt32(values[coverage]), full))
  }
}
