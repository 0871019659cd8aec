import Runs
import Yams

/// A converter from Yams' tree to a document's: it follows aliases, merges `<<`, refuses duplicate
/// keys and counts values.
struct DocumentBuilder {
  let file: String
  /// The character that replaces `*` in the text that Yams parsed.
  let star: Unicode.Scalar
  let limits: DocumentLimits

  /// The anchored values so far, each complete.
  private var anchors: [String: DocumentNode] = [:]

  /// The number of values built so far, including those that aliases repeat.
  private var count = 0

  init(file: String, star: Unicode.Scalar, limits: DocumentLimits) {
    self.file = file
    self.star = star
    self.limits = limits
  }

  /// Converts a node of Yams' tree.
  ///
  /// - Complexity: O(*n*) in the expanded size, which ``DocumentLimits/nodes`` bounds.
  mutating func node(_ node: Node, depth: Int) throws(PipelineError) -> DocumentNode {
    let place = place(node)
    guard depth <= limits.depth else { throw limits.tooDeep(at: place) }
    let built: DocumentNode
    switch node {
    case .scalar(let scalar):
      if let name = aliasName(scalar) { return try alias(name, depth: depth, at: place) }
      built = try self.scalar(scalar, at: place)
      try add(1, at: place)
    case .sequence(let sequence):
      try refuseTag(sequence.tag, "seq", at: place)
      try add(1, at: place)
      var items: [DocumentNode] = []
      for item in sequence { items.append(try self.node(item, depth: depth + 1)) }
      built = DocumentNode(.array(items), at: place)
    case .mapping(let mapping):
      try refuseTag(mapping.tag, "map", at: place)
      try add(1, at: place)
      built = DocumentNode(.object(try members(mapping, depth: depth + 1)), at: place)
    case .alias:
      throw place.fault("this alias cannot be followed.")
    }
    if let anchor = node.anchor { anchors[anchor.rawValue] = built }
    return built
  }

  private mutating func add(_ nodes: Int, at place: DocumentPlace) throws(PipelineError) {
    count += nodes
    guard count <= limits.nodes else { throw limits.tooManyNodes(at: place) }
  }

  private func place(_ node: Node) -> DocumentPlace {
    DocumentPlace(file: file, line: node.mark?.line ?? 0, column: node.mark?.column ?? 0)
  }

  private func restored(_ text: String) -> String {
    text.unicodeScalars.contains(star) ? text.replacing(String(star), with: "*") : text
  }

  // MARK: Scalars

  private func aliasName(_ scalar: Node.Scalar) -> String? {
    guard scalar.style == .plain, scalar.string.unicodeScalars.first == star else { return nil }
    return restored(String(scalar.string.unicodeScalars.dropFirst()))
  }

  private func scalar(
    _ scalar: Node.Scalar, at place: DocumentPlace
  ) throws(PipelineError) -> DocumentNode {
    let text = restored(scalar.string)
    let isTagged = scalar.tag.rawValue == Tag.Name.str.rawValue
    if !isTagged { try refuseTag(scalar.tag, "str", at: place) }
    guard scalar.style == .plain, !isTagged else {
      var node = DocumentNode(.string(text), at: place)
      node.layout =
        scalar.style == .literal ? .literalBlock : scalar.style == .folded ? .foldedBlock : .flow
      return node
    }
    guard let value = DocumentScalar.value(of: text) else {
      throw place.fault("'\(text)' is not a finite number. Put it in quotes if it is a text.")
    }
    var node = DocumentNode(value, at: place)
    node.isPlain = true
    return node
  }

  /// Refuses a tag other than the one that the value would have without it.
  private func refuseTag(
    _ tag: Tag, _ own: String, at place: DocumentPlace
  ) throws(PipelineError) {
    let name = tag.rawValue
    guard !["", "!", "tag:yaml.org,2002:\(own)"].contains(name) else { return }
    let short = name.replacing("tag:yaml.org,2002:", with: "!!")
    throw place.fault("the tag '\(short)' is not supported. Remove it; only !!str is known.")
  }

  private mutating func alias(
    _ name: String, depth: Int, at place: DocumentPlace
  ) throws(PipelineError) -> DocumentNode {
    guard let node = anchors[name] else {
      throw place.fault(
        "no anchor '&\(name)' ends above this alias. Put a text that begins with '*' in quotes.")
    }
    try add(node.count, at: place)
    guard depth + node.depth - 1 <= limits.depth else { throw limits.tooDeep(at: place) }
    return node
  }

  // MARK: Objects

  private mutating func members(
    _ mapping: Node.Mapping, depth: Int
  ) throws(PipelineError) -> [DocumentMember] {
    var members: [DocumentMember] = []
    var places: [String: DocumentPlace] = [:]
    var merged: [DocumentMember] = []
    for (keyNode, valueNode) in mapping {
      let place = place(keyNode)
      let key = try self.key(keyNode, at: place)
      let value = try node(valueNode, depth: depth)
      if key == "<<", keyNode.scalar?.style == .plain {
        merged += try Self.mergeable(value)
        continue
      }
      if let first = places.updateValue(place, forKey: key) {
        throw Self.duplicateKey(key, first: first, second: place)
      }
      members.append(DocumentMember(key: key, keyPlace: place, node: value))
    }
    // Own keys win over merged ones, earlier merged ones over later.
    for member in merged where places[member.key] == nil {
      places[member.key] = member.keyPlace
      members.append(member)
    }
    return members
  }

  private func key(_ node: Node, at place: DocumentPlace) throws(PipelineError) -> String {
    guard let scalar = node.scalar else {
      throw place.fault("a key must be a text, not a list or an object.")
    }
    if let name = aliasName(scalar) {
      guard let text = anchors[name]?.text else {
        throw place.fault("the alias '*\(name)' stands for a key but names no text.")
      }
      return text
    }
    return restored(scalar.string)
  }

  /// Returns the members that a merge key brings in, from an object or a list of objects.
  private static func mergeable(
    _ node: DocumentNode
  ) throws(PipelineError) -> [DocumentMember] {
    if let members = node.members { return members }
    guard let items = node.items else {
      throw node.place.fault(
        "'<<' merges an object or a list of objects, but this is \(node.words).")
    }
    var members: [DocumentMember] = []
    for item in items {
      guard let found = item.members else {
        throw item.place.fault("'<<' merges objects, but this is \(item.words).")
      }
      members += found
    }
    return members
  }

  /// Returns the error for a key that occurs twice in an object.
  static func duplicateKey(
    _ key: String, first: DocumentPlace, second: DocumentPlace?
  ) -> PipelineError {
    guard let second else {
      return first.fault("the key '\(key)' stands twice in this object. Remove one.")
    }
    return second.fault(
      "the key '\(key)' occurs here and at \(first.line):\(first.column). Remove one.")
  }
}

extension DocumentNode {
  /// The number of levels of the value: 1 for a scalar.
  ///
  /// - Complexity: O(*n*).
  fileprivate var depth: Int {
    switch value {
    case .array(let items): 1 + (items.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.map(\.node.depth).max() ?? 0)
    default: 1
    }
  }
}
