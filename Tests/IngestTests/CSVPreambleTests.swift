import Features
import Ingest
import Testing
import Tiling

@Suite("The lines before a CSV file's records")
struct CSVPreambleTests {
  @Test(
    "a first line sep= decides the delimiter and is no record",
    arguments: [
      "sep=;\na;b\n1;2\n", "sep=;\r\na;b\r\n1;2", "\"sep=;\"\na;b\n1;2\n", "SEP=\t\na\tb\n1\t2\n",
      "sep=,\na,b\n1,2\n",
    ])
  func declared(text: String) throws {
    let result = try CSVResult(text)
    #expect(result.names == ["a", "b"] && result.fields == [["1", "2"]] && result.lines == [3])
    for chunk in 1...12 { #expect(try CSVResult(text, chunk: chunk) == result) }
  }

  @Test(
    "a first line that only resembles sep= names columns",
    arguments: ["sep=\n1\n", "sep=;;\n1\n", "sep\n1\n", "sep=\"\n1\n", "se\n1\n"])
  func resembling(text: String) throws {
    let names = try CSVResult(text).names
    #expect(names == [String(text.prefix { $0 != "\n" })])
  }

  @Test("skip: leaves lines out, whatever is in them, and a sep= is one of them")
  func skipped() throws {
    let text = "Shops \"of\nMay, 5 of them\n\na,b\n1,2\n"
    let options = CSVOptions.plain.with { $0.skip = 3 }
    let result = try CSVResult(text, options: options)
    #expect(result.names == ["a", "b"] && result.fields == [["1", "2"]] && result.lines == [5])
    for chunk in 1...30 { #expect(try CSVResult(text, chunk: chunk, options: options) == result) }
    let declared = "sep=;\nShops\na;b\n1;2\n"
    #expect(
      try CSVResult(declared, options: .plain.with { $0.skip = 2 }).fields == [["1", "2"]])
    let headerless = CSVOptions.headerless("a", "b").with { $0.skip = 1 }
    #expect(try CSVResult("Shops\n1,2\n", options: headerless).fields == [["1", "2"]])
    #expect(throws: SourceError.self) {
      try CSVResult("a,b\n1,2", options: .plain.with { $0.skip = 9 })
    }
  }

  @Test("an unknown column is placed at the line of names")
  func place() throws {
    let options = CSVOptions().with { $0.skip = 2 }
    let error = #expect(throws: SourceError.self) {
      try CSVResult("t\nt\na,b\n1,2\n", options: options)
    }
    #expect(error?.line == 3)
  }
}

@Suite("Records of a CSV file with a gap in its columns")
struct CSVGapTests {
  private static let options = CSVOptions.headerless("lng", "lat", "name", "phone").with {
    $0.gap = 3
    $0.hasGeometry = true
  }

  @Test("columns behind a gap are the last fields, whatever their number")
  func fields() throws {
    let text = """
      1,2,a,555
      1,2,a, "x, y" ,b,556
      1,2,a,,,,557
      1,2,558
      1,2,a,"559"

      """
    let result = try CSVResult(text, options: Self.options)
    #expect(result.fields.map { $0[3] } == ["555", "556", "557", "559"])
    #expect(result.fields.map { $0[2] } == ["a", "a", "a", "a"])
    #expect(result.examples == ["4:0 ragged_row: 3 fields where the file has 4 columns"])
    #expect(result.ledger.repaired.isEmpty)
    for chunk in 1...40 {
      #expect(try CSVResult(text, chunk: chunk, options: Self.options) == result)
    }
  }

  @Test("a gap may come first or last, and a line of names may be longer than the columns")
  func ends() throws {
    let first = CSVOptions.headerless("a", "b").with { $0.gap = 0 }
    #expect(try CSVResult("1,2,3\n4,5\n", options: first).fields == [["2", "3"], ["4", "5"]])
    let last = CSVOptions.headerless("a", "b").with {
      $0.gap = 2
      $0.header = true
    }
    #expect(
      try CSVResult("x,y,z\n1,2,3\n4,5\n", options: last).fields == [["1", "2"], ["4", "5"]])
  }
}

@Suite("NUL bytes in a CSV file")
struct CSVNULTests {
  @Test("a record with NUL bytes is refused whatever its fields, and the others are read")
  func records() throws {
    let end = String(repeating: "\0", count: 300)
    let (hole, other) = (
      "The file was not written to its end: export or copy it again",
      "Set 'encoding: utf-16' if it is that, otherwise export it again"
    )
    for (text, advice) in [
      ("a,b\n1,2\n3,4\n\(end)", hole), ("a,b\n1,2\n5,\0\n3,4\n", other),
      ("a,b\n1,2\n5,\0\0\n3,4\n", hole), ("a,b\n1,2\n\0\n3,4\n", hole),
    ] {
      let options = CSVOptions.plain.with { $0.missingFields = .null }
      let result = try CSVResult(text, options: options)
      #expect(result.fields == [["1", "2"], ["3", "4"]])
      #expect(result.ledger.rejected == [.invalidEncoding: 1])
      #expect(
        result.ledger.examples.first?.message == "there are NUL bytes here. \(advice)")
      for chunk in [1, 2, 3, 7, 64] {
        #expect(try CSVResult(text, chunk: chunk, options: options) == result)
      }
    }
  }

  @Test("a file of NUL bytes has no line of names")
  func names() {
    let error = #expect(throws: SourceError.self) {
      try CSVResult(String(repeating: "\0", count: 50))
    }
    #expect(error?.message.contains("not written to its end") == true)
  }
}
