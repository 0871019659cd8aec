import Features
import JSON
import TestSupport
import Testing

@testable import Ingest

@Suite("GeoJSON read in sections")
struct GeoJSONSectionTests {
  private static let point = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}"#

  /// Features that are used, refused, or would be taken for two.
  static let features: [String] = [
    point + #","properties":{"a":1}}"#,
    point + #","properties":{"a":2,"b":"x"},"id":7}"#,
    point + #","properties":{"c":[1,{"type":"Feature","x":[{"type":"Feature"}]}]}}"#,
    point + #","properties":{"text":",{\"type\":\"Feature\","}}"#,
    point + #","properties":{"text":"},\n{\"type\":\"Feature\"}"}}"#,
    "\n" + point + #","properties":{"late":null}}"# + "\n",
    #"{"type":"Feature","geometry":null,"properties":{"d":true}}"#,
    #"{"geometry":{"type":"Point","coordinates":[3,4]},"type":"Feature","properties":{}}"#,
    #"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9]]]}}"#,
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":["1",2]},"properties":{"r":1}}"#,
    #"{"type":"Feature","properties":{"only":1}}"#,
    #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1]}}"#,
    "17",
  ]

  static func collection(_ features: [String], end: String = "]}") -> String {
    #"{"type":"FeatureCollection","name":"x","features":["# + features.joined(separator: ",") + end
  }

  private static let documents: [String] = [
    collection(features),
    collection(features + features.reversed() + features),
    collection(Array(features[..<9]), end: "\n],\"bbox\":[1,2],\n \"x\":{}}\n"),
    collection(features, end: "] } {}"),
    collection(features, end: "], \"properties\": {\"zz\": 1}}"),
    collection(features, end: "], \"properties\": {\"a\": 1}}"),
    collection(features, end: ""),
    collection(features, end: "] , }"),
    collection(Array(features[..<5]) + [#"{"type":"Feature",}"#] + features),
    collection(Array(features[..<7]) + ["[[[", "]]]"] + features),
    collection(Array(repeating: features[0], count: 20) + [features[9]]),
    "\u{FEFF}  " + collection(features),
    collection([]),
    point + "}",
  ]

  private var options: [GeoJSONOptions] {
    var one = GeoJSONOptions()
    one.batchRecords = 1
    one.locates = true
    var three = GeoJSONOptions(wanted: ["a", "text", "none"])
    three.batchRecords = 3
    var few = GeoJSONOptions()
    few.batchRecords = 2
    few.maximumProperties = 4
    few.lineBytes = 120
    var bytes = GeoJSONOptions()
    bytes.batchRecords = 100
    bytes.locates = true
    bytes.batchBytes = 60
    return [one, three, few, bytes]
  }

  private func checkDocument(_ text: String, chunks: [Int]) {
    for options in options {
      for chunk in chunks {
        func trace(_ threads: ReadingThreads) -> ReadingTrace {
          ReadingTrace(
            GeoJSONReader(
              source: ByteSource(bytes: Array(text.utf8), name: "a.geojson", chunk: chunk),
              options: options, threads: threads))
        }
        let whole = trace(.one)
        for sections in [1, 40, 150, 700] {
          #expect(trace(.cutting(sections)) == whole, "\(chunk), \(sections): \(text)")
        }
        #expect(trace(.cutting(90, 3)) == whole, "\(chunk): \(text)")
      }
    }
  }

  private func checkSequence(_ text: String, chunks: [Int]) {
    for options in options {
      for chunk in chunks {
        func trace(_ threads: ReadingThreads) -> ReadingTrace {
          ReadingTrace(
            GeoJSONSequenceReader(
              source: ByteSource(bytes: Array(text.utf8), name: "a.geojsonl", chunk: chunk),
              options: options, threads: threads))
        }
        let whole = trace(.one)
        for sections in [1, 40, 150, 700] {
          #expect(trace(.cutting(sections)) == whole, "\(chunk), \(sections): \(text)")
        }
        #expect(trace(.cutting(90, 3)) == whole, "\(chunk): \(text)")
      }
    }
  }

  @Test("sections of a collection give the same", arguments: documents)
  func collections(text: String) {
    checkDocument(text, chunks: [64, 1000, 1 << 16])
  }

  @Test("sections of a sequence give the same, by lines and by separators")
  func sequences() {
    let flat = Self.features.map { $0.replacing("\n", with: " ") }
    let broken = ["{\"a\"", "", "   ", "[1]", Self.collection(Array(flat[..<11])), "{}{}"]
    let lines = (flat + broken + flat + broken.reversed()).joined(separator: "\n")
    checkSequence(lines, chunks: [64, 1 << 16])
    checkSequence("\n\n" + lines + "\n", chunks: [200])
    checkSequence("\u{1E}" + lines.replacing("\n", with: "\n\u{1E}"), chunks: [64, 1 << 16])
    checkSequence(lines.replacing("\n", with: "\r\n"), chunks: [100])
  }

  @Test("sections of random collections give the same", arguments: 0..<6)
  func random(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<(runsSlowTests ? 4 : 1) {
      let features = (0..<Int.random(in: 5...60, using: &random)).map { number in
        let feature = Self.features[Int.random(in: 0..<12, using: &random)]
        return feature.replacing("\"a\":", with: "\"p\(number % 23)\":")
      }
      checkDocument(Self.collection(features), chunks: [64, 4096])
      let flat = features.map { $0.replacing("\n", with: " ") }
      checkSequence(flat.joined(separator: "\n"), chunks: [64, 4096])
    }
  }

  @Test("a truncated collection is the same error however it is read")
  func truncated() {
    let text = Array(Self.collection(Self.features + Self.features).utf8)
    for end in stride(from: 300, to: text.count, by: 41) {
      checkDocument(String(decoding: text[..<end], as: UTF8.self), chunks: [128])
    }
  }

  @Test("a long collection is cut without being told to")
  func long() {
    let features = (0..<12_000).map { number in
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[\(number % 180).5,"
        + "\(number % 95)]},\"properties\":{\"n\(number / 3000)\":\(number),\"s\":\"x\(number)\"}}"
    }
    let bytes = Array(Self.collection(features).utf8)
    func trace(_ threads: ReadingThreads) -> ReadingTrace {
      ReadingTrace(
        GeoJSONReader(source: ByteSource(bytes: bytes, name: "a.geojson"), threads: threads))
    }
    let whole = trace(.one)
    #expect(whole.batches.count == 3 && whole.error == nil)
    for threads in [2, 4] {
      #expect(trace(ReadingThreads(threads, sectionBytes: 1 << 16)) == whole)
    }
  }

  @Test("the beginning of a feature is found behind the comma")
  func head() {
    func head(_ text: String) -> String? {
      Array(text.utf8).withUnsafeBytes { GeoJSONSectionReader.head(of: $0) }
        .map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(head(",\n{ \"type\" : \"Feature\", ") == "{ \"type\" : \"Feature\"")
    #expect(head(",{\"id\":\"a\",") == "{\"id\":")
    #expect(head(",{\"id\"") == nil)
    #expect(head("]}") == nil)
    #expect(head(", 1") == nil)
  }
}
