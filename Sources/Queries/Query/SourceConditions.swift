import Baking
import Definition
import Expressions
import Features
import Ingest
import Runs

extension QueryOptions {
  /// Compiles `--where` and `--filter`.
  ///
  /// - Throws: ``PipelineError`` with code `usage` and the place of the fault in its text.
  func conditions() throws(PipelineError) -> [WhereClause] {
    var clauses: [WhereClause] = []
    if let whereText { clauses.append(try WhereClause(commandLine: whereText)) }
    if let filterText { clauses.append(try WhereClause(commandLineFilter: filterText)) }
    return clauses
  }

  /// The names that `--filter` reads with `has` or within `coalesce`.
  var guardedNames: Set<String> {
    guard let filterText else { return [] }
    var json = DocumentJSON(text: filterText, file: "--filter", limits: DocumentLimits())
    return (try? json.parse().guardedNames) ?? []
  }

  /// Returns the note on a property that the conditions read and no record has.
  ///
  /// - Parameter known: the properties that records have.
  func note(onUnknown name: String, known: [String]) -> String {
    let sentence = "no feature that was read has a property named '\(name)'"
    if whereText?.contains("\"\(name)\"") == true {
      return sentence + ". In --where a text stands in single quotes: '\(name)'."
    }
    return sentence + DocumentSuggestion.question(name, among: known)
  }
}

extension WhereClause {
  /// Creates the clause by compiling the MapLibre expression or filter of the command line.
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
