/// The names of columns from several origins: each name once, in the order of first occurrence, so
/// that a column never changes its position.
package struct ColumnUnion: Sendable {
  package private(set) var names: [String] = []
  private var places: [String: Int] = [:]

  package init() {}

  /// Returns the position of a name, or `nil`.
  package func place(_ name: String) -> Int? { places[name] }

  /// Returns the position of a name, appending it if it is new.
  package mutating func add(_ name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
