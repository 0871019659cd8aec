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
    let members = root.members ?? []
    switch dialect {
    case .pipeline, .collection: return []
    case .stores:
      return members.filter { PipelineKeys.ignoredStoresKeys.contains($0.key) }.map {
        DefinitionNote(
          message: "'\($0.key)' is for SpatialConnect's apps and has no effect on tiles.",
          place: $0.keyPlace)
      }
    case .style:
      // Every style has a camera, glyphs and metadata; only the keys by which tiles would differ
      // from a viewer's picture are worth a line.
      return members.filter(changesPicture).map {
        DefinitionNote(
          message: "'\($0.key)' has no effect: tiles are flat, in Web Mercator.",
          place: $0.keyPlace)
      } + generatedIDs(in: root)
    }
  }

  /// Whether a key of a style makes a viewer draw something that tiles cannot show.
  private static func changesPicture(_ member: DocumentMember) -> Bool {
    switch member.key {
    case "terrain": member.node.members != nil
    case "projection": member.node["type"]?.text.map { $0 != "mercator" } ?? false
    default: false
    }
  }

  /// Returns a note for each source of a style with taps that asks for generated feature ids: a position in
  /// the file is not an id on which keys, edits and hit tests could rely.
  private static func generatedIDs(in root: DocumentNode) -> [DefinitionNote] {
    guard root["tiles"]?["interactivity"] != nil else { return [] }
    return (root["sources"]?.members ?? []).compactMap { source in
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
