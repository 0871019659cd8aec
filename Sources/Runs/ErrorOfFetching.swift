package import Fetching

extension PipelineError {
  /// A failed fetch as the failure of the run; its words hold no secret already.
  package init(_ error: FetchError) {
    let code: Code =
      switch error.code {
      case .badAddress: .definition
      case .offline, .status, .connection, .timeout, .tooLarge, .wrongContent, .redirect:
        .fetchFailed
      case .changed, .badLockFile: .badData
      case .cancelled: .interrupted
      case .cache: .inputOutput
      }
    self.init(code, error.description)
  }
}
