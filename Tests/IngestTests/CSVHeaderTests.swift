import Features
import Ingest
import OrderedCollections
import Testing

@Suite("The header line of a CSV file")
struct CSVHeaderTests {
  private func error(_ text: String, _ options: CSVOptions) -> String? {
    let error = #expect(throws: SourceError.self) { try CSVResult(text, options: options) }
    return error?.description
  }

  @Test(
    "names in the header line are trimmed and unquoted; a column without a name gets its number")
  func names() throws {
    let result = try CSVResult(" a ,\"b \"\"c\"\"\",,\"d\ne\",\n1,2,3,4,5\n")
    #expect(result.names == ["a", "b \"c\"", "column_3", "d\ne", "column_5"])
    #expect(result.lines == [3])
  }

  @Test("the header line is skipped when 'columns:' names the columns as well")
  func renamed() throws {
    let options = CSVOptions.plain.with { $0.columns = ["x", "y"] }
    let result = try CSVResult("a,a\n1,2\n", options: options)
    #expect(result.names == ["x", "y"])
    #expect(result.fields == [["1", "2"]])
    #expect(
      error("a,b,c\n1,2,3\n", options)
        == "data/stores.csv:1: the line of names has 3 fields but 'columns:' names 2. "
        + "Make them equal.")
  }

  @Test("a header line with a duplicate name is refused")
  func twice() {
    #expect(
      error("a,b,a\n", .plain)
        == "data/stores.csv:1: columns 1 and 3 are both named 'a'. Name them with 'columns:' "
        + "(and 'header: true' to skip this line).")
  }

  @Test("a file without a header line is refused")
  func empty() {
    for text in ["", "\n\r\n", "\u{FEFF}"] {
      #expect(
        error(text, .plain)
          == "data/stores.csv: is empty: its first line must name the columns. "
          + "Set 'columns:' if it has none.")
    }
    #expect(
      error("1,2\n", .plain.with { $0.header = false })
        == "data/stores.csv: has no line of names ('header: false'). "
        + "Name its columns with 'columns:'.")
  }

  @Test("a missing column is refused with the list of existing columns")
  func missing() {
    let text = "id,lon,lat\n"
    #expect(
      error(text, CSVOptions().with { $0.x = "lng" })
        == "data/stores.csv:1: no column named 'lng' in data/stores.csv; "
        + "columns are id, lon, lat. Set 'x:'.")
    #expect(
      error("a,b\n", CSVOptions())
        == "data/stores.csv:1: no longitude column (lng, lon, long, longitude or x) in "
        + "data/stores.csv; columns are a, b. Set 'x:'.")
    #expect(
      error("lng,b\n", CSVOptions())
        == "data/stores.csv:1: no latitude column (lat, latitude or y) in data/stores.csv; "
        + "columns are lng, b. Set 'y:'.")
    #expect(error(text, .plain.with { $0.select = ["nam"] })?.hasSuffix("Set 'select:'.") == true)
    #expect(
      error(text, .plain.with { $0.types = ["zip": .string] })?.hasSuffix("Set 'types:'.") == true)
  }

  @Test("a missing column's message suggests the likely delimiter", arguments: [";", "|", "\t"])
  func otherDelimiter(_ other: String) throws {
    let setting = other == "\t" ? "tab" : "'\(other)'"
    let looks =
      "the fields look divided by \(other == "\t" ? "tabs" : "'\(other)'"), not by ','. "
      + "Set \"delimiter: \(setting)\"."
    let missing =
      "data/stores.csv:1: no longitude column (lng, lon, long, longitude or x) in "
      + "data/stores.csv; "
    func text(_ lines: [[String]]) -> String {
      lines.map { $0.joined(separator: other) }.joined(separator: "\n")
    }
    let names = ["name", "lng", "lat"]
    let record = ["Bremen, Am Markt", "8,8", "53,1"]
    for text in [
      text([names]), text([names, record, record]), "\u{FEFF}" + text([names, record]),
    ] {
      #expect(error(text, CSVOptions()) == missing + looks, "\(text)")
    }
    let quoted = text([names.map { "\"\($0)\"" }, record])
    #expect(error(quoted, CSVOptions())?.hasSuffix("the line of names is broken: " + looks) == true)
    // What is divided as the options say has another fault.
    #expect(
      error("a\(other)b,c\n1,2\n3,4\n", CSVOptions())?.hasPrefix(missing + "columns are") == true)
    let told = try CSVResult(
      text([names, record]), options: .plain.with { $0.delimiter = other.utf8.first ?? 0 })
    #expect(told.names == names && told.fields == [record])
  }

  @Test("a missing column's message lists at most twenty columns")
  func manyColumns() {
    let names = (1...25).map { "c\($0)" }.joined(separator: ",")
    #expect(error(names, CSVOptions())?.hasSuffix("c19, c20 and 5 more. Set 'x:'.") == true)
  }

  @Test("a malformed header line is refused with its place")
  func broken() {
    #expect(error("a,\"b\nc", .plain)?.hasPrefix("data/stores.csv:1:3: the line of names") == true)
    #expect(error("a,\"b\"c\n", .plain)?.hasPrefix("data/stores.csv:1:6: ") == true)
  }

  @Test("a header line must be text in the file's encoding")
  func encoding() {
    let error = #expect(throws: SourceError.self) {
      try CSVResult([0x61, 0x2C, 0xE9, 0x0A], options: .plain)
    }
    #expect(error?.code == .badData)
    #expect(error?.column == 3)
  }

  @Test("a header line may have 4,096 columns and no more")
  func width() throws {
    let names = (1...4096).map { "c\($0)" }.joined(separator: ",")
    let row = (1...4096).map { "\($0)" }.joined(separator: ",")
    #expect(try CSVResult("\(names)\n\(row)\n").fields.first?.last == "4096")
    #expect(
      error(names + ",x", .plain)
        == "data/stores.csv: has more than 4096 columns. Is 'delimiter:' right?")
  }

  @Test("a headerless file needs no header line and may be empty")
  func headerless() throws {
    #expect(try CSVResult("", options: .headerless("a")).fields == [])
    #expect(try CSVResult("7\n", options: .headerless("a")).fields == [["7"]])
  }
}
