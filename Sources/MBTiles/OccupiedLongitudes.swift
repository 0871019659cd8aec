/// The longitudes of an archive's data, from which follows on which side of the antimeridian a map
/// opens.
package struct OccupiedLongitudes {
  private static let count = 1024

  /// Whether data lie in each part of the world's width, from the antimeridian eastward.
  private var parts = [Bool](repeating: false, count: Self.count)

  package init() {}

  /// Inserts a range of shares of the world's width, eastward from the antimeridian: 1 and 0 are the
  /// same place.
  package mutating func insert(_ range: ClosedRange<Double>) {
    guard range.lowerBound.isFinite, range.upperBound - range.lowerBound < 1 else {
      parts = [Bool](repeating: true, count: Self.count)
      return
    }
    let turn = range.lowerBound.rounded(.down)
    func part(_ share: Double) -> Int { Int((share - turn) * Double(Self.count)) }
    for index in part(range.lowerBound)...part(range.upperBound) {
      parts[index % Self.count] = true
    }
  }

  /// The share at which data begin that lie together across the antimeridian, with half of the world
  /// or more free between their east and their west; `nil` for other data.
  package var start: Double? {
    var (longest, end, run) = (0, 0, 0)
    for (index, isOccupied) in parts.enumerated() {
      run = isOccupied ? 0 : run + 1
      // What is free up to the antimeridian does not part data.
      if run > longest, index + 1 < Self.count { (longest, end) = (run, index + 1) }
    }
    let begins = end - longest
    guard longest >= Self.count / 2, parts[..<begins].contains(true), parts[end...].contains(true)
    else { return nil }
    return Double(end) / Double(Self.count)
  }
}
