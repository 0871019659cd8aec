import Features
import Runs

/// A check of a document's values against the specifications of their keys: the errors of all keys,
/// which do not depend on each other, are found at once.
struct KeyCheck {
  private var errors: [PipelineError] = []

  /// Whether errors say what to write instead.
  private var advises = true

  /// Checks the members of an object against its keys.
  ///
  /// - Parameter name: the name of this object in messages: `tiles`, `source 'hotels'`.
  /// - Throws: the first error, with the others in ``PipelineError/others``.
  static func check(
    _ node: DocumentNode, _ object: ObjectSpecification, name: String
  ) throws(PipelineError) {
    var check = KeyCheck()
    check.check(node, object, name: name)
    if let error = PipelineError(check.errors) { throw error }
  }

  /// Checks the value of a key.
  ///
  /// - Throws: the first error, with the others in ``PipelineError/others``.
  static func check(
    _ node: DocumentNode, _ value: ValueSpecification, key: String, in name: String
  ) throws(PipelineError) {
    var check = KeyCheck()
    check.check(node, value, key: key, in: name)
    if let error = PipelineError(check.errors) { throw error }
  }

  /// Returns whether a key takes a value.
  static func takes(_ node: DocumentNode, _ value: ValueSpecification) -> Bool {
    var check = KeyCheck()
    // Advice tries other values by this function.
    check.advises = false
    check.check(node, value, key: "", in: "")
    return check.errors.isEmpty
  }

  private mutating func refuse(_ message: String, at place: DocumentPlace) {
    errors.append(place.fault(message))
  }

  private mutating func check(
    _ node: DocumentNode, _ object: ObjectSpecification, name: String
  ) {
    guard let members = node.members else {
      return refuse("\(name) must be an object, but it is \(node.words).", at: node.place)
    }
    for member in members {
      guard let key = object.key(member.key) else {
        errors.append(Self.unknownKey(member, known: object.names, name: name))
        continue
      }
      if case .null = member.node.value, key.value.fitting(member.node) == nil {
        refuse(
          "'\(member.key)' in \(name) has no value. Give it one or remove it.", at: member.keyPlace)
        continue
      }
      check(member.node, key.value, key: member.key, in: name)
    }
    // A mistyped key has an error of its own, so it is not reported as missing as well.
    let meant = members.compactMap { member in
      object.key(member.key) == nil
        ? KeySynonym.meant(by: member.key, among: object.names)?.key
          ?? NameSuggestion.nearest(to: member.key, among: object.names) : nil
    }
    for key in object.keys
    where key.isRequired && node.member(key.name) == nil && !meant.contains(key.name) {
      refuse(
        "\(name) has no '\(key.name)', which must be \(key.value.words).", at: node.place)
    }
  }

  private mutating func check(
    _ node: DocumentNode, _ value: ValueSpecification, key: String, in name: String
  ) {
    guard let fitting = value.fitting(node) else {
      return refuse(mismatch(node, value, key: key, in: name), at: node.place)
    }
    switch fitting {
    case .list(let item, _):
      for (index, node) in (node.items ?? []).enumerated() {
        check(node, item, key: "\(key)[\(index)]", in: name)
      }
    case .object(let object):
      check(node, object, name: name == PipelineKeys.title ? key : "\(key) of \(name)")
    case .map(let item):
      for member in node.members ?? [] {
        check(member.node, item, key: member.key, in: "\(key) of \(name)")
      }
    case .zoomMap(let item):
      for member in node.members ?? [] {
        checkZoom(member, key: key, in: name)
        check(member.node, item, key: member.key, in: "\(key) of \(name)")
      }
    case .typed(let types): check(node, types, key: key)
    default: break
    }
  }

