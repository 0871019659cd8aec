import Features
package import Runs

// The sentences that several commands or decoders need, each worded once.

extension PipelineError {
  /// Returns the error of a column that is not among the known ones.
  ///
  /// - Parameters:
  ///   - context: the place of the search, with a leading space: ` in stores.csv`.
  ///   - place: the place of the key or argument that names it, if it is in a file.
  package static func unknownColumn(
    _ code: FailureCode, _ name: String, _ context: String = "", known: [String],
    at place: DocumentPlace? = nil
  ) -> PipelineError {
    let shown = known.prefix(20).joined(separator: ", ").withoutControls
    return PipelineError(
      code,
      "no column named '\(name)'\(context)\(NameSuggestion.question(name, among: known)) "
        + "Columns are \(shown)" + (known.count > 20 ? " and \(known.count - 20) more." : "."),
      at: place)
  }
}
