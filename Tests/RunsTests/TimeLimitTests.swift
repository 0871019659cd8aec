import Testing

@testable import Runs

@Suite("The time of a run")
struct TimeLimitTests {
  @Test(
    "the time limit ends a run at the next check, with its progress; a signal precedes the clock")
  func deadline() throws {
    let patient = Cancellation(maxSeconds: 3600)
    try patient.check()
    #expect(!patient.isCancelled && !patient.isDeadline)
    let cancellation = Cancellation(maxSeconds: 0.001)
    while !cancellation.isDeadline {}
    #expect(cancellation.isCancelled && cancellation.signal == 0)
    let error = try #require(throws: PipelineError.self) { try cancellation.check() }
    #expect(error.code == .outOfTime && error.exitCode == 75 && error.isStop)
    cancellation.cancel(signal: 15)
    #expect(throws: PipelineError.interrupted(by: 15)) { try cancellation.check() }
  }

  @Test("the time limit is reported with the stage and its progress")
  func place() throws {
    let cancellation = Cancellation()
    let clock = StageClock(progress: { _ in }, cancellation: cancellation)
    let error = try #require(throws: PipelineError.self) {
      try clock.stage("tiles", unit: .tiles, total: 40_000) { advance in
        try advance(12_000, nil)
        cancellation.cancel(signal: 2)
        try advance(13_000, nil)
      }
    }
    #expect(error.stage == "tiles" && error.exitCode == 130)
    #expect(error.message.contains("signal 2 in stage tiles, 13,000 of 40,000 tiles done"))
  }
}
