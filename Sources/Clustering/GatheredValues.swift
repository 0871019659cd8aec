package import Columns

/// A measure of all values of a cluster at once, which a chain of pairs cannot compute.
package enum GatheredMeasure: Hashable, Sendable {
  /// The most frequent value; of several, the smallest.
  case mode
  /// The value of the point that comes first in the order.
  case first
  /// The number of different values.
  case distinctCount
  /// The first values in the order, at most `limit`.
  case list(isDistinct: Bool, limit: Int)
  /// The quantile of the numbers at a fraction from 0 to 1, interpolated between the two nearest
  /// ranks: `quantile_cont` of DuckDB, `percentile_cont` of PostgreSQL, type 7 of R. J. Hyndman and
  /// Y. Fan, "Sample quantiles in statistical packages" (The American Statistician 50, 1996).
  case quantile(Double)
}

/// The values of the points by their ranks, for a measure of all values of a cluster.
///
/// Nulls are ignored. The results depend on the set of the points alone: they are computed for each
/// cluster from its points, not from those of the zoom below, so they are exact for any number of
/// points.
package struct GatheredValues: Sendable {
  package let measure: GatheredMeasure

  /// The rank of each point's value among ``distinct``, in the order of the points; ``none`` for
  /// null.
  let ranks: Column<UInt32>

  /// The different values, ascending.
  let distinct: Column<AggregateValue>

  /// The place of each point in the order that the measure needs; empty for the order of values.
  let order: Column<UInt32>

  static let none = UInt32.max

  /// - Parameters:
  ///   - values: the value of each point.
  ///   - keys: the value by which points are ordered; `nil` for the order of their own values. Of
  ///     equal keys the smaller value comes first; nulls come last.
  /// - Complexity: O(points), and O(*d* log *d*) for *d* different values.
  package init(
    _ measure: GatheredMeasure, of values: Column<AggregateValue>,
    by keys: Column<AggregateValue>? = nil, isDescending: Bool = false
  ) {
    self.measure = measure
    (ranks, distinct) = Self.ranked(values) { value in
      guard case .quantile = measure else { return true }
      return value.number != nil
    }
    guard let keys else {
      order = []
      return
    }
    let (places, different) = Self.ranked(keys) { _ in true }
    let last = UInt32(truncatingIfNeeded: different.count)
    order = Column(
      places.lazy.map { place in
        place == Self.none ? last : isDescending ? last - 1 - place : place
      }, in: values.scratch)
  }

  /// Returns the rank of each value, and the different values, ascending.
  private static func ranked(
    _ values: Column<AggregateValue>, _ isCounted: (AggregateValue) -> Bool
  ) -> (ranks: Column<UInt32>, distinct: Column<AggregateValue>) {
    var numbers: [AggregateValue: UInt32] = [:]
    var ranks = Column<UInt32>(in: values.scratch)
    ranks.reserveCapacity(values.count)
    for value in values {
      switch value {
      case .null: ranks.append(none)
      case .number(let number) where number.isNaN: ranks.append(none)
      case let value where !isCounted(value): ranks.append(none)
      case let value:
        // Zero equals minus zero.
        let key = value == .number(0) ? .number(0) : value
        let next = UInt32(truncatingIfNeeded: numbers.count)
        ranks.append(numbers[key, default: next])
        if ranks[ranks.count - 1] == next { numbers[key] = next }
      }
    }
    let sorted = numbers.sorted { AggregateValue.precedes($0.key, $1.key) }
    var places = [UInt32](repeating: 0, count: sorted.count)
    for (place, entry) in sorted.enumerated() {
      places[Int(entry.value)] = UInt32(truncatingIfNeeded: place)
    }
    for index in ranks.indices where ranks[index] != none {
      ranks[index] = places[Int(ranks[index])]
    }
    return (ranks, Column(sorted.lazy.map(\.key), in: values.scratch))
  }
}

/// The computation of a measure, cluster by cluster.
struct GatheredWork {
  private let values: GatheredValues

  /// The lists of the clusters so far.
  private(set) var lists: Column<AggregateValue>

  /// The number of points of the current cluster with each rank, and the ranks that it has.
  private var counts: Column<UInt32>
  private var found: Column<UInt32>

  init(_ values: GatheredValues) {
    let scratch = values.ranks.scratch
    self.values = values
    lists = Column(in: scratch)
    counts = Column(repeating: 0, count: values.distinct.count, in: scratch)
    found = Column(in: scratch)
  }

