import Runs

/// The limits on the size of a pipeline file; a larger one is refused before it is decoded.
package struct DocumentLimits: Hashable, Sendable {
  /// Maximum bytes of the file.
  package var bytes = 1 << 20

  /// Maximum number of values, each alias counted as often as it is used.
  package var nodes = 100_000

  /// Maximum number of nested levels of lists and objects.
  package var depth = 128

  package init() {}

  /// Returns the error for a document of more than ``nodes`` values.
  func tooManyNodes(at place: DocumentPlace) -> PipelineError {
    PipelineError(
      .definition,
      """
      the file holds more than \(nodes) values once its aliases are expanded. \
      Keep large data in a file of its own and name it with 'data:'.
      """, at: place)
  }

  /// Returns the error for a document of more than ``depth`` levels.
  func tooDeep(at place: DocumentPlace) -> PipelineError {
    place.fault("values are nested more than \(depth) levels deep.")
  }
}
