import Features
import TestSupport
import Testing

@testable import Ingest

/// A collection with everything in it: escapes, deep values, space, rejects, every geometry.
private let rich = Array(
  #"""
  {"type" : "FeatureCollection", "name": "\u00fc\ud83d\ude00 \"x\"", "crs": {"type": "name",
   "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}, "x": [[[{"a": [true, null]}]], -1e-5],
  "features": [
  {"type":"Feature","id":17,"geometry":{"type":"Point","coordinates":[-74.0496725,40.6905201]},
   "properties":{"n\u0061me":"Grün \/ 中\n","n":-1.25e-3,"b":false,"z":null,"j":[1,{"k":"\t"}]}},
  {"geometry":{"coordinates":[[[0, 0],[9,0] ,[9,9],[0,0]],[[1,1],[2,1],[2,2],[1,1]]],
   "type":"Polygon"},"type":"Feature","properties":{"b":true,"name":""}},
  {"type":"Feature","geometry":{"type":"MultiLineString","coordinates":[[[1,2,3],[3,4,5]],
   [[-163.71289567772871,-78.595667413241543],[6,7]]]}},
  {"type":"Feature","geometry":{"type":"Point","coordinates":["1",2]},"properties":{"q":1}},
  {"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[
   {"type":"MultiPoint","coordinates":[[1,2],[3,4]]},{"type":"MultiPolygon",
   "coordinates":[[[[0,0],[9,0],[9,9],[0,0]]]]}]},"properties":{"name":"last"}},
  {"type":"Feature","geometry":null,"id":"k","properties":null}
  ], "bbox": [1, 2]}
  """#.utf8)

struct GeoJSONChunkTests {
  @Test("chunks of any size give the same records")
  func collection() {
    let whole = GeoJSONDump(bytes: rich)
    #expect(whole.records.count == 5 && whole.rejected == [.invalidGeometry: 1])
    #expect(whole.error == nil)
    for chunk in 1...64 { #expect(GeoJSONDump(bytes: rich, chunk: chunk) == whole, "\(chunk)") }
  }

  @Test("chunks of any size give the same records of a sequence")
  func sequence() {
    let flat = rich.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
    let lines = flat + Array("\n{\"a\"\n\n".utf8) + flat
    let texts = [0x1E] + rich + Array("\n\u{1E}{\"a\"\n\n\u{1E}".utf8) + rich
    for bytes in [lines, texts] {
      let whole = GeoJSONDump(sequence: bytes)
      #expect(
        whole.records.count == 10 && whole.rejected == [.invalidGeometry: 2, .invalidJSON: 1])
      for chunk in 1...64 {
        #expect(GeoJSONDump(sequence: bytes, chunk: chunk) == whole, "\(chunk)")
      }
    }
  }

  @Test("truncated texts are errors at every chunk size, and never duplicate records")
  func truncated() {
    for end in stride(from: 0, to: rich.count - 1, by: 3) {
      let bytes = Array(rich[..<end])
      let whole = GeoJSONDump(bytes: bytes)
      #expect(whole.error != nil)
      #expect(GeoJSONDump(bytes: bytes, chunk: 5) == whole, "\(end)")
    }
  }

  @Test("mutated texts are read or refused, never crash, and do not depend on chunks")
  func mutated() {
    var random = SplitMix64(seed: 20)
    let bytes = Array("{}[],:\"\\ue0123456789.-+ \n\u{1E}\0tfn".utf8) + [0x80, 0xC3, 0xED, 0xFF]
    for _ in 0..<600 {
      var text = rich
      for _ in 0...random.below(4) {
        let at = random.below(text.count)
        switch random.below(4) {
        case 0: text[at] = random.pick(bytes)
        case 1: text.insert(random.pick(bytes), at: at)
        case 2: text.remove(at: at)
        default:
          let end = min(text.count, at + random.below(40))
          text.insert(contentsOf: text[at..<end], at: random.below(text.count))
        }
      }
      let chunk = 1 + random.below(50)
      #expect(GeoJSONDump(bytes: text) == GeoJSONDump(bytes: text, chunk: chunk))
      #expect(GeoJSONDump(sequence: text) == GeoJSONDump(sequence: text, chunk: chunk))
    }
  }
}
