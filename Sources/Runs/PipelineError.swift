/// Why a run cannot go on: a code that decides the exit status, a sentence, and a place.
package struct PipelineError: Error, Hashable, Sendable {
  package typealias Code = FailureCode

  package var code: Code

  /// One sentence: what is wrong and what to do about it.
  package var message: String

  /// Where it is wrong, if it is in a file.
  package var place: DocumentPlace?

  /// What lies beneath, as another library words it.
  package var cause: String?

  /// The stage in which it happened; the runner stamps it.
  package var stage: String?

  /// The number of the signal for ``Code/interrupted``, otherwise 0.
  package var signal: Int32 = 0

  package init(
    _ code: Code, _ message: String, at place: DocumentPlace? = nil, cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.place = place
    self.cause = cause
  }

  /// The error of a run that was ended by SIGINT or SIGTERM.
  ///
  /// - Parameter place: how far it was, such as `in stage tiles`.
  package static func interrupted(by signal: Int32, _ place: String? = nil) -> PipelineError {
    var error = PipelineError(
      .interrupted,
      "interrupted by signal \(signal)\(place.map { " \($0)" } ?? ""); what was not finished stays "
        + "as it was.")
    error.signal = signal
    return error
  }

  /// The error of a run that was given so many seconds and needs more.
  ///
  /// - Parameter place: how far it was, such as `in stage tiles`.
  package static func outOfTime(
    after seconds: Double, _ place: String? = nil
  ) -> PipelineError {
    PipelineError(
      .outOfTime,
      "stopped by --max-seconds \(ReportNumber.short(seconds))\(place.map { " \($0)" } ?? ""); what "
        + "was not finished stays as it was. The next run goes on from there.")
  }

  /// Whether the run was told to end; nothing is wrong with what it was doing.
  package var isStop: Bool { code == .interrupted || code == .outOfTime }

  /// The status that the process ends with (sysexits.h; 128 + n for a signal).
  package var exitCode: Int32 {
    code == .interrupted ? code.exitStatus + signal : code.exitStatus
  }

  /// The same error with every secret blotted out of its words.
  package func redacted(by list: RedactionList) -> PipelineError {
    var error = self
    error.message = list.redact(message)
    error.cause = cause.map { list.redact($0) }
    error.place?.file = list.redact(place?.file ?? "")
    return error
  }
}

extension PipelineError: Failure {
  package var failureCode: FailureCode { code }

  package var sentence: String { message }
}

extension PipelineError: CustomStringConvertible {
  /// `file:line:column: sentence (cause)`.
  package var description: String {
    let start = place.map { "\($0): " } ?? ""
    let end = cause.map { " (\($0))" } ?? ""
    return start + message + end
  }
}
