import Baking
import Definition
import Examination
import Expressions
import Features
import Ingest
import Inputs
import Runs
import SourceStages

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
    if let meant = whereText.flatMap({ CQL2Quotes.comparison(with: name, in: $0) }) {
      return "\(sentence). Quote texts: \(meant)."
    }
    return sentence + NameSuggestion.question(name, among: known)
  }
}

extension QueryOptions {
  /// Returns notes on values that are not numbers although a condition uses them as such.
  func notes(
    on numbers: [QuantityRequest: QuantityCensus], of source: ResolvedSource
  ) throws -> [String] {
    var usages: [QuantityUsage] = []
    func add(_ filter: CompiledFilter, _ user: String, _ form: QuantityUsage.Form) {
      for request in [filter].quantityRequests {
        usages.append(QuantityUsage(request, user: user, form: form))
      }
    }
    if let whereText {
      let clause = try WhereClause(commandLine: whereText)
      add(clause.filter, "--where", .condition(alternative: "--filter"))
    }
    if let filterText {
      add(try WhereClause(commandLineFilter: filterText).filter, "--filter", .expression)
    }
    for clause in source.records?.conditions ?? [] {
      add(clause.filter, "'where'", .condition(alternative: "'filter'"))
    }
    if source.records?.filter != nil, let filter = try source.definition.filters().first {
      add(filter, "'filter'", .expression)
    }
    return usages.compactMap { usage in
      numbers[usage.request].flatMap { source.note(on: usage, $0) }
    }
  }
}

extension WhereClause {
  /// Creates the clause by compiling the MapLibre expression or filter of the command line.
  fileprivate init(commandLineFilter text: String) throws(PipelineError) {
    let json: PropertyValue
    do {
      json = try JSONValueParser.parse(
        Array(text.utf8), name: "--filter", keepsWholes: true)
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
