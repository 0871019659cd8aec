import Foundation
import TestSupport

/// A scenario carried out once without a fault: what every faulty run is compared with.
final class FaultGround: Sendable {
  let scenario: Scenario

  /// The old state with its inputs changed; copied for each trial.
  private let template: TemporaryFolder

  private let before: FolderState
  private let after: FolderState

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    template = try TemporaryFolder()
    try scenario.prepare(template)
    before = try FolderState(template, published: scenario.published)
    let folder = try Self.copy(template)
    try Scenario.run(scenario.arguments, in: folder)
    after = try FolderState(folder, published: scenario.published)
    for name in scenario.published {
      guard after.bytes[name] != nil, after.bytes[name] != before.bytes[name] else {
        throw SampleFailure(message: "\(scenario.name): \(name) did not change")
      }
    }
  }

  /// What came of one faulty run.
  struct Trial {
    let outcome: Program.Outcome
    /// Sentences about what is not as it must be.
    var complaints: [String] = []
    /// Whether something was published in spite of the fault.
    var hasPublished = false
  }

  /// The system calls of the command that concern its folder.
  func calls(_ names: [String] = SystemCall.names) throws -> [SystemCall] {
    let folder = try Self.copy(template)
    let trace = folder.url.path + ".trace"
    defer { try? FileManager.default.removeItem(atPath: trace) }
    let set = names.map { "?" + $0 }.joined(separator: ",")
    let launcher = ["strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e", "trace=\(set)"]
    let outcome = try run(scenario.arguments, in: folder, launcher)
    guard outcome.status == 0 else { throw SampleFailure(message: outcome.errors) }
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    return SystemCall.parse(text, folder: folder.url.path)
  }

  /// Runs the command with a system call that does something else, such as `signal=KILL`.
  func inject(_ injection: String, into call: SystemCall) throws -> Trial {
    try trial(launcher: [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call.name)", "-e",
      "inject=\(call.name):\(injection):when=\(call.ordinal)",
    ])
  }

  /// Runs the command under a launcher in a fresh copy of the folder, then once more without, and
  /// judges: what was published is old or new after the first run, new after the second, and nothing
  /// is left behind.
  func trial(launcher: [String], environment: [String: String] = [:]) throws -> Trial {
    let folder = try Self.copy(template)
    return try trial(in: folder, of: try run(scenario.arguments, in: folder, launcher, environment))
  }

  /// Judges a run that happened in a copy of the folder.
  func trial(in folder: TemporaryFolder, of outcome: Program.Outcome) throws -> Trial {
    var trial = Trial(outcome: outcome)
    let state = try FolderState(folder, published: scenario.published)
    for name in scenario.published {
      if state.bytes[name] == after.bytes[name] {
        trial.hasPublished = true
      } else if state.bytes[name] != before.bytes[name] {
        trial.complaints.append("\(name) is neither old nor new after status \(outcome.status)")
      } else if outcome.status == 0 {
        trial.complaints.append("\(name) is old although the run succeeded")
      }
    }
    if outcome.status > 0, outcome.errorLines.count != 1 {
      trial.complaints.append("status \(outcome.status), said \(outcome.errors)")
    }
    let again = try run(scenario.again ?? scenario.arguments, in: folder, [])
    if again.status != 0 || !again.errors.isEmpty {
      trial.complaints.append("the next run ended with \(again.status), said \(again.errors)")
    }
    trial.complaints += try FolderState(folder, published: scenario.published).complaints(
      comparedTo: after)
    return trial
  }

  /// A copy of the template, to damage before a trial.
  func folder() throws -> TemporaryFolder { try Self.copy(template) }

  /// Runs a command with `DIR` as the folder.
  func run(
    _ arguments: [String], in folder: TemporaryFolder, _ launcher: [String],
    _ environment: [String: String] = [:]
  ) throws -> Program.Outcome {
    try Program.Run(
      arguments.map { $0.replacing("DIR", with: folder.url.path) }, in: folder,
      environment: environment, launcher: launcher
    ).finish()
  }

  private static func copy(_ template: TemporaryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.copyItem(at: template.url, to: folder.url)
    return folder
  }
}
