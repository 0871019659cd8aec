/// The names of columns that come from several origins: each name once, in the order in which it
/// was first seen, so that a column never changes its place.
struct ColumnUnion: Sendable {
  private(set) var names: [String] = []
  private var places: [String: Int] = [:]

  /// The place of a name, or `nil`.
  func place(_ name: String) -> Int? { places[name] }

  /// The place of a name, which is added behind the others unless it is there.
  mutating func add(_ name: String) -> Int {
    if let place = places[name] { return place }
    places[name] = names.count
    names.append(name)
    return names.count - 1
  }
}
