import Definition
import DefinitionSamples
import Features
import Runs
import Testing

@Suite("Variables and secrets")
struct VariableTests {
  @Test("a variable comes from the environment, otherwise from args")
  func sources() throws {
    let text = "args: {A: first, N: 5, B: true}\nx: '${A}-${N}-${B}'\ny: ${A}"
    let plain = try document(text).root
    #expect(plain["x"]?.text == "first-5-true")
    #expect(plain["y"]?.text == "first")
    let changed = try document(text, environment: ["A": "second"]).root
    #expect(changed["x"]?.text == "second-5-true")
  }

  @Test("a plain scalar that is one variable has the type of its value; a quoted one is text")
  func types() throws {
    let root = try document("a: ${N}\nb: '${N}'\nc: ${N}0", environment: ["N": "12"]).root
    #expect(root["a"]?.propertyValue == .number(12))
    #expect(root["b"]?.propertyValue == .string("12"))
    #expect(root["c"]?.propertyValue == .string("120"))
  }

  @Test(
    "texts that are not variables are unchanged",
    arguments: [
      ("$${A}", "${A}"), ("a$b", "a$b"), ("{A}", "{A}"), ("$", "$"), ("x$${A}y${B}", "x${A}y!"),
      ("${B}${B}", "!!"),
    ])
  func literals(text: String, result: String) throws {
    #expect(try document("a: '\(text)'", environment: ["B": "!"]).root["a"]?.text == result)
  }

  @Test(
    "a missing or unclosed variable is an error with its place",
    arguments: [
      (
        "a:\n  - '${KEY}'",
        "x.yml:2:5: the variable 'KEY' is not defined. Set it in the environment or under 'args:'."
      ),
      (
        "a: '${KEY'",
        "x.yml:1:4: '${' is never closed. Write '${NAME}', or '$${' for the characters."
      ),
      (
        "args: [1]\na: 1",
        "x.yml:1:7: 'args' must be an object of names and values, but it is a list."
      ),
      (
        "args:\n  A: {b: 1}",
        "x.yml:2:6: the argument 'A' must be a text, a number, true or false, but it is an object."
      ),
    ])
  func faults(text: String, message: String) {
    do {
      _ = try document(text)
      Issue.record("no error")
    } catch {
      #expect(error.description == message)
    }
  }

  @Test("a substituted value is redacted in the messages of the decoder")
  func hidden() {
    let text = hotelsPipeline.replacing("fill: children", with: "fill: '${KEY}'")
    let words = fault(text, environment: ["KEY": "s3cr3t-key"])
    #expect(
      words
        == "x.yml:32:9: 'fill' in tiles must be one of children, none, but it is the string "
        + "\"***\".")
  }

  @Test("longer secrets are redacted before shorter ones within them, and short values not at all")
  func redaction() {
    var list = RedactionList()
    list.add("abc")
    list.add("secret")
    list.add("secret-long")
    #expect(list.redact("abc secret-long secret") == "abc *** ***")
  }

  @Test("variables may not reach the archive's metadata", arguments: ["name", "attribution"])
  func metadata(key: String) {
    let lines = hotelsPipeline.split(separator: "\n").map { line in
      line.hasPrefix("\(key):") ? "\(key): '${KEY}'" : String(line)
    }
    let words = fault(lines.joined(separator: "\n"), environment: ["KEY": "s3cr3t-key"])
    #expect(words.contains("'\(key)' is published in the archive"))
    #expect(!words.contains("s3cr3t"))
  }
}
