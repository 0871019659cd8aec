import Foundation
import TestSupport
import Testing

/// A folder with something published and changed inputs, and the command that publishes anew.
struct Scenario: Sendable, CustomTestStringConvertible {
  let name: String

  /// The command; `DIR` stands for the folder.
  let arguments: [String]

  /// The files that are at any time what they were before or what they shall be.
  let published: [String]

  /// The command that mends what a fault left; the same unless the command does not repeat.
  var again: [String]? = nil

  /// The command that mends where the archives are new already; the same unless it would go on from
  /// there.
  var settled: [String]? = nil

  /// What must hold whenever something is published; returns a complaint.
  var proof: @Sendable (URL) throws -> String? = { _ in nil }

  /// A command that must go well after the next run.
  var finalProof: [String]? = nil

  /// Those of ``published`` that may be missing for a moment.
  var fleeting: Set<String> = []

  /// Whether the inputs are others than those of the old state.
  var changes = true

  /// Fills a new folder: the old state published, the inputs changed since.
  var prepare: @Sendable (TemporaryFolder) throws -> Void

  var testDescription: String { name }
}

extension Scenario {
  /// Runs a command that must go well.
  static func run(_ arguments: [String], in folder: TemporaryFolder) throws {
    let arguments = arguments.map { $0.replacing("DIR", with: folder.url.path) }
    let run = try Program.Run(arguments, in: folder).finish()
    guard run.status == 0 else { throw SampleFailure(message: "\(arguments): \(run.errors)") }
  }

  static let rows = Sample.rows(60)

  /// A pipeline of a few dozen tiles, with the output's keys as given.
  static func pipeline(output: String = "path: out.mbtiles", scale: String = "[1]") -> String {
    var settings = Sample.Settings()
    settings.tiles = "maxzoom: 3\n  snap: 1\n  scale: \(scale)"
    settings.output = output
    return Sample.yaml(settings)
  }

  static func write(
    _ rows: [String], _ pipeline: String = pipeline(), to folder: TemporaryFolder
  ) throws {
    try folder.write(Sample.csv(rows), to: "places.csv")
    try folder.write(pipeline, to: "sample.yml")
  }

  /// One row moved far away, as an edit between two runs of cron.
  static let editedRows = Array(rows.dropLast()) + ["-150,-40,Far away,1"]

  static let build = ["build", "DIR/sample.yml", "-q"]

  /// No archive yet.
  static let first = Scenario(name: "a first build", arguments: build, published: ["out.mbtiles"]) {
    try write(rows, to: $0)
  }

  /// No archive yet; it will answer taps.
  static let taps = Scenario(
    name: "a first build with taps", arguments: build, published: ["out.mbtiles"]
  ) {
    var settings = Sample.Settings()
    settings.tiles = "maxzoom: 3\n  snap: 1\n  interactivity: {format: utfgrid}"
    try write(rows, Sample.yaml(settings), to: $0)
  }

  /// An old archive, nothing taken from it.
  static let full = Scenario(
    name: "a build without caches", arguments: build + ["--no-cache"], published: ["out.mbtiles"]
  ) {
    try write(rows, to: $0)
    try run(build + ["--no-cache"], in: $0)
    try write(editedRows, to: $0)
  }

  /// An old archive and its caches.
  static let incremental = Scenario(
    name: "an incremental build", arguments: build, published: ["out.mbtiles"]
  ) {
    try write(rows, to: $0)
    try run(build, in: $0)
    try write(editedRows, to: $0)
  }

  /// Two pixel densities: two archives by one run.
  static let densities = Scenario(
    name: "two densities", arguments: build, published: ["out.mbtiles", "out@2x.mbtiles"]
  ) {
    try write(rows, pipeline(scale: "[1, 2]"), to: $0)
    try run(build, in: $0)
    try write(editedRows, pipeline(scale: "[1, 2]"), to: $0)
  }
}

extension Scenario {
  /// The same with the inputs as they were: a run that may find nothing to do.
  var unedited: Scenario {
    var scenario = self
    scenario.prepare = { [prepare] folder in
      try prepare(folder)
      try Scenario.write(Scenario.rows, to: folder)
    }
    scenario.changes = false
    return scenario
  }
}
