import TapBlocks
import TestSupport
import Testing

@Suite("A page of entries")
struct TapEntryPageTests {
  private static func entry(_ index: Int) -> TapEntry {
    TapEntry(
      key: Array("k.\(index)".utf8), fields: Array(#""name":"\(index)""#.utf8),
      more: Array(#""source":"s""#.utf8),
      members: index % 3 == 0 ? (0..<index % 5).map { UInt64(($0 * 7919 + index) % 90_000) } : nil)
  }

  private static func page(_ count: Int) -> TapEntryPage {
    var page = TapEntryPage()
    for index in 0..<count { page.append(UInt64(1000 + index * index), entry(index)) }
    return page
  }

  @Test("a page of entries is read as it was written", arguments: [1, 2, 256])
  func roundTrip(count: Int) throws {
    let page = Self.page(count)
    let read = try TapEntryPage(page.encoded(), first: 1000)
    #expect(read == page)
    #expect(read.entry(of: 1000) == Self.entry(0) && read.entry(of: 999) == nil)
    #expect(page.isFull == (count == 256))
  }

  @Test("a page of entries has at most 256 of them")
  func entryCount() throws {
    var page = Self.page(TapEntryPage.countLimit)
    #expect(try TapEntryPage(page.encoded(), first: 1000) == page)
    page.append(90_000, Self.entry(1))
    #expect(throws: TapFault("has too many entries")) {
      try TapEntryPage(page.encoded(), first: 1000)
    }
  }

  @Test("a feature's entry is one object, and a cluster's has the fields and keys of its members")
  func composition() throws {
    func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
    let members = [
      UInt64(5): TapEntry(
        key: bytes("a.5"), fields: bytes(#""name":"Inn""#), more: bytes(#""text":"5""#)),
      9: TapEntry(key: bytes("a.9"), fields: []),
    ]
    func text(_ entry: TapEntry) throws -> String {
      String(decoding: try entry.json { try #require(members[$0]) }, as: UTF8.self)
    }
    let cluster = TapEntry(
      key: bytes("a.1.4"), fields: bytes(#""cluster":true"#), more: bytes(#""source":"inns""#),
      members: [5, 9])
    #expect(
      try text(cluster) == #"{"cluster":true,"members":[{"name":"Inn","id":"a.5"},{"id":"a.9"}],"#
        + #""source":"inns","id":"a.1.4"}"#)
    #expect(
      try text(TapEntry(key: bytes("k"), fields: [], members: [])) == #"{"members":[],"id":"k"}"#)
    let feature = try #require(members[5])
    #expect(try text(feature) == #"{"name":"Inn","text":"5","id":"a.5"}"#)
  }

  @Test("a page of version 1 has whole objects")
  func earlierVersion() throws {
    let json = Array(#"{"name":"Bern","id":"a.b.Nw"}"#.utf8)
    let page = try TapEntryPage([0, UInt8(json.count)] + json + [3, 2, 0x7B, 0x7D], first: 7)
    #expect(page.identifiers == [7, 10])
    #expect(
      page.entries.map { $0.json { _ in TapEntry(key: [], fields: []) } } == [json, [0x7B, 0x7D]])
    #expect(throws: TapFault("has an entry that is not an object")) {
      try TapEntryPage([0, 1, 0x7B], first: 7)
    }
  }

  @Test(
    "one identifier of 64 ends a page, so that an entry that comes changes one page or divides it")
  func ends() {
    var random = SplitMix64(seed: 8)
    var identifiers = Set((0..<3000).map { _ in random.next() >> 15 })
    func pages() -> Set<[UInt64]> {
      var (pages, page) = (Set<[UInt64]>(), TapEntryPage())
      for identifier in identifiers.sorted() {
        page.append(identifier, Self.entry(1))
        guard page.isFull else { continue }
        pages.insert(page.identifiers)
        page = TapEntryPage()
      }
      pages.insert(page.identifiers)
      return pages
    }
    let before = pages()
    #expect((20...100).contains(before.count))
    for _ in 0..<20 {
      let comes = random.next() >> 15
      identifiers.insert(comes)
      let after = pages()
      let count = after.subtracting(before).count
      #expect(comes % 64 == 63 ? count == 2 : count <= 2)
      identifiers.remove(comes)
    }
  }

  @Test("a damaged page of entries is refused or at least read")
  func damage() {
    var random = SplitMix64(seed: 4)
    let whole = Self.page(20).encoded()
    for _ in 0..<500 {
      var bytes = whole
      bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
      if random.below(2) == 0 { bytes.removeLast(random.below(bytes.count)) }
      _ = try? TapEntryPage(bytes, first: Int64(random.below(3) - 1) << 32)
    }
  }

  @Test(
    "an impossible page of entries is refused, with what is wrong",
    arguments: [
      ([], 0, "is empty"), ([2], 0, "is empty"), ([0, 0], -1, "has an identifier that cannot be"),
      ([1, 0], 0, "has identifiers that do not ascend"),
      ([2, 1, 0, 0, 0, 0], 0, "has identifiers that do not ascend"),
      ([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 7, "has identifiers that do not ascend"),
      ([2, 0, 9, 1], 0, "ends too early"), ([2, 0, 0, 0, 0, 9], 0, "has no room for 8 members"),
      ([2, 0, 0, 0, 0, 2, 1], 0, "has a member that cannot be"),
      ([2, 0, 0, 0, 0, 0], 1 << 53, "has an identifier that cannot be"),
      (
        [2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], (1 << 53) - 1, "has identifiers that do not ascend"
      ),
      (
        [2, 0, 0, 0, 0, 2, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], 3,
        "has a member that cannot be"
      ),
    ] as [([UInt8], Int64, String)])
  func hostile(bytes: [UInt8], first: Int64, fault: String) {
    #expect(throws: TapFault(fault)) { try TapEntryPage(bytes, first: first) }
  }

  @Test("a page of entries or a block is not inflated beyond its limit")
  func bomb() {
    let stream = TapDeflater().compress(
      [UInt8](repeating: 0, count: TapInflater.byteLimit + 1))
    #expect(throws: TapFault.self) { try stream.withUnsafeBytes { try TapInflater().inflate($0) } }
  }
}
