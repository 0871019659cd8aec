import Foundation
import SQLite
import TestSupport

/// A scenario carried out once without a fault: what every faulty run is compared with.
final class FaultGround: Sendable {
  let scenario: Scenario

  /// The old state with its inputs changed; copied for each trial.
  private let template: TemporaryFolder

  /// The old state.
  let before: FolderState

  /// What a run without a fault makes of it.
  let after: FolderState

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    template = try TemporaryFolder()
    try scenario.prepare(template)
    before = try FolderState(template.url, published: scenario.published)
    let folder = try Self.copy(template)
    try Scenario.run(scenario.arguments, in: folder)
    after = try FolderState(folder.url, published: scenario.published)
    for name in scenario.published {
      let isChanged = after.bytes[name] != before.bytes[name]
      guard after.bytes[name] != nil, isChanged == scenario.changes else {
        throw SampleFailure(message: "\(scenario.name): \(name) did not change")
      }
      // Later comparisons are of bytes, so SQLite's word on these two is enough.
      for folder in [template, folder] where name.contains(".mbtiles") {
        guard FileManager.default.fileExists(atPath: folder.path(name)) else { continue }
        let database = try Database(path: folder.path(name), mode: .readOnly)
        guard try database.text("PRAGMA quick_check") == "ok" else {
          throw SampleFailure(message: "\(scenario.name): \(name) is damaged")
        }
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

  /// The system calls of the command that concern its folder, or other places.
  func calls(
    _ names: [String] = SystemCall.names, concerning places: [String]? = nil
  ) throws -> [SystemCall] {
    let folder = try Self.copy(template)
    let trace = folder.url.path + ".trace"
    defer { try? FileManager.default.removeItem(atPath: trace) }
    let set = names.map { "?" + $0 }.joined(separator: ",")
    let launcher = ["strace", "-f", "-y", "-qq", "-s", "0", "-o", trace, "-e", "trace=\(set)"]
    let outcome = try run(in: folder, launcher)
    guard outcome.status == 0 else { throw SampleFailure(message: outcome.errors) }
    let text = try String(contentsOfFile: trace, encoding: .utf8)
    return SystemCall.parse(text, folder: folder.url.path, places: places)
  }

  /// Runs the command with a system call that does something else, such as `signal=KILL`.
  func inject(_ injection: String, into call: SystemCall) throws -> Trial {
    try trial(launcher: [
      "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call.name)", "-e",
      "inject=\(call.name):\(injection):when=\(call.ordinal)",
    ])
  }

  /// Runs the command under a launcher in a fresh copy of the folder, then once more without, and
  /// judges both.
  func trial(launcher: [String], more arguments: [String] = []) throws -> Trial {
    let folder = try Self.copy(template)
    return try judge(try run(in: folder, launcher, more: arguments), in: folder.url) {
      try mend(folder)
    }
  }

  /// Judges a faulty run: what was published is old or new after it, new after the next run, and
  /// nothing is left behind.
  ///
  /// - Parameters:
  ///   - folder: where it ran, as this process sees it.
  ///   - again: the next run.
  func judge(
    _ outcome: Program.Outcome, in folder: URL, again: () throws -> Program.Outcome
  ) throws -> Trial {
    var trial = Trial(outcome: outcome)
    let state = try FolderState(folder, published: scenario.published)
    for name in scenario.published {
      if state.bytes[name] == after.bytes[name] {
        trial.hasPublished = true
      } else if state.bytes[name] == nil, scenario.fleeting.contains(name) {
        continue
      } else if state.bytes[name] != before.bytes[name] {
        trial.complaints.append("\(name) is neither old nor new after status \(outcome.status)")
      } else if outcome.status == 0 {
        trial.complaints.append("\(name) is old although the run succeeded")
      }
    }
    if outcome.status > 0, outcome.errorLines.count != 1 {
      trial.complaints.append("status \(outcome.status), said \(outcome.errors)")
    }
    if !state.bytes.isEmpty, let fault = try scenario.proof(folder) {
      trial.complaints.append("after the fault: \(fault)")
    }
    let again = try again()
    if again.status != 0 || !again.errors.isEmpty {
      trial.complaints.append("the next run ended with \(again.status), said \(again.errors)")
    }
    trial.complaints += try FolderState(folder, published: scenario.published)
      .complaints(comparedTo: after)
    if let proof = scenario.finalProof {
      let run = try Program.Run(proof.map { $0.replacing("DIR", with: folder.path) }).finish()
      if run.status != 0 { trial.complaints.append("after the next run: \(run.errors)") }
    }
    return trial
  }

  /// A copy of the template, to damage before a trial.
  func folder() throws -> TemporaryFolder { try Self.copy(template) }

  /// Copies the template's files into a folder that is there.
  func fill(_ folder: URL) throws {
    for name in try template.names() {
      try FileManager.default.copyItem(
        at: template.url.appendingPathComponent(name), to: folder.appendingPathComponent(name))
    }
  }

  /// The bytes that the template's files take on a disk of such pages.
  func size(page: Int) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: template.url.path).reduce(0) { sum, path in
      let attributes = try FileManager.default.attributesOfItem(atPath: template.path(path))
      return sum + ((attributes[.size] as? Int ?? 0) + page - 1) / page * page
    }
  }

  /// Runs the command, or the one that mends, in a folder.
  func run(
    in folder: TemporaryFolder, _ launcher: [String] = [], more arguments: [String] = [],
    again: Bool = false
  ) throws -> Program.Outcome {
    let command = again ? scenario.again ?? scenario.arguments : scenario.arguments
    return try run(command + arguments, in: folder, launcher)
  }

  private func run(
    _ command: [String], in folder: TemporaryFolder, _ launcher: [String] = []
  ) throws -> Program.Outcome {
    try Program.Run(
      command.map { $0.replacing("DIR", with: folder.url.path) }, in: folder, launcher: launcher
    ).finish()
  }

  /// Runs the command that mends a folder in its state.
  private func mend(_ folder: TemporaryFolder) throws -> Program.Outcome {
    let state = try FolderState(folder.url, published: scenario.published)
    let isNew = scenario.published.allSatisfy {
      !$0.hasSuffix(".mbtiles") || state.bytes[$0] == after.bytes[$0]
    }
    guard let settled = scenario.settled, isNew else { return try run(in: folder, again: true) }
    return try run(settled, in: folder)
  }

  private static func copy(_ template: TemporaryFolder) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.removeItem(at: folder.url)
    try FileManager.default.copyItem(at: template.url, to: folder.url)
    return folder
  }
}
