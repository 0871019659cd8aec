import Foundation
import Runs
import SystemPackage
import TestSupport
import Testing

@testable import Shards

@Suite("Part files")
struct PartFormatTests {
  /// A part with some records.
  private func write(to path: FilePath) throws {
    let writer = try PartWriter(path, plan: [UInt8](repeating: 5, count: 32), shard: 3)
    for number in 0..<4 {
      var content = PartBytes()
      content.append(counted: [UInt8](repeating: UInt8(number), count: 10 * number))
      try writer.append(number == 2 ? .block : .batch, archive: number % 2, content)
    }
    try writer.commit(Cancellation())
  }

  @Test("a part returns its records by kind and archive, in order")
  func records() throws {
    let folder = try TemporaryFolder()
    let path = FilePath(folder.path("x.tiles"))
    try write(to: path)
    let part = try PartFile(path, Cancellation())
    #expect(part.shard == 3 && part.plan == [UInt8](repeating: 5, count: 32))
    var batches = part.records(.batch, archive: 1)
    var first = try #require(try batches.next())
    #expect(try first.counted().count == 10)
    var second = try #require(try batches.next())
    #expect(try second.counted().count == 30)
    #expect(try batches.next() == nil && batches.next() == nil)
    var blocks = part.records(.block, archive: 0)
    #expect(try blocks.next() != nil && blocks.next() == nil)
  }

  @Test("a part with any byte flipped, and a truncated one, is refused")
  func damage() throws {
    let folder = try TemporaryFolder()
    try write(to: FilePath(folder.path("x.tiles")))
    let bytes = try folder.bytes("x.tiles")
    for index in bytes.indices {
      var damaged = bytes
      damaged[index] ^= 0x10
      try Data(damaged).write(to: folder.url.appending(path: "y.tiles"))
      #expect(throws: PartDamage.self) {
        try PartFile(FilePath(folder.path("y.tiles")), Cancellation())
      }
    }
    for length in stride(from: 1, to: bytes.count, by: 7) {
      try Data(bytes[..<length]).write(to: folder.url.appending(path: "y.tiles"))
      #expect(throws: PartDamage.self) {
        try PartFile(FilePath(folder.path("y.tiles")), Cancellation())
      }
    }
  }

  @Test("the content of a record is never read beyond its end")
  func limits() throws {
    var bytes = PartBytes()
    bytes.append(counted: [UInt64.max, 7])
    for length in 0..<bytes.bytes.count {
      Array(bytes.bytes[..<length]).withUnsafeBytes { content in
        var cursor = PartCursor(content)
        #expect(throws: PartDamage.self) { try cursor.column(of: UInt64.self) }
      }
    }
    var huge = PartBytes()
    huge.append(UInt64.max)
    huge.bytes.withUnsafeBytes { content in
      var cursor = PartCursor(content)
      #expect(throws: PartDamage.self) { try cursor.counted() }
    }
  }
}