  /// Checks a source or a layer, whose keys depend on its `type`.
  private mutating func check(
    _ node: DocumentNode, _ types: TypedSpecification, key: String
  ) {
    let id = types.isNamedByID ? node["id"]?.text : nil
    let name = "\(types.noun) '\(id ?? key)'"
    guard let type = node["type"] else {
      return refuse(
        "\(name) has no 'type', which must be one of \(types.names.joined(separator: ", ")).",
        at: node.place)
    }
    let text = type.text ?? ""
    let stem = types.isVersioned ? text.split(separator: ".").first.map(String.init) : text
    guard let object = types.types.first(where: { $0.name == stem })?.object else {
      return errors.append(Self.unknownType(type, types, name: name))
    }
    if types.isVersioned, case .choice(let spellings)? = object.key("type")?.value,
      !spellings.contains(text)
    {
      let known = spellings.dropFirst().joined(separator: ", ")
      return refuse("no reader '\(text)'; this version has '\(known)'.", at: type.place)
    }
    let foreign = foreignKeys(node, object, types, name: name, type: text)
    guard foreign.isEmpty else { return errors += foreign }
    check(node, object, name: name)
  }

  /// Returns the errors of keys that belong to another type.
  private func foreignKeys(
    _ node: DocumentNode, _ object: ObjectSpecification, _ types: TypedSpecification,
    name: String, type: String
  ) -> [PipelineError] {
    (node.members ?? []).filter { object.key($0.key) == nil }.compactMap { member in
      let problem = "'\(member.key)' in \(name) is not a key of type \(type)"
      if let advice = types.advice(member, object, node) {
        return member.keyPlace.fault("\(problem). \(advice)")
      }
      let owners = types.types.filter { $0.object.key(member.key) != nil }.map(\.name)
      guard !owners.isEmpty else { return nil }
      return member.keyPlace.fault("\(problem); it belongs to \(owners.joined(separator: ", ")).")
    }
  }

  private static func unknownType(
    _ type: DocumentNode, _ types: TypedSpecification, name: String
  ) -> PipelineError {
    let known = types.names.joined(separator: ", ")
    guard let text = type.text else {
      let example = types.names.first.map { " Write it as in 'type: \($0)'." } ?? ""
      return type.place.fault(
        "'type' in \(name) must be one of \(known), but it is \(type.words).\(example)")
    }
    if types.refused.contains(text) {
      return type.place.fault(
        "\(name) has type '\(text)', which this version does not support; supported are \(known).")
    }
    let question =
      TypeSynonym.advice(on: text, among: types.names).map { "; \($0)." }
      ?? NameSuggestion.question(text, among: types.names)
    return type.place.fault(
      "unknown type '\(text.quotable)' of \(name)\(question) Known types: \(known).")
  }

  private mutating func checkZoom(_ member: DocumentMember, key: String, in name: String) {
    guard let zoom = Int(member.key), (0...24).contains(zoom), "\(zoom)" == member.key else {
      return refuse(
        "the keys of '\(key)' in \(name) are zooms from 0 to 24, but '\(member.key)' is not one.",
        at: member.keyPlace)
    }
  }

  private func mismatch(
    _ node: DocumentNode, _ value: ValueSpecification, key: String, in name: String
  ) -> String {
    let base = "'\(key.quotable)' in \(name) must be \(value.words), but it "
    let advice =
      advises ? ValueAdvice(key: key, value: value).sentence(for: node).map { " \($0)" } ?? "" : ""
    if case .list = value, let count = node.items?.count { return "\(base)has \(count).\(advice)" }
    if let advice = node.commaAdvice { return "\(base)is \(node.words). \(advice)" }
    if case .choice(let choices) = value, let text = node.text,
      NameSuggestion.nearest(to: text, among: choices) != nil
    {
      return "\(base)is \(node.words)" + NameSuggestion.question(text, among: choices)
    }
    return "\(base)is \(node.words).\(advice)"
  }

  private static func unknownKey(
    _ member: DocumentMember, known: [String], name: String
  ) -> PipelineError {
    if let meant = KeySynonym.meant(by: member.key, among: known) {
      let value = member.node.text.map { " \($0)" } ?? ""
      return member.keyPlace.fault(
        "unknown key '\(member.key.quotable)' in \(name); \(meant.meaning) is '\(meant.key):\(value)'."
      )
    }
    let question = NameSuggestion.question(member.key, among: known)
    return PipelineError(
      .definition,
      "unknown key '\(member.key.quotable)' in \(name)\(question) Known keys: \(known.joined(separator: ", ")).",
      at: member.keyPlace)
  }
}
