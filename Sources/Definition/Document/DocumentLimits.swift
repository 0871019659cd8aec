import Runs

/// How large a pipeline file may be; what is over is refused before it is decoded.
package struct DocumentLimits: Hashable, Sendable {
  /// Bytes of the file.
  package var bytes = 1 << 20

  /// Values, with every alias counted as often as it is used.
  package var nodes = 100_000

  /// Levels of lists and objects within each other.
  package var depth = 128

  package init() {}

  /// The error for a document of more than ``nodes`` values.
  func tooManyNodes(at place: DocumentPlace) -> PipelineError {
    PipelineError(
      .definition,
      """
      the file holds more than \(nodes) values once its aliases are expanded. \
      Keep large data in a file of its own and name it with 'data:'.
      """, at: place)
  }

  /// The error for a document of more than ``depth`` levels.
  func tooDeep(at place: DocumentPlace) -> PipelineError {
    PipelineError(.definition, "values are nested more than \(depth) levels deep.", at: place)
  }
}
