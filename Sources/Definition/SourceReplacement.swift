import Failures
import Runs

/// Data in place of a source's own, as `--source NAME=FILE` gives it: a style from the web may name
/// tiles that its user does not have.
package struct SourceReplacement: Codable, Hashable, Sendable {
  /// The name of the source.
  package var name: String

  /// A path relative to the current folder or a url; empty to leave the source out, with the layers
  /// that draw it.
  package var data: String

  /// The name of the option, which messages give as the place.
  private static let option = "--source"

  /// Parses `NAME=FILE`; `nil` for a text without a name before a `=`.
  package init?(_ text: String) {
    guard let end = text.firstIndex(of: "="), end > text.startIndex else { return nil }
    name = String(text[..<end])
    data = String(text[text.index(after: end)...])
  }

  /// The place of the data in messages.
  static let place = DocumentPlace(file: option)

  /// The keys that locate a source's data or choose a part of it. They are dropped, since they do
  /// not describe the new data.
  private static let replacedKeys: Set = [
    "data", "url", "tiles", "scheme", "minzoom", "maxzoom", "bounds",
  ]

  /// The keys that locate the data of a source other than tiles.
  private static let locatingKeys: Set = ["data", "url"]

  /// Returns a source with the data in place of its own.
  fileprivate func applied(to source: MergeResult.Source) -> MergeResult.Source {
    var source = source
    let node = source.member.node
    let type = node["type"]?.text ?? ""
    let hasTiles = type.hasPrefix(VectorTileSource.type) || type.hasPrefix("raster")
    let replaced = hasTiles ? Self.replacedKeys : Self.locatingKeys
    let kept = (node.members ?? []).filter { !replaced.contains($0.key) }
    let key = type.hasPrefix(SourceKeys.imageType) ? "url" : "data"
    let own = DocumentMember(
      key: key, keyPlace: Self.place, node: DocumentNode(.string(data), at: Self.place))
    source.member.node = DocumentNode(.object(kept + [own]), at: node.place)
    return source
  }
}

extension MergeResult {
  /// Replaces the data of sources, and leaves out those whose replacement is empty.
  ///
  /// - Parameter omitted: the sources that were left out already.
  /// - Throws: ``PipelineError`` with code `usage` for a source that is not there, with all others.
  mutating func replaceData(
    _ replacements: [SourceReplacement], omitted: Set<String>
  ) throws(PipelineError) {
    let names = sources.map(\.member.key) + omitted.sorted()
    var seen: Set<String> = []
    var errors: [PipelineError] = []
    for replacement in replacements {
      guard names.contains(replacement.name) else {
        errors.append(Self.unknown(replacement.name, among: names))
        continue
      }
      guard seen.insert(replacement.name).inserted else {
        errors.append(
          PipelineError(
            .usage, "source '\(replacement.name)' is replaced twice. Name one file for it.",
            at: SourceReplacement.place))
        continue
      }
      if let index = sources.firstIndex(where: { $0.member.key == replacement.name }) {
        sources[index] = replacement.applied(to: sources[index])
      }
    }
    if let error = PipelineError(errors) { throw error }
    for replacement in replacements where replacement.data.isEmpty { leaveOut(replacement.name) }
  }

  private static func unknown(_ name: String, among names: [String]) -> PipelineError {
    PipelineError(
      .usage,
      "no source '\(name)'\(NameSuggestion.question(name, among: names)) Sources are "
        + "\(names.joined(separator: ", ")).", at: SourceReplacement.place)
  }

  /// Removes a store with its layers.
  private mutating func leaveOut(_ name: String) {
    sources.removeAll { $0.member.key == name }
    drawings = drawings.compactMap { drawing in
      switch drawing {
      case .layers: drawing
      case .styleLayers(_, let source), .look(let source): source == name ? nil : drawing
      }
    }
  }
}

extension DocumentNode {
  /// Returns the root of a file without some of its sources, and without the layers that draw them.
  func leavingOut(_ names: Set<String>) -> DocumentNode {
    guard !names.isEmpty else { return self }
    var root = self
    if let sources = self["sources"], let members = sources.members {
      let kept = members.filter { !names.contains($0.key) }
      root = root.replacing("sources", by: DocumentNode(.object(kept), at: sources.place))
    }
    if let layers = self["layers"], let items = layers.items {
      let kept = items.filter { layer in layer["source"]?.text.map(names.contains) != true }
      root = root.replacing("layers", by: DocumentNode(.array(kept), at: layers.place))
    }
    return root
  }
}
