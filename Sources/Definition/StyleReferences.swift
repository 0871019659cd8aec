import Runs

/// The layers of an old MapLibre style that take their data from another one by `ref`.
enum StyleReferences {
  /// The keys that a layer takes from the layer that it refers to.
  private static let shared = [
    "type", "source", "source-layer", "minzoom", "maxzoom", "filter", "layout",
  ]

  /// Returns a style whose layers stand alone, as MapLibre resolves them when it loads a style.
  ///
  /// - Throws: ``PipelineError`` with code `definition` for a layer that is not there, or that refers
  ///   to another itself.
  /// - Complexity: O(layers).
  static func resolved(_ root: DocumentNode) throws(PipelineError) -> DocumentNode {
    guard let member = root.member("layers"), let layers = member.node.items,
      layers.contains(where: { $0["ref"] != nil })
    else { return root }
    var byID: [String: DocumentNode] = [:]
    for layer in layers { if let id = layer["id"]?.text { byID[id] = layer } }
    let resolved = try layers.map { layer throws(PipelineError) in
      guard let reference = layer["ref"] else { return layer }
      let name = reference.text ?? ""
      guard let parent = byID[name] else {
        throw reference.place.fault(
          "'ref' names the layer '\(name)', which is not there"
            + NameSuggestion.question(name, among: byID.keys.sorted()))
      }
      guard parent["ref"] == nil else {
        throw reference.place.fault(
          "'ref' names the layer '\(name)', which refers to another itself. Name that one.")
      }
      let own = (layer.members ?? []).filter { $0.key != "ref" && !shared.contains($0.key) }
      let taken = (parent.members ?? []).filter { shared.contains($0.key) }
      return DocumentNode(.object(own + taken), at: layer.place)
    }
    return root.replacing("layers", by: DocumentNode(.array(resolved), at: member.node.place))
  }
}
