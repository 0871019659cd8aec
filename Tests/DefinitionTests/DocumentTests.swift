import Definition
import DefinitionSamples
import Features
import OrderedCollections
import Runs
import TestSupport
import Testing

@Suite("Documents")
struct DocumentTests {
  private static let escape =
    "this escape is not valid in JSON, or is half of a surrogate pair. A backslash is written twice, "
    + #"\\; a path takes '/', too."#

  @Test(
    "a broken YAML file is one sentence with line and column",
    arguments: [
      ("", "x.yml:1:1: the file is empty. A pipeline begins with 'version: 1'."),
      ("# nothing\n", "x.yml:1:1: the file is empty. A pipeline begins with 'version: 1'."),
      ("a:\n\t- b\n", "x.yml:2:1: a tab stands where YAML wants spaces. Indent with spaces."),
      ("a: @b", "x.yml:1:4: a value cannot begin with '@'. Put it in quotes."),
      (
        "a: b: c",
        "x.yml:1:5: a second ': ' on this line, or an indentation that fits no line above. "
          + "Put a text with ': ' in quotes."
      ),
      ("a: 1\nb: [1, 2\n", "x.yml:3:1: ',' or ']' is missing; it was opened at 2:4."),
      ("a: {b: 1 c: 2\n", "x.yml:1:11: ',' or '}' is missing; it was opened at 1:4."),
      ("a: \"b", "x.yml:1:6: the file ends inside a quoted text; it was opened at 1:4."),
      ("a: 1\nb\n", "x.yml:3:1: a key without ':'. Write 'key: value'."),
      ("a: {", "x.yml:2:1: a value was expected here."),
      ("a: {b: #ff0000}", "x.yml:1:8: '#' begins a comment here. Put the colour in quotes."),
      (
        "a:\n  - {b: 1, c: [ #abc, #def]}\n  - d",
        "x.yml:2:17: '#' begins a comment here. Put the colour in quotes."
      ),
      ("a: {b: \"#ff0000\", c: [1", "x.yml:2:1: ',' or ']' is missing; it was opened at 1:22."),
      (
        "a: 1\n---\nb: 2",
        "x.yml:2:1: a second document ('---') begins here. A pipeline file holds one."
      ),
      ("a: 1\nb: \u{7}", "x.yml:2:4: this is not text: control characters are not allowed (U+7)."),
      ("a: 1\nb: 2\n\"a\": 3", "x.yml:3:1: the key 'a' occurs here and at 1:1. Remove one."),
      ("a: {b: 1,\n  b: 2}", "x.yml:2:3: the key 'b' occurs here and at 1:5. Remove one."),
      ("a: 1\na: 2\na: 3", "x.yml:2:1: the key 'a' occurs here and at 1:1. Remove one."),
      ("a*: 1\na*: 2", "x.yml:2:1: the key 'a*' occurs here and at 1:1. Remove one."),
      ("1: a\n\"1\": b", "x.yml:2:1: the key '1' occurs here and at 1:1. Remove one."),
      (
        "a: *b",
        "x.yml:1:4: no anchor '&b' ends above this alias. "
          + "Put a text that begins with '*' in quotes."
      ),
      (
        "a: &a [*a]",
        "x.yml:1:8: no anchor '&a' ends above this alias. "
          + "Put a text that begins with '*' in quotes."
      ),
      ("a: .inf", "x.yml:1:4: '.inf' is not a finite number. Put it in quotes if it is a text."),
      (
        "a: [-.INF]", "x.yml:1:5: '-.INF' is not a finite number. Put it in quotes if it is a text."
      ),
      ("a: 1e999", "x.yml:1:4: '1e999' is not a finite number. Put it in quotes if it is a text."),
      (
        "a: !!int 5", "x.yml:1:4: the tag '!!int' is not supported. Remove it; only !!str is known."
      ),
      ("a: !x {}", "x.yml:1:4: the tag '!x' is not supported. Remove it; only !!str is known."),
      ("? [a]\n: 1", "x.yml:1:1: a key must be a text, not a list or an object."),
      ("{{a: 1}: 2}", "x.yml:1:2: a key must be a text, not a list or an object."),
      ("[a]: 1", "x.yml:1:4: a key must be a text, not a list or an object."),
      ("a: &a [1]\n*a : 2", "x.yml:2:1: the alias '*a' stands for a key but names no text."),
      (
        "a: {<<: 5}",
        "x.yml:1:9: '<<' merges an object or a list of objects, but this is the number 5."
      ),
    ])
  func brokenYAML(text: String, message: String) {
    #expect(words(of: text) == message)
  }

