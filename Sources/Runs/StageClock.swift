import Synchronization

/// A clock that runs the stages of a build: it times each, reports progress, and adds the stage to
/// errors.
package final class StageClock {
  package let progress: ProgressHandler
  package let cancellation: Cancellation
  private let clock = ContinuousClock()

  /// The amount of the current stage that is done.
  private let done = Atomic<Int>(0)

  /// The stages so far, in order.
  package private(set) var stages: [StageTime] = []

  package init(progress: @escaping ProgressHandler, cancellation: Cancellation) {
    self.progress = progress
    self.cancellation = cancellation
  }

  /// Runs one stage.
  ///
  /// - Parameters:
  ///   - total: the amount that the stage will have done at its end, if it is known.
  ///   - body: the work; it calls its argument with the amount done so far, which also ends the
  ///     stage if the run was cancelled.
  /// - Throws: ``PipelineError`` with the stage's name.
  package func stage<Result>(
    _ name: String, unit: ProgressUnit, total: Int? = nil,
    _ body: (_ advance: @escaping (Int, Int?) throws -> Void) throws -> Result
  ) throws(PipelineError) -> Result {
    if var error = cancellation.error("before stage \(name)") {
      error.reach = RunReach(stage: name, done: 0)
      throw error
    }
    let start = clock.now
    let watch = MemoryWatch()
    done.store(0, ordering: .relaxed)
    progress(.began(stage: name, total: total, unit: unit))
    do {
      let result = try body { done, zoom in
        self.done.store(done, ordering: .relaxed)
        try self.cancellation.check()
        self.progress(.advanced(stage: name, done: done, zoom: zoom))
      }
      if let failure = cancellation.failureOfSystem { throw failure }
      let time = StageTime(
        name: name, seconds: (clock.now - start) / .seconds(1), memory: watch.stop())
      stages.append(time)
      progress(.ended(time))
      return result
    } catch {
      _ = watch.stop()
      var stamped = PipelineError(wrapping: error)
      if stamped.isStop {
        let place = Self.place(name, done.load(ordering: .relaxed), of: total, unit)
        let reach = stamped.reach ?? RunReach(stage: name, done: done.load(ordering: .relaxed))
        stamped = cancellation.error(place) ?? stamped
        stamped.reach = reach
      }
      stamped.stage = name
      throw stamped
    }
  }

  /// Describes the progress: `in stage tiles, 12,000 of 40,000 tiles done`.
  private static func place(
    _ stage: String, _ done: Int, of total: Int?, _ unit: ProgressUnit
  ) -> String {
    guard done > 0 else { return "in stage \(stage)" }
    let whole = total.map { " of \(ReportNumber.count($0))" } ?? ""
    return "in stage \(stage), \(ReportNumber.count(done))\(whole) \(unit.rawValue) done"
  }
}
