package import Definition
import Foundation
import Pipeline
package import Queries
import Runs
import Synchronization
package import TestSupport

/// A folder with sources and a pipeline over them, to be queried.
package struct QuerySample {
  package let folder: TemporaryFolder
  package let definition: PipelineDefinition

  /// - Parameter sources: the YAML of each source by its name, such as `type: csv, data: a.csv`.
  package init(_ sources: [(name: String, keys: String)], files: [(name: String, text: String)])
    throws
  {
    folder = try TemporaryFolder()
    for file in files { try folder.write(file.text, to: file.name) }
    let list = sources.map { "  \($0.name): {\($0.keys)}" }.joined(separator: "\n")
    let file = try folder.write(
      """
      version: 1
      sources:
      \(list)
      layers:
        - {id: a, type: circle, source: \(sources[0].name), paint: {circle-radius: 5}}
      tiles: {maxzoom: 1}
      output: {path: out.mbtiles}
      """, to: "x.yml")
    definition = try PipelineDefinition(contentsOf: file, environment: { _ in nil })
  }

  /// The answer to a query as text.
  package func text(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> String {
    try answer({ _ in }, change).text
  }

  /// What the user is told beside the answer.
  package func notes(_ change: (inout QueryOptions) -> Void) throws -> [String] {
    try answer({ _ in }, change).summary.notes
  }

  /// An answer, and what the user is told beside it.
  package struct Answer: Hashable {
    package var text: String
    package var summary: QuerySummary
    /// The number of bytes of the sources that were read.
    package var bytes: Int
  }

  package func answer(
    _ changeRun: (inout BuildOptions) -> Void = { _ in }, _ change: (inout QueryOptions) -> Void
  ) throws -> Answer {
    var query = QueryOptions()
    change(&query)
    var options = BuildOptions()
    changeRun(&options)
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    let done = Mutex(0)
    let summary = try PipelineRunner.query(
      definition, query: query, options: options, cancellation: Cancellation(),
      progress: { event in
        guard case .advanced(_, let bytes, _) = event else { return }
        done.withLock { $0 = max($0, bytes) }
      }
    ) { output.bytes += $0 }
    return Answer(
      text: String(decoding: output.bytes, as: UTF8.self), summary: summary,
      bytes: done.withLock { $0 })
  }

  /// The folder of the archive's cache.
  package var artifactFolder: String { folder.path(".quadrille-cache/artifacts") }

  /// The names of the artifacts that runs have left.
  package var artifacts: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: artifactFolder).sorted()) ?? []
  }

  /// The lines of an answer.
  package func lines(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> [String] {
    try text(change).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The values of the property `name` in the answer, in its order.
  package func names(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> [String] {
    try text(change).matches(of: #/"name":"([^"]*)"/#).map { String($0.1) }
  }

  /// The words of the error that a query throws, with its code.
  package func fault(_ change: (inout QueryOptions) -> Void) -> String {
    do {
      _ = try text(change)
      return "none"
    } catch let error as PipelineError {
      return "\(error.code.rawValue): \(error.message)"
    } catch {
      return "\(error)"
    }
  }
}