  @Test(
    "a broken JSON file is one sentence with line and column",
    arguments: [
      ("", "x.json:1:1: expected a value, but found the end of the file."),
      ("{\"a\": 1,}", "x.json:1:8: nothing follows this comma but '}'. Remove the comma."),
      ("[1, ]", "x.json:1:3: nothing follows this comma but ']'. Remove the comma."),
      ("{\"a\": 1\n \"b\": 2}", "x.json:2:2: expected ',' or '}', but found '\"'."),
      ("[1 2]", "x.json:1:4: expected ',' or ']', but found '2'."),
      ("{\"a\" 1}", "x.json:1:6: expected ':', but found '1'."),
      ("{\"a\": 01}", "x.json:1:7: '01' is not a JSON value. Put a text in double quotes."),
      ("[.5]", "x.json:1:2: '.5' is not a JSON value. Put a text in double quotes."),
      ("[+1]", "x.json:1:2: '+1' is not a JSON value. Put a text in double quotes."),
      ("[1.]", "x.json:1:2: '1.' is not a JSON value. Put a text in double quotes."),
      ("[NaN]", "x.json:1:2: 'NaN' is not a JSON value. Put a text in double quotes."),
      ("[\"a]", "x.json:1:2: the string that begins here is never closed."),
      ("[\"a\nb\"]", "x.json:1:4: a string contains a control character. Write it as an escape."),
      (
        "[\"\\x\"]", "x.json:1:3: \(Self.escape)"
      ),
      (
        "[\"\\ud800\"]",
        "x.json:1:3: \(Self.escape)"
      ),
      ("[\"\\", "x.json:1:3: \(Self.escape)"),
      ("[] []", "x.json:1:4: the value has ended, but '[' follows. Remove it."),
      ("{\"a\": 1,\n\"a\": 2}", "x.json:2:1: the key 'a' occurs here and at 1:2. Remove one."),
      ("// a\n{}", "x.json:1:1: expected a value, but found '/'."),
    ])
  func brokenJSON(text: String, message: String) {
    #expect(words(of: text, file: "x.json") == message)
  }

