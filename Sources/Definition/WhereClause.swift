package import Expressions
import Features
package import Runs

/// A condition in CQL2 text: a source's `where:`, or `--where` of a query.
package struct WhereClause: Sendable {
  package let text: String

  /// The compiled text.
  package let filter: CompiledFilter

  /// Creates a condition that was compiled elsewhere.
  package init(text: String, filter: CompiledFilter) {
    self.text = text
    self.filter = filter
  }

  /// Compiles the text of a pipeline file.
  ///
  /// - Throws: ``PipelineError`` with code `definition` and the place of the fault in the file.
  init(_ node: DocumentNode) throws(PipelineError) {
    text = node.text ?? ""
    do {
      filter = try CompiledFilter.compile(cql2: text)
    } catch {
      let place = node.place(inTextAtLine: error.line, column: error.column)
      let words = place.isExact ? "" : " at \(error.line):\(error.column) of its text"
      throw place.place.fault("'where'\(words): \(error.message)")
    }
  }

  /// Compiles the text of the command line.
  ///
  /// - Throws: ``PipelineError`` with code `usage` and the place of the fault in the text.
  package init(commandLine text: String) throws(PipelineError) {
    self.text = text
    do {
      filter = try CompiledFilter.compile(cql2: text)
    } catch {
      throw PipelineError(
        .usage, "--where at \(error.line):\(error.column): \(error.message)")
    }
  }
}

extension DocumentNode {
  /// Returns the place in the file of a place in a string, and whether it is certain.
  ///
  /// Escapes and folded lines shift the characters after them, so the column may be off in a string
  /// with either; of a block, only the line is known, and of a folded block or one with a variable
  /// only where it begins.
  package func place(
    inTextAtLine line: Int, column: Int
  ) -> (place: DocumentPlace, isExact: Bool) {
    var found = place
    switch layout {
    case _ where isSubstituted: return (place, false)
    case .flow where line == 1:
      found.column += column - 1 + (isPlain ? 0 : 1)
      return (found, true)
    case .literalBlock:
      found.line += line
      found.column = 0
      return (found, false)
    case .flow, .foldedBlock: return (place, false)
    }
  }
}

extension DocumentNode {
  /// The advice for a text where a filter is expected; `nil` for anything else.
  package var filterAdvice: String? {
    guard let text else { return nil }
    let example =
      (try? CompiledFilter.compile(cql2: text)) == nil
      ? "name = 'Berlin'" : text.withoutControls
    return "'filter' is a MapLibre expression, a list such as [\"==\", [get, name], Berlin]. A "
      + "condition in words is a source's 'where': where: \"\(example)\"."
  }
}
