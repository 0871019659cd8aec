import SystemPackage
import TestSupport
import Testing

@testable import MBTiles

@Suite("The image store")
struct ImageStoreTests {
  @Test(
    "the image store returns what was stored, over many flushes and mappings, and leaves no file")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let store = try ImageStore(
      path: folder.path.appending("images"), chunkSize: 1 << 16, tailCapacity: 1000)
    #expect(try folder.names().isEmpty)
    var random = SplitMix64(seed: 3)
    var stored: [(place: UnsafeRawBufferPointer, bytes: [UInt8])] = []
    for _ in 0..<600 {
      let count = Int(random.next() % (random.next() % 10 == 0 ? 3000 : 300))
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let place = try bytes.withUnsafeBytes { try store.store($0) }
      stored.append((place, bytes))
      let probe = stored[Int(random.next() % UInt64(stored.count))]
      #expect(store.bytes(at: probe.place).elementsEqual(probe.bytes))
    }
    try store.flush()
    for (place, bytes) in stored { #expect(place.elementsEqual(bytes)) }
  }

  @Test("the image store refuses an image larger than a mapping")
  func tooLarge() throws {
    let folder = try TemporaryFolder()
    let store = try ImageStore(path: folder.path.appending("images"), chunkSize: 1 << 16)
    let bytes = [UInt8](repeating: 0, count: 1 << 16 + 1)
    #expect(throws: ArchiveError.self) {
      _ = try bytes.withUnsafeBytes { try store.store($0) }
    }
  }
}
