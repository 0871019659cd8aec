package import Runs

/// A sprite of the style, or a single image that the pipeline names.
package struct SpriteDefinition: Sendable {
  package enum Kind: Hashable, Sendable {
    /// An index and a PNG, whose images are named with a prefix: `id:`, or nothing.
    case sheet(prefix: String)
    /// A PNG that is the image of a name.
    case image(name: String)
  }

  /// One file of a sprite.
  package struct Part: Sendable {
    /// The pixel density that it is made for, 1 or 2.
    package var density: Int

    /// Whether it is an index, not a PNG.
    package var isIndex: Bool

    package var location: DataLocation
  }

  package let kind: Kind

  /// The files, those for density 1 first; the index of each density before its PNG. Those of
  /// density 2 are optional where they are files of this machine.
  package var parts: [Part]

  /// The place of the key in the pipeline file.
  package let place: DocumentPlace

  /// The text of the key's value, for messages and digests.
  package let text: String
}

extension SpriteDefinition {
  /// The paths of its files on this machine.
  package var files: [String] {
    parts.compactMap { if case .file(let path) = $0.location { path } else { nil } }
  }

  /// Creates the parts of a sprite from the address without `.json` or `.png`.
  ///
  /// - Parameter densities: the pixel densities that are drawn; a remote sprite is fetched for them
  ///   alone.
  static func sheet(
    _ member: DocumentMember, prefix: String, _ paths: DefinitionPaths, densities: [Int]
  ) throws(PipelineError) -> SpriteDefinition {
    let text = member.node.text ?? ""
    let base = SpriteAddress(try paths.location(text, key: member))
    var parts: [Part] = []
    // As in MapLibre, @2x serves all screens above 1.
    let wanted = base.isRemote ? Set(densities.map { min($0, 2) }).sorted() : [1, 2]
    for density in wanted {
      for suffix in [".json", ".png"] {
        parts.append(
          Part(
            density: density, isIndex: suffix == ".json",
            location: base.appending((density == 2 ? "@2x" : "") + suffix)))
      }
    }
    return SpriteDefinition(
      kind: .sheet(prefix: prefix), parts: parts, place: member.node.place, text: text)
  }

  /// Creates the parts of a single image: its PNG, and the one beside it for density 2.
  static func image(
    _ member: DocumentMember, _ paths: DefinitionPaths
  ) throws(PipelineError) -> SpriteDefinition {
    let text = member.node.text ?? ""
    let address = SpriteAddress(try paths.location(text, key: member))
    var parts = [Part(density: 1, isIndex: false, location: address.location)]
    if !address.isRemote {
      parts.append(Part(density: 2, isIndex: false, location: address.dense))
    }
    return SpriteDefinition(
      kind: .image(name: member.key), parts: parts, place: member.node.place, text: text)
  }
}

/// The address of a sprite or an image, a path or a URL, whose last part gets suffixes before its
/// query.
private struct SpriteAddress {
  private let path: String
  private let query: String
  let isRemote: Bool

  init(_ location: DataLocation) {
    switch location {
    case .url(let url):
      let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
      path = String(url[..<end])
      query = String(url[end...])
      isRemote = true
    case .file(let file):
      path = file
      query = ""
      isRemote = false
    case .patterns, .inline, .standardInput, .memory, .connection, .none:
      path = ""
      query = ""
      isRemote = false
    }
  }

  var location: DataLocation { at(path) }

  /// The address with `@2x` before its ending.
  var dense: DataLocation {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return at(path + "@2x") }
    return at("\(path[..<dot])@2x\(path[dot...])")
  }

  /// Returns the address with a suffix instead of `.json` or `.png`.
  func appending(_ suffix: String) -> DataLocation {
    for ending in [".json", ".png"] where path.hasSuffix(ending) {
      return at(path.dropLast(ending.count) + suffix)
    }
    return at(path + suffix)
  }

  private func at(_ path: some StringProtocol) -> DataLocation {
    isRemote ? .url(path + query) : .file(String(path))
  }
}
