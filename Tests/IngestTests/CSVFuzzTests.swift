import Features
import Ingest
import OrderedCollections
import TestSupport
import Testing

@Suite("Hostile CSV")
struct CSVFuzzTests {
  private let options: [CSVOptions] = [
    .headerless("a", "b", "c"),
    .headerless("lng", "lat", hasGeometry: true).with { $0.types = ["lat": .number] },
    .headerless("a", "b").with {
      $0.trims = false
      $0.delimiter = UInt8(ascii: "\t")
      $0.limits.field = 9
      $0.limits.record = 21
    },
    .headerless("a", "b").with { $0.encoding = .utf16 },
    .headerless("a").with { $0.encoding = .windows1252 },
  ]

  /// Every record is either given or counted, and the buffer's size plays no part.
  private func check(_ bytes: [UInt8], _ options: CSVOptions, chunks: [Int]) throws {
    let whole = try CSVResult(bytes, options: options)
    #expect(whole.ledger.read == whole.ledger.rejectedTotal)
    #expect(whole.ledger.balances)
    #expect(whole.lines == whole.lines.sorted())
    #expect(whole.fields.allSatisfy { $0.count == whole.names.count })
    for chunk in chunks {
      let cut = try CSVResult(bytes, chunk: chunk, options: options)
      #expect(cut == whole, "chunk \(chunk): \(bytes)")
    }
  }

  @Test("every CSV text of five significant characters is read or rejected", arguments: 0..<2)
  func exhaustive(trimmed: Int) throws {
    let alphabet = Array("a,\"\n\r ".utf8)
    let options = CSVOptions.headerless("a", "b").with {
      $0.trims = trimmed == 1
      $0.limits.field = 3
    }
    for number in 0..<7776 {
      var rest = number
      let bytes = (0..<5).map { _ in
        defer { rest /= 6 }
        return alphabet[rest % 6]
      }
      let whole = try CSVResult(bytes, options: options)
      let cut = try CSVResult(bytes, chunk: 1, options: options)
      if whole != cut { Issue.record("\(String(decoding: bytes, as: UTF8.self).debugDescription)") }
    }
  }

  @Test("CSV of random bytes neither crashes nor loses a record", arguments: 0..<5)
  func random(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let alphabet = Array(",,,\"\"\n\n\r\t  019.-eé日".utf8) + [0, 0xFF, 0xD8, 0xC3]
    for _ in 0..<60 {
      let bytes = (0..<Int.random(in: 0...90, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let chunks = [1, 2, 3, Int.random(in: 4...64, using: &random)]
      for options in options { try check(bytes, options, chunks: chunks) }
    }
  }

  @Test("damaged CSV gives the same at every buffer size from 1 to 64")
  func mutated() throws {
    let good = Array(
      ("-80.26262, 25.81015\n\"12.5\",\"-7\"\r\n1e2,\"3\n\"\n,\n"
        + "\"a \"\"b\"\"\",é\r4,5\n").utf8)
    var random = SplitMix64(seed: 7)
    for _ in 0..<25 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: place)
        }
      }
      try check(
        bytes, .headerless("lng", "lat", hasGeometry: true).with { $0.limits.field = 12 },
        chunks: Array(1...64))
    }
  }
}
