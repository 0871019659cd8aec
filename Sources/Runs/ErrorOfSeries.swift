package import Overlays

extension PipelineError {
  /// The failure of a series as the failure of the run.
  package init(_ error: SeriesError, at place: DocumentPlace? = nil) {
    let code: Code =
      switch error.code {
      case .badPattern: .definition
      case .badTime, .badDocument, .duplicateFrame, .tooLarge: .badData
      case .notFound, .missingFrame, .unreadable: .missingInput
      }
    self.init(code, error.message, at: place)
  }
}
