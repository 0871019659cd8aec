import Foundation
import Ingest
import TestSupport

@testable import Baking
@testable import Definition
@testable import Pipeline
@testable import Runs

/// A pipeline with one source, whose keys a test changes as a finding says.
struct CheckSample {
  let folder: TemporaryFolder

  /// The file with the data, as the pipeline names it.
  let data: String

  /// The keys of the source, each a line of YAML.
  var lines: [String]

  /// Writes the data.
  init(_ bytes: [UInt8], to data: String, _ lines: [String]) throws {
    folder = try TemporaryFolder()
    self.data = data
    self.lines = lines
    try Data(bytes).write(to: folder.url.appendingPathComponent(data))
  }

  /// Sets keys as a finding words them; one that is there already is replaced.
  mutating func set(_ settings: [Setting]) {
    for setting in settings {
      lines.removeAll { $0.hasPrefix("\(setting.key):") }
      lines.append(setting.yaml)
    }
  }

  /// The pipeline file's path.
  func write() throws -> String {
    let source = (lines + ["data: \(data)"]).map { "    \($0)" }.joined(separator: "\n")
    return try folder.write(
      """
      version: 1
      name: sample
      sources:
        places:
      \(source)
      layers:
        - {id: disc, type: circle, source: places, paint: {circle-radius: 5}}
      tiles: {maxzoom: 3}
      output: {path: out.mbtiles}

      """, to: "sample.yml")
  }

  func check() throws -> CheckSummary {
    let definition = try PipelineDefinition(contentsOf: write(), environment: { _ in nil })
    return try PipelineRunner.check(definition, options: BuildOptions())
  }

  /// What a build of the same pipeline throws, `nil` if it takes the source.
  func buildFailure() throws -> PipelineError? {
    let definition = try PipelineDefinition(contentsOf: write(), environment: { _ in nil })
    do {
      _ = try PipelineRunner.build(
        definition, options: BuildOptions(), cancellation: Cancellation(), progress: { _ in })
      return nil
    } catch {
      return error
    }
  }

  /// What is found in the source.
  func findings() throws -> [Finding] {
    try check().sources.first?.examination?.findings ?? []
  }
}

extension CheckSummary {
  var findings: [Finding] { sources.flatMap { $0.examination?.findings ?? [] } }

  var kinds: [Finding.Kind] { findings.map(\.kind) }
}
