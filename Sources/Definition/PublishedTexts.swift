import JSON
import MBTiles
import Runs

extension PipelineDefinition {
  /// Refuses texts that the archive publishes and its readers or users cannot take: control
  /// characters, and absolute paths of the machine that built it.
  ///
  /// - Parameter root: the node of the pipeline file.
  func refuseUnpublishableTexts(_ root: DocumentNode) throws(PipelineError) {
    for (key, text) in [
      ("name", name), ("description", description), ("attribution", attribution),
    ] {
      guard let fault = ArchiveMetadata.fault(of: text, as: key) else { continue }
      throw PipelineError(
        .definition, "the archive would publish a text that must not be in it: \(fault)",
        at: root[key]?.place ?? DocumentPlace(file: file))
    }
    // The ledger and the provenance name the sources in JSON.
    for source in sources {
      let text = ReportJSON.string(source.name).line
      guard let fault = ArchiveMetadata.fault(of: text, as: source.name) else { continue }
      throw source.place.fault(
        "the archive would publish the name of this source, which must not be: \(fault)")
    }
  }
}
