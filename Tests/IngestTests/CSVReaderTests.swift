import Features
import Ingest
import OrderedCollections
import Testing
import Tiling

@Suite("The CSV reader")
struct CSVReaderTests {
  static let shapes: [(String, [[String?]])] = [
    ("a,b\n1,2\n", [["1", "2"]]),
    ("a,b\n1,2", [["1", "2"]]),
    ("a,b\r\n1,2\r\n3,4\r\n", [["1", "2"], ["3", "4"]]),
    ("a,b\r1,2\r3,4", [["1", "2"], ["3", "4"]]),
    ("a,b\n1,2\r3,4\r\n5,6\n", [["1", "2"], ["3", "4"], ["5", "6"]]),
    ("a,b\n", []),
    ("a,b", []),
    ("a,b\n\n\n1,2\n\r\n\r\n3,4\n\n", [["1", "2"], ["3", "4"]]),
    ("\n\na,b\n1,2\n", [["1", "2"]]),
    ("a,b\n   \n1,2\n \t ", [["1", "2"]]),
    ("a,b\n,\n", [[nil, nil]]),
    ("a,b\n\"\",\n", [["", nil]]),
    ("a,b\n 1 ,\t2\t\n", [["1", "2"]]),
    ("a,b\n\" 1 \",\"\t2\"\n", [[" 1 ", "\t2"]]),
    ("a,b\n  \"1\"  , \"2\" \n", [["1", "2"]]),
    ("a,b\n\"1,1\",\"2\n2\"\n", [["1,1", "2\n2"]]),
    ("a,b\n\"1\r\n1\",\"\r\"\r\n", [["1\r\n1", "\r"]]),
    ("a,b\n\"he said \"\"no\"\"\",\"\"\"\"\n", [["he said \"no\"", "\""]]),
    ("a,b\n\"\"\"\"\"\",\"a\"\"\"\n", [["\"\"", "a\""]]),
    ("a,b\n5'10\",37°36'37.8\"N\n", [["5'10\"", "37°36'37.8\"N"]]),
    ("a,b\nx\"y\"z,\"q\"\n", [["x\"y\"z", "q"]]),
    ("a,b\n\"x\",\"y\"", [["x", "y"]]),
    ("a\n\"\"\nx\n", [[""], ["x"]]),
    ("a,b\nʤ,日本\n", [["ʤ", "日本"]]),
    ("\u{FEFF}a,b\n1,2\n", [["1", "2"]]),
    ("a,b\n01234,+1 305\n", [["01234", "+1 305"]]),
  ]

  @Test("the CSV reader finds the fields of every form of line", arguments: shapes)
  func fields(text: String, expected: [[String?]]) throws {
    let result = try CSVResult(text)
    #expect(result.fields == expected)
    #expect(result.ledger == SourceLedger())
  }

  @Test("the CSV reader gives the same at every buffer size", arguments: shapes)
  func chunks(text: String, expected: [[String?]]) throws {
    let whole = try CSVResult(text)
    for chunk in 1...20 { #expect(try CSVResult(text, chunk: chunk) == whole) }
  }

  @Test("the CSV reader reads the headerless hotels layout: separator comma and space, unquoted")
  func hotels() throws {
    let text = "-80.26262, 25.81015, Everglades Motel, USA-United States, +1 305-888-8797"
    let result = try CSVResult(
      text, options: .headerless("lng", "lat", "name", "country", "phone", hasGeometry: true))
    #expect(result.points == [LngLat(longitude: -80.26262, latitude: 25.81015)])
    #expect(
      result.fields == [
        ["-80.26262", "25.81015", "Everglades Motel", "USA-United States", "+1 305-888-8797"]
      ])
  }

  @Test("the CSV reader keeps spaces unless it trims")
  func untrimmed() throws {
    let options = CSVOptions.plain.with { $0.trims = false }
    let result = try CSVResult("a, b\n 1 , \"2\"\n \n", options: options)
    #expect(result.names == ["a", " b"])
    #expect(result.fields == [[" 1 ", " \"2\""]])
    #expect(result.ledger.rejected == [.raggedRow: 1])
  }

