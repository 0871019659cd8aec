/// The reason why a run cannot continue: a code that decides the exit status, a sentence, and a
/// place.
package struct PipelineError: Error, Hashable, Sendable {
  package typealias Code = FailureCode

  package var code: Code

  /// A sentence that gives the problem and its remedy.
  package var message: String

  /// The place of the problem, if it is in a file.
  package var place: DocumentPlace?

  /// The underlying cause, as another library words it.
  package var cause: String?

  /// The stage in which it happened, set by the runner.
  package var stage: String?

  /// The progress of the run that its time limit stopped; `nil` if it reached no stage.
  package var reach: RunReach?

  /// Whether ``reach`` was compared with an earlier run's.
  package var isCompared = false

  /// Further errors of the same file, which do not depend on this one; a sentence each.
  package var others: [PipelineError] = []

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

  /// The maximum number of errors that are reported at once.
  private static let errorLimit = 20

  /// Creates the first of some errors of a file, with the others in the order of their places; `nil`
  /// without any.
  package init?(_ errors: [PipelineError]) {
    guard var first = errors.first else { return nil }
    let others = errors.flatMap { [$0] + $0.others }.dropFirst().filter { $0 != first }
    func order(_ error: PipelineError) -> (String, Int, Int) {
      (error.place?.file ?? "", error.place?.line ?? 0, error.place?.column ?? 0)
    }
    first.others = Array(
      others.map { error in
        var error = error
        error.others = []
        return error
      }.sorted { order($0) < order($1) }.prefix(Self.errorLimit - 1))
    self = first
  }

  /// Returns the error of a run that SIGINT, SIGTERM or SIGHUP ended.
  ///
  /// - Parameter place: the progress of the run, such as `in stage tiles`.
  package static func interrupted(by signal: Int32, _ place: String? = nil) -> PipelineError {
    var error = PipelineError(
      .interrupted,
      "interrupted by signal \(signal)\(place.map { " \($0)" } ?? ""); what was not finished stays "
        + "as it was.")
    error.signal = signal
    return error
  }

  /// Returns the error of a run that needs more than the given number of seconds.
  ///
  /// - Parameter place: the progress of the run, such as `in stage tiles`.
  package static func outOfTime(
    after seconds: Double, _ place: String? = nil
  ) -> PipelineError {
    PipelineError(
      .outOfTime,
      "stopped by --max-seconds \(ReportNumber.short(seconds))\(place.map { " \($0)" } ?? ""); what "
        + "was not finished stays as it was. The next run goes on from there.")
  }

  /// Returns the error of a stopped run that got no farther than an earlier one.
  package var stalled: PipelineError {
    var error = self
    error.code = .stalled
    error.message =
      message.replacing(" The next run goes on from there.", with: "")
      + " It got no farther than an earlier run, so the next one will not either: what cannot be "
      + "divided takes longer than this. Raise --max-seconds, or build once without it."
    return error
  }

  /// Whether the run was interrupted or ran out of time; its work was not at fault.
  package var isStop: Bool { [.interrupted, .outOfTime, .stalled].contains(code) }

  /// The exit status of the process (sysexits.h; 128 + n for a signal).
  package var exitCode: Int32 {
    code == .interrupted ? code.exitStatus + signal : code.exitStatus
  }

  /// Returns the same error with every secret masked in its text.
  package func redacted(by list: RedactionList) -> PipelineError {
    var error = self
    error.message = list.redact(message)
    error.cause = cause.map { list.redact($0) }
    error.place?.file = list.redact(place?.file ?? "")
    error.others = others.map { $0.redacted(by: list) }
    return error
  }
}

extension [PipelineError] {
  /// Returns the result of a step; appends its error and returns `nil` if it fails.
  package mutating func value<Value>(
    _ step: () throws(PipelineError) -> Value
  ) -> Value? {
    do throws(PipelineError) {
      return try step()
    } catch {
      append(error)
      return nil
    }
  }
}

extension DocumentPlace {
  /// Returns the error for what is wrong with the pipeline at this place.
  package func fault(_ message: String) -> PipelineError {
    PipelineError(.definition, message, at: self)
  }
}

extension PipelineError: WordedFailure {
  package var failureCode: FailureCode { code }
}

extension PipelineError: CustomStringConvertible {
  /// The error as `file:line:column: sentence (cause)`.
  package var description: String {
    let start = place.map { "\($0): " } ?? ""
    let end = cause.map { " (\($0))" } ?? ""
    return start + message + end
  }
}
