package import Runs

/// A key of a pipeline file that has no effect, reported as a line of the log.
package struct DefinitionNote: Hashable, Sendable {
  package var message: String
  package var place: DocumentPlace

  package init(message: String, place: DocumentPlace) {
    self.message = message
    self.place = place
  }

  /// Returns the notes on a checked file.
  static func notes(on root: DocumentNode, dialect: PipelineDialect) -> [DefinitionNote] {
    let (ignored, reader): ([String], String) =
      switch dialect {
      case .style: (PipelineKeys.ignoredStyleKeys, "map viewers")
      case .stores: (PipelineKeys.ignoredStoresKeys, "SpatialConnect's apps")
      case .pipeline, .collection: ([], "")
      }
    let notes = (root.members ?? []).filter { ignored.contains($0.key) }.map {
      DefinitionNote(
        message: "'\($0.key)' is for \(reader) and has no effect on tiles.", place: $0.keyPlace)
    }
    return notes + (dialect == .style ? generatedIDs(in: root) : [])
  }

  /// Returns a note for each source of a style that asks for generated feature ids: a position in
  /// the file is not an id on which keys, edits and hit tests could rely.
  private static func generatedIDs(in root: DocumentNode) -> [DefinitionNote] {
    (root["sources"]?.members ?? []).compactMap { source in
      guard let member = source.node.member("generateId"), member.node.bool == true else {
        return nil
      }
      return DefinitionNote(
        message: "'generateId' of source '\(source.key)' has no effect: features keep the ids of "
          + "their file. Name a property that is the id with 'promoteId'.", place: member.keyPlace)
    }
  }
}

extension DefinitionNote: CustomStringConvertible {
  package var description: String { "\(place): \(message)" }
}
