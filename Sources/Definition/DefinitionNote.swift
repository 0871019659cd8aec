package import Runs

/// Something that a pipeline file says and that has no effect, worth a line of the log.
package struct DefinitionNote: Hashable, Sendable {
  package var message: String
  package var place: DocumentPlace

  package init(message: String, place: DocumentPlace) {
    self.message = message
    self.place = place
  }

  /// The notes on a checked file.
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

  /// A style's sources that ask for numbered features: a number of the place in the file is no id
  /// that keys, edits and taps could keep.
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
