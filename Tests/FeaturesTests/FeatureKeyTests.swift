import Features
import Testing
import Tiling

@Suite("A feature key")
struct FeatureKeyTests {
  @Test(
    "is three base64url texts joined by points",
    arguments: [
      (FeatureKey(source: "hotels", layer: "", feature: "42"), "aG90ZWxz..NDI"),
      (FeatureKey(source: "a", layer: "bc", feature: "def"), "YQ.YmM.ZGVm"),
      (FeatureKey(source: "??>", layer: "日本", feature: "a.b"), "Pz8-.5pel5pys.YS5i"),
      (FeatureKey(source: "", layer: "", feature: ""), ".."),
    ])
  func text(key: FeatureKey, text: String) {
    #expect(key.description == text)
    #expect(FeatureKey(text) == key)
  }

  @Test("comes back from its text for every length and byte")
  func inverse() {
    var random = SplitMix64(seed: 3)
    for length in 0..<40 {
      let id = String(
        String.UnicodeScalarView(
          (0..<length).map { _ in Unicode.Scalar(UInt8.random(in: .min ... .max, using: &random)) })
      )
      let key = FeatureKey(source: "s\(length)", layer: id, feature: String(id.reversed()))
      #expect(FeatureKey(key.description) == key)
    }
  }

  @Test(
    "is refused in any other spelling",
    arguments: ["", ".", "...", "a..", "YQ==..", "YR..", "Y Q..", "YQ./.", "_w..", "YQ..b"])
  func refused(text: String) {
    #expect(FeatureKey(text) == nil)
  }
}

@Suite("A content hash")
struct ContentHashTests {
  @Test(
    "is MurmurHash3 for 64-bit machines",
    arguments: [
      ("", "00000000000000000000000000000000"),
      ("hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
      ("The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c7a433ca9c49a9347"),
    ])
  func vectors(text: String, hash: String) {
    #expect(Array(text.utf8).withUnsafeBytes { ContentHash($0) }.text == hash)
  }

  @Test("differs for every prefix of a text")
  func prefixes() {
    let bytes = [UInt8](repeating: 0, count: 100)
    let hashes = (0...100).map { count in
      bytes.prefix(count).withUnsafeBytes { ContentHash($0) }
    }
    #expect(Set(hashes).count == 101)
  }
}

@Suite("Feature identifiers")
struct FeatureIdentifiersTests {
  private func points(
    _ rows: [(name: String?, longitude: Double)], columns: [String] = ["name"], id: Int? = nil
  ) -> PointSet {
    var batch = FeatureBatch()
    batch.columns = columns.map { PropertyColumn(name: $0) }
    var degrees: ContiguousArray<LngLat> = []
    for (line, row) in rows.enumerated() {
      let position = LngLat(longitude: row.longitude, latitude: 0)
      batch.geometry.add(position)
      batch.geometry.endPart(.point)
      batch.geometry.endRecord(.point)
      batch.ids.append(.missing)
      batch.lines.append(line + 1)
      for index in columns.indices {
        var name = row.name ?? ""
        if columns[index] != "name" {
          batch.columns[index].append(.true)
        } else if row.name == nil {
          batch.columns[index].append(.null)
        } else {
          name.withUTF8 { batch.columns[index].append(.text, bytes: UnsafeRawBufferPointer($0)) }
        }
      }
      degrees.append(position)
    }
    var set = PointSet()
    set.append(
      batch, rows: ContiguousArray(rows.indices), degrees: degrees,
      squares: ContiguousArray(degrees.compactMap { WorldPoint($0) }))
    set.idColumn = id
    return set
  }

  @Test("are the id column's text as the file spells it")
  func ids() {
    let identifiers = FeatureIdentifiers(points([("007", 1), ("7", 2), (nil, 3)], id: 0))
    #expect(identifiers.text(0) == "007")
    #expect(identifiers.text(1) == "7")
    #expect(identifiers.text(2).count == 32)
  }

  @Test("are otherwise a hash of the content that stays the same for ever")
  func hash() {
    let identifiers = FeatureIdentifiers(points([("Motel 6", -86.69843)]))
    #expect(identifiers.text(0) == "c6d94f62c5b38b3c1a97aed54324e013")
  }

  @Test("tell twins apart by their order and nothing else by its place")
  func twins() {
    let rows: [(name: String?, longitude: Double)] = [
      ("a", 1), ("b", 1), ("a", 1), ("a", 2), ("a", 1),
    ]
    let identifiers = FeatureIdentifiers(points(rows))
    let texts = rows.indices.map { identifiers.text($0) }
    #expect(Set(texts).count == 5)
    #expect(texts[2] == texts[0] + "-1")
    #expect(texts[4] == texts[0] + "-2")
    let reversed = FeatureIdentifiers(points(rows.reversed()))
    #expect(Set(rows.indices.map { reversed.text($0) }) == Set(texts))
  }

  @Test("do not depend on the order of the columns")
  func columnOrder() {
    let one = FeatureIdentifiers(points([("a", 1)], columns: ["name", "open"]))
    let other = FeatureIdentifiers(points([("a", 1)], columns: ["open", "name"]))
    #expect(one.text(0) == other.text(0))
  }
}
