import Files
import Foundation
import Platform
import Runs
import SystemPackage
import TestSupport
import Testing

@Suite("The memory of a stage", .serialized)
struct MemoryUseTests {
  private static let size = 256 << 20

  /// The memory of a stage with this work.
  private func memory(_ body: () throws -> Void) throws -> MemoryUse {
    let clock = StageClock(progress: { _ in }, cancellation: Cancellation())
    try clock.stage("work", unit: .rows) { _ in try body() }
    return clock.stages[0].memory
  }

  @Test("memory that is released before a stage ends counts as its anonymous peak")
  func anonymous() throws {
    let idle = try memory {}
    let busy = try memory {
      let block = UnsafeMutableRawPointer.allocate(byteCount: Self.size, alignment: 16)
      memset(block, 1, Self.size)
      usleep(100_000)
      block.deallocate()
    }
    // Other tests of the process allocate and release meanwhile.
    #expect(busy.anonymous - idle.anonymous > Self.size / 2)
    #expect(busy.mapped - idle.mapped < Self.size)
  }

  @Test("a mapped file counts as mapped")
  func mapped() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    try Data(count: Self.size).write(to: URL(filePath: path))
    let busy = try memory {
      let file = try MappedFile(FilePath(path))
      usleep(100_000)
      withExtendedLifetime(file) {}
    }
    #expect(busy.mapped >= Self.size)
  }

  @Test("stages of one name are summed, and their memory is the peak of both")
  func sum() {
    var stages: [StageTime] = []
    stages.add(StageTime(name: "a", seconds: 1, memory: MemoryUse(anonymous: 5, mapped: 1)))
    stages.add(StageTime(name: "b", seconds: 1))
    stages.add(StageTime(name: "a", seconds: 2, memory: MemoryUse(anonymous: 3, mapped: 4)))
    #expect(
      stages == [
        StageTime(name: "a", seconds: 3, memory: MemoryUse(anonymous: 5, mapped: 4)),
        StageTime(name: "b", seconds: 1),
      ])
    #expect(stages.peakMemory == MemoryUse(anonymous: 5, mapped: 4))
  }
}
