import Runs

/// A conversion of MapLibre styles of the web to what flat tiles can show.
///
/// Extruded areas are drawn flat, as seen from above. Hillshading and the sky are left out, with
/// the sources that only they draw.
enum StyleForm {
  /// The layer type of extruded areas.
  static let raised = "fill-extrusion"

  /// The layer types that are left out.
  static let omittedLayers: Set = ["hillshade", "color-relief", "sky"]

  /// The source types that are left out where no other layer draws them.
  static let omittedSources: Set = ["raster-dem", "video", "canvas", "model"]

  /// Returns a style without what flat tiles do not show, and a note for each kind of change.
  ///
  /// - Complexity: O(layers).
  static func flattened(_ root: DocumentNode) -> (root: DocumentNode, notes: [DefinitionNote]) {
    guard let layers = root.member("layers")?.node, let items = layers.items else {
      return (root, [])
    }
    var kept: [DocumentNode] = []
    var flat: [DocumentNode] = []
    var omitted: [DocumentNode] = []
    for layer in items {
      switch layer["type"]?.text {
      case raised?:
        flat.append(layer)
        kept.append(flattened(layer: layer))
      case let type? where omittedLayers.contains(type): omitted.append(layer)
      default: kept.append(layer)
      }
    }
    var changed = root.replacing("layers", by: DocumentNode(.array(kept), at: layers.place))
    let drawn = Set(kept.compactMap { $0["source"]?.text })
    var unused: [DocumentMember] = []
    if let sources = root.member("sources")?.node, let members = sources.members {
      unused = members.filter { source in
        omittedSources.contains(source.node["type"]?.text ?? "") && !drawn.contains(source.key)
      }
      let used = members.filter { member in !unused.contains { $0.key == member.key } }
      changed = changed.replacing("sources", by: DocumentNode(.object(used), at: sources.place))
    }
    let notes = [
      note(flat, "are drawn flat, as areas: tiles show the map from above."),
      note(omitted, "are left out: tiles show neither heights nor the sky."),
      note(unused),
    ]
    return (changed, notes.compactMap(\.self))
  }

  /// Returns the flat fill layer that replaces an extruded one.
  private static func flattened(layer: DocumentNode) -> DocumentNode {
    let members = (layer.members ?? []).map { member in
      var member = member
      switch member.key {
      case "type": member.node = DocumentNode(.string("fill"), at: member.node.place)
      case "paint", "layout":
        let properties = (member.node.members ?? []).compactMap(flattened(property:))
        if member.node.members != nil {
          member.node = DocumentNode(.object(properties), at: member.node.place)
        }
      default: break
      }
      return member
    }
    return DocumentNode(.object(members), at: layer.place)
  }

  /// Returns the property of a flat area; `nil` for a property of its height, its walls or the
  /// light.
  private static func flattened(property: DocumentMember) -> DocumentMember? {
    let prefix = raised + "-"
    guard property.key.hasPrefix(prefix) else { return property }
    let name = property.key.dropFirst(prefix.count)
    let flat = ["color", "opacity", "pattern", "translate", "translate-anchor"]
    guard let base = flat.first(where: { name == $0 || name == "\($0)-transition" }) else {
      return nil
    }
    var property = property
    property.key = "fill-\(base)\(name.dropFirst(base.count))"
    return property
  }

  /// Returns the note on some layers; `nil` for none.
  private static func note(_ layers: [DocumentNode], _ words: String) -> DefinitionNote? {
    guard let first = layers.first else { return nil }
    let names = layers.map { "'\($0["id"]?.text ?? "")' (\($0["type"]?.text ?? ""))" }
    return DefinitionNote(
      message: "layers \(names.joined(separator: ", ")) \(words)",
      place: (first["type"] ?? first).place)
  }

  private static func note(_ sources: [DocumentMember]) -> DefinitionNote? {
    guard let first = sources.first else { return nil }
    let names = sources.map { "'\($0.key)' (\($0.node["type"]?.text ?? ""))" }
    return DefinitionNote(
      message: "sources \(names.joined(separator: ", ")) are left out: no layer draws them.",
      place: first.keyPlace)
  }
}

extension DocumentNode {
  /// Returns the object with another value of a key that it has.
  func replacing(_ key: String, by node: DocumentNode) -> DocumentNode {
    let members = (self.members ?? []).map { member in
      member.key == key
        ? DocumentMember(key: key, keyPlace: member.keyPlace, node: node) : member
    }
    return DocumentNode(.object(members), at: place)
  }
}