  /// Returns the measure of a cluster.
  ///
  /// - Parameter members: the input indices of the cluster's points, in any order.
  /// - Complexity: O(members); for lists and quantiles also O(*d* log *d*) for *d* different values.
  mutating func value(of members: some Sequence<UInt32>) -> AggregateValue {
    switch values.measure {
    case .first:
      return first(of: members).map { values.distinct[Int($0)] } ?? .null
    case .list(isDistinct: false, let limit) where !values.order.isEmpty:
      return list(inOrder: members, limit: limit)
    case .mode, .distinctCount, .quantile, .list: break
    }
    let total = count(members)
    defer {
      for rank in found { counts[Int(rank)] = 0 }
      found.removeAll(keepingCapacity: true)
    }
    switch values.measure {
    case .distinctCount: return .number(Double(found.count))
    case .mode: return mode
    case .quantile(let fraction): return quantile(fraction, total: total)
    case .first, .list:
      guard case .list(let isDistinct, let limit) = values.measure else { return .null }
      return list(isDistinct: isDistinct, limit: limit)
    }
  }

  /// Counts the points by rank, and returns the number of those with a value.
  private mutating func count(_ members: some Sequence<UInt32>) -> Int {
    var total = 0
    values.ranks.withUnsafeBufferPointer { ranks in
      for member in members {
        let rank = ranks[Int(member)]
        guard rank != GatheredValues.none else { continue }
        if counts[Int(rank)] == 0 { found.append(rank) }
        counts[Int(rank)] &+= 1
        total += 1
      }
    }
    return total
  }

  private var mode: AggregateValue {
    guard var best = found.first else { return .null }
    for rank in found.dropFirst() {
      let (count, most) = (counts[Int(rank)], counts[Int(best)])
      if count > most || (count == most && rank < best) { best = rank }
    }
    return values.distinct[Int(best)]
  }

  private mutating func sortFound() {
    found.withUnsafeMutableBufferPointer { ranks in
      var ranks = ranks
      ranks.sort()
    }
  }

  private mutating func quantile(_ fraction: Double, total: Int) -> AggregateValue {
    guard total > 0 else { return .null }
    sortFound()
    let place = fraction * Double(total - 1)
    let index = Int(place.rounded(.down))
    var (seen, low): (Int, Double?) = (0, nil)
    for rank in found {
      seen += Int(counts[Int(rank)])
      guard seen > index, let number = values.distinct[Int(rank)].number else { continue }
      let lower = low ?? number
      low = lower
      let share = place - Double(index)
      if share == 0 { return .number(lower) }
      if seen > index + 1 { return .number(lower + (number - lower) * share) }
    }
    return low.map { .number($0) } ?? .null
  }

  /// Appends the values in their own order as a list.
  private mutating func list(isDistinct: Bool, limit: Int) -> AggregateValue {
    sortFound()
    let start = lists.count
    for rank in found where lists.count - start < limit {
      let count = isDistinct ? 1 : Int(counts[Int(rank)])
      lists.append(
        repeating: values.distinct[Int(rank)], count: min(count, limit - (lists.count - start)))
    }
    return list(from: start)
  }

  /// Appends the values of the first points of the order as a list.
  private mutating func list(inOrder members: some Sequence<UInt32>, limit: Int) -> AggregateValue {
    var kept: [UInt64] = []
    for member in members {
      guard let place = place(of: member) else { continue }
      if kept.count == limit, let last = kept.last, place >= last { continue }
      kept.insert(place, at: kept.firstIndex { place < $0 } ?? kept.count)
      if kept.count > limit { kept.removeLast() }
    }
    let start = lists.count
    for place in kept {
      lists.append(values.distinct[Int(UInt32(truncatingIfNeeded: place))])
    }
    return list(from: start)
  }

  private func list(from start: Int) -> AggregateValue {
    let count = lists.count - start
    guard count > 0, lists.count <= Int(UInt32.max) else { return .null }
    return .list(
      start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: count))
  }

  /// Returns the rank of the value that comes first.
  private func first(of members: some Sequence<UInt32>) -> UInt32? {
    var best: UInt64?
    for member in members {
      guard let place = place(of: member) else { continue }
      best = min(best ?? .max, place)
    }
    return best.map { UInt32(truncatingIfNeeded: $0) }
  }

  /// Returns the place of a point's value in the order, its rank in the lower half; `nil` for null.
  private func place(of member: UInt32) -> UInt64? {
    let rank = values.ranks[Int(member)]
    guard rank != GatheredValues.none else { return nil }
    let key = values.order.isEmpty ? 0 : values.order[Int(member)]
    return UInt64(key) << 32 | UInt64(rank)
  }
}
