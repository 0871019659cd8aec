/// Properties of layers whose numbers are not finite for some features; the defaults are drawn
/// instead.
package struct UnusableNumbers: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The index of the layer in the style.
    package let layer: Int
    package let property: StyleProperty
  }

  private var found: Set<Entry> = []

  package init() {}

  /// The entries, sorted by layer, then by the property's name.
  package var entries: [Entry] {
    found.sorted { ($0.layer, $0.property.rawValue) < ($1.layer, $1.property.rawValue) }
  }

  package mutating func insert(_ properties: Set<StyleProperty>, of layer: Int) {
    for property in properties { found.insert(Entry(layer: layer, property: property)) }
  }

  mutating func formUnion(_ other: UnusableNumbers) { found.formUnion(other.found) }

  package func union(_ other: UnusableNumbers) -> UnusableNumbers {
    var all = self
    all.formUnion(other)
    return all
  }
}
