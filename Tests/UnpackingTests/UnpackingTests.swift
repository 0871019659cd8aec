import Features
import Files
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Unpacking

/// A packed file in a folder of its own.
struct PackedFixture {
  let folder: TemporaryFolder
  let path: String

  init(_ bytes: [UInt8], _ name: String = "points.packed") throws {
    folder = try TemporaryFolder()
    path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  func packed(
    member: String? = nil, hasName: Bool = false, _ limits: UnpackLimits = UnpackLimits(),
    checkpoint: @escaping @Sendable () throws -> Void = {}
  ) -> PackedInput? {
    var surroundings = PackedInput.Surroundings(folder: FilePath(folder.url.path))
    surroundings.limits = limits
    surroundings.checkpoint = checkpoint
    var wanted = PackedInput.Wanted()
    wanted.member = member
    wanted.endings = [".csv", ".txt"]
    wanted.hasName = hasName
    return PackedInput(.file(FilePath(path)), name: "points.packed", wanted: wanted, surroundings)
  }

  /// The content of the file.
  func bytes(member: String? = nil, _ limits: UnpackLimits = UnpackLimits()) throws -> [UInt8] {
    let input = try #require(packed(member: member, limits))
    let file = try input.unpacked().file
    let count = Int(try file.stat().size)
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try file.read(fromAbsoluteOffset: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// The error with which the file is refused.
  func refusal(member: String? = nil, _ limits: UnpackLimits = UnpackLimits()) -> SourceError? {
    do {
      _ = try bytes(member: member, limits)
      return nil
    } catch {
      return error as? SourceError
    }
  }
}

/// Text that packs well, and is longer than all buffers.
let longText: [UInt8] = Array(
  (0..<60_000).map { "\($0 % 360),\($0 % 170),Place \($0)\n" }.joined().utf8)

@Suite("Packed files")
struct UnpackingTests {
  @Test(
    "packed files unpack to what was packed",
    arguments: [
      PackedSample.gzip(longText), PackedSample.gzip(longText, name: "points.csv"),
      PackedSample.gzip(Array(longText.prefix(1000))) + PackedSample.gzip([])
        + PackedSample.gzip(Array(longText.dropFirst(1000))) + [0, 0, 0],
      PackedSample.zstd(longText),
      PackedSample.zstd(Array(longText.prefix(1000)))
        + PackedSample.zstd(Array(longText.dropFirst(1000))),
      PackedSample.zip([.init("points.csv", longText)]),
      PackedSample.zip([.init("points.csv", longText)], comment: "by hand", isWide: true),
    ])
  func content(_ packed: [UInt8]) throws {
    #expect(try PackedFixture(packed).bytes() == longText)
  }

  @Test("bzip2 files unpack to what was packed, also several in one")
  func bzip2() throws {
    let text = Array(PackedSample.bzip2Text.utf8)
    #expect(try PackedFixture(PackedSample.bzip2).bytes() == text)
    #expect(try PackedFixture(PackedSample.bzip2 + PackedSample.bzip2).bytes() == text + text)
  }

  @Test(
    "text is not taken for a packed file",
    arguments: ["", "lng,lat\n", "BZh9 is a name,1\n", "PK,1\n", "Px*\u{4D}\u{18}", "(µ/"])
  func texts(_ text: String) throws {
    #expect(try PackedFixture(Array(text.utf8)).packed() == nil)
  }

  @Test(
    "a packed file that breaks off is refused wherever it does",
    arguments: [
      PackedSample.gzip(Array(longText.prefix(5000)), name: "a"), PackedSample.bzip2,
      PackedSample.zstd(Array(longText.prefix(5000))),
      PackedSample.zip([.init("a.csv", Array(longText.prefix(5000)))]),
    ])
  func truncation(_ packed: [UInt8]) throws {
    for count in stride(from: FileSignature.byteCount, to: packed.count, by: 37) {
      let error = try PackedFixture(Array(packed.prefix(count))).refusal()
      #expect(error?.code == .badData, "\(count) bytes")
    }
  }

  @Test("a packed file with other bytes than were packed is refused")
  func damage() throws {
    var packed = PackedSample.gzip(Array("lng,lat\n1,2\n".utf8))
    packed[packed.count - 8] ^= 1
    #expect(try PackedFixture(packed).refusal()?.message.contains("CRC-32") == true)
    packed = PackedSample.gzip(Array("lng,lat\n1,2\n".utf8))
    packed[packed.count - 4] ^= 1
    #expect(try PackedFixture(packed).refusal()?.message.contains("number of bytes") == true)
    packed = PackedSample.gzip(Array("lng,lat\n1,2\n".utf8)) + Array("and more".utf8)
    #expect(try PackedFixture(packed).refusal()?.message.contains("behind its packed") == true)
    packed = PackedSample.bzip2
    packed[30] ^= 4
    #expect(try PackedFixture(packed).refusal()?.message.contains("bzip2") == true)
  }

  @Test("a file that unpacks to far more than any table does is refused")
  func bombs() throws {
    var limits = UnpackLimits()
    limits.unrated = 1 << 20
    let zeros = [UInt8](repeating: 0x30, count: 8 << 20)
    for packed in [PackedSample.gzip(zeros), PackedSample.zip([.init("a.csv", zeros)])] {
      let error = try PackedFixture(packed).refusal(limits)
      #expect(error?.code == .badData)
      #expect(error?.message.contains("zip bombs") == true)
    }
    limits = UnpackLimits()
    limits.bytes = 1 << 20
    #expect(
      try PackedFixture(PackedSample.gzip(longText)).refusal(limits)?.message
        == "unpacks to more than 1048576 bytes, the limit; unpack it by hand, in parts")
  }

  @Test("a file that does not fit on the disk is refused before it fills it")
  func space() throws {
    var limits = UnpackLimits()
    limits.reserve = 1 << 60
    let error = try PackedFixture(PackedSample.zip([.init("a.csv", longText)])).refusal(limits)
    #expect(error?.code == .io)
    #expect(error?.message.contains("--tmpdir") == true)
  }

  @Test("a cancelled run ends the unpacking with its own error, and the next one unpacks")
  func cancellation() throws {
    struct Stop: Error {}
    let fixture = try PackedFixture(PackedSample.gzip(longText))
    let stopped = fixture.packed(checkpoint: { throw Stop() })
    let input = try #require(stopped)
    #expect(throws: Stop.self) { _ = try input.unpacked() }
    #expect(try fixture.bytes() == longText)
  }

  @Test("a file is unpacked once, and its temporary file goes with it")
  func once() throws {
    let fixture = try PackedFixture(PackedSample.gzip(longText))
    do {
      let input = try #require(fixture.packed(hasName: true))
      let first = try input.unpacked()
      #expect(try input.unpacked() === first)
      #expect(try fixture.folder.names().count == 2)
    }
    #expect(try fixture.folder.names() == ["points.packed"])
  }
}
