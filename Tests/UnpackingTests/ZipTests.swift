import Features
import TestSupport
import Testing

@testable import Unpacking

@Suite("Zip files")
struct ZipTests {
  typealias Member = PackedSample.Member

  private static let table = Array("lng,lat\n8.5,47.4\n".utf8)
  private static let other = Array("about\n".utf8)

  private func refusal(_ members: [Member], named name: String? = nil) throws -> SourceError? {
    try PackedFixture(PackedSample.zip(members)).refusal(member: name)
  }

  @Test("the only member that can be read is chosen, whatever else is in the file")
  func onlyOne() throws {
    let file = PackedSample.zip([
      Member("data/", []), Member("data/README.md", Self.other),
      Member("data/points.CSV", Self.table), Member("__MACOSX/data/._points.csv", Self.other),
      Member("data/.hidden.csv", Self.other),
    ])
    let fixture = try PackedFixture(file)
    #expect(try fixture.bytes() == Self.table)
    #expect(fixture.packed()?.name == "points.packed/data/points.CSV")
    #expect(
      try PackedFixture(PackedSample.zip([Member("points", Self.table)])).bytes() == Self.table)
  }

  @Test("a zip file that is written anew has its new members")
  func rewritten() throws {
    let fixture = try PackedFixture(PackedSample.zip([Member("a.csv", Self.table)]))
    #expect(try fixture.bytes(member: "a.csv") == Self.table)
    let other = try PackedFixture(PackedSample.zip([Member("a.csv", Self.other)]))
    #expect(try other.bytes(member: "a.csv") == Self.other)
    #expect(try fixture.bytes(member: "a.csv") == Self.table)
  }

  @Test("a member is found by its name, stored or deflated")
  func named() throws {
    var stored = Member("b.csv", Self.other)
    stored.isStored = true
    let fixture = try PackedFixture(PackedSample.zip([Member("a/a.csv", Self.table), stored]))
    #expect(try fixture.bytes(member: "a/a.csv") == Self.table)
    #expect(try fixture.bytes(member: "b.csv") == Self.other)
    #expect(fixture.packed(member: "b.csv")?.name == "points.packed/b.csv")
  }

  @Test("a text beside the only table of a zip file is no choice")
  func notes() throws {
    let fixture = try PackedFixture(
      PackedSample.zip([
        Member("README.txt", Self.other), Member("a.csv", Self.table), Member("b.TXT", Self.other),
      ]))
    #expect(try fixture.bytes() == Self.table)
  }

  @Test("several members, or none, are named with the key that chooses one")
  func choice() throws {
    let two = try refusal([Member("a.csv", Self.table), Member("b.csv", Self.table)])
    #expect(
      two?.message
        == "holds several files: a.csv, b.csv. Name one: 'data: points.packed/a.csv'")
    #expect(two?.code == .configuration)
    let none = try refusal([Member("a.md", Self.table), Member("b.md", Self.table)])
    #expect(none?.message.hasPrefix("holds no file whose name ends with .csv or .txt") == true)
    #expect(try refusal([Member("a/", [])])?.message == "holds no file (zip)")
    #expect(
      try refusal([Member("a.csv", Self.table)], named: "b.csv")?.message
        == "holds no 'b.csv'. Name one of its files: a.csv")
    let many = (0..<20).map { Member("\($0).csv", Self.table) }
    #expect(try refusal(many)?.message.contains("7.csv and 12 more") == true)
  }

  @Test("members that cannot be read are refused by what they are")
  func unreadable() throws {
    var encrypted = Member("a.csv", Self.table)
    encrypted.flags = 1
    #expect(try refusal([encrypted])?.message.hasPrefix("is encrypted") == true)
    var lzma = Member("a.csv", Self.table)
    lzma.method = 14
    #expect(try refusal([lzma])?.message.hasPrefix("is packed by LZMA") == true)
    var odd = Member("a.csv", Self.table)
    odd.method = 77
    #expect(try refusal([odd])?.message.hasPrefix("is packed by method 77") == true)
  }

  @Test(
    "a member whose name leads out of its folder is refused",
    arguments: ["../a.csv", "/etc/a.csv", "a/../../b.csv", "a\\b.csv", "C:a.csv"])
  func unsafe(_ name: String) throws {
    #expect(try refusal([Member(name, Self.table)])?.message.contains("leads out") == true)
  }

  @Test("a member that occurs twice is refused where its name is meant")
  func twins() throws {
    let twins = [Member("a.csv", Self.table), Member("a.csv", Self.other)]
    #expect(try refusal(twins, named: "a.csv")?.message.contains("2 times") == true)
    #expect(try refusal(twins) != nil)
  }

  @Test("members that share packed bytes are refused")
  func overlap() throws {
    var second = Member("b.csv", Self.table)
    second.offset = 0
    let error = try refusal([Member("a.csv", Self.table), second], named: "a.csv")
    #expect(error?.message.contains("share their packed bytes") == true)
  }

  @Test("a member with a false size or checksum is refused")
  func lies() throws {
    for size in [0, 3, 1 << 20] {
      var member = Member("a.csv", Self.table)
      member.size = size
      #expect(try refusal([member])?.message.contains("number of bytes") == true)
    }
    var member = Member("a.csv", Self.table)
    member.checksum = 7
    #expect(try refusal([member])?.message.contains("CRC-32") == true)
  }

  @Test("a list of members that is broken anywhere never traps, and is refused or read")
  func broken() throws {
    let file = PackedSample.zip(
      [Member("a.csv", Self.table), Member("b.txt", Self.other)], isWide: true)
    var random = SplitMix64(seed: 3)
    for _ in 0..<400 {
      var damaged = file
      let place = 4 + Int(random.next() % UInt64(file.count - 4))
      damaged[place] = UInt8(truncatingIfNeeded: random.next())
      let fixture = try PackedFixture(damaged)
      guard let read = try? fixture.bytes(member: "a.csv") else { continue }
      #expect(read == Self.table)
    }
  }
}
