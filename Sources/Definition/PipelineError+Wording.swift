import Features
package import Runs

// The sentences that more than one command or decoder needs, each worded once.

extension PipelineError {
  /// The error of a column that is not among those that are known beforehand.
  ///
  /// - Parameters:
  ///   - context: where it was looked for, with a blank before it: ` in stores.csv`.
  ///   - place: the key or argument that names it, if it is in a file.
  package static func unknownColumn(
    _ code: FailureCode, _ name: String, _ context: String = "", known: [String],
    at place: DocumentPlace? = nil
  ) -> PipelineError {
    let near = DocumentSuggestion.nearest(to: name, among: known)
    let shown = known.prefix(20).joined(separator: ", ").withoutControls
    return PipelineError(
      code,
      "no column named '\(name)'\(context)\(near.map { "; did you mean '\($0)'?" } ?? ".") "
        + "Columns are \(shown)" + (known.count > 20 ? " and \(known.count - 20) more." : "."),
      at: place)
  }
}
