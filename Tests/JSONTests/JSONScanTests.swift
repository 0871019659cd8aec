import TestSupport
import Testing

@testable import JSON

/// What is found sixteen or eight bytes at a time is found at every distance from the ends.
@Suite("Scanning of many bytes at a time")
struct JSONScanTests {
  private func tokenizer(_ bytes: [UInt8]) -> JSONTokenizer {
    JSONTokenizer(source: PiecewiseBytes(bytes, chunk: 1 << 16))
  }

  @Test("a string ends at its quote wherever that stands, and special bytes before it are seen")
  func strings() throws {
    for length in 0...70 {
      let text = [UInt8](repeating: UInt8(ascii: "x"), count: length)
      var json = tokenizer([JSONByte.quote] + text + [JSONByte.quote, JSONByte.comma])
      _ = try json.peek()
      try json.readString()
      #expect(json.text.elementsEqual(text))
      for special in ["\\n", "é", "\u{1}", "\u{7F}"] where length > 0 {
        for place in [0, length / 2, length - 1] {
          let bytes = text[..<place] + Array(special.utf8) + text[place...]
          var json = tokenizer([JSONByte.quote] + bytes + [JSONByte.quote])
          _ = try json.peek()
          if special == "\u{1}" {
            #expect(throws: JSONFailure.self) { try json.readString() }
          } else {
            try json.readString()
            let read = String(decoding: json.text, as: UTF8.self)
            let plain = String(decoding: bytes, as: UTF8.self)
            #expect(read == plain.replacing("\\n", with: "\n"))
          }
        }
      }
    }
  }

  @Test("lines and columns are counted over runs of any length", arguments: 0..<4)
  func places(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for length in Array(0...80) + [4079, 4080, 4081, 9000] {
      for rarity in [2, 9, 100_000] {
        let bytes = (0..<length).map { _ in
          random.below(rarity) == 0 ? JSONByte.lineFeed : UInt8(random.below(256))
        }
        var line = 3
        var column = 5
        for byte in bytes {
          column += 1
          if byte == JSONByte.lineFeed { (line, column) = (line + 1, 1) }
        }
        let place = bytes.withUnsafeBytes { JSONPlace(line: 3, column: 5).advanced(over: $0) }
        #expect(place == JSONPlace(line: line, column: column), "\(bytes)")
      }
    }
  }

  @Test("a place within a text becomes the place in its file")
  func moved() {
    let start = JSONPlace(line: 7, column: 4)
    #expect(JSONPlace(line: 1, column: 1).moved(to: start) == start)
    #expect(JSONPlace(line: 1, column: 3).moved(to: start) == JSONPlace(line: 7, column: 6))
    #expect(JSONPlace(line: 2, column: 3).moved(to: start) == JSONPlace(line: 8, column: 3))
  }

  @Test("numbers have the value that the library reads, whatever their length", arguments: 0..<4)
  func numbers(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<4000 {
      var text = random.below(2) == 0 ? "-" : ""
      let whole = random.below(12)
      text += whole == 0 ? "0" : "\(1 + random.below(9))"
      for _ in 1..<max(whole, 1) { text += "\(random.below(10))" }
      let fraction = random.below(20)
      if fraction > 0 {
        text += "."
        for _ in 0..<fraction { text += "\(random.below(10))" }
      }
      if random.below(4) == 0 { text += "e\(random.below(40) - 20)" }
      for end in ["", ",", " 12345678", "]12.5", "x"] {
        let prefix = Array((text + end).utf8).withUnsafeBytes { NumberGrammar.parsePrefix($0) }
        #expect(prefix?.value == Double(text), "\(text)")
        #expect(prefix?.length == text.utf8.count, "\(text)")
      }
    }
  }

  @Test("digits end where a byte is none, for every byte")
  func digits() {
    for byte in UInt8.min...UInt8.max {
      for count in 1...10 {
        let bytes =
          [UInt8](repeating: UInt8(ascii: "7"), count: count) + [byte] + Array("1234567".utf8)
        let expected =
          byte >= JSONByte.zero && byte <= JSONByte.nine
          ? count + 8 : byte == JSONByte.point ? count + 8 : count
        let prefix = bytes.withUnsafeBytes { NumberGrammar.parsePrefix($0) }
        if byte | 0x20 == UInt8(ascii: "e") { continue }
        #expect(prefix?.length == expected, "\(byte)")
      }
    }
  }

  @Test("a member is taken only where it is spelled as expected and lies in the window")
  func spellings() throws {
    let type = JSONSpelling(name: "type", value: "Feature")
    let name = JSONSpelling(name: "name".utf8)
    func rest(_ text: String, _ spelling: JSONSpelling) throws -> Int? {
      var json = tokenizer(Array(text.utf8))
      _ = try json.peek()
      try json.beginObject()
      // Fills the window.
      _ = try json.peek()
      return json.take(spelling) ? json.offset : nil
    }
    #expect(try rest(#"{"type":"Feature","x":1}"#, type) == 17)
    #expect(try rest(#"{"type":"Feature"}"#, type) == 17)
    #expect(try rest(#"{"type":"Features"}"#, type) == nil)
    #expect(try rest(#"{"type": "Feature"}"#, type) == nil)
    #expect(try rest(#"{ "type":"Feature"}"#, type) == 18)
    #expect(try rest(#"{,"type":"Feature"}"#, type) == nil)
    #expect(try rest(#"{"name":"0123456789"}"#, name) == 8)
    #expect(try rest(#"{"name":1}"#, name) == nil)
    #expect(try rest(#"{"names":"0123456789"}"#, name) == nil)
    #expect(try rest(#"{"n\u0061me":"0123456789"}"#, name) == nil)
    for odd in ["a\"b", "a\\b", "a\nb", String(repeating: "x", count: 14)] {
      let spelling = JSONSpelling(name: odd.utf8)
      #expect(try rest("{\"\(odd)\":\"0123456789\"}", spelling) == nil)
      #expect(try rest("{\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", spelling) == nil)
    }
  }
}
