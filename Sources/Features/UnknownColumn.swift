package import Failures

/// A column or property that the pipeline file asks for and the data does not have.
package struct UnknownColumn: Hashable, Sendable {
  /// What was looked for.
  package enum Wanted: Hashable, Sendable {
    /// A column of a table, by its name.
    case column(String)
    /// A property of features, by its name.
    case property(String)
    /// A column with one of the names that are known for a coordinate, `longitude` or `latitude`.
    case coordinate(String, [String])
  }

  package var wanted: Wanted

  /// Where it was looked for, with a blank before it: ` in stores.csv`.
  package var context: String

  /// The names that are there; `nil` where nobody knows them.
  package var known: [String]?

  /// The key of the pipeline file whose value says what was looked for; `nil` where none does.
  package var key: String?

  /// Where that key stands; the run fills it in, which knows the pipeline file.
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
