package import Failures

/// A column or property that the pipeline file asks for and the data does not have.
package struct UnknownColumn: Hashable, Sendable {
  /// The column or property that was looked for.
  package enum Wanted: Hashable, Sendable {
    /// A column of a table, by its name.
    case column(String)
    /// A property of features, by its name.
    case property(String)
    /// A column with one of the names that are known for a coordinate, `longitude` or `latitude`.
    case coordinate(String, [String])
  }

  package var wanted: Wanted

  /// The data that lacks it, with a space in front: ` in stores.csv`.
  package var context: String

  /// The existing names; `nil` if they are unknown.
  package var known: [String]?

  /// The key of the pipeline file whose value names what was looked for; `nil` for none.
  package var key: String?

  /// The place of that key; filled in by the run, which knows the pipeline file.
  package var keyPlace: DocumentPlace?

  package init(
    _ wanted: Wanted, _ context: String, known: [String]? = nil, key: String? = nil,
    keyPlace: DocumentPlace? = nil
  ) {
    self.wanted = wanted
    self.context = context
    self.known = known
    self.key = key
    self.keyPlace = keyPlace
  }
}
