import Foundation
import TestSupport
import Testing

@testable import QuadrilleClient

@Suite("Updates of processes that are killed or out of disk")
struct UpdateKillTests {
  /// The program `update-fixture` beside the tests.
  private static let program = Program.url.deletingLastPathComponent()
    .appendingPathComponent("update-fixture").path

  /// A folder with the files of the publisher.
  private let server: TemporaryFolder
  private let scene: UpdateScene

  init() throws {
    server = try TemporaryFolder()
    scene = try UpdateScene()
    for (name, data) in scene.publisher.files {
      try data.write(to: server.url.appendingPathComponent(name))
    }
  }

  private func run(
    _ archive: String, _ more: [String] = [], launcher: [String] = []
  ) throws -> Program.Outcome {
    let words = [archive, server.url.path, scene.publisher.signer.key.base64] + more
    guard let command = launcher.first else {
      return try Program.Run(words, program: Self.program).finish()
    }
    return try Program.Run(
      Array(launcher.dropFirst()) + [Self.program] + words, program: "/usr/bin/\(command)"
    ).finish()
  }

  @Test("killed at any step, or a moment after it: old or new, and the next try succeeds")
  func kills() throws {
    let complete = try run(scene.archive.path)
    #expect(complete.status == 0, "\(complete)")
    let count = try #require(complete.output.split(separator: " ").first.flatMap { Int($0) })
    #expect(count > 20)
    var outcomes: Set<Bool> = []
    for step in 1...count {
      // A moment later, SQLite or the system is at work on what was announced.
      for delay in [0, step % 3 * 150] where delay > 0 || step % 2 == 0 {
        let scene = try UpdateScene()
        _ = try run(scene.archive.path, ["\(step)", "\(delay)"])
        let content = try scene.content()
        outcomes.insert(content == scene.contents.new)
        #expect(content == scene.contents.old || content == scene.contents.new, "\(step)")
        let next = try run(scene.archive.path)
        #expect(next.status == 0, "\(step): \(next)")
        #expect(try scene.content() == scene.contents.new, "\(step)")
        #expect(
          try scene.folder.names() == [
            "tiny.mbtiles", "tiny.mbtiles.previous", "tiny.update-state.json",
          ], "\(step)")
      }
    }
    #expect(outcomes == [false, true])
  }

  @Test("a full disk: old or new, and the next try succeeds", .enabled(if: PrivateDisk.isAvailable))
  func fullDisk() throws {
    var failures = 0
    for kilobytes in stride(from: 84, through: 300, by: 12) {
      let disk = try PrivateDisk("size=\(kilobytes)k")
      let archive = disk.url.appendingPathComponent("tiny.mbtiles")
      guard (try? Data(contentsOf: scene.archive).write(to: archive)) != nil else { continue }
      let path = disk.folder.url.appendingPathComponent("tiny.mbtiles").path
      let first = try run(path, launcher: disk.launcher)
      if first.status != 0 {
        failures += 1
        #expect(try content(archive) == scene.contents.old, "\(kilobytes): \(first)")
        try disk.remount("size=8m")
        let next = try run(path, launcher: disk.launcher)
        #expect(next.status == 0, "\(kilobytes): \(next)")
      }
      #expect(try content(archive) == scene.contents.new, "\(kilobytes): \(first)")
    }
    #expect(failures > 5)
  }

  /// SQLite does not open files of another mount namespace.
  private func content(_ archive: URL) throws -> Content {
    let copy = try TemporaryFolder()
    let url = copy.url.appendingPathComponent("copy.mbtiles")
    try Data(contentsOf: archive).write(to: url)
    return try Content(url)
  }
}
