/// Something that a pipeline file says and that has no effect, worth a line of the log.
package struct DefinitionNote: Hashable, Sendable {
  package var message: String
  package var place: DocumentPlace

  /// The notes on a checked file.
  static func notes(on root: DocumentNode, dialect: PipelineDialect) -> [DefinitionNote] {
    let (ignored, reader): ([String], String) =
      switch dialect {
      case .style: (PipelineKeys.ignoredStyleKeys, "map viewers")
      case .stores: (PipelineKeys.ignoredStoresKeys, "SpatialConnect's apps")
      case .pipeline, .collection: ([], "")
      }
    return (root.members ?? []).filter { ignored.contains($0.key) }.map {
      DefinitionNote(
        message: "'\($0.key)' is for \(reader) and has no effect on tiles.", place: $0.keyPlace)
    }
  }
}

extension DefinitionNote: CustomStringConvertible {
  package var description: String { "\(place): \(message)" }
}
