/// The formatting of the number of points in a cluster.
package enum ClusterCount {
  /// Formats the count in a few characters: `999`, `1.2k`, `12k`.
  ///
  /// Follows `point_count_abbreviated` of supercluster and MapLibre: from 1,000 up one decimal
  /// unless it is zero, from 10,000 up whole thousands, halves rounded up.
  package static func abbreviated(_ count: UInt32) -> String {
    let count = UInt64(count)
    if count >= 10_000 { return "\((count + 500) / 1000)k" }
    if count < 1000 { return "\(count)" }
    let tenths = (count + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10)k" : "\(tenths / 10).\(tenths % 10)k"
  }
}

extension PropertyValue {
  /// Creates a count in at most four characters, as supercluster writes `point_count_abbreviated`:
  /// a number below 1,000, otherwise a text.
  package init(abbreviatedCount count: Int) {
    self =
      count < 1000
      ? .number(Double(count)) : .string(ClusterCount.abbreviated(UInt32(clamping: count)))
  }
}
