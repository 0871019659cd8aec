import Expressions
import Features
import Ingest

extension QueryOptions {
  /// `--where` and `--filter`, compiled.
  ///
  /// - Throws: ``PipelineError`` with code `usage` and the place of the fault in its text.
  func conditions() throws(PipelineError) -> [WhereClause] {
    var clauses: [WhereClause] = []
    if let whereText { clauses.append(try WhereClause(commandLine: whereText)) }
    if let filterText { clauses.append(try WhereClause(commandLineFilter: filterText)) }
    return clauses
  }
}

extension WhereClause {
  /// Compiles the MapLibre expression or filter of the command line.
  fileprivate init(commandLineFilter text: String) throws(PipelineError) {
    let json: PropertyValue
    do {
      json = try JSONValueParser.parse(Array(text.utf8), name: "--filter")
    } catch {
      throw PipelineError(
        .usage, "--filter at \(error.line):\(error.column): \(error.message)")
    }
    do {
      self.init(text: text, filter: try CompiledFilter.compile(json))
    } catch {
      let first = error.errors.first
      throw PipelineError(
        .usage, "--filter\(first?.keyString ?? ""): \(first?.message ?? "invalid filter")")
    }
  }
}
