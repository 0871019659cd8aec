/// A text in UTF-16, as ICU takes it, with the way back to its scalars.
struct UTF16Text {
  let units: [UInt16]

  /// The index of the first code unit of each scalar; `nil` if every scalar is one code unit.
  private let starts: [Int]?

  /// - Complexity: O(scalars).
  init(_ scalars: [Unicode.Scalar]) {
    guard scalars.contains(where: { $0.value > 0xFFFF }) else {
      units = scalars.map { UInt16(truncatingIfNeeded: $0.value) }
      starts = nil
      return
    }
    var units: [UInt16] = []
    var starts: [Int] = []
    units.reserveCapacity(scalars.count * 2)
    starts.reserveCapacity(scalars.count)
    for scalar in scalars {
      starts.append(units.count)
      units.append(contentsOf: UTF16.encode(scalar)?.map { $0 } ?? [0xFFFD])
    }
    self.units = units
    self.starts = starts
  }

  /// Returns the index of the first code unit of a scalar.
  func unit(ofScalar index: Int) -> Int { starts?[index] ?? index }
}
