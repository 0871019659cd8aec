import Definition
import Pipeline
import Queries
import Runs
import TestSupport

/// A folder with sources and a pipeline over them, to be queried.
struct QuerySample {
  let folder: TemporaryFolder
  let definition: PipelineDefinition

  /// - Parameter sources: the YAML of each source by its name, such as `type: csv, data: a.csv`.
  init(_ sources: [(name: String, keys: String)], files: [(name: String, text: String)]) throws {
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
  func text(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> String {
    try answer(change).text
  }

  /// What the user is told beside the answer.
  func notes(_ change: (inout QueryOptions) -> Void) throws -> [String] {
    try answer(change).summary.notes
  }

  private func answer(
    _ change: (inout QueryOptions) -> Void
  ) throws -> (text: String, summary: QuerySummary) {
    var query = QueryOptions()
    change(&query)
    final class Output { var bytes: [UInt8] = [] }
    let output = Output()
    let summary = try PipelineRunner.query(
      definition, query: query, options: BuildOptions(), cancellation: Cancellation(),
      progress: { _ in }
    ) { output.bytes += $0 }
    return (String(decoding: output.bytes, as: UTF8.self), summary)
  }

  /// The lines of an answer.
  func lines(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> [String] {
    try text(change).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// The values of the property `name` in the answer, in its order.
  func names(_ change: (inout QueryOptions) -> Void = { _ in }) throws -> [String] {
    try text(change).matches(of: #/"name":"([^"]*)"/#).map { String($0.1) }
  }

  /// The words of the error that a query throws, with its code.
  func fault(_ change: (inout QueryOptions) -> Void) -> String {
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
