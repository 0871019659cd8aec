import JSON
import TestSupport
import Testing

@testable import Ingest

/// Features written alike are compared with a template; a shallow limit of depth turns that off.
@Suite("GeoJSON features written alike")
struct GeoJSONTemplateTests {
  private static var general: GeoJSONOptions {
    var options = GeoJSONOptions()
    options.json.depth = 15
    return options
  }

  private static let geometries = [
    #"{"type":"Point","coordinates":[1.5,-2]}"#,
    #"{"type":"Point","coordinates":[-170.25,12.125,3]}"#,
    #"{"type":"Point","coordinates":[]}"#,
    #"{"type":"Point","coordinates":[1e2,-0]}"#,
    #"{"type":"Point","coordinates":[1]}"#,
    #"{"type":"MultiPoint","coordinates":[[1,2],[3,4.0000001]]}"#,
    #"{"type":"LineString","coordinates":[[1,2],[3,4]]}"#,
    #"{"type":"LineString","coordinates":[[1,2]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,0]]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]], [[1,1],[2,1],[2,2],[1,1]]]}"#,
    #"{"type":"Polygon","coordinates":[[[0,0],[9,0]]]}"#,
    #"{"type":"Point","coordinates":[[0,0],[9,0]]}"#,
    #"{"type":"MultiPolygon","coordinates":[[[[0,0],[9,0],[9,9],[0,0]]],[[[1,1],[2,1],[2,2],[1,1]]]]}"#,
    "null",
  ]

  private static let values = [
    "1", "-0", "2.50", "12345678901234567890", "9007199254740993", "1e400", "01", "true", "false",
    "null", #""""#, #""text""#, #""Zürich – 東京""#, #""with \"quotes\"""#, #""a tab\#there""#,
    #""sixteen bytes of text and more than thirty-two""#, "[1,2]", #"{"x":1}"#, #""\u00e9""#,
  ]

  private static func feature(_ random: inout SplitMix64) -> String {
    // Mostly the usual form, so that templates are made and hit.
    let geometry = geometries[random.below(random.below(3) == 0 ? geometries.count : 2)]
    func value() -> String { values[random.below(random.below(3) == 0 ? values.count : 3)] }
    let (first, second) = (value(), value())
    switch random.below(8) {
    case 0: return #"{"type":"Feature","id":\#(value()),"geometry":\#(geometry),"properties":{}}"#
    case 1:
      return #"{ "type": "Feature", "properties": { "a": \#(first) }, "geometry": \#(geometry) }"#
    case 2: return #"{"type":"Feature","geometry":\#(geometry),"properties":{"a":1,"a":\#(first)}}"#
    case 3: return #"{"type":"Feature","bbox":[1,2],"geometry":\#(geometry),"properties":null}"#
    default:
      return
        #"{"type":"Feature","geometry":\#(geometry),"properties":{"a":\#(first),"b":\#(second)}}"#
    }
  }

  private func traces(
    _ text: String, _ isSequence: Bool, _ options: GeoJSONOptions, chunk: Int
  ) -> ReadingTrace {
    let source = ByteSource(bytes: Array(text.utf8), name: "a", chunk: chunk)
    return isSequence
      ? ReadingTrace(GeoJSONSequenceReader(source: source, options: options))
      : ReadingTrace(GeoJSONReader(source: source, options: options))
  }

  @Test("features read by templates are those read the general way", arguments: 0..<12)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let features = (0..<300).map { _ in Self.feature(&random) }
    let valid = features.filter { !$0.contains("\t") && !$0.contains(":01") }
    for wanted in [nil, ["b", "none"]] {
      var options = GeoJSONOptions(wanted: wanted)
      options.batchRecords = 7
      var general = Self.general
      general.wanted = wanted
      general.batchRecords = 7
      for chunk in [50, 700, 1 << 16] {
        for separator in ["\n", " \r\n"] {
          let lines = features.joined(separator: separator)
          #expect(
            traces(lines, true, options, chunk: chunk) == traces(lines, true, general, chunk: chunk)
          )
        }
        let collection =
          #"{"type":"FeatureCollection","features":["# + valid.joined(separator: ",\n") + "]}"
        #expect(
          traces(collection, false, options, chunk: chunk)
            == traces(collection, false, general, chunk: chunk))
      }
    }
  }

  @Test("features with nothing in common are still read")
  func different() {
    let features = (0..<2000).map {
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"p\#($0 % 701)":1}}"#
    }
    let lines = features.joined(separator: "\n")
    #expect(
      traces(lines, true, GeoJSONOptions(), chunk: 1 << 16)
        == traces(lines, true, Self.general, chunk: 1 << 16))
  }
}
