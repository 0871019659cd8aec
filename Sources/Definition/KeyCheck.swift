import Runs

/// A check of a document's values against the specifications of their keys; the first error is
/// thrown.
enum KeyCheck {
  /// Checks the members of an object against its keys.
  ///
  /// - Parameter name: the name of this object in messages: `tiles`, `source 'hotels'`.
  static func check(
    _ node: DocumentNode, _ object: ObjectSpecification, name: String
  ) throws(PipelineError) {
    guard let members = node.members else {
      throw PipelineError(
        .definition, "\(name) must be an object, but it is \(node.words).", at: node.place)
    }
    for member in members {
      guard let key = object.key(member.key) else {
        throw unknownKey(member, known: object.names, name: name)
      }
      if case .null = member.node.value, key.value.fitting(member.node) == nil {
        throw PipelineError(
          .definition, "'\(member.key)' in \(name) has no value. Give it one or remove it.",
          at: member.keyPlace)
      }
      try check(member.node, key.value, key: member.key, in: name)
    }
    for key in object.keys where key.isRequired && node.member(key.name) == nil {
      throw PipelineError(
        .definition, "\(name) has no '\(key.name)', which must be \(key.value.words).",
        at: node.place)
    }
  }

  /// Checks the value of a key.
  static func check(
    _ node: DocumentNode, _ value: ValueSpecification, key: String, in name: String
  ) throws(PipelineError) {
    guard let fitting = value.fitting(node) else {
      throw PipelineError(
        .definition, mismatch(node, value, key: key, in: name), at: node.place)
    }
    switch fitting {
    case .list(let item, _):
      for (index, node) in (node.items ?? []).enumerated() {
        try check(node, item, key: "\(key)[\(index)]", in: name)
      }
    case .object(let object):
      try check(node, object, name: name == PipelineKeys.title ? key : "\(key) of \(name)")
    case .map(let item):
      for member in node.members ?? [] {
        try check(member.node, item, key: member.key, in: "\(key) of \(name)")
      }
    case .zoomMap(let item):
      for member in node.members ?? [] {
        try checkZoom(member, key: key, in: name)
        try check(member.node, item, key: member.key, in: "\(key) of \(name)")
      }
    case .typed(let types): try check(node, types, key: key)
    default: break
    }
  }

  /// Checks a source or a layer, whose keys depend on its `type`.
  private static func check(
    _ node: DocumentNode, _ types: TypedSpecification, key: String
  ) throws(PipelineError) {
    let id = types.isNamedByID ? node["id"]?.text : nil
    let name = "\(types.noun) '\(id ?? key)'"
    guard let type = node["type"] else {
      throw PipelineError(
        .definition,
        "\(name) has no 'type', which must be one of \(types.names.joined(separator: ", ")).",
        at: node.place)
    }
    let text = type.text ?? ""
    let stem = types.isVersioned ? text.split(separator: ".").first.map(String.init) : text
    guard let object = types.types.first(where: { $0.name == stem })?.object else {
      throw unknownType(type, types, name: name)
    }
    if types.isVersioned, case .choice(let spellings)? = object.key("type")?.value,
      !spellings.contains(text)
    {
      let known = spellings.dropFirst().joined(separator: ", ")
      throw PipelineError(
        .definition, "no reader '\(text)'; this version has '\(known)'.", at: type.place)
    }
    for member in node.members ?? [] where object.key(member.key) == nil {
      if let advice = types.advice(member, object, node) {
        throw PipelineError(
          .definition, "'\(member.key)' in \(name) is not a key of type \(text). \(advice)",
          at: member.keyPlace)
      }
      let owners = types.types.filter { $0.object.key(member.key) != nil }.map(\.name)
      guard owners.isEmpty else {
        throw PipelineError(
          .definition,
          "'\(member.key)' in \(name) is not a key of type \(text); "
            + "it belongs to \(owners.joined(separator: ", ")).", at: member.keyPlace)
      }
    }
    try check(node, object, name: name)
  }

  private static func unknownType(
    _ type: DocumentNode, _ types: TypedSpecification, name: String
  ) -> PipelineError {
    let known = types.names.joined(separator: ", ")
    guard let text = type.text else {
      return PipelineError(
        .definition, "'type' in \(name) must be one of \(known), but it is \(type.words).",
        at: type.place)
    }
    if types.refused.contains(text) {
      return PipelineError(
        .definition,
        "\(name) has type '\(text)', which this version does not support; supported are \(known).",
        at: type.place)
    }
    let near = DocumentSuggestion.nearest(to: text, among: types.names)
    return PipelineError(
      .definition,
      "unknown type '\(text)' of \(name)\(near.map { "; did you mean '\($0)'?" } ?? ".") "
        + "Known types: \(known).", at: type.place)
  }

  private static func checkZoom(
    _ member: DocumentMember, key: String, in name: String
  ) throws(PipelineError) {
    guard let zoom = Int(member.key), (0...24).contains(zoom), "\(zoom)" == member.key else {
      throw PipelineError(
        .definition,
        "the keys of '\(key)' in \(name) are zooms from 0 to 24, but '\(member.key)' is not one.",
        at: member.keyPlace)
    }
  }

  private static func mismatch(
    _ node: DocumentNode, _ value: ValueSpecification, key: String, in name: String
  ) -> String {
    if case .list = value, let count = node.items?.count {
      return "'\(key)' in \(name) must be \(value.words), but it has \(count)."
    }
    let base = "'\(key)' in \(name) must be \(value.words), but it is \(node.words)"
    guard case .choice(let choices) = value, let text = node.text,
      let near = DocumentSuggestion.nearest(to: text, among: choices)
    else { return base + "." }
    return base + "; did you mean '\(near)'?"
  }

  private static func unknownKey(
    _ member: DocumentMember, known: [String], name: String
  ) -> PipelineError {
    let near = DocumentSuggestion.nearest(to: member.key, among: known)
    return PipelineError(
      .definition,
      "unknown key '\(member.key)' in \(name)\(near.map { "; did you mean '\($0)'?" } ?? ".") "
        + "Known keys: \(known.joined(separator: ", ")).", at: member.keyPlace)
  }
}
