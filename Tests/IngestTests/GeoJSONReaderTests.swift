import Features
import Testing

@testable import Ingest

/// A FeatureCollection of these features.
private func collection(_ features: String) -> String {
  #"{"type":"FeatureCollection","features":[\#(features)]}"#
}

/// A feature with this geometry.
private func feature(_ geometry: String, _ properties: String = "{}") -> String {
  #"{"type":"Feature","properties":\#(properties),"geometry":\#(geometry)}"#
}

private let origin = #"{"type":"Point","coordinates":[0,0]}"#

struct GeoJSONReaderTests {
  @Test(
    "open rings are closed, and their records counted",
    arguments: [
      ("[[[0,0],[9,0],[9,9]]]", "polygon outerRing(0 0, 9 0, 9 9, 0 0)", 1),
      (
        "[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2]],[[5,5],[6,5],[6,6]]]",
        "polygon outerRing(0 0, 9 0, 9 9, 0 0) innerRing(1 1, 2 1, 2 2, 1 1) "
          + "innerRing(5 5, 6 5, 6 6, 5 5)", 1
      ),
      ("[[[0,0,1],[9,0,2],[9,9,3],[0,0,4]]]", "polygon outerRing(0 0, 9 0, 9 9, 0 0)", 0),
    ])
  func openRings(coordinates: String, expected: String, count: Int) {
    let text = feature(#"{"type":"Polygon","coordinates":\#(coordinates)}"#)
    for dump in [
      GeoJSONDump(collection(text), chunk: 7), GeoJSONDump(sequence: Array(text.utf8), chunk: 7),
    ] {
      #expect(dump.records == ["1 \(expected)"])
      #expect(dump.rejected.isEmpty && dump.error == nil)
      #expect(dump.repaired == (count > 0 ? [.closedRings: count] : [:]))
    }
  }

  @Test(
    "every geometry type becomes parts and positions in the order of the file",
    arguments: [
      (#"{"type":"Point","coordinates":[1.5,-2]}"#, "point point(1.5 -2)"),
      (
        #"{"type":"MultiPoint","coordinates":[[1,2],[3,4]]}"#,
        "multiPoint point(1 2) point(3 4)"
      ),
      (
        #"{"type":"LineString","coordinates":[[1,2],[3,4],[5,6]]}"#,
        "lineString line(1 2, 3 4, 5 6)"
      ),
      (
        #"{"type":"MultiLineString","coordinates":[[[1,2],[3,4]],[[5,6],[7,8]]]}"#,
        "multiLineString line(1 2, 3 4) line(5 6, 7 8)"
      ),
      (
        #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]]}"#,
        "polygon outerRing(0 0, 9 0, 9 9, 0 0) innerRing(1 1, 2 1, 2 2, 1 1)"
      ),
      (
        #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],[[[5,5],[6,5],[6,6],[5,5]]]]}"#,
        "multiPolygon outerRing(0 0, 9 0, 9 9, 0 0) innerRing(1 1, 2 1, 2 2, 1 1) "
          + "outerRing(5 5, 6 5, 6 6, 5 5)"
      ),
      (
        #"{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]},{"type":"GeometryCollection","geometries":[{"type":"LineString","coordinates":[[3,4],[5,6]]}]},{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}]}"#,
        "collection point(1 2) line(3 4, 5 6) outerRing(0 0, 9 0, 9 9, 0 0)"
      ),
      ("null", "none"),
      (#"{"type":"Polygon","coordinates":[]}"#, "none"),
      (#"{"type":"GeometryCollection","geometries":[]}"#, "none"),
    ])
  func geometries(_ geometry: String, _ expected: String) {
    #expect(GeoJSONDump(collection(feature(geometry))).records == ["1 \(expected)"])
    #expect(GeoJSONDump(feature(geometry)).records == ["1 \(expected)"])
    if geometry != "null" { #expect(GeoJSONDump(geometry).records == ["1 \(expected)"]) }
  }

  @Test("members may come in any order, with foreign ones anywhere")
  func anyOrder() {
    let dump = GeoJSONDump(
      #"""
      {"x": {"features": [1, {"type": 3}]}, "features": [
        {"geometry": {"coordinates": [[[0,0],[9,0],[9,9],[0,0]]], "y": null, "type": "Polygon"},
         "properties": {"a": 1}, "bbox": "none", "id": "k", "type": "Feature"},
        {"geometry": {"geometries": [{"coordinates": [1,2], "type": "Point", "id": {}}],
         "type": "GeometryCollection"}, "type": "Feature"}
      ], "bbox": [0], "type": "FeatureCollection", "name": "late"}
      """#)
    #expect(dump.error == nil)
    #expect(
      dump.records == [
        "2#\"k\" polygon outerRing(0 0, 9 0, 9 9, 0 0) {a: 1}", "4 collection point(1 2)",
      ])
    #expect(dump.rejected == [:])
  }

  @Test("space is allowed between all tokens, and third ordinates are dropped")
  func pretty() {
    let dump = GeoJSONDump(
      "{ \"type\" : \"LineString\" ,\r\n\t\"coordinates\" : [ [ 1 , 2 , 3 ] , [ -4.5e0 , 5 , 6 , 7 ]\n"
        + " ,[\n7\n,\n8\n]\n,[9,10,11]] }\n\n")
    #expect(dump.records == ["1 lineString line(1 2, -4.5 5, 7 8, 9 10)"])
  }

  @Test("properties keep their types; arrays and objects become minimal JSON")
  func properties() {
    let properties = #"""
      {"n": null, "t": true, "f": false, "x": 1.50, "s": "a\u00e9\"", "e": "",
       "j": [ 1.0, {"a" : "\u0041"} ], "o": { }}
      """#
    let dump = GeoJSONDump(feature(origin, properties))
    #expect(
      dump.records == [
        "1 point point(0 0) {n: null, t: true, f: false, x: 1.5, s: \"aé\"\", e: \"\", "
          + "j: json [1,{\"a\":\"A\"}], o: json {}}"
      ])
    #expect(dump.names == ["n", "t", "f", "x", "s", "e", "j", "o"])
  }

  @Test("ids are strings or numbers; null counts as missing")
  func ids() {
    let dump = GeoJSONDump(
      collection(
        [#""a b""#, "12", "null"].map {
          #"{"type":"Feature","id":\#($0),"geometry":null,"properties":null}"#
        }.joined(separator: ",")))
    #expect(dump.records == ["1#\"a b\" none", "1#12 none", "1 none"])
  }

  @Test("columns appear in the order of the file, with earlier rows missing")
  func discovery() {
    let dump = GeoJSONDump(
      collection(
        [#"{"b":1}"#, #"{"a":2,"b":3}"#, "{}", #"{"c":4,"a":5}"#, #"{"\u0062":6}"#]
          .map { feature("null", $0) }.joined(separator: ",\n")))
    #expect(dump.names == ["b", "a", "c"])
    #expect(
      dump.records == [
        "1 none {b: 1}", "2 none {b: 3, a: 2}", "3 none", "4 none {a: 5, c: 4}", "5 none {b: 6}",
      ])
  }

  @Test("a list of wanted properties keeps only these, in its order")
  func wanted() {
    let dump = GeoJSONDump(
      feature("null", #"{"a":[1,[2]],"b":2,"a":3,"c":"x"}"#),
      options: GeoJSONOptions(wanted: ["c", "z", "b", "c"]))
    #expect(dump.names == ["c", "z", "b"])
    #expect(dump.records == ["1 none {c: \"x\", b: 2}"])
  }

  @Test("batches are bounded and reuse columns, which keep their positions")
  func batches() throws {
    var options = GeoJSONOptions()
    options.batchRecords = 3
    let features = (0..<8).map { feature("null", #"{"p\#($0)":\#($0)}"#) }
    let source = ByteSource(
      bytes: Array(collection(features.joined(separator: ",")).utf8), name: "a")
    let reader = GeoJSONReader(source: source, options: options)
    var batch = FeatureBatch()
    var counts: [Int] = []
    while try reader.read(into: &batch) {
      counts.append(batch.count)
      #expect(batch.columns.map(\.name) == reader.propertyNames)
      #expect(batch.columns.allSatisfy { $0.count == batch.count })
      #expect(batch.ids.count == batch.count && batch.geometry.count == batch.count)
    }
    #expect(counts == [3, 3, 2])
    #expect(batch.count == 0)
    #expect(try !reader.read(into: &batch))
    #expect(reader.propertyNames == (0..<8).map { "p\($0)" })
  }

  @Test("a batch is full at its limit of bytes, whatever the number of records")
  func batchBytes() throws {
    var options = GeoJSONOptions()
    options.batchBytes = 100
    let features = (0..<8).map { _ in
      feature("null", #"{"p":"\#("" + String(repeating: "x", count: 60))"}"#)
    }
    let reader = GeoJSONReader(
      source: ByteSource(bytes: Array(collection(features.joined(separator: ",")).utf8), name: "a"),
      options: options)
    var batch = FeatureBatch()
    #expect(try reader.read(into: &batch))
    #expect(batch.count == 2)
  }
}
