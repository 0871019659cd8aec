import Features
import JSON
import OrderedCollections
import Testing

@testable import Ingest

private func parse(_ text: String) throws(SourceError) -> PropertyValue {
  try JSONValueParser.parse(Array(text.utf8), name: "a.json")
}

private func message(_ text: String) -> String? {
  do {
    _ = try parse(text)
    return nil
  } catch {
    return error.description
  }
}

struct JSONValueParserTests {
  @Test("a document becomes the value it spells, with its members in order")
  func document() throws {
    let value = try parse(#" {"b": [1, -2.5e1, true, false, null], "a": {"": "x"}, "c": []} "#)
    #expect(
      value
        == .object([
          "b": .array([.number(1), .number(-25), .bool(true), .bool(false), .null]),
          "a": .object(["": .string("x")]),
          "c": .array([]),
        ]))
    guard case .object(let members) = value else { return }
    #expect(Array(members.keys) == ["b", "a", "c"])
  }

  @Test(
    "a string has its escapes replaced",
    arguments: [
      (#""""#, ""), (#""a\"b\\c\/d""#, "a\"b\\c/d"), (#""\b\f\n\r\t""#, "\u{8}\u{C}\n\r\t"),
      (#""\u00e9\u4E2d""#, "é中"), (#""\uD83D\uDE00""#, "😀"), (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
      (#""x\u0000y""#, "x\0y"), (#""grün 中 😀""#, "grün 中 😀"), (#""é\né""#, "é\né"),
      (
        #""a long string of plain ASCII \u0041 and more of it""#,
        "a long string of plain ASCII A and more of it"
      ),
    ])
  func strings(_ text: String, _ expected: String) throws {
    #expect(try parse(text) == .string(expected))
  }

  @Test(
    "malformed JSON is refused with file, line, column and a sentence",
    arguments: [
      ("", "a.json:1:1: expected a value, found the end of the text"),
      ("[1,\n 2,]", "a.json:2:4: expected a value, found ']' after a comma; remove the comma"),
      ("{\"a\":]", "a.json:1:6: expected a value, found ']'"),
      ("[-]", "a.json:1:3: expected a digit of a number, found ']'"),
      ("{\"a\":1,\"b\"}", "a.json:1:11: expected ':' behind a member's name, found '}'"),
      ("[1 2]", "a.json:1:4: expected ',' or ']' behind an element, found '2'"),
      ("{\"a\" 1}", "a.json:1:6: expected ':' behind a member's name, found '1'"),
      (
        "{\"a\":1,}",
        "a.json:1:8: expected a member's name in double quotes, found '}' after a comma; remove the "
          + "comma"
      ),
      ("{a:1}", "a.json:1:2: expected a member's name in double quotes, found 'a'"),
      ("{\"a\":1 \"b\":2}", "a.json:1:8: expected ',' or '}' behind a member, found '\"'"),
      (
        "[tru]",
        "a.json:1:2: expected a value (true, false and null in lower case), found 't'"
      ),
      ("[01]", "a.json:1:3: expected ',' or ']' behind an element, found '1'"),
      ("-", "a.json:1:2: expected a digit of a number, found the end of the text"),
      ("1 2", "a.json:1:3: expected the end of the text, found '2'"),
      (
        "1\0",
        "a.json:1:2: expected the end of the text, found '\\u{0}', a NUL byte: the file was not written "
          + "to its end. Export or copy it again"
      ),
      ("\n\n [\"ab", "a.json:3:3: the string has no closing quote before the end of the text"),
      ("[\"a\\nb", "a.json:1:2: the string has no closing quote before the end of the text"),
      (
        "[\"a\tb\"]",
        "a.json:1:4: the character U+0009 in a string must be written as an escape, "
          + "or a closing quote is missing"
      ),
      (
        "\"\\x\"",
        "a.json:1:2: a backslash in a string begins one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
      ),
      ("\"\\u12G4\"", "a.json:1:2: \\u in a string needs four hexadecimal digits"),
      (
        "\"\\ud800\"",
        "a.json:1:2: a surrogate escape without its other half is no character; remove it"
      ),
      (
        "\"\\udc00\\ud800\"",
        "a.json:1:2: a surrogate escape without its other half is no character; remove it"
      ),
      ("[1e999]", "a.json:1:7: a number beyond ±1.8e308, the range of a Double"),
      (
        "{\"a\":1,\n\"a\":2}",
        "a.json:2:5: the name 'a' occurs twice in one object; keep one of the two"
      ),
      ("é", "a.json:1:1: expected a value, found the byte 0xC3"),
    ])
  func refused(_ text: String, _ expected: String) {
    #expect(message(text) == expected)
  }

  @Test(
    "malformed UTF-8 is refused at its place",
    arguments: [
      [0xC0, 0xAF], [0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82], [0xFF], [0xC3],
    ] as [[UInt8]])
  func notUTF8(_ bytes: [UInt8]) {
    for prefix in ["\"ab", "\"\\n"] {
      #expect(throws: SourceError.self) {
        try JSONValueParser.parse(Array(prefix.utf8) + bytes + Array("\"".utf8))
      }
    }
    do {
      _ = try JSONValueParser.parse(Array("\"ab".utf8) + bytes + Array("\"".utf8))
    } catch {
      #expect(error.column == 4)
      #expect(error.message == "the string is not UTF-8; convert the file to UTF-8")
    }
  }

  @Test("every scalar at the edges of UTF-8's forms is read back")
  func scalars() throws {
    for value: UInt32 in [
      0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x3FFFF, 0x40000,
      0xFFFFF, 0x100000, 0x10FFFF,
    ] {
      let scalar = try #require(Unicode.Scalar(value))
      #expect(try parse("\"\(Character(scalar))\"") == .string(String(Character(scalar))))
    }
  }

  @Test("a byte order mark is skipped only at the very start")
  func byteOrderMark() throws {
    #expect(try parse("\u{FEFF}[]") == .array([]))
    #expect(message(" \u{FEFF}[]") != nil)
    #expect(message("\u{FEFF}\u{FEFF}[]") != nil)
  }

  @Test("nesting up to the limit is read and one more is refused")
  func depth() throws {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    _ = try parse(nested(512))
    #expect(
      message(nested(513)) == "a.json:1:513: more than 512 arrays and objects inside each other")
    #expect(message(String(repeating: "{\"a\":", count: 100_000)) != nil)
  }

  @Test("strings and numbers over their limits are refused")
  func sizes() throws {
    var limits = JSONTokenizer.Limits()
    limits.stringBytes = 10
    limits.numberBytes = 8
    func accepts(_ text: String) -> Bool {
      (try? JSONValueParser.parse(Array(text.utf8), limits: limits)) != nil
    }
    #expect(accepts("\"1234567890\""))
    #expect(accepts("\"12345\\n7890\""))
    #expect(!accepts("\"12345678901\""))
    #expect(!accepts("\"12345\\n678901\""))
    #expect(!accepts("\"12345678901"))
    #expect(accepts("12345678"))
    #expect(!accepts("123456789"))
  }
}
