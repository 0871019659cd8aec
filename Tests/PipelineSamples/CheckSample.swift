import Baking
import Definition
package import Examination
import Foundation
import Ingest
import Pipeline
package import Runs
package import SourceStages
package import TestSupport

/// A pipeline with one source, whose keys a test changes as a finding says.
package struct CheckSample {
  package let folder: TemporaryFolder

  /// The file with the data, as the pipeline names it.
  package let data: String

  /// The keys of the source, each a line of YAML.
  package var lines: [String]

  /// Writes the data.
  package init(_ bytes: [UInt8], to data: String, _ lines: [String]) throws {
    folder = try TemporaryFolder()
    self.data = data
    self.lines = lines
    try Data(bytes).write(to: folder.url.appendingPathComponent(data))
  }

  /// Sets keys as a finding words them; one that is there already is replaced.
  package mutating func set(_ settings: [Setting]) {
    for setting in settings {
      lines.removeAll { $0.hasPrefix("\(setting.key):") }
      lines.append(setting.yaml)
    }
  }

  /// The pipeline file's path.
  package func write() throws -> String {
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

  package func check() throws -> CheckSummary {
    let definition = try PipelineDefinition(contentsOf: write(), environment: { _ in nil })
    return try PipelineRunner.check(definition, options: BuildOptions())
  }

  /// What a build of the same pipeline throws, `nil` if it takes the source.
  package func buildFailure() throws -> PipelineError? {
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
  package func findings() throws -> [Finding] {
    try check().sources.first?.examination?.findings ?? []
  }
}

extension CheckSummary {
  package var findings: [Finding] { sources.flatMap { $0.examination?.findings ?? [] } }

  package var kinds: [Finding.Kind] { findings.map(\.kind) }
}
