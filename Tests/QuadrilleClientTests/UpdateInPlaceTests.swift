import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

/// File systems that share blocks, such as Btrfs, have the archive copied for nothing instead.
@Suite("Updates of an archive in its place", .enabled(if: !sharesBlocks))
struct UpdateInPlaceTests {
  private let scene: UpdateScene
  private let before: Data

  init() throws {
    scene = try UpdateScene(isLarge: true)
    before = try Data(contentsOf: scene.archive)
  }

  @Test("the archive's file stays, and an archive that is open shows the new tiles")
  func inPlace() async throws {
    let inode = try scene.inode()
    let open = try MapArchive(url: scene.archive)
    let changed = TileAddress(zoom: 3, column: 1, row: 2)
    #expect(try await open.tile(changed) == scene.old.tiles[changed].map { Data($0) })
    #expect(try await scene.updater(MemoryTransport(scene.publisher)).update().hasChanged)
    #expect(try scene.inode() == inode)
    #expect(try scene.content() == scene.contents.new)
    #expect(open.isReplaced)
    #expect(try await open.tile(changed) == Data(TinyArchive.bytes(99_001)))
    #expect(
      try scene.folder.names() == [
        "tiny.mbtiles", "tiny.mbtiles.previous", "tiny.update-state.json",
      ])
    let undo = try Data(
      contentsOf: scene.folder.url.appendingPathComponent("tiny.mbtiles.previous"))
    #expect(undo.count < before.count / 4)
  }

  @Test("roll back restores the very bytes, once, and the next update is the same again")
  func rollBack() async throws {
    let updater = scene.updater(MemoryTransport(scene.publisher))
    for _ in 0..<2 {
      #expect(try await updater.update().hasChanged)
      try await updater.rollBack()
      #expect(try Data(contentsOf: scene.archive) == before)
      await #expect(throws: ClientError.noPrevious(file: "tiny.mbtiles")) {
        try await updater.rollBack()
      }
    }
  }

  @Test("the journal of another state of the archive is not played back")
  func otherState() async throws {
    let updater = scene.updater(MemoryTransport(scene.publisher))
    _ = try await updater.update()
    let file = try SQLiteFile(path: scene.archive.path, mode: .writable)
    try file.run("INSERT INTO metadata VALUES ('more', 'x')")
    let now = try scene.content()
    await #expect(throws: ClientError.noPrevious(file: "tiny.mbtiles")) {
      try await updater.rollBack()
    }
    #expect(try scene.content() == now)
  }

  @Test("while somebody reads all the time, a copy takes the archive's place")
  func reader() async throws {
    let inode = try scene.inode()
    let open = try SQLiteFile(path: scene.archive.path, mode: .shared)
    let rows = try open.prepare("SELECT * FROM tiles")
    #expect(try rows.step())
    #expect(try await scene.updater(MemoryTransport(scene.publisher)).update().hasChanged)
    #expect(try scene.inode() != inode)
    #expect(try scene.content() == scene.contents.new)
    while try rows.step() {}
  }

  @Test("a delta that makes other tiles than it says leaves the archive")
  func lyingDelta() async throws {
    let delta = scene.folder.url.appendingPathComponent("a.delta")
    try scene.old.writeDelta(to: scene.new, at: delta)
    try SQLiteFile(path: delta.path, mode: .writable)
      .run("UPDATE new_images SET tile_data = x'00'")
    await #expect {
      try await scene.updater(NoTransport()).apply([delta])
    } throws: {
      if case .otherDigest = $0 as? ClientError { true } else { false }
    }
    #expect(try Data(contentsOf: scene.archive) == before)
    #expect(!FileManager.default.fileExists(atPath: scene.archive.path + "-journal"))
  }

  @Test("any change that fails: old or new, and the next try succeeds", arguments: [false, true])
  func faults(isRollBack: Bool) async throws {
    var count = 0
    while true {
      let scene = try UpdateScene(isLarge: true)
      let good = scene.updater(MemoryTransport(scene.publisher))
      if isRollBack { _ = try await good.update() }
      let fault = UpdateFaultTests.Fault(after: count)
      let updater = scene.updater(
        MemoryTransport(scene.publisher, piece: 1 << 20), files: fault.actions)
      do throws(ClientError) {
        if isRollBack { try await updater.rollBack() } else { _ = try await updater.update() }
        break
      } catch {
        guard case .inputOutput = error else { throw error }
      }
      let content = try scene.content()
      #expect(content == scene.contents.old || content == scene.contents.new, "\(count)")
      _ = try await good.update()
      #expect(try scene.content() == scene.contents.new, "\(count)")
      #expect(try scene.folder.names().allSatisfy { !$0.hasSuffix("-journal") }, "\(count)")
      count += 1
    }
    #expect(count > (isRollBack ? 4 : 12))
  }

  // MARK: Processes

  private static let program = Program.url.deletingLastPathComponent()
    .appendingPathComponent("update-fixture").path

  private func words(_ scene: UpdateScene) throws -> [String] {
    let server = scene.folder.url.deletingLastPathComponent()
      .appendingPathComponent(scene.folder.url.lastPathComponent + "-server")
    try FileManager.default.createDirectory(at: server, withIntermediateDirectories: true)
    for (name, data) in scene.publisher.files {
      try data.write(to: server.appendingPathComponent(name))
    }
    return [scene.archive.path, server.path, scene.publisher.signer.key.base64]
  }

  @Test("an update writes what has changed, not the archive", .enabled(if: countsBytes))
  func bytes() throws {
    let words = try words(scene)
    defer { try? FileManager.default.removeItem(atPath: words[1]) }
    let outcome = try Program.Run(words, program: Self.program).finish()
    let numbers = outcome.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(outcome.status == 0 && numbers.count == 2)
    let delta = try #require(scene.publisher.files.first { $0.key.hasSuffix(".delta") }?.value)
    #expect(numbers[1] > delta.count && numbers[1] < 5 * delta.count)
    #expect(numbers[1] < before.count / 4)
  }

  @Test(
    "killed at a system call: old or new, and the next try succeeds",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace")))
  func kills() throws {
    let words = try words(scene)
    defer { try? FileManager.default.removeItem(atPath: words[1]) }
    let names = "pwrite64,write,fsync,fdatasync,ftruncate,rename,unlink,mkdir,rmdir,link"
    func run(_ scene: UpdateScene, _ options: [String]) throws -> Program.Outcome {
      try Program.Run(
        ["-f", "-qq", "-o"] + options + [Self.program, scene.archive.path] + words.dropFirst(),
        program: "/usr/bin/strace"
      ).finish()
    }
    let trace = scene.folder.url.appendingPathComponent("trace")
    #expect(try run(scene, [trace.path, "-e", "trace=\(names)"]).status == 0)
    var counts: [String: [String: Int]] = [:]
    for line in try String(contentsOf: trace, encoding: .utf8).split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == "(" }).map { String($0) }
      if words.count > 1 { counts[words[1], default: [:]][words[0], default: 0] += 1 }
    }
    var (killed, contents) = (0, Set<Bool>())
    for name in counts.keys.sorted() where names.split(separator: ",").contains(name[...]) {
      // strace counts the calls of each thread.
      let count = counts[name]?.values.max() ?? 0
      for call in stride(from: 1, through: count, by: runsSlowTests ? 1 : max(1, count / 8)) {
        let scene = try UpdateScene(isLarge: true)
        let outcome = try run(
          scene,
          ["/dev/null", "-e", "trace=\(name)", "-e", "inject=\(name):signal=KILL:when=\(call)"])
        if outcome.status != 0 { killed += 1 }
        // Opened as an app opens it, which restores what was interrupted.
        _ = try? MapArchive(url: scene.archive)
        let content = try scene.content()
        contents.insert(content == scene.contents.new)
        #expect(content == scene.contents.old || content == scene.contents.new, "\(name) \(call)")
        let next = try Program.Run(
          [scene.archive.path] + words.dropFirst(), program: Self.program
        ).finish()
        #expect(next.status == 0, "\(name) \(call): \(next)")
        #expect(try scene.content() == scene.contents.new, "\(name) \(call)")
        #expect(
          try scene.folder.names().allSatisfy { !$0.hasSuffix("-journal") }, "\(name) \(call)")
      }
    }
    #expect(killed > 20 && contents == [false, true])
  }
}

private let countsBytes = FileManager.default.fileExists(atPath: "/proc/self/io")

/// Whether copies of files share their blocks here.
private let sharesBlocks: Bool = {
  guard let folder = try? TemporaryFolder() else { return false }
  let file = folder.url.appendingPathComponent("a")
  try? Data(repeating: 1, count: 8192).write(to: file)
  return (try? FileActions().clone(file.path, to: file.path + "b")) == true
}()

extension UpdateScene {
  /// The number of the archive's file.
  fileprivate func inode() throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: archive.path)[.systemFileNumber] as? Int
  }
}
