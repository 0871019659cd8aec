import Features
import Testing

@testable import Ingest

private func point(_ x: Int) -> String { #"{"type":"Point","coordinates":[\#(x),0]}"# }

private func read(
  _ text: String, chunk: Int = ByteSource.defaultChunk, options: GeoJSONOptions = GeoJSONOptions()
) -> GeoJSONDump {
  GeoJSONDump(sequence: Array(text.utf8), chunk: chunk, options: options)
}

struct GeoJSONSequenceTests {
  @Test("each line of a sequence is a text, also with blank lines, CRLF, a BOM or no last line end")
  func lines() {
    let dump = read("\u{FEFF}\n\(point(1))\r\n  \n\t\(point(2)) \n\n\(point(3))")
    #expect(
      dump.records == ["2 point point(1 0)", "4 point point(2 0)", "6 point point(3 0)"])
    #expect(dump.rejected == [:] && dump.error == nil)
  }

  @Test("texts behind record separators may span lines")
  func separators() {
    let dump = read(
      "\u{1E}{\"type\":\"Point\",\n\"coordinates\":[1,0]}\n\u{1E}\u{1E}\(point(2))\n\u{1E}{\n\u{1E}"
        + "\n\(point(3))")
    #expect(
      dump.records == ["1 point point(1 0)", "3 point point(2 0)", "6 point point(3 0)"])
    #expect(
      dump.examples == [
        "5:1 invalid_json expected a member's name in double quotes, found the end of the text"
      ])
  }

  @Test("a bad line is counted with its place and reading continues")
  func badLines() {
    let dump = read(
      "\(point(1))\nnonsense\n{\"type\":\"Point\"}\n{\"a\":\n[]\nnull\n\(point(2)) \(point(3))\n"
        + "{\"type\":\"Feature\",\"geometry\":null,\"properties\":{\"a\":1,\"a\":2}}\n\(point(4))")
    #expect(dump.error == nil)
    #expect(dump.records == ["1 point point(1 0)", "9 point point(4 0)"])
    #expect(dump.rejected == [.invalidJSON: 4, .invalidGeometry: 3])
    #expect(
      dump.examples == [
        "2:1 invalid_json expected a value (true, false and null in lower case), found 'n'",
        "3:1 invalid_geometry the member 'coordinates' of a Point is missing",
      ])
  }

  @Test("a second object on a line is reported with how to separate them")
  func second() {
    #expect(
      read("\(point(2))\(point(3))").examples == [
        "1:37 invalid_json another object follows the first; put each on a line of its own"
      ])
  }

  @Test("a line may contain a FeatureCollection; the features before a fault are kept")
  func collections() {
    let feature = #"{"type":"Feature","geometry":\#(point(1)),"properties":{"a":1}}"#
    let start = #"{"type":"FeatureCollection","features":[\#(feature),{},\#(feature)"#
    let dump = read("\(start)]}\n\(start)\n\(point(2))")
    #expect(
      dump.records == [
        "1 point point(1 0) {a: 1}", "1 point point(1 0) {a: 1}", "2 point point(1 0) {a: 1}",
        "2 point point(1 0) {a: 1}", "3 point point(2 0)",
      ])
    #expect(dump.rejected == [.invalidGeometry: 2, .invalidJSON: 1])
  }

  @Test("a line over the limit is dropped and the next one is read", arguments: [1, 7, 64, 4096])
  func tooLong(_ chunk: Int) {
    var options = GeoJSONOptions()
    options.lineBytes = 40
    let long = #"{"type":"Point","coordinates":[1,0],"x":"\#(String(repeating: "x", count: 200))"}"#
    let dump = read("\(point(1))\n\(long)\n\(point(2))\n\(long)", chunk: chunk, options: options)
    #expect(dump.records == ["1 point point(1 0)", "3 point point(2 0)"])
    #expect(dump.examples == ["2:0 too_large the text is longer than 40 bytes"])
    #expect(dump.rejected == [.tooLarge: 2])
  }

  @Test("an empty sequence has no records", arguments: ["", "\n\n", "\u{FEFF}", "\u{1E}", " "])
  func empty(_ text: String) {
    #expect(read(text) == GeoJSONDump(sequence: []))
    #expect(read(text).count == 0)
  }

  @Test("batches end between texts")
  func batches() throws {
    var options = GeoJSONOptions()
    options.batchRecords = 2
    let source = ByteSource(
      bytes: Array((0..<5).map(point).joined(separator: "\n").utf8), name: "a")
    let reader = GeoJSONSequenceReader(source: source, options: options)
    var batch = FeatureBatch()
    var counts: [Int] = []
    while try reader.read(into: &batch) { counts.append(batch.count) }
    #expect(counts == [2, 2, 1])
    #expect(reader.bytesRead == source.byteCount)
  }
}
