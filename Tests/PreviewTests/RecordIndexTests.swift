import Runs
import TestSupport
import Testing

@testable import Preview

/// The words of records, and the values that are kept of archives.
@Suite("The preview's index")
struct RecordIndexTests {
  private func found(_ text: String, _ words: WordColumn, startsValue: Bool = false) -> [Int] {
    var records: [Int] = []
    words.forEachRecord(with: WordColumn.folded(text), startsValue: startsValue) {
      records.append($0)
      return true
    }
    return records
  }

  @Test("a record is found by its values in any case, with or without accents, not by its keys")
  func words() {
    var words = WordColumn()
    for json in [
      #"{"name": "Café \"Zum Bären\"", "rooms": -12.5, "open": true, "more": ["One", {"x": "Two"}]}"#,
      #"{"name":"Caf\u00e9 Nord"}"#, #"{}"#, #"{"name": "plain CAFE"}"#,
    ] {
      let isRecord = words.append(record: Array(json.utf8))
      #expect(isRecord)
    }
    #expect(found("cafe", words) == [0, 1, 3] && found("CAFÉ", words) == [0, 1, 3])
    #expect(found("cafe", words, startsValue: true) == [0, 1])
    #expect(found("\"zum", words) == [0] && found("-12.5", words) == [0])
    #expect(found("two", words) == [0] && found("name", words) == [] && found("true", words) == [])
    // No text reaches from one value or record into the next.
    #expect(found("barenone", words) == [] && found("twocafe", words) == [])
  }

  @Test("clusters are left out, however the JSON is spaced; malformed records do no harm")
  func clusters() {
    var words = WordColumn()
    let isRecord = words.append(record: Array(#"{"name": "A", "cluster" : true}"#.utf8))
    #expect(!isRecord && words.byteCount == 0)
    for json in [
      #"{"cluster": false, "name": "B"}"#, #"{"cluster": "true"}"#, #"{"open"#, "\"", "\\",
    ] {
      let isRecord = words.append(record: Array(json.utf8))
      #expect(isRecord, "\(json)")
    }
    #expect(found("b", words) == [0] && found("true", words) == [1])
  }

  @Test("a value of an archive is made once, and again when the archive is replaced")
  func stamped() throws {
    let sample = try PreviewSample()
    let path = try sample.folder.write("one", to: "a")
    let values = FileStampCache<Int>(limit: 2)
    var count = 0
    func value(_ path: String) throws -> Int {
      try values.value(of: path) {
        count += 1
        return count
      }
    }
    #expect(try [value(path), value(path)] == [1, 1])
    try sample.folder.write("other", to: "a")
    #expect(try value(path) == 2)
    for name in ["b", "c", "d"] { _ = try value(name) }
    #expect(try value(path) == 6)
  }
}
