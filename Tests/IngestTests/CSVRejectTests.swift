import Features
import Ingest
import OrderedCollections
import Testing

@Suite("A broken CSV record")
struct CSVRejectTests {
  @Test(
    "a broken CSV record is counted with its line, column and reason, and reading continues",
    arguments: [
      ("a,b\n1\n3,4\n", "2:0 ragged_row: 1 fields where the file has 2 columns"),
      ("a,b\n1,2,3\n3,4\n", "2:0 ragged_row: 3 fields where the file has 2 columns"),
      (
        "a,b\n1,2,\r\n3,4\n",
        "2:0 ragged_row: 3 fields where the file has 2 columns; the line ends with a delimiter, "
          + "which opens one more empty field"
      ),
      (
        "a,b\n1,\"x\"y\n3,4\n",
        "2:6 invalid_quoting: text behind a closing quote; a quote inside quotes is written twice"
      ),
      (
        "a,b\n\"\n\n\"z,\"\n3,4\n",
        "4:2 invalid_quoting: text behind a closing quote; a quote inside quotes is written twice"
      ),
    ])
  func examples(text: String, example: String) throws {
    let result = try CSVResult(text)
    #expect(result.examples == [example])
    #expect(result.fields == [["3", "4"]])
    #expect(result.ledger.read == 1)
    for chunk in 1...20 { #expect(try CSVResult(text, chunk: chunk) == result) }
  }

  @Test("an unclosed quote is reported where it opens, with what it swallowed")
  func unclosed() throws {
    let text = "a,b\n1,2\n3, \"4\n5,6\n7,8"
    let result = try CSVResult(text)
    #expect(result.fields == [["1", "2"]])
    #expect(
      result.examples == [
        "3:4 invalid_quoting: a quote opens here and nothing closes it; "
          + "2 more lines are skipped with it"
      ])
    for chunk in 1...20 { #expect(try CSVResult(text, chunk: chunk) == result) }
  }

  @Test("bytes of another encoding are reported at the byte")
  func encoding() throws {
    let bytes = Array("a,b\n1,caf".utf8) + [0xE9] + Array("\n3,4\n".utf8)
    let result = try CSVResult(bytes, options: .plain)
    #expect(result.fields == [["3", "4"]])
    #expect(
      result.examples == [
        "2:6 invalid_encoding: the bytes here are not utf-8. "
          + "Set 'encoding:' (\(TextEncoding.names.joined(separator: ", ")))"
      ])
    for chunk in 1...20 {
      #expect(try CSVResult(bytes, chunk: chunk, options: .plain) == result)
    }
  }

  @Test(
    "coordinates that are not JSON numbers are reported with their text",
    arguments: [
      ("33q.200088,1", "2:3 invalid_coordinate: the latitude is no number: '33q.200088'"),
      (
        "1,\"2,5\"",
        "2:6 invalid_coordinate: the longitude is no number: '2,5'; for decimal commas, "
          + "set 'decimal: \",\"'"
      ),
      ("1,2x", "2:5 invalid_coordinate: the longitude is no number: '2x'"),
      ("1,0x10", "2:5 invalid_coordinate: the longitude is no number: '0x10'"),
      ("nan,1", "2:3 invalid_coordinate: the latitude is no number: 'nan'"),
      ("1,", "2:5 invalid_coordinate: the longitude is empty"),
      (",1", "2:3 invalid_coordinate: the latitude is empty"),
      ("\"1\n\",2", "2:4 invalid_coordinate: the latitude is no number: '1\\n'"),
      ("1,\"1\"\"\"", "2:6 invalid_coordinate: the longitude is no number: '1\"'"),
      ("\"\",\"\"", "2:7 invalid_coordinate: the longitude is no number: ''"),
    ])
  func coordinates(fields: String, example: String) throws {
    let result = try CSVResult("i,lat,lng\n7,\(fields)\n8,1,2\n", options: CSVOptions())
    #expect(result.examples == [example])
    #expect(result.fields == [["8", "1", "2"]])
  }

  @Test("a long field is truncated in its message")
  func excerpt() throws {
    let long = String(repeating: "x", count: 1000)
    let result = try CSVResult("lat,lng\n\(long),1\n", options: CSVOptions())
    #expect(result.examples.first?.hasSuffix(": '\(long.prefix(40))…'") == true)
  }

  @Test("a value of the wrong type is rejected if 'types:' gives one")
  func types() throws {
    let result = try CSVResult(
      "n,b\n1,true\nx,true\n2,yes\n,\n",
      options: .plain.with { $0.types = ["n": .number, "b": .boolean] })
    #expect(result.ledger.rejected == [.invalidValue: 2])
    #expect(
      result.examples == ["3:1 invalid_value: column 'n' holds 'x', which is no number"])
    #expect(result.fields == [["1", "true"], [nil, nil]])
  }

  @Test("a record over the size limits is skipped to the next line end")
  func limits() throws {
    let options = CSVOptions.plain.with {
      $0.limits.field = 20
      $0.limits.record = 50
    }
    let long = String(repeating: "x", count: 21)
    let fits = String(long.dropLast())
    let inner = String(repeating: "y\n", count: 30)
    let text = """
      a,b,c,d
      \(fits),2,3,4
      \(long),2,3,4
      1,"\(long)",3,4
      \(fits),\(fits),\(fits),4
      1,"\(inner)",3,4
      \(fits),2,3,4
      5,6,7,8

      """
    let result = try CSVResult(text, options: options)
    // Ten lines are swallowed with the open quote, the other twenty are ragged, and the quote that
    // closed it opens another field, which takes one more line.
    #expect(result.fields == [[fits, "2", "3", "4"], ["5", "6", "7", "8"]])
    #expect(result.ledger.rejected == [.tooLarge: 5, .raggedRow: 20])
    #expect(result.lines == [2, 38])
    for chunk in 1...80 { #expect(try CSVResult(text, chunk: chunk, options: options) == result) }
  }

  @Test("a file without line ends is one reject in bounded memory")
  func oneLine() throws {
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 3 << 20)
    let result = try CSVResult(Array("a\n".utf8) + bytes, options: .plain)
    #expect(result.ledger.rejected == [.tooLarge: 1])
    #expect(result.ledger.read == 1)
  }
}
