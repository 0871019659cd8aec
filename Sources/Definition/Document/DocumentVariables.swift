import Features
import Runs

/// A replacer of `${VAR}` in the strings of a document.
///
/// The value comes from the environment, otherwise from the document's own `args:` block, which
/// thus holds the defaults. `$${` writes `${`. A plain scalar that consists of exactly one variable
/// gets the type that its value would have if it were written there.
struct DocumentVariables {
  /// The environment of the process, or of a test.
  let environment: Document.Environment

  private var defaults: [String: String] = [:]

  /// The values that were inserted so far.
  private(set) var redactions = RedactionList()

  /// The values from the environment that were inserted so far, by name.
  private(set) var used: [String: String] = [:]

  init(environment: @escaping Document.Environment) {
    self.environment = environment
  }

  /// Returns the document with every variable replaced, `args:` left unchanged.
  mutating func resolve(_ root: DocumentNode) throws(PipelineError) -> DocumentNode {
    guard let members = root.members else { return root }
    if let args = root["args"] { try readDefaults(args) }
    var resolved: [DocumentMember] = []
    for var member in members {
      if member.key != "args" { member.node = try replaced(member.node) }
      resolved.append(member)
    }
    return DocumentNode(.object(resolved), at: root.place)
  }

  private mutating func readDefaults(_ args: DocumentNode) throws(PipelineError) {
    guard let members = args.members else {
      throw args.place.fault(
        "'args' must be an object of names and values, but it is \(args.words).")
    }
    for member in members {
      switch member.node.value {
      case .string(let text): defaults[member.key] = text
      case .number(let number): defaults[member.key] = DocumentNode.words(of: number)
      case .whole(let whole): defaults[member.key] = whole.text
      case .bool(let bool): defaults[member.key] = "\(bool)"
      case .null, .array, .object:
        throw member.node.place.fault(
          "the argument '\(member.key)' must be a text, a number, true or false, "
            + "but it is \(member.node.words).")
      }
    }
  }

  private mutating func replaced(_ node: DocumentNode) throws(PipelineError) -> DocumentNode {
    switch node.value {
    case .array(let items):
      var resolved: [DocumentNode] = []
      for item in items { resolved.append(try replaced(item)) }
      return DocumentNode(.array(resolved), at: node.place)
    case .object(let members):
      var resolved: [DocumentMember] = []
      for var member in members {
        member.node = try replaced(member.node)
        resolved.append(member)
      }
      return DocumentNode(.object(resolved), at: node.place)
    case .string(let text) where text.contains("${"):
      return try replaced(text, of: node)
    case .string, .null, .bool, .number, .whole:
      return node
    }
  }

  private mutating func replaced(
    _ text: String, of node: DocumentNode
  ) throws(PipelineError) -> DocumentNode {
    var result = ""
    var rest = text[...]
    var variables = 0
    var literals = 0
    while let start = rest.firstRange(of: "${") {
      let before = rest[..<start.lowerBound]
      if before.last == "$" {
        result += before.dropLast() + "${"
        literals += 1
        rest = rest[start.upperBound...]
        continue
      }
      guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
        throw node.place.fault(
          "'${' is never closed. Write '${NAME}', or '$${' for the characters.")
      }
      result += before
      result += try value(of: String(rest[start.upperBound..<end]), at: node.place)
      variables += 1
      rest = rest[rest.index(after: end)...]
    }
    let isWhole =
      variables == 1 && literals == 0 && text.hasPrefix("${") && rest.isEmpty
      && text.firstIndex(of: "}") == text.indices.last
    result += rest
    var value = DocumentNode.Value.string(result)
    if isWhole, node.isPlain, let typed = DocumentScalar.value(of: result) { value = typed }
    var replaced = DocumentNode(value, at: node.place)
    replaced.isSubstituted = variables > 0
    return replaced
  }

  private mutating func value(
    of name: String, at place: DocumentPlace
  ) throws(PipelineError) -> String {
    let given = environment(name)
    guard let value = given ?? defaults[name] else {
      throw place.fault(
        "the variable '\(name)' is not defined. Set it in the environment or under 'args:'.")
    }
    redactions.add(value)
    used[name] = given
    return value
  }
}
