import Features
import Foundation
import JSON
import Platform
import SystemPackage
import TestSupport
import Testing
import Tiling

@testable import Reuse

@Suite("An artifact's file")
struct ArtifactFileTests {
  @Test(
    "an artifact file returns random columns of every type in order",
    arguments: 0..<40 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let rows = random.pick([0, 1, 7, 8, 9, 63, 64, 65, 300])
    let points = Column(
      (0..<rows).map { _ in
        WorldPoint(x: UInt32(random.below(1 << 32)), y: UInt32(random.below(1 << 32)))
      })
    let doubles = Column((0..<rows).map { _ in Double(bitPattern: random.next()) })
    let kinds = Column(
      (0..<rows).map { _ in random.pick(PropertyColumn.Kind.allCases) })
    let text = String((0..<rows).map { _ in random.pick(["a", "é", "🗺", "\n"]) }.joined())
    let texts = (0..<(rows % 10)).map { _ in random.pick([nil, "", "x", text]) }
    let number = Int(bitPattern: UInt(random.next()))
    let sample = try ArtifactSample()
    var writer = ArtifactWriter()
    writer.append(points)
    writer.append(text)
    writer.append(doubles)
    writer.append(number)
    writer.append(kinds)
    writer.append(texts: texts)
    sample.cache().store(sample.key(), writer)
    #expect(sample.cache().note == nil)
    let size = try FileManager.default.attributesOfItem(atPath: sample.path(sample.key()))[.size]
    #expect(size as? Int == ArtifactHeader.byteCount + writer.byteCount)
    #expect(writer.byteCount % 64 == 0)
    var reader = try #require(sample.cache().reader(sample.key()))
    #expect(try reader.column(of: WorldPoint.self) == points)
    #expect(try reader.text() == text)
    #expect(
      try reader.column(of: Double.self).map(\.bitPattern) == doubles.map(\.bitPattern))
    #expect(try reader.integer() == number)
    #expect(try reader.column(ofCases: PropertyColumn.Kind.self) == kinds)
    #expect(!reader.isAtEnd)
    #expect(try reader.texts() == texts)
    #expect(reader.isAtEnd)
    #expect(throws: ArtifactDamage.self) { try reader.integer() }
  }

  @Test("reading a column of another type, or a missing one, from an artifact throws")
  func wrongReads() throws {
    let sample = try ArtifactSample()
    var writer = ArtifactWriter()
    writer.append([1, 2] as Column<UInt32>)
    writer.append([250] as Column<UInt8>)
    sample.cache().store(sample.key(), writer)
    var reader = try #require(sample.cache().reader(sample.key()))
    #expect(throws: ArtifactDamage.self) { try reader.column(of: Int32.self) }
    #expect(throws: ArtifactDamage.self) { try reader.column(of: Float.self) }
    #expect(throws: ArtifactDamage.self) { try reader.integer() }
    #expect(throws: ArtifactDamage.self) { try reader.column(ofCases: PropertyColumn.Kind.self) }
    // What was refused is still there.
    #expect(try reader.column(of: UInt32.self) == [1, 2])
    #expect(throws: ArtifactDamage.self) { try reader.text() }
  }

  @Test("artifact tags that promise more than there is are refused, however large their numbers")
  func wrongTags() throws {
    for count in [9, 1 << 20, 1 << 61, Int.max / 8, Int.max] {
      let body =
        ArtifactColumnTag(of: UInt64.self, count: count).bytes + [UInt8](repeating: 0, count: 64)
      let sample = try ArtifactSample()
      let bodyFile = URL(fileURLWithPath: sample.folder.path("body"))
      try Data(body).write(to: bodyFile)
      let digits = Array(try InputDigests().sha256(of: bodyFile.path))
      let digest = stride(from: 0, to: 64, by: 2).compactMap { place in
        UInt8(String(digits[place...(place + 1)]), radix: 16)
      }
      let header = ArtifactHeader(bodyLength: body.count, bodyDigest: digest, program: "this")
      try Data(header.bytes + body).write(to: URL(fileURLWithPath: sample.path(sample.key())))
      var reader = try #require(sample.cache().reader(sample.key()))
      #expect(throws: ArtifactDamage.self, "\(count)") { try reader.column(of: UInt64.self) }
    }
    var bytes = ArtifactColumnTag(of: UInt64.self, count: 1).bytes
    bytes[8] = 0xFF
    bytes[15] = 0xFF
    #expect(bytes.withUnsafeBytes { ArtifactColumnTag($0) } == nil)
    bytes[63] = 1
    #expect(bytes.withUnsafeBytes { ArtifactColumnTag($0) } == nil)
  }

  @Test("an artifact with any flipped bit is refused, removed and recreated")
  func flips() throws {
    let sample = try ArtifactSample()
    let key = sample.key()
    sample.cache().store(key, ArtifactSample.writer())
    let whole = try Data(contentsOf: URL(fileURLWithPath: sample.path(key)))
    let places =
      Array(0..<64) + Array(stride(from: 64, to: whole.count, by: 16)) + [whole.count - 1]
    for place in places {
      var broken = whole
      broken[place] ^= 1 << UInt8(place % 8)
      try broken.write(to: URL(fileURLWithPath: sample.path(key)))
      let cache = sample.cache()
      #expect(!ArtifactSample.holds(cache, key), "byte \(place)")
      #expect(!sample.exists(key))
      cache.store(key, ArtifactSample.writer())
      #expect(try Data(contentsOf: URL(fileURLWithPath: sample.path(key))) == whole)
    }
  }

  @Test(
    "an artifact that is truncated, empty, longer, foreign, a folder, a link or a pipe is refused")
  func foreign() throws {
    let sample = try ArtifactSample()
    let key = sample.key()
    let file = URL(fileURLWithPath: sample.path(key))
    sample.cache().store(key, ArtifactSample.writer())
    let whole = try Data(contentsOf: file)
    var places: [() throws -> Void] = [0, 1, 63, 64, 65, 128, whole.count - 64, whole.count - 1]
      .map { length in { try whole.prefix(length).write(to: file) } }
    places += [
      { try (whole + [0]).write(to: file) },
      { try (whole + Data(count: 64)).write(to: file) },
      { try Data("SQLite format 3\0".utf8).write(to: file) },
      { try Data(count: 4096).write(to: file) },
      { try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false) },
      {
        try FileManager.default.createSymbolicLink(
          atPath: file.path, withDestinationPath: "/nowhere")
      },
      { #expect(mkfifo(file.path, 0o600) == 0) },
    ]
    for (index, place) in places.enumerated() {
      try? FileManager.default.removeItem(at: file)
      try place()
      let cache = sample.cache()
      #expect(!ArtifactSample.holds(cache, key), "\(index)")
      cache.store(key, ArtifactSample.writer())
      #expect(cache.note == nil && ArtifactSample.holds(sample.cache(), key), "\(index)")
    }
  }

  @Test("an artifact with unread or inconsistent content is removed")
  func leftover() throws {
    let sample = try ArtifactSample()
    sample.cache().store(sample.key(), ArtifactSample.writer())
    let value = sample.cache().value(sample.key()) { reader throws(ArtifactDamage) in
      try reader.text()
    }
    #expect(value == nil && !sample.exists(sample.key()))
  }

  @Test("an artifact's name changes with every part, the kind and the program")
  func keys() {
    func name(_ parts: [String], _ kind: ArtifactKind = .records, program: String = "p") -> String {
      ArtifactKey(kind: kind, parts, program: program).hexadecimal
    }
    let lists = [
      [], [""], ["", ""], ["a"], ["a", ""], ["", "a"], ["ab"], ["a", "b"], ["b", "a"],
      ["1:a"], ["a1:b"], ["a", "b", "c"],
    ]
    var names = lists.map { name($0) }
    names += ArtifactKind.allCases.filter { $0 != .records }.map { name(["a"], $0) }
    names += [name(["a"], program: "q"), name(["a"], program: "")]
    #expect(Set(names).count == names.count)
    #expect(name(["a", "b"]) == name(["a", "b"]))
    for kind in ArtifactKind.allCases {
      #expect(ArtifactKey.isFileName(ArtifactKey(kind: kind, []).fileName))
    }
    let digits = String(repeating: "0", count: 64)
    for name in [
      "records-\(digits)", "other-\(digits).artifact", "records-\(digits)0.artifact",
      "records-\(digits.dropLast())G.artifact", "records.artifact", ".artifact", "",
    ] {
      #expect(!ArtifactKey.isFileName(name))
    }
  }
}
