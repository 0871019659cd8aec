/// Runs the stages of a build: times each, tells the progress handler, and stamps errors.
final class StageClock {
  let progress: ProgressHandler
  let cancellation: Cancellation
  private let clock = ContinuousClock()

  /// The stages so far, in order.
  private(set) var stages: [StageReport] = []

  init(progress: @escaping ProgressHandler, cancellation: Cancellation) {
    self.progress = progress
    self.cancellation = cancellation
  }

  /// Runs one stage.
  ///
  /// - Parameters:
  ///   - total: what the stage will have done at its end, if it is known.
  ///   - body: the work; it calls its argument with what is done so far, which also ends the stage
  ///     if the run was cancelled.
  /// - Throws: ``PipelineError`` with the stage's name.
  func stage<Result>(
    _ name: String, unit: ProgressUnit, total: Int? = nil,
    _ body: (_ advance: @escaping (Int, Int?) throws -> Void) throws -> Result
  ) throws(PipelineError) -> Result {
    try cancellation.check()
    let start = clock.now
    progress(.began(stage: name, total: total, unit: unit))
    do {
      let result = try body { done, zoom in
        try self.cancellation.check()
        self.progress(.advanced(stage: name, done: done, zoom: zoom))
      }
      let seconds = (clock.now - start) / .seconds(1)
      stages.append(StageReport(name: name, seconds: seconds))
      progress(.ended(stage: name, seconds: seconds))
      return result
    } catch {
      var stamped = PipelineError(wrapping: error)
      stamped.stage = name
      throw stamped
    }
  }
}