  @Test("bytes that are not UTF-8 are refused with their line")
  func notUTF8() {
    #expect(throws: PipelineError.self) {
      try Document(bytes: [0x61, 0x3A, 0x0A, 0x62, 0xFF], file: "x.yml", environment: { _ in nil })
    }
    do {
      _ = try Document(bytes: [0x61, 0x0A, 0xFF], file: "x.yml", environment: { _ in nil })
    } catch {
      #expect(error.description == "x.yml:2: this line is not UTF-8. Save the file as UTF-8.")
    }
  }

  @Test(
    "a plain scalar has its meaning in YAML 1.2, without surprises",
    arguments: [
      ("NO", .string("NO")), ("yes", .string("yes")), ("on", .string("on")), ("y", .string("y")),
      ("True", .string("True")), ("true", .bool(true)), ("false", .bool(false)),
      ("null", .null), ("~", .null), ("", .null), ("Null", .string("Null")),
      ("1", .number(1)), ("-1.5e3", .number(-1500)), ("+5", .number(5)), (".5", .number(0.5)),
      ("5.", .number(5)), ("0", .number(0)), ("-0", .number(-0.0)), ("0.10", .number(0.1)),
      ("0x1F", .string("0x1F")), ("0o17", .string("0o17")), ("01234", .string("01234")),
      ("-007", .string("-007")), ("1_000", .string("1_000")), ("12:30", .string("12:30")),
      ("2014-01-19", .string("2014-01-19")), ("+1 305", .string("+1 305")), ("1e", .string("1e")),
      ("-x", .string("-x")), (".", .string(".")), ("'1'", .string("1")),
      ("\"true\"", .string("true")),
      ("!!str 5", .string("5")), ("a*b", .string("a*b")), ("'*'", .string("*")),
    ] as [(String, PropertyValue)])
  func plainScalars(text: String, value: PropertyValue) throws {
    #expect(try document("a: \(text)").root["a"]?.propertyValue == value)
  }

  @Test("YAML aliases repeat their anchor, and keep its place")
  func aliases() throws {
    let root = try document("a: &a [1, {b: 2}]\nc: *a\nd: {e: *a}\n*k : 3\n", anchoring: "k").root
    #expect(root["c"]?.propertyValue == .array([.number(1), .object(["b": .number(2)])]))
    #expect(root["d"]?["e"]?.place.column == 4)
    #expect(root["a"]?.count == 4)
    #expect(root["key"]?.propertyValue == .number(3))
  }

  @Test("a merge key adds what the object lacks, the first object first")
  func merges() throws {
    let text = """
      a: &a {x: 1, y: 1}
      b: &b {y: 2, z: 2}
      one: {<<: *a, x: 9}
      two: {<<: [*b, *a]}
      """
    let root = try document(text).root
    #expect(root["one"]?.propertyValue == .object(["x": .number(9), "y": .number(1)]))
    #expect(
      root["two"]?.propertyValue
        == .object(["y": .number(2), "z": .number(2), "x": .number(1)]))
  }

  @Test("a YAML file of nested aliases is refused before it grows")
  func aliasBomb() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
    for level in 1...40 {
      let last = "*a\(level - 1)"
      text +=
        "a\(level): &a\(level) [\(Array(repeating: last, count: 9).joined(separator: ", "))]\n"
    }
    #expect(
      words(of: text)
        == "x.yml:6:10: the file holds more than 100000 values once its aliases are expanded. "
        + "Keep large data in a file of its own and name it with 'data:'.")
  }

  @Test("depth and number of values are limited in YAML and JSON", arguments: ["x.yml", "x.json"])
  func limits(file: String) {
    var limits = DocumentLimits()
    limits.depth = 4
    limits.nodes = 10
    let deep = "[[[[1]]]]"
    let fine = "[[[1]]]"
    let wide = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]"
    let full = "[1, 2, 3, 4, 5, 6, 7, 8, 9]"
    #expect(words(of: deep, file: file, limits: limits).contains("more than 4 levels"))
    #expect(words(of: fine, file: file, limits: limits) == "none")
    #expect(words(of: wide, file: file, limits: limits).contains("more than 10 values"))
    #expect(words(of: full, file: file, limits: limits) == "none")
  }

  @Test("very deep nesting neither crashes nor takes long")
  func veryDeep() {
    for text in ["[", "{", "- ", "{a: ", "? ", "[{", "{'}': ", "[a: "] {
      let words = words(of: String(repeating: text, count: 50_000))
      #expect(words != "none")
    }
    #expect(
      words(of: String(repeating: "[", count: 50_000), file: "x.json")
        == "x.json:1:129: values are nested more than 128 levels deep.")
  }

  @Test("brackets and quotes in texts and comments are plain text")
  func brackets() throws {
    let text = """
      a: |
        [1]: http://x {{{ ? "
        ? it's
      b: it's {not, [a list
      c: "[x]: {"   # {{{ '
      d: {e: "}", f: '['}
      g: x/{z}/{x}:80
      """
    let root = try document(text).root
    #expect(root["b"]?.text == "it's {not, [a list")
    #expect(root["d"]?["f"]?.text == "[")
    #expect(root["g"]?.text == "x/{z}/{x}:80")
  }

  @Test("JSON supports escapes, surrogate pairs and long keys")
  func json() throws {
    let key = String(repeating: "k", count: 5000)
    let text = "\u{FEFF}{\"\(key)\": \"\\ud83d\\ude00\\/\\n\\u00e9\", \"b\": [-0.5e+1, true, null]}"
    let root = try document(text, file: "x.json").root
    #expect(root[key]?.text == "😀/\né")
    #expect(root["b"]?.propertyValue == .array([.number(-5), .bool(true), .null]))
  }

  @Test("JSON in a YAML file is read as YAML, escapes included")
  func jsonAsYAML() throws {
    let root = try document("{\"a\":1,\"b\":[\"x\\/y\",\t{\"c\":null}],\"d\":-1.5e2}").root
    #expect(
      root.propertyValue
        == .object([
          "a": .number(1), "b": .array([.string("x/y"), .object(["c": .null])]), "d": .number(-150),
        ]))
  }

  @Test("a path into a value gives the place of the deepest existing step")
  func paths() throws {
    let root = try document("filter: [all,\n  [has, x],\n  {a: [1, 2]}]").root
    func place(_ path: [DocumentStep]) -> String { root.place(at: path).description }
    #expect(place([]) == "x.yml:1:1")
    #expect(place([.member("filter"), .index(1), .index(1)]) == "x.yml:2:9")
    #expect(place([.member("filter"), .index(2), .member("a"), .index(1)]) == "x.yml:3:11")
    #expect(place([.member("filter"), .index(1), .index(9)]) == "x.yml:2:3")
    #expect(place([.member("nothing")]) == "x.yml:1:1")
  }

  @Test("random changes of a valid file never crash and never lose the place")
  func mutations() {
    var random = SplitMix64(seed: 7)
    let pieces = Array("{}[]:,-#&*!|>'\"%@` \n\t?<x0.é".unicodeScalars)
    let base = Array(hotelsPipeline.unicodeScalars)
    for _ in 0..<600 {
      var scalars = base
      for _ in 0...random.below(3) {
        let index = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: index)
        case 1: scalars.insert(pieces[random.below(pieces.count)], at: index)
        default: scalars[index] = pieces[random.below(pieces.count)]
        }
      }
      let words = fault(String(String.UnicodeScalarView(scalars)))
      #expect(words == "none" || words.hasPrefix("x.yml:"))
    }
  }

  private func words(
    of text: String, file: String = "x.yml", limits: DocumentLimits = DocumentLimits()
  ) -> String {
    do {
      _ = try document(text, file: file, limits: limits)
      return "none"
    } catch {
      return error.description
    }
  }
}

/// A document with one more anchored text at its top.
private func document(_ text: String, anchoring name: String) throws -> Document {
  try document("anchored: &\(name) key\n" + text)
}
