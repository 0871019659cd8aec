import Styling

/// A cache of look stacks by the values that a group of layers reads of a feature: many features of one
/// kind, and many small clusters, have the same.
///
/// The cache ends after a trial if most features differ.
struct ValueMemo {
  /// The properties that the layers read.
  let names: [String]

  private var stacks: [FeatureView.Values: UInt32] = [:]
  private var hits = 0

  /// Whether the cache is asked.
  private(set) var isInUse: Bool

  /// The most properties, the most stacks, of some 200 bytes each, and the number of stacks after which
  /// there must be as many hits.
  private static let mostNames = 12
  private static let limit = 32_768
  private static let trial = 2048

  init(group: [LookResolver]) {
    names = Set(group.flatMap { $0.layer.propertyNames }).sorted()
    isInUse =
      names.count <= Self.mostNames && !names.contains("cluster_id")
      && !group.contains {
        $0.layer.usesID || $0.layer.usesAllProperties || $0.layer.usesGeometry
      }
  }

  /// Returns the stack of a feature with some values; `nil` if none is known.
  mutating func stack(of values: FeatureView.Values) -> UInt32? {
    let stack = stacks[values]
    if stack != nil { hits += 1 }
    return stack
  }

  mutating func remember(_ stack: UInt32, for values: FeatureView.Values) {
    guard stacks.count < Self.limit else { return }
    stacks[values] = stack
    if stacks.count >= Self.trial, hits < stacks.count {
      isInUse = false
      stacks = [:]
    }
  }
}
