package import Definition
import Runs

/// The data of a source that this run does not read, or that lies elsewhere: the images of a series
/// are its frames.
package struct MissingData: DataOrigin {
  package let name: String

  /// The source, for the message of a run that reads it after all.
  private let source: SourceDefinition

  package init(_ source: SourceDefinition) {
    self.source = source
    name = source.declaredName
  }

  package var files: [InputFile] { [] }
  package var digestParts: [DigestPart]? { nil }
  package var storedBytes: Int? { 0 }
  package var canBeReadAgain: Bool { false }

  package func content() throws -> DataContent {
    throw source.place.fault("the data of source '\(source.name)' is not a file.")
  }
}
