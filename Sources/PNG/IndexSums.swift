/// The sums of a tile's bytes from which Adler-32 is computed; most bytes are 0.
struct IndexSums {
  /// Σ byte.
  private(set) var sum: UInt64 = 0

  /// Σ byte × its offset.
  private(set) var weighted: UInt64 = 0

  /// The largest byte.
  private(set) var largest: UInt8 = 0

  /// Adds a span whose first index is at an offset.
  @inline(__always)
  mutating func add(_ span: IndexedSpan, at offset: Int) {
    var (sum, weighted): (UInt32, UInt32) = (0, 0)
    var largest: UInt8 = 0
    for x in 0..<span.count {
      let index = UInt32(span.first[x])
      sum &+= index
      // 255 × 4096² / 2 is below 2^32.
      weighted &+= index &* UInt32(truncatingIfNeeded: x)
      largest = max(largest, span.first[x])
    }
    // Only a sprite too wide for the tile has negative offsets, and it is never written.
    self.sum &+= UInt64(sum)
    self.weighted &+= UInt64(weighted) &+ UInt64(sum) &* UInt64(truncatingIfNeeded: offset)
    self.largest = max(self.largest, largest)
  }

  /// Adds other sums, shifted to an offset.
  @inline(__always)
  mutating func add(_ other: IndexSums, at offset: Int) {
    sum &+= other.sum
    weighted &+= other.weighted &+ other.sum &* UInt64(truncatingIfNeeded: offset)
    largest = max(largest, other.largest)
  }

  /// Returns the Adler-32 (RFC 1950) of `count` bytes, all 0 except the bytes added here, by
  /// formula.
  ///
  /// A byte v at offset p adds v to the first sum and (n − p) v to the second, so that the sums
  /// are 1 + Σ v and n + n Σ v − Σ p v, modulo 65521.
  func adler32(count: Int) -> UInt32 {
    // Below 2^57 for 4096 × 4097 bytes of 255, and never negative.
    let count = UInt64(count)
    let (a, b) = ((1 &+ sum) % 65521, (count &+ count &* sum &- weighted) % 65521)
    return UInt32(b << 16 | a)
  }
}
