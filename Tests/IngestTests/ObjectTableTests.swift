import Features
import Testing

@testable import Ingest

@Suite("Objects of JSON as a table") struct ObjectTableTests {
  private func csv(_ text: String, delimiter: UInt8 = UInt8(ascii: ",")) throws -> String? {
    let source = ByteSource(bytes: Array(text.utf8), name: "a.json", chunk: 7)
    return try ObjectTable.csv(source, delimiter: delimiter).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  @Test("the longest array of objects is the table, with a column for each member of any object")
  func columns() throws {
    let text =
      #"{"ttl":5,"feeds":[{"a":1}],"data":{"rows":[{"a":1,"b":{"c":"x, \"y\"","d":{"e":null}}},"#
      + #"{"b":{"c":"é"},"f":[1,2],"g":true},{"p":{"type":"Point","coordinates":[8,47]}}]}}"#
    let lines = [
      "a,b.c,b.d.e,f,g,p", #"1,"x, ""y""",,,,"#, #","é",,"[1,2]",true,"#,
      #",,,,,"{""type"":""Point"",""coordinates"":[8,47]}""#,
    ]
    #expect(try csv(text) == lines.joined(separator: "\n") + "\n")
    let semicolons = try csv(#"[{"a":"1;2","b":-1.5e3}]"#, delimiter: UInt8(ascii: ";"))
    #expect(semicolons == "a;b\n\"1;2\";-1500\n")
  }

  @Test(
    "what holds no array of objects alone is no table",
    arguments: ["{}", "[]", "[1, {}]", #"{"a":{"b":{"c":{"d":[{"e":1}]}}}}"#])
  func none(text: String) throws { #expect(try csv(text) == nil) }

  @Test("GeoJSON and TopoJSON are no tables by their beginning")
  func beginning() {
    for text in [
      #"{"type":"FeatureCollection","features":[{"type":"Feature"}]}"#,
      #"[{"type":"Feature","geometry":null}]"#, #"{"type":"Topology","objects":[{"a":1}]}"#, "[1]",
    ] { #expect(!ObjectTable.isLikely(Array(text.utf8)), "\(text)") }
    #expect(ObjectTable.isLikely(Array("{ \"d\": [\n { \"lat\": 1".utf8)))
  }

  @Test("a document with more names than a table has columns is refused")
  func wide() throws {
    let members = (0...CSVLimits().columns).map { #"{"m\#($0)":1}"# }
    let error = #expect(throws: SourceError.self) {
      try csv("[\(members.joined(separator: ","))]")
    }
    #expect(error?.message.contains("too large a JSON document") == true)
  }
}
