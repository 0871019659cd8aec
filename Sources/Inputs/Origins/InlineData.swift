package import Definition
import Failures
import Features
import Ingest
import JSON

/// An object in the pipeline file itself.
package struct InlineData: DataOrigin {
  private let node: DocumentNode

  package init(_ node: DocumentNode) { self.node = node }

  package var name: String { node.place.description }

  /// None: the pipeline file is an input of its own.
  package var files: [InputFile] { [] }
  package var digestParts: [DigestPart]? { nil }
  package var storedBytes: Int? { 0 }

  package func content() -> DataContent {
    .whole(.bytes(Array(JSONWriter.text(node.propertyValue).utf8), name: name))
  }
}
