import Runs

/// The keys of sprites and images for icons and patterns.
enum SpriteKeys {
  static let keys = [
    KeySpecification(
      "sprite", .oneOf([.string, .list(of: .object(sprite), count: 0...64)]),
      "The path or url of a sprite without .json and .png, or a list of them with ids: the images "
        + "of icons and patterns."),
    KeySpecification(
      "images", .map(of: .string),
      "PNG files by the names that icon-image and patterns use; pin@2x.png beside pin.png is drawn "
        + "at density 2."),
  ]

  static let sprite = ObjectSpecification(
    "a sprite",
    [
      KeySpecification(
        "id", .string, isRequired: true,
        "What stands before the names of its images, as in id:name; nothing for default."),
      KeySpecification(
        "url", .string, isRequired: true, "The path or url of the sprite without .json and .png."),
    ])
}

extension MergeResult {
  /// A `sprite` or an image of one of the files.
  struct Sprite {
    /// The value; its key is the prefix of a sprite's names, or the name of an image.
    var member: DocumentMember
    var isSheet: Bool
    /// The file to which its path is relative.
    var file: String

    /// The path or url, to compare it with others.
    fileprivate var path: String {
      let paths = DefinitionPaths(file: file)
      let text = member.node.text ?? ""
      return text.contains("://")
        ? text : paths.isRemote ? paths.address(text) : paths.resolve(text)
    }

    /// The note where no layer shows an image.
    var unusedNote: DefinitionNote {
      DefinitionNote(
        message: isSheet
          ? "'sprite' has no effect: no layer shows an icon or a pattern."
          : "image '\(member.key)' has no effect: no layer shows an icon or a pattern.",
        place: member.keyPlace)
    }
  }

  /// Adds the sprites and images of a file.
  mutating func addSprites(
    of root: DocumentNode, file: String
  ) throws(PipelineError) {
    if let member = root.member("sprite") {
      for item in member.node.items ?? [member.node] {
        let id = item["id"]?.text ?? "default"
        let sheet = DocumentMember(
          key: id == "default" ? "" : "\(id):",
          keyPlace: member.node.items == nil ? member.keyPlace : item.place,
          node: item["url"] ?? item)
        try add(Sprite(member: sheet, isSheet: true, file: file))
      }
    }
    for member in root["images"]?.members ?? [] {
      try add(Sprite(member: member, isSheet: false, file: file))
    }
  }

  /// Adds a sprite or image; two different ones of one name are refused.
  mutating func add(_ sprite: Sprite) throws(PipelineError) {
    let first = sprites.first {
      $0.isSheet == sprite.isSheet && $0.member.key == sprite.member.key
    }
    guard let first else {
      sprites.append(sprite)
      return
    }
    guard first.path == sprite.path else {
      let name = sprite.member.key.isEmpty ? "default" : sprite.member.key
      throw sprite.member.keyPlace.fault(
        "two \(sprite.isSheet ? "sprites" : "images") have the name '\(name)': here and at "
          + "\(first.member.keyPlace). Rename one of them.")
    }
  }
}

extension LayerDefinition {
  /// Whether the layer shows images of a sprite.
  var showsImages: Bool {
    (layout + paint).contains { member in
      member.key == "icon-image" || member.key.hasSuffix("-pattern")
        || (member.key == "text-field" && member.node.mentionsImage)
    }
  }
}

extension DocumentNode {
  /// Whether an expression has the operator `image` anywhere.
  fileprivate var mentionsImage: Bool {
    guard let items else { return false }
    return items.first?.text == "image" || items.contains(where: \.mentionsImage)
  }
}
