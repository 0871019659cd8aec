import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("A damaged archive")
struct DamagedArchiveTests {
  private static let good: [UInt8] = {
    guard let folder = try? TemporaryFolder() else { return [] }
    let path = folder.path.appending("a")
    _ = try? Sample.write(path)
    return (try? contents(of: path)) ?? []
  }()

  /// Verifies some bytes as a file.
  private func verify(_ bytes: [UInt8]) throws -> ArchiveVerification {
    let folder = try TemporaryFolder()
    var verifier = ArchiveVerifier(level: .full)
    verifier.giveUpAfter = 10
    return verifier.verify(try folder.write(bytes, to: "a.mbtiles"))
  }

  @Test("an archive truncated at any length is found damaged")
  func cut() throws {
    for count in stride(from: 0, to: Self.good.count, by: 997) {
      #expect(try !verify(Array(Self.good[..<count])).isSound)
    }
  }

  @Test("an archive with any used byte changed is found damaged, without crash or hang")
  func flipped() throws {
    var random = SplitMix64(seed: 6)
    let used = Self.good.indices.filter { Self.good[$0] != 0 }
    var unnoticed: [Int] = []
    for _ in 0..<400 {
      var bytes = Self.good
      let index = used[Int(random.next() % UInt64(used.count))]
      bytes[index] ^= UInt8(1) << UInt8(random.next() % 8)
      if try verify(bytes).findings.isEmpty { unnoticed.append(index) }
    }
    // Bytes that say nothing about tiles: counters and version in the header, texts for people,
    // and checksums of the sample images, which are not right to begin with.
    #expect(unnoticed.count < 40, "\(unnoticed)")
  }

  @Test("an archive with whole pages exchanged or filled with noise does no harm")
  func pages() throws {
    var random = SplitMix64(seed: 7)
    let pages = Self.good.count / 4096
    for round in 0..<60 {
      var bytes = Self.good
      let (a, b) = (Int(random.next() % UInt64(pages)), Int(random.next() % UInt64(pages)))
      for offset in 100..<4096 {
        if round % 2 == 0 {
          bytes.swapAt(a * 4096 + offset, b * 4096 + offset)
        } else {
          bytes[b * 4096 + offset] = UInt8(truncatingIfNeeded: random.next() >> 8)
        }
      }
      _ = try verify(bytes)
    }
  }

  @Test(
    "the damaged archives of node-mbtiles' tests are found damaged",
    .enabled(if: SharedData.isThere, "no shared data"))
  func corpus() throws {
    let folder = FilePath(SharedData.path("mbtiles"))
    let corrupt = ArchiveVerifier().verify(folder.appending("nodembtiles_corrupt.mbtiles"))
    #expect(corrupt.findings.contains { $0.topic == .integrity })
    #expect(corrupt.findings.contains { $0.topic == .header && $0.message.contains("16073 bytes") })
    let null = ArchiveVerifier().verify(folder.appending("nodembtiles_corrupt_null_tile.mbtiles"))
    #expect(null.findings.contains { $0.message.contains("tile 1/0/1 has no bytes") })
  }

  @Test("a missing file, or one that is not an archive, is a finding")
  func nothing() throws {
    let folder = try TemporaryFolder()
    let missing = ArchiveVerifier().verify(folder.path.appending("none"))
    #expect(missing.findings.map(\.topic) == [.file])
    #expect(try verify(Array("hello".utf8)).findings.map(\.topic) == [.file])
    #expect(ArchiveVerifier().verify(folder.path).findings.map(\.topic) == [.reading])
  }
}
