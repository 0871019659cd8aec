import Foundation
import TestSupport
import Testing

/// A run that is killed at a system call leaves the old archive or the new one, and the next run
/// makes good.
@Suite("A killed run", .enabled(if: Machine.traces, "\(Machine.strace)"))
struct KillTests {
  static let scenarios: [Scenario] =
    runsSlowTests
    ? [
      .first, .full, .incremental, .densities, .kept, .rollback, .rescue, .withdrawal, .delta,
      .application, .folder, .series, .vectorTiles,
    ]
    : [.incremental, .folder]

  @Test(
    "a run killed at any system call leaves the old or new archive; the next run makes the new",
    arguments: scenarios)
  func killed(scenario: Scenario) throws {
    let ground = try FaultGround(scenario)
    let calls = try ground.calls().sample(runsSlowTests ? 10 : 1)
    #expect(calls.contains { $0.name.hasPrefix("rename") } && calls.contains { $0.name == "fsync" })
    var reached = 0
    for call in calls where runsSlowTests || call.name.hasPrefix("rename") {
      let trial = try ground.inject("signal=KILL", into: call)
      if trial.outcome.status == -9 { reached += 1 }
      #expect(trial.complaints.isEmpty, "killed at \(call): \(trial.complaints)")
    }
    #expect(reached > 0)
    if runsSlowTests { print("faults: \(scenario.name): killed at \(reached) system calls") }
  }
}
