import Features
import TestSupport
import Testing
import Tiling

@Suite("A feature key")
struct FeatureKeyTests {
  @Test(
    "a feature key is three base64url texts joined by dots",
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

  @Test("a feature key is parsed from its text for every length and byte")
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
    "a feature key is refused in any other spelling",
    arguments: ["", ".", "...", "a..", "YQ==..", "YR..", "Y Q..", "YQ./.", "_w..", "YQ..b"])
  func refused(text: String) {
    #expect(FeatureKey(text) == nil)
  }
}

@Suite("A content hash")
struct ContentHashTests {
  @Test(
    "the content hash is MurmurHash3 for 64-bit machines",
    arguments: [
      ("", "00000000000000000000000000000000"),
      ("hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
      ("The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c7a433ca9c49a9347"),
    ])
  func vectors(text: String, hash: String) {
    #expect(Array(text.utf8).withUnsafeBytes { ContentHash($0) }.text == hash)
  }

  @Test("the content hash differs for every prefix of a text")
  func prefixes() {
    let bytes = [UInt8](repeating: 0, count: 100)
    let hashes = (0...100).map { count in
      bytes.prefix(count).withUnsafeBytes { ContentHash($0) }
    }
    #expect(Set(hashes).count == 101)
  }
}
