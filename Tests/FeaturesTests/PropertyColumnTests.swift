import Features
import OrderedCollections
import Testing

@Suite("A property column")
struct PropertyColumnTests {
  /// A column with a row of every kind.
  private func everyKind() -> PropertyColumn {
    var column = PropertyColumn(name: "p")
    column.append(.missing)
    column.append(.null)
    column.append(.false)
    column.append(.true)
    column.append(-1.5)
    for (kind, text) in [
      (PropertyColumn.Kind.string, "12"), (.text, "12"), (.text, "012"), (.text, ""),
      (.string, ""), (.json, #"[1,{"a":null}]"#), (.json, "[1"),
    ] {
      Array(text.utf8).withUnsafeBytes { column.append(kind, bytes: $0) }
    }
    return column
  }

  @Test("a property column types a value on access")
  func values() {
    let column = everyKind()
    #expect(
      (0..<column.count).map { column.value($0) } == [
        nil, .null, .bool(false), .bool(true), .number(-1.5), .string("12"), .number(12),
        .string("012"), .string(""), .string(""),
        .array([.number(1), .object(["a": .null])]), .null,
      ])
    #expect(
      (0..<column.count).map { column.number($0) }
        == [nil, nil, nil, nil, -1.5, nil, 12, nil, nil, nil, nil, nil])
    #expect(
      (0..<column.count).map { column.string($0) }
        == [nil, nil, nil, nil, nil, "12", nil, "012", "", "", nil, nil])
    #expect(
      (0..<column.count).map { column.text($0) } == [
        nil, nil, "false", "true", "-1.5", "12", "12", "012", "", "", #"[1,{"a":null}]"#, "[1",
      ])
    #expect(
      (0..<column.count).map { column.isNull($0) } == [true, true]
        + Array(repeating: false, count: 10))
  }

  @Test(
    "a property column spells numbers in their shortest form",
    arguments: [
      (7.0, "7"), (-0.5, "-0.5"), (0.1, "0.1"), (-3.0, "-3"),
      (9_007_199_254_740_991, "9007199254740991"),
    ])
  func numbers(number: Double, text: String) {
    var column = PropertyColumn(name: "p")
    column.append(number)
    #expect(column.text(0) == text)
  }

  @Test("a property column appends in bulk like one by one")
  func bulk() {
    let column = everyKind()
    var bulk = PropertyColumn(name: "p")
    var single = PropertyColumn(name: "p")
    for _ in 0..<3 {
      bulk.append(contentsOf: column)
      bulk.append(.null, count: 2)
      for row in 0..<column.count { single.append(row, of: column) }
      single.append(.null)
      single.append(.null)
    }
    #expect(bulk.kinds == single.kinds)
    #expect(bulk.ends == single.ends)
    #expect(bulk.bytes == single.bytes)
    bulk.removeAll()
    #expect(bulk.count == 0 && bulk.bytes.isEmpty && bulk.ends.isEmpty)
  }
}

@Suite("Stored JSON")
struct StoredJSONTests {
  private func decode(_ text: String) -> PropertyValue? {
    Array(text.utf8).withUnsafeBytes { PropertyValue(storedJSON: $0) }
  }

  @Test(
    "stored JSON is decoded to values",
    arguments: [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)), ("-1.5e2", .number(-150)),
      ("[]", .array([])), ("{}", .object([:])), (#""a""#, .string("a")),
      (#""\"\\\/\b\f\n\r\té𝄞""#, .string("\"\\/\u{8}\u{C}\n\r\té𝄞")),
      (
        #"[[],[1,"x"],{"b":1,"a":[null]}]"#,
        .array([
          .array([]), .array([.number(1), .string("x")]),
          .object(["b": .number(1), "a": .array([.null])]),
        ])
      ),
    ] as [(String, PropertyValue)])
  func values(text: String, value: PropertyValue) {
    #expect(decode(text) == value)
  }

  @Test(
    "broken stored JSON decodes to nothing",
    arguments: [
      "", "nul", "nullx", "[1", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{a:1}", "\"a", "\"\\x\"",
      "\"\\u12\"", "\"\\ud834\"", "\"\\ud834\\u0041\"", "\"\\udd1e\"", "\"\\u+12F\"", "01", "1 ",
      "]", "1]",
    ])
  func broken(text: String) {
    #expect(decode(text) == nil)
  }

  @Test("stored JSON may nest 500 deep but not 5,000")
  func depth() {
    for (depth, isThere) in [(500, true), (5000, false)] {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      #expect((decode(text) != nil) == isThere)
    }
  }
}