  @Test(
    "the CSV reader splits at any ASCII byte",
    arguments: [";", "|", "\t", " ", ":", "\u{1}", "a", "0"])
  func delimiters(delimiter: String) throws {
    let byte = try #require(CSVOptions.delimiter(named: delimiter))
    let text = "x,y,z\n1,\"2,\"\"2\",3\n,,\n".replacing(",", with: delimiter)
    let result = try CSVResult(text, options: .plain.with { $0.delimiter = byte })
    #expect(result.names == ["x", "y", "z"])
    let second = "2\(delimiter)\"2"
    #expect(
      result.fields == (delimiter == "0" ? result.fields : [["1", second, "3"], [nil, nil, nil]]))
    #expect(result.fields.count == 2)
  }

  @Test("delimiters have names, and invalid ones are refused")
  func delimiterNames() {
    #expect(CSVOptions.delimiter(named: "tab") == 9)
    #expect(CSVOptions.delimiter(named: "\\t") == 9)
    for name in ["", "\"", "\n", "\r", "\0", "é", ",,", "TAB"] {
      #expect(CSVOptions.delimiter(named: name) == nil)
    }
    #expect(throws: SourceError.self) {
      try CSVResult("a\n", options: .plain.with { $0.delimiter = 34 })
    }
  }

  @Test("the CSV reader reports the physical line of every record")
  func lines() throws {
    let text = "a,b\n1,2\n\"x\n\ny\",3\r\n\r\n4,\"\r\n\r\"\r5,6\n"
    let result = try CSVResult(text)
    #expect(result.lines == [2, 3, 7, 10])
    for chunk in 1...30 { #expect(try CSVResult(text, chunk: chunk).lines == result.lines) }
  }

  @Test("the CSV reader finds the coordinate columns by their usual names")
  func recognised() throws {
    for (x, y) in [("lng", "lat"), ("LON", "Lat"), ("long", "LATITUDE"), ("Longitude", "y")] {
      let result = try CSVResult("id,\(y),\(x)\n7,2.5,-1\n", options: CSVOptions())
      #expect(result.points == [LngLat(longitude: -1, latitude: 2.5)])
    }
    let both = try CSVResult("x,y,lng,lat\n1,2,3,4\n", options: CSVOptions())
    #expect(both.points == [LngLat(longitude: 3, latitude: 4)])
    let named = try CSVResult(
      "x,y,lng,lat\n1,2,3,4\n",
      options: CSVOptions().with {
        $0.x = "x"
        $0.y = "y"
      })
    #expect(named.points == [LngLat(longitude: 1, latitude: 2)])
  }

  @Test("the CSV reader gives a record without coordinates no geometry")
  func noGeometry() throws {
    let result = try CSVResult(
      "lng,lat,name\n,,a\n1,2,b\n\\N,,c\n", options: CSVOptions().with { $0.nullValues = ["\\N"] })
    #expect(result.points == [nil, LngLat(longitude: 1, latitude: 2), nil])
    #expect(result.ledger == SourceLedger())
  }

  @Test("the CSV reader keeps only the selected columns, in the order of the file")
  func selection() throws {
    let text = "a,b,c,d\n1,2,3,4\n"
    let selected = try CSVResult(text, options: .plain.with { $0.select = ["d", "b"] })
    #expect(selected.names == ["b", "d"])
    #expect(selected.fields == [["2", "4"]])
    let wanted = try CSVResult(
      text,
      options: .plain.with {
        $0.select = ["a", "b"]
        $0.wanted = ["b", "c", "not there"]
      })
    #expect(wanted.names == ["b"])
    #expect(try CSVResult(text, options: .plain.with { $0.wanted = [] }).fields == [[]])
  }

  @Test("the CSV reader reads empty fields and null texts as null, but not quoted ones")
  func nulls() throws {
    let result = try CSVResult(
      "a,b,c\n\\N,-, \\N \n\"\\N\",\"\",\\Nx\n",
      options: .plain.with { $0.nullValues = ["\\N", "-"] })
    #expect(result.fields == [[nil, nil, nil], ["\\N", "", "\\Nx"]])
  }

  @Test("'true' and 'false' are truth values without 'types', other spellings are texts")
  func truthValues() throws {
    var reader = try CSVReader(
      ByteSource(
        bytes: Array("ok\ntrue\nfalse\n \"true\" \nTRUE\nFalse\ntruex\nt\n".utf8), name: "a.csv"),
      options: .plain)
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(
      (0..<batch.count).map { batch.columns[0].value($0) } == [
        .bool(true), .bool(false), .bool(true), .string("TRUE"), .string("False"),
        .string("truex"), .string("t"),
      ])
  }

  @Test("'types: boolean' reads truth values in any case")
  func typedTruthValues() throws {
    var reader = try CSVReader(
      ByteSource(bytes: Array("ok\nTRUE\nFalse\ntrue\nyes\n".utf8), name: "a.csv"),
      options: .plain.with { $0.types = ["ok": .boolean] })
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(
      (0..<batch.count).map { batch.columns[0].value($0) } == [
        .bool(true), .bool(false), .bool(true),
      ])
    #expect(reader.ledger.rejected == [.invalidValue: 1])
  }

  @Test("CSV values are typed by their form, or by 'types:'")
  func types() throws {
    let bytes = Array("n,zip,open,text\n1.5,01234,true,2\n,5,false,02\n".utf8)
    var reader = try CSVReader(
      ByteSource(bytes: bytes, name: "t.csv"),
      options: .plain.with { $0.types = ["zip": .string, "open": .boolean, "n": .number] })
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    let values = (0..<2).map { row in batch.columns.map { $0.value(row) } }
    #expect(
      values == [
        [.number(1.5), .string("01234"), .bool(true), .number(2)],
        [.null, .string("5"), .bool(false), .string("02")],
      ])
    #expect(try !reader.read(into: &batch))
    #expect(batch.count == 0)
  }

  @Test("the CSV reader reads more rows than fit into a batch")
  func manyRows() throws {
    let count = 20_000
    let text = "n,lng,lat\n" + (0..<count).map { "\($0),\($0 % 180),\($0 % 90)\n" }.joined()
    let result = try CSVResult(text, options: CSVOptions())
    #expect(result.fields.map { $0[0] } == (0..<count).map { "\($0)" })
    #expect(result.lines == Array(2...(count + 1)))
  }

  @Test("the CSV reader refills a batch that another reader filled")
  func reused() throws {
    var batch = FeatureBatch()
    for text in ["a,b\n1,2\n", "c,d\n3,4\n", "e\n5\n"] {
      var reader = try CSVReader(
        ByteSource(bytes: Array(text.utf8), name: "t.csv"), options: .plain)
      #expect(try reader.read(into: &batch))
      #expect(batch.columns.map(\.name) == reader.propertyNames)
      #expect(batch.columns.allSatisfy { $0.count == 1 })
    }
  }
}
