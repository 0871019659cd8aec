import Testing

/// The number of values that a function takes is that of the things a reader must hold in mind: a
/// stage that needs more lacks a type.
@Suite("Parameters of the stages")
struct ParameterTests {
  private static let limit = 5

  @Test("no function of Baking has more than five parameters")
  func baking() throws {
    let files = try Repository.files(in: "Sources/Baking", suffix: ".swift")
    var count = 0
    for file in files {
      let functions = Self.functions(in: try Repository.text(file))
      count += functions.count
      for function in functions where function.parameters > Self.limit {
        Issue.record("\(file): '\(function.name)' has \(function.parameters) parameters")
      }
    }
    #expect(count > 300)
  }

  @Test(
    "parameters are counted, those of closures and tuples in them not",
    arguments: [
      ("func a() {}", 0), ("func a(_ b: Int) {}", 1), ("init?(a: [Int: Int], b: (Int, Int)) {", 2),
      ("func a<T, U>(\n  _ b: T, c: Dictionary<T, U> = [:],\n  d: (T, U) -> Void\n) {", 3),
      ("init(a: Int, b: Int, c: Int, d: Int, e: Int, f: Int) {\n  self.a = a\n  g()\n}", 6),
      ("func a(b: String = \"(,\", // a comment, with (\n  c: Int) {}", 2),
      ("static func == (a: Self, b: Self) -> Bool { true }", 2), ("  self.init(a: 1, b: 2)", nil),
    ] as [(String, Int?)])
  func parameters(text: String, count: Int?) {
    #expect(Self.functions(in: text).map(\.parameters) == [count].compactMap(\.self))
  }

  @Test("an initializer that stores its parameters as they are is exempt")
  func memberwise() {
    let text =
      "init(a: Int, b: Int,\n  c: Int, d: Int, e: Int, f: Int) {\n"
      + "  self.a = a\n  (self.b, self.c) = (b, c)\n}"
    #expect(Self.functions(in: text).isEmpty)
  }

  /// Returns the functions and initializers of a text with the numbers of their parameters, without
  /// memberwise initializers.
  private static func functions(in text: String) -> [(name: String, parameters: Int)] {
    let code = text.replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"").replacing(/\/\/.*/, with: "")
    let heads = code.matches(
      of: /(?m)(?:\bfunc +([^\s(<]+|<[=<]?) *|(?:^|\s)(init)[?!]?)(?:<[^(]*>)?\(/)
    return heads.compactMap { head in
      guard let list = list(in: code[head.range.upperBound...]) else { return nil }
      if head.2 != nil, isMemberwise(code[list.end...]) { return nil }
      return (String(head.1 ?? "init"), list.count)
    }
  }

  /// Returns the number of elements of a list after its opening parenthesis, and the list's end.
  private static func list(in code: Substring) -> (count: Int, end: String.Index)? {
    var (depth, commas, isEmpty, last) = (1, 0, true, Character(" "))
    for index in code.indices {
      let character = code[index]
      switch character {
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      // Operators have a space before them.
      case "<" where last.isLetter: depth += 1
      case ">" where last != "-" && last != " ": depth -= 1
      case "," where depth == 1: commas += 1
      default: break
      }
      if depth == 0 { return (isEmpty ? 0 : commas + 1, code.index(after: index)) }
      if !character.isWhitespace { isEmpty = false }
      last = character.isWhitespace ? " " : character
    }
    return nil
  }

  /// Whether the body after a list of parameters does nothing but store them.
  private static func isMemberwise(_ code: Substring) -> Bool {
    guard let body = code.prefixMatch(of: /[\s\w()]*\{([^{}]*)\}/) else { return false }
    let lines = body.1.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    return !lines.isEmpty
      && lines.allSatisfy { line in
        line.wholeMatch(of: /self\.\w+ = \w+|\(self\..*\) = \([\w, ]*\)/) != nil
      }
  }
}
