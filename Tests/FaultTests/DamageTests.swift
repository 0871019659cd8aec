import Foundation
import TestSupport
import Testing

/// Archives and caches that something damaged: found, and made anew.
@Suite("A damaged file of the last run")
struct DamageTests {
  /// A kind of damage at a place of a file.
  enum Damage: String, CaseIterable, Sendable {
    case flipped
    case zeroed
    case truncated

    /// Does it to the page that begins at an offset.
    func apply(to bytes: inout [UInt8], at offset: Int, _ random: inout SplitMix64) {
      let end = min(offset + 4096, bytes.count)
      switch self {
      case .flipped:
        bytes[offset + random.below(end - offset)] ^= UInt8(1 << random.below(8))
      case .zeroed: bytes.replaceSubrange(offset..<end, with: repeatElement(0, count: end - offset))
      case .truncated: bytes.removeSubrange(offset...)
      }
    }
  }

  private static let isQuick = !runsSlowTests
  static let damages: [Damage] = isQuick ? [.flipped] : Damage.allCases

  @Test(
    "a damaged archive is never published again: the next build equals a full one",
    arguments: damages, [false, true])
  func archive(damage: Damage, isEdited: Bool) throws {
    let ground = try FaultGround(isEdited ? .incremental : .incremental.unedited)
    let pages = try ground.folder().bytes("out.mbtiles").count / 4096
    var random = SplitMix64(seed: 4)
    for page in stride(from: 0, to: pages, by: Self.isQuick ? max(1, pages / 2) : 1) {
      let folder = try ground.folder()
      var bytes = try folder.bytes("out.mbtiles")
      damage.apply(to: &bytes, at: page * 4096, &random)
      try Data(bytes).write(to: folder.url.appendingPathComponent("out.mbtiles"))
      let run = try ground.run(in: folder)
      #expect(run.status == 0, "page \(page): \(run.errors)")
      let state = try FolderState(folder.url, published: ["out.mbtiles"])
      let complaints = state.complaints(comparedTo: ground.after)
      #expect(complaints.isEmpty, "\(damage) page \(page): \(complaints)")
    }
    if runsSlowTests { print("faults: \(pages) pages of the last archive \(damage)") }
  }

  @Test("a damaged file of the cache is recreated", arguments: damages)
  func cache(damage: Damage) throws {
    let ground = try FaultGround(.incremental)
    var random = SplitMix64(seed: 5)
    let names = try Self.cached(in: try ground.folder())
    var cases = 0
    for name in Self.isQuick ? Array(names.prefix(1)) : names {
      let size = try ground.folder().bytes(name).count
      let offsets = Self.isQuick ? [0] : [0, size / 2, max(0, size - 1)]
      for offset in offsets {
        let folder = try ground.folder()
        var bytes = try folder.bytes(name)
        guard !bytes.isEmpty else { continue }
        damage.apply(to: &bytes, at: offset, &random)
        try Data(bytes).write(to: folder.url.appendingPathComponent(name))
        let trial = try ground.judge(try ground.run(in: folder), in: folder.url) {
          try ground.run(in: folder, again: true)
        }
        #expect(trial.outcome.status == 0, "\(name): \(trial.outcome.errors)")
        #expect(trial.complaints.isEmpty, "\(damage) \(name) at \(offset): \(trial.complaints)")
        cases += 1
      }
    }
    if runsSlowTests { print("faults: \(cases) places of \(names.count) cached files \(damage)") }
  }

  /// The files of the cache, by their paths in the folder.
  private static func cached(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasPrefix(".quadrille-cache/") && $0.hasSuffix(".artifact") }.sorted()
  }
}
