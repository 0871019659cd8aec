import Runs

/// The files of a definition and the variables that they name: everything from which it was
/// decoded, so that another machine decodes the same.
package struct DefinitionMaterial: Hashable, Sendable {
  /// The path of the pipeline file as the user entered it.
  package var file: String

  /// The bytes of that file and of all that it includes, by path.
  package var documents: [String: [UInt8]] = [:]

  /// The paths of further files that the command line includes.
  package var including: [String] = []

  /// The data that the command line gives in place of that of sources.
  package var replacements: [SourceReplacement] = []

  /// The values of the environment's variables, by name.
  package var variables: [String: String] = [:]

  package init(file: String) {
    self.file = file
  }

  /// Adds a file that was read.
  mutating func add(_ document: Document) {
    documents[document.file] = document.bytes
    variables.merge(document.variables) { $1 }
  }

  /// Parses one of the files.
  ///
  /// - Throws: ``PipelineError`` with code `missingInput` for a path that is not among them.
  func document(_ path: String) throws(PipelineError) -> Document {
    guard let bytes = documents[path] else {
      throw PipelineError(
        .missingInput, "the file is not among those of the plan.", at: DocumentPlace(file: path))
    }
    return try Document(bytes: bytes, file: path, environment: { variables[$0] })
  }
}
