import Archives
import Foundation
import Hashing
import SystemPackage
import TestSupport
import Testing

@Suite("The chunks of an archive's file")
struct FileChunksTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func chunks(_ data: Data) throws -> FileChunks {
    let url = folder.url.appendingPathComponent("a.mbtiles")
    try data.write(to: url)
    return try FileChunks(of: FilePath(url.path))
  }

  @Test(
    "each chunk of 64 KiB has a hash, and so has the rest",
    arguments: [0, 1, 65_536, 65_537, 200_000])
  func hashes(count: Int) throws {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let found = try chunks(data)
    #expect(found.size == 65_536)
    let hashes = stride(from: 0, to: count, by: 65_536).map { start in
      Array(SHA256.hash(data: data[start..<min(start + 65_536, count)]).prefix(16))
    }
    #expect(Data(base64Encoded: found.hashes) == Data(hashes.joined()))
  }

  @Test("a file has at most 1,024 chunks", arguments: [(1 << 26, 16), ((1 << 26) + 1, 17)])
  func sizes(bytes: Int, bits: Int) throws {
    let url = folder.url.appendingPathComponent("large")
    try Data().write(to: url)
    // A file of zeros takes no room.
    try FileHandle(forWritingTo: url).truncate(atOffset: UInt64(bytes))
    let found = try FileChunks(of: FilePath(url.path))
    #expect(found.size == 1 << bits)
    let count = Data(base64Encoded: found.hashes).map { $0.count / 16 }
    #expect(count == (bytes + found.size - 1) / found.size)
  }
}
