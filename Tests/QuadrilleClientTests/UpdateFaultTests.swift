import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

@Suite("Updates that fail half-way")
struct UpdateFaultTests {
  /// Announces changes until one fails.
  final class Fault: @unchecked Sendable {
    private let lock = NSLock()
    private var left: Int
    private(set) var steps: [FileActions.Step] = []

    init(after steps: Int) { left = steps }

    var actions: FileActions {
      FileActions { step throws(ClientError) in
        let fails = self.lock.withLock { () -> Bool in
          self.steps.append(step)
          self.left -= 1
          return self.left < 0
        }
        if fails { throw ClientError.inputOutput(file: "\(step)", reason: "the disk is full") }
      }
    }
  }

  /// The content of the archive is that of the old or the new one.
  private func isWhole(_ scene: UpdateScene) async throws -> Bool {
    try await MapArchive(url: scene.archive).verify()
    let content = try scene.content()
    return content == scene.contents.old || content == scene.contents.new
  }

  @Test("a connection that breaks after any piece: the old archive, and the next try goes on")
  func network() async throws {
    var (pieces, resumed) = (0, 0)
    while true {
      let scene = try UpdateScene()
      let broken = MemoryTransport(scene.publisher, breakingAfter: pieces)
      do {
        _ = try await scene.updater(broken).update()
        break
      } catch {
        guard case .network = error else { throw error }
        #expect(try scene.content() == scene.contents.old)
      }
      let transport = MemoryTransport(scene.publisher)
      _ = try await scene.updater(transport).update()
      if transport.requests.contains(where: { $0.offset > 0 }) { resumed += 1 }
      #expect(try scene.content() == scene.contents.new)
      pieces += 1
    }
    #expect(pieces > 10)
    #expect(resumed > 5)
  }

  @Test("a server without ranges, or with a shorter file, is asked from the beginning")
  func ranges() async throws {
    let scene = try UpdateScene()
    await #expect(throws: ClientError.self) {
      try await scene.updater(MemoryTransport(scene.publisher, breakingAfter: 12)).update()
    }
    let transport = MemoryTransport(scene.publisher, ignoresRanges: true)
    _ = try await scene.updater(transport).update()
    #expect(transport.requests.contains { $0.offset > 0 })
    #expect(try scene.content() == scene.contents.new)

    let other = try UpdateScene()
    await #expect(throws: ClientError.self) {
      try await other.updater(MemoryTransport(other.publisher, breakingAfter: 12)).update()
    }
    let short = MemoryTransport(other.publisher)
    let delta = try #require(other.publisher.files.keys.first { $0.hasSuffix(".delta") })
    short.replace(delta, by: Data("short".utf8))
    _ = try await other.updater(short).update()
    let asked = short.requests.filter { $0.name == delta }
    #expect(asked.count == 2 && asked[0].offset > 0 && asked[1].offset == 0)
    #expect(short.requests.last?.name == "tiny.mbtiles")
    #expect(try other.content() == other.contents.new)
  }

  @Test("any change that fails: old or new, and the next try succeeds", arguments: [false, true])
  func changes(isWholeArchive: Bool) async throws {
    var count = 0
    var seen: Set<FileActions.Step> = []
    while true {
      let scene = try UpdateScene()
      if isWholeArchive { try TinyArchive(seed: 9).write(to: scene.archive) }
      let before = try scene.content()
      let fault = Fault(after: count)
      do {
        let transport = MemoryTransport(scene.publisher, piece: 32_768)
        _ = try await scene.updater(transport, files: fault.actions).update()
        break
      } catch {
        guard case .inputOutput = error else { throw error }
        seen.formUnion(fault.steps)
      }
      let content = try scene.content()
      #expect(content == before || content == scene.contents.new)
      _ = try await scene.updater(MemoryTransport(scene.publisher)).update()
      #expect(try scene.content() == scene.contents.new)
      #expect(try scene.folder.names().count == 3)
      count += 1
    }
    #expect(count > 20)
    #expect(seen.isSuperset(of: [.createFolder, .write, .sync, .link, .rename, .remove]))
    #expect(seen.contains(.statement) != isWholeArchive)
  }

  @Test("any change that fails during a roll back: one of the two archives")
  func rollBack() async throws {
    var count = 0
    while true {
      let scene = try UpdateScene()
      _ = try await scene.updater(MemoryTransport(scene.publisher)).update()
      let fault = Fault(after: count)
      do {
        try await scene.updater(NoTransport(), files: fault.actions).rollBack()
        break
      } catch {
        #expect(try await isWhole(scene))
      }
      count += 1
    }
    #expect(count > 3)
  }
}
