import Features
import Testing

@testable import Ingest

/// A bad feature on line 3 between two good ones.
private func between(_ feature: String) -> String {
  let good = #"{"type":"Feature","geometry":null,"properties":{"n":0}}"#
  return "{\"type\":\"FeatureCollection\",\"features\":[\n\(good),\n\(feature),\n\(good)]}"
}

private func polygon(_ coordinates: String) -> String {
  #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":\#(coordinates)}}"#
}

private func geometry(_ geometry: String) -> String {
  #"{"type":"Feature","geometry":\#(geometry)}"#
}

private func properties(_ properties: String) -> String {
  #"{"type":"Feature","geometry":null,"properties":\#(properties)}"#
}

struct GeoJSONRejectTests {
  @Test(
    "a bad feature is counted with its place and leaves no trace",
    arguments: [
      ("null", "3:1 invalid_geometry 'features' must hold nothing but Features"),
      ("7", "3:1 invalid_geometry 'features' must hold nothing but Features"),
      ("{}", "3:1 invalid_geometry the member 'type' is missing; it must be Feature"),
      (
        #"{"type":"Featre"}"#,
        "3:9 invalid_geometry 'Featre' is no type of GeoJSON (names are case-sensitive)"
      ),
      (#"{"type":{"a":[1]}}"#, "3:9 invalid_geometry 'type' must be a string"),
      (
        #"{"type":"Point","coordinates":[1,2]}"#,
        "3:1 invalid_geometry a Point stands where a Feature is expected"
      ),
      (
        #"{"type":"Feature","properties":{"new":1}}"#,
        "3:1 invalid_geometry the member 'geometry' is missing; it is null in a Feature without one"
      ),
      (
        #"{"type":"Feature","geometry":null,"features":[]}"#,
        "3:1 invalid_geometry a Feature may not have a member 'features' (RFC 7946, 7.1); "
          + "remove or rename it"
      ),
      (
        #"{"type":"Feature","geometry":null,"type":"Feature"}"#,
        "3:42 invalid_json the member 'type' occurs twice in one object; keep one of the two"
      ),
      (
        #"{"type":"Feature","geometry":null,"id":[1]}"#,
        "3:40 invalid_geometry a feature's 'id' must be a string or a number"
      ),
      (properties("[]"), "3:48 invalid_geometry 'properties' must be an object or null"),
      (
        properties(#"{"new":1,"a":2,"a":3}"#),
        "3:67 invalid_json the property 'a' occurs twice in one feature; keep one of the two"
      ),
      (
        properties(#"{"a":1e999}"#),
        "3:58 invalid_json a number beyond ±1.8e308, the range of a Double"
      ),
      (
        properties(#"{"a":{"b":1,"b":2}}"#),
        "3:64 invalid_json the name 'b' occurs twice in one object; keep one of the two"
      ),
      (geometry("[]"), "3:30 invalid_geometry 'geometry' must be an object or null"),
      (geometry("{}"), "3:30 invalid_geometry the member 'type' of a geometry is missing"),
      (
        geometry(#"{"type":"Feature"}"#),
        "3:30 invalid_geometry a Feature stands where a geometry is expected"
      ),
      (
        geometry(#"{"type":"Point"}"#),
        "3:30 invalid_geometry the member 'coordinates' of a Point is missing"
      ),
      (
        geometry(#"{"type":"GeometryCollection"}"#),
        "3:30 invalid_geometry the member 'geometries' of a GeometryCollection is missing"
      ),
      (
        geometry(#"{"type":"GeometryCollection","geometries":{}}"#),
        "3:72 invalid_geometry 'geometries' must be an array"
      ),
      (
        geometry(#"{"type":"GeometryCollection","geometries":[null]}"#),
        "3:73 invalid_geometry 'geometries' must hold nothing but geometry objects"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[1,2],"properties":{}}"#),
        "3:30 invalid_geometry a Point may not have a member 'properties' (RFC 7946, 7.1); "
          + "remove or rename it"
      ),
      (
        geometry(#"{"type":"Point","coordinates":null}"#),
        "3:60 invalid_geometry 'coordinates' must be an array"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[1]}"#),
        "3:63 invalid_geometry a position needs two numbers, longitude and latitude"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[1,"2"]}"#),
        "3:63 invalid_geometry every element of a position must be a number"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[1,2,null]}"#),
        "3:65 invalid_geometry every element of a position must be a number"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[1,1e999]}"#),
        "3:68 invalid_geometry a number beyond ±1.8e308, the range of a Double"
      ),
      (
        geometry(#"{"type":"LineString","coordinates":[[1,2],[3,-1e999]]}"#),
        "3:81 invalid_geometry a number beyond ±1.8e308, the range of a Double"
      ),
      (
        geometry(#"{"type":"Point","coordinates":["1",2]}"#),
        "3:61 invalid_geometry a position must be an array of numbers"
      ),
      (
        geometry(#"{"type":"Point","coordinates":[[1,2]]}"#),
        "3:60 invalid_geometry the coordinates of a Point are nested 1 deep, not 2"
      ),
      (
        geometry(#"{"type":"MultiPoint","coordinates":[[1,2],3]}"#),
        "3:72 invalid_geometry a number stands where an array of numbers is expected"
      ),
      (
        geometry(#"{"type":"MultiPoint","coordinates":[[1,2],[[3,4]]]}"#),
        "3:73 invalid_geometry an array stands where a number of a position is expected"
      ),
      (
        geometry(#"{"type":"LineString","coordinates":[[1,2]]}"#),
        "3:65 invalid_geometry a line needs two or more positions"
      ),
      (polygon("[[]]"), "3:65 invalid_geometry an array inside 'coordinates' is empty"),
      (
        polygon("[[[0,0],[1,0],[1,1],[0,0]],[]]"),
        "3:91 invalid_geometry an array inside 'coordinates' is empty"
      ),
      (
        polygon("[[[0,0],[1,0],[0,0]]]"),
        "3:62 invalid_geometry a ring needs four or more positions"
      ),
      (
        polygon("[[[0,0],[1,0]]]"),
        "3:62 invalid_geometry a ring needs four or more positions"
      ),
      (
        polygon("[[[[[0,0]]]]]"),
        "3:66 invalid_geometry 'coordinates' is nested deeper than that of a MultiPolygon"
      ),
    ])
  func rejected(_ feature: String, _ example: String) {
    let dump = GeoJSONDump(between(feature))
    #expect(dump.error == nil)
    #expect(dump.examples == [example])
    #expect(dump.records == ["2 none {n: 0}", "4 none {n: 0}"])
    #expect(dump.names == ["n"])
    #expect(dump.count == 3)
  }

  @Test("a text that is a single bad feature or geometry is one rejected record")
  func single() {
    for text in [
      #"{"type":"Point","coordinates":[1]}"#, #"{"coordinates":[1],"type":"Point"}"#,
      #"{"type":"Feature","geometry":7}"#, #"{"type":"Point"}"#,
      #"{"type":"Feature","geometry":null,"coordinates":[]}"#,
    ] {
      let dump = GeoJSONDump(text)
      #expect(dump.error == nil)
      #expect(dump.rejected == [.invalidGeometry: 1], "\(text)")
      #expect(dump.records == [])
    }
  }

  @Test("every rejected record counts as read and the ledger balances")
  func ledger() throws {
    let reader = GeoJSONReader(source: ByteSource(bytes: Array(between("{},7").utf8), name: "a"))
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {}
    #expect(reader.ledger.read == 2)
    #expect(reader.ledger.balances)
    #expect(reader.ledger.examples.count == 1)
  }

  @Test("limits on properties, positions and nested values reject the record that breaks them")
  func limits() {
    var options = GeoJSONOptions()
    options.maximumProperties = 2
    options.maximumPositions = 3
    options.nestedValueBytes = 10
    let bad = [
      properties(#"{"n":1,"b":2,"c":3}"#),
      geometry(#"{"type":"MultiPoint","coordinates":[[1,2],[1,2],[1,2],[1,2]]}"#),
      properties(#"{"n":[1,2,3,4,5,6,7]}"#),
    ]
    let dump = GeoJSONDump(between(bad.joined(separator: ",")), options: options)
    #expect(dump.rejected == [.tooLarge: 3])
    #expect(dump.records.count == 2)
    #expect(dump.names == ["n"])
    let most = GeoJSONDump(
      geometry(#"{"type":"MultiPoint","coordinates":[[1,2],[1,2],[1,2]]}"#), options: options)
    #expect(most.records.count == 1)
  }

  @Test(
    "a text that is not GeoJSON, or is malformed, ends reading with its place",
    arguments: [
      ("", "a.geojson:1:1: expected a value, found the end of the text"),
      ("[1", "a.geojson:1:3: expected ',' or ']' behind an element, found the end of the text"),
      ("null", "a.geojson:1:1: GeoJSON must be an object"),
      ("{ }", "a.geojson:1:1: the member 'type' is missing"),
      (
        #"{"type":"FooBar"}"#,
        "a.geojson:1:9: 'FooBar' is no type of GeoJSON (names are case-sensitive)"
      ),
      (
        #"{"type":"FeatureCollection"}"#,
        "a.geojson:1:1: the member 'features' of a FeatureCollection is missing"
      ),
      (
        #"{"type":"FeatureCollection","features":{}}"#,
        "a.geojson:1:40: 'features' must be an array"
      ),
      (
        #"{"features":null,"type":"FeatureCollection"}"#,
        "a.geojson:1:13: 'features' must be an array"
      ),
      (
        #"{"type":"FeatureCollection","features":[],"features":[]}"#,
        "a.geojson:1:54: the member 'features' occurs twice in one object; keep one of the two"
      ),
      (
        #"{"type":"FeatureCollection","features":[],"properties":{}}"#,
        "a.geojson:1:1: a FeatureCollection may not have a member 'properties' (RFC 7946, 7.1); "
          + "remove or rename it"
      ),
      (
        #"{"features":[],"type":"Feature"}"#,
        "a.geojson:1:1: a Feature may not have a member 'features' (RFC 7946, 7.1); "
          + "remove or rename it"
      ),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\"geometry\":nul}]}",
        "a.geojson:2:30: expected a value (true, false and null in lower case), found 'n'"
      ),
      (
        "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":7,\"geometry\":nul}]}",
        "a.geojson:2:22: expected a value (true, false and null in lower case), found 'n'"
      ),
      (
        #"{"type":"LineString","coordinates":[[1,2],]}"#,
        "a.geojson:1:43: expected a value, found ']' after a comma; remove the comma"
      ),
      (
        #"{"type":"Point","coordinates":[1,2]"#,
        "a.geojson:1:36: expected ',' or '}' behind a member, found the end of the text"
      ),
      (
        #"{"type":"Point","coordinates":[1,2]}{}"#,
        "a.geojson:1:37: another object follows the first; "
          + "set 'type: geojsonseq' for a file with one on each line"
      ),
      (
        #"{"type":"Point","coordinates":[1,2]} x"#,
        "a.geojson:1:38: expected the end of the text, found 'x'"
      ),
    ])
  func refused(_ text: String, _ error: String) {
    let dump = GeoJSONDump(text)
    #expect(dump.error == error)
    #expect(dump.rejected == [:])
  }

  @Test("the records before malformed JSON are delivered")
  func before() {
    var options = GeoJSONOptions()
    options.batchRecords = 1
    let dump = GeoJSONDump(String(between("{}").dropLast(2)), options: options)
    #expect(dump.records.count == 2)
    #expect(dump.error?.contains("expected ',' or ']' behind an element") == true)
  }

  @Test("collections may nest as deeply as JSON and no deeper")
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"type":"GeometryCollection","geometries":["#, count: depth)
        + String(repeating: "]}", count: depth)
    }
    #expect(GeoJSONDump(nested(256)).records == ["1 none"])
    #expect(GeoJSONDump(nested(257)).error?.contains("inside each other") == true)
    #expect(GeoJSONDump(String(repeating: "[", count: 100_000)).error != nil)
  }

  @Test(
    "an old 'crs' member is accepted where it names WGS 84",
    arguments: [
      (#"{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}}"#, true),
      (#"{"type":"name","properties":{"name":"EPSG:4326"}}"#, true), ("null", true),
      (#"{"type":"name","properties":{"name":"EPSG:3857"}}"#, false),
      (#"{"type":"link","properties":{"href":"http://example.com/crs/42"}}"#, false),
      ("7", false),
    ])
  func referenceSystem(_ crs: String, _ isAccepted: Bool) {
    for text in [
      #"{"type":"Point","crs":\#(crs),"coordinates":[1,2]}"#,
      #"{"type":"FeatureCollection","features":[],"crs":\#(crs)}"#,
    ] {
      #expect((GeoJSONDump(text).error == nil) == isAccepted)
    }
    let message = GeoJSONDump(#"{"crs":{"properties":{"name":"EPSG:3857"}}}"#).error
    #expect(
      message
        == "a.geojson:1:8: the coordinates are in 'EPSG:3857', and only longitude and latitude "
        + "(WGS 84, EPSG:4326) is read without 'crs:'; name it there, such as 'crs: EPSG:3857'")
  }
}
