package import Features

extension PipelineError {
  /// The failure of a source as the failure of the run that needs it.
  package init(_ error: SourceError) {
    let code: Code =
      switch error.code {
      case .missing: .missingInput
      case .permission: .permission
      case .io: .inputOutput
      case .badData: .badData
      case .configuration: .definition
      }
    self.init(
      code, error.message,
      at: DocumentPlace(file: error.file, line: error.line, column: error.column))
  }
}
